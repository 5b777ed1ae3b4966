import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Cursor from "../../../src/bridge/store/Cursor.ts"
import * as ThreadId from "../../../src/bridge/store/ThreadId.ts"

/** JSON knows no negative zero. */
const plain = <A>(schema: Schema.Codec<A>) =>
  Arbitrary.map(Arbitrary.schema(schema), (value): A => JSON.parse(JSON.stringify(value)) as A)

describe("cursors", () => {
  it.effect.prop(
    "name their place again when they come back",
    [plain(Cursor.HistoryCursor)],
    ([cursor]) =>
      Effect.sync(() => {
        const parsed = Cursor.parseHistory(Cursor.print(cursor), cursor.of, cursor.threadId)
        assert.deepStrictEqual(Result.getOrThrow(parsed), cursor)
        assert.isTrue(Result.isFailure(Cursor.parseHistory(Cursor.print(cursor), cursor.of, `${cursor.threadId}x`)))
        const other = cursor.of === "turns" ? "items" : "turns"
        assert.isTrue(Result.isFailure(Cursor.parseHistory(Cursor.print(cursor), other, cursor.threadId)))
        assert.isTrue(Result.isFailure(Cursor.parseList(Cursor.print(cursor), "createdAt")))
      })
  )

  it.effect.prop("of lists, too", [plain(Cursor.ListCursor)], ([cursor]) =>
    Effect.sync(() => {
      assert.deepStrictEqual(Result.getOrThrow(Cursor.parseList(Cursor.print(cursor), cursor.sortKey)), cursor)
    }))

  it.effect.prop(
    "are refused when they are anything else, without an echo of it all",
    [Schema.String],
    ([text]) =>
      Effect.sync(() => {
        const parsed = Cursor.parseList(text, "createdAt")
        if (Result.isSuccess(parsed)) return assert.fail(text)
        const { reason } = parsed.failure
        assert.strictEqual(reason._tag, "InvalidRequest")
        if (reason._tag === "InvalidRequest") {
          assert.isTrue(reason.message.startsWith("invalid cursor: "))
          assert.isBelow(reason.message.length, 100)
        }
      })
  )
})

const message = (text: string) => {
  const { reason } = Result.getOrThrow(Result.flip(ThreadId.parse(text)))
  return reason._tag === "InvalidRequest" ? reason.message : undefined
}

describe("thread ids", () => {
  it.effect.prop(
    "are UUIDs and nothing else",
    [Schema.String],
    ([text]) => Effect.sync(() => assert.isTrue(Result.isFailure(ThreadId.parse(text))))
  )

  it("are refused in the words of codex", () => {
    assert.strictEqual(
      message("nope"),
      "invalid thread id: invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], " +
        "found `n` at 1"
    )
    assert.strictEqual(
      message("abc"),
      "invalid thread id: invalid length: expected length 32 for simple format, found 3"
    )
  })

  it("may come in upper case, without hyphens, and as a URN", () => {
    const id = "01a229b5-f445-78b3-a1e3-4d05e0b94a1b"
    for (const text of [id, id.toUpperCase(), `urn:uuid:${id}`, `URN:UUID:${id}`, id.replaceAll("-", "")]) {
      assert.strictEqual(Result.getOrThrow(ThreadId.parse(text)), id)
    }
    for (const text of [`${id} `, ` ${id}`, `${id}\n`, id.slice(1), `{${id}}`, `${id}0`, id.replace("-", "")]) {
      assert.isTrue(Result.isFailure(ThreadId.parse(text)), text)
    }
  })
})
