/**
 * A client that was written for the real codex and by others: the AI SDK's provider, which starts `codex app-server`
 * itself and checks what it is told.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { existsSync } from "node:fs"
import * as Paths from "node:path"
import { binaryOf, main } from "../../cli/support/runCli.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as RecordedRequest from "../../support/RecordedRequest.ts"
import { patience, world } from "./kit.ts"

/** What the test uses of it. */
interface Provider {
  readonly close: () => Promise<void>
  readonly languageModel: (id: string) => {
    readonly doStream: (options: {
      readonly prompt: ReadonlyArray<unknown>
      readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, string>>>>
    }) => Promise<{ readonly stream: ReadableStream<Part> }>
  }
}

interface Part {
  readonly type: string
  readonly delta?: string
  readonly warnings?: ReadonlyArray<unknown>
  readonly finishReason?: unknown
  readonly usage?: unknown
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Package {
  readonly createCodexAppServer: (options: {
    readonly defaultSettings: Readonly<Record<string, unknown>>
  }) => Provider
}

const name = "ai-sdk-provider-codex-cli"

// Looked up when the tests run, so that those of a checkout without it are skipped, and say so.
const directory = Paths.resolve(import.meta.dirname, "../../../node_modules", name)
const isInstalled = existsSync(directory)
// oxlint-disable-next-line no-console -- nothing is skipped silently
if (!isInstalled) console.warn(`SKIPPED: the dev dependency ${name} is not installed`)

const options = (threadId: string | undefined) => ({
  "codex-app-server": threadId === undefined ? { threadMode: "persistent" } : { threadId }
})

describe.skipIf(!isInstalled)("the AI SDK", () => {
  it.live(
    "streams text and usage, resumes its thread, and has nothing to complain about",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const { home, model } = yield* world()
        const directory = Paths.dirname(home.home)
        const codex = Paths.join(directory, "codex")
        const command = [binaryOf("node"), main].map((word) => `'${word}'`).join(" ")
        const agent = `--backend codex-app-server --agent-bin '${home.codexBin}'`
        yield* fs.writeFileString(codex, `#!/bin/sh\nexec ${command} "$@" ${agent}\n`, { mode: 0o755 })

        const complaints: Array<string> = []
        const complain = (message: string) => complaints.push(message)
        const { createCodexAppServer }: Package = yield* Effect.promise(() => import(name))
        const provider = yield* Effect.acquireRelease(
          Effect.sync(() =>
            createCodexAppServer({
              defaultSettings: {
                codexPath: codex,
                cwd: home.work,
                env: home.env,
                logger: { debug: () => {}, info: () => {}, warn: complain, error: complain }
              }
            })
          ),
          (provider) => Effect.promise(() => provider.close())
        )

        const say = Effect.fnUntraced(function*(text: string, threadId: string | undefined) {
          const { stream } = yield* Effect.promise(() =>
            provider.languageModel("gpt-5.5").doStream({
              prompt: [{ role: "user", content: [{ type: "text", text }] }],
              providerOptions: options(threadId)
            })
          )
          const parts: Array<Part> = []
          yield* Effect.promise(async () => {
            for await (const part of stream) parts.push(part)
          })
          const end = parts.find(({ type }) => type === "finish")
          return {
            parts,
            end,
            deltas: parts.flatMap(({ delta, type }) => type === "text-delta" ? [delta] : []),
            threadId: String(end?.providerMetadata?.["codex-app-server"]?.["threadId"])
          }
        })

        yield* model.push(
          ModelTurn.turn([ModelTurn.reasoning({ summary: [["Think"]] }), ModelTurn.message(["Hel", "lo"])]),
          ModelTurn.text("And ", "again")
        )
        const first = yield* say("remember the duck", undefined)
        assert.deepStrictEqual(first.deltas, ["Hel", "lo"])
        assert.containsSubset(first.end?.usage, { inputTokens: { total: 100 }, outputTokens: { total: 20 } })
        assert.deepStrictEqual(first.parts.find(({ type }) => type === "stream-start")?.warnings, [])

        const second = yield* say("what was it?", first.threadId)
        assert.deepStrictEqual(second.deltas, ["And ", "again"])
        assert.strictEqual(second.threadId, first.threadId)
        const asked = (yield* model.requests).at(-1)
        assert.include(asked === undefined ? [] : RecordedRequest.userTexts(asked).join("\n"), "remember the duck")
        assert.deepStrictEqual(complaints, [])
        assert.isEmpty([...first.parts, ...second.parts].filter(({ type }) => type === "error"))
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    patience
  )
})
