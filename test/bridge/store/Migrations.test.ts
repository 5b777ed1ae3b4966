import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { SqliteClient, type StoreError } from "../../../src/bridge/store/index.ts"
import * as Migrations from "../../../src/bridge/store/Migrations.ts"
import * as Support from "./support.ts"

const { listed, thread, uuid } = Support

const client = (path: string) =>
  Effect.map(
    Layer.build(Layer.fresh(SqliteClient.layer({ path }))),
    (context) => Context.get(context, SqlClient.SqlClient)
  )

const layout = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<
      { sql: string }
    >`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> 'migrations' ORDER BY name`,
    (rows) => rows.map(({ sql }) => sql.replace(/\s+/g, " ")).join("\n")
  )

/** A next version that adds a column and fills it from what is there. */
const second: Migrations.Migration = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE threads ADD COLUMN color TEXT NOT NULL DEFAULT 'none'`
  yield* sql`UPDATE threads SET color = 'red' WHERE hasUserMessage = 1`
})

const run = (path: string, migrations?: Migrations.Migrations) =>
  Effect.scoped(Effect.flatMap(client(path), (sql) =>
    Effect.andThen(
      Effect.provideService(Migrations.run(path, migrations), SqlClient.SqlClient, sql),
      layout(sql)
    )))

describe("migrations", () => {
  it.effect("that were released are not changed any more: files of users have been through them", () =>
    Effect.gen(function*() {
      const text = yield* run(yield* Support.freshPath, {
        "1_initial": Migrations.migrations["1_initial"] ?? Effect.void
      })
      assert.strictEqual(createHash("sha256").update(text).digest("hex").slice(0, 16), "809742a5cc128ab8")
    }).pipe(Effect.provide(Support.Services)))

  it.effect("bring an older file to the present layout with all that is in it, and run once", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      yield* Effect.scoped(Effect.gen(function*() {
        const store = yield* Support.open(path)
        yield* listed(store, 1)
        yield* store.create(thread(2))
      }))
      const later = { ...Migrations.migrations, "90_color": second }
      const fresh = yield* run(yield* Support.freshPath, later)
      assert.strictEqual(yield* run(path, later), fresh)
      assert.strictEqual(yield* run(path, later), fresh)
      yield* Effect.scoped(Effect.gen(function*() {
        const sql = yield* client(path)
        assert.deepStrictEqual(
          (yield* sql`SELECT id, color FROM threads ORDER BY id`).map((row) => ({ ...row })),
          [{ id: uuid(1), color: "red" }, { id: uuid(2), color: "none" }]
        )
      }))
      // And the version before does not touch it any more.
      const error: StoreError = yield* Effect.flip(Effect.scoped(Support.open(path)))
      assert.strictEqual(error.reason._tag, "NewerSchema")
    }).pipe(Effect.scoped, Effect.provide(Support.Services)))

  it.effect("that fail leave the file as it was", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const before = yield* run(path)
      const broken = Effect.andThen(second, Effect.flatMap(SqlClient.SqlClient, (sql) => sql`no statement`))
      const later = { ...Migrations.migrations, "90_color": second, "91_broken": Effect.asVoid(broken) }
      const error = yield* Effect.flip(run(path, later))
      assert.isTrue(error._tag === "StoreError" && error.reason._tag === "NotOpened" && error.reason.step === "migrate")
      assert.include(error.message, path)
      assert.strictEqual(yield* run(path), before)
      const store = yield* Support.open(path)
      yield* store.create(thread(1))
    }).pipe(Effect.scoped, Effect.provide(Support.Services)))
})
