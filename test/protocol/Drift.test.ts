import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { shape } from "../../src/protocol/Definitions.ts"
import * as Drift from "../../src/protocol/Drift.ts"
import { fromBundle } from "../../src/protocol/internal/Shape.ts"
import type { SchemaExportError } from "../../src/protocol/SchemaExport.ts"
import { used } from "../../src/protocol/Used.ts"
import { codexBin } from "./support/codex.ts"

type Json = Readonly<Record<string, unknown>>

const object = (properties: Json, required: ReadonlyArray<string> = []): Json => ({
  type: "object",
  properties,
  required
})
const ref = (name: string): Json => ({ $ref: `#/definitions/${name}` })
const tagged = (type: string, properties: Json, required: ReadonlyArray<string> = []): Json =>
  object({ type: { type: "string", enum: [type] }, ...properties }, ["type", ...required])
const text: Json = { type: "string" }
const nullableText: Json = { type: ["string", "null"] }

const method = (name: string, params: string): Json =>
  object({ method: { type: "string", enum: [name] }, params: ref(params) }, ["method", "params"])

interface World {
  readonly definitions?: Json
  readonly requests?: ReadonlyArray<Json>
  readonly notifications?: ReadonlyArray<Json>
}

const definitions: Json = {
  GoParams: object({ where: text, speed: ref("Speed"), note: nullableText }, ["where", "speed"]),
  GoResponse: object({ arrived: { type: "boolean" }, by: ref("Vehicle"), log: nullableText }, ["arrived", "by", "log"]),
  Speed: { type: "string", enum: ["slow", "fast"] },
  Vehicle: { oneOf: [tagged("bike", { gears: { type: "integer" } }, ["gears"]), tagged("train", {})] },
  Moved: object({ at: text }, ["at"]),
  StopParams: object({})
}

const model = (world: World = {}) =>
  fromBundle({
    definitions: {
      ClientRequest: { oneOf: world.requests ?? [method("go", "GoParams")] },
      ServerNotification: { oneOf: world.notifications ?? [method("moved", "Moved")] },
      ...definitions,
      ...world.definitions
    }
  })

const methods: Drift.UsedMethods = {
  clientRequests: ["go"],
  serverRequests: [],
  serverNotifications: ["moved"],
  clientNotifications: [],
  members: { GoParams: ["note"] }
}

const changes = (world: World) =>
  Drift.compare(model(), model(world), methods).map(({ affects, where, what }) =>
    `${where} ${what}${affects.length === 0 ? "" : ` [${affects.join()}]`}`
  )

const expectChanges = (world: World, severity: Drift.Severity, expected: ReadonlyArray<string>) => {
  assert.deepStrictEqual(changes(world), [...expected])
  assert.strictEqual(Drift.severityOf(Drift.compare(model(), model(world), methods)), severity)
}

const reason = (codexBin: string, timeout: "5 seconds" | "200 millis" = "5 seconds") =>
  Drift.check({ codexBin, timeout }).pipe(
    Effect.flip,
    Effect.map((error: SchemaExportError) => error.reason)
  )

describe("Drift", () => {
  it("an export does not differ from itself", () => {
    expectChanges({}, "none", [])
  })

  it("names only members that there are", () => {
    for (const [owner, members] of Object.entries(used.members)) {
      const [name = "", variant] = owner.split(":")
      const definition = shape(name)
      const forms = definition.type === "tagged"
        ? definition.variants.filter(({ values }) => variant !== undefined && values.includes(variant))
        : definition.type === "object"
        ? [definition]
        : []
      assert.isNotEmpty(forms, owner)
      for (const member of members) assert(forms.some(({ fields }) => member in fields), `${owner}.${member}`)
    }
  })

  describe("harmless", () => {
    it("an optional member, a value and a variant more", () => {
      expectChanges(
        {
          definitions: {
            GoParams: object({ where: text, speed: ref("Speed"), note: nullableText, why: nullableText }, [
              "where",
              "speed"
            ]),
            Speed: { type: "string", enum: ["slow", "fast", "warp"] },
            Vehicle: {
              oneOf: [tagged("bike", { gears: { type: "integer" } }, ["gears"]), tagged("train", {}), tagged("ufo", {})]
            }
          }
        },
        "harmless",
        ["GoParams.why is new, and may be left out", "Speed new value warp", "Vehicle new variant ufo"]
      )
    })

    it("a member that we do not read is gone, and could be null before", () => {
      expectChanges(
        {
          definitions: { GoResponse: object({ arrived: { type: "boolean" }, by: ref("Vehicle") }, ["arrived", "by"]) }
        },
        "harmless",
        ["GoResponse.log is gone, and could be left out before"]
      )
    })

    it("another method", () => {
      expectChanges(
        {
          requests: [method("go", "GoParams"), method("stop", "StopParams")],
          definitions: { StopResponse: object({}) }
        },
        "harmless",
        ["stop new client request"]
      )
    })

    it("a member that was always there and may be null is now left out", () => {
      expectChanges(
        {
          definitions: {
            GoResponse: object({ arrived: { type: "boolean" }, by: ref("Vehicle"), log: nullableText }, [
              "arrived",
              "by"
            ])
          }
        },
        "harmless",
        ["GoResponse.log may be left out now"]
      )
    })
  })

  describe("breaking", () => {
    it("a member that we write is gone, though it may be left out", () => {
      expectChanges(
        { definitions: { GoParams: object({ where: text, speed: ref("Speed") }, ["where", "speed"]) } },
        "breaking",
        ["GoParams.note is gone [host]"]
      )
    })

    it("a used method is gone", () => {
      expectChanges({ requests: [], notifications: [] }, "breaking", [
        "go client request is gone [host]",
        "moved server notification is gone [host]"
      ])
    })

    it("a param is demanded that we do not send", () => {
      expectChanges(
        {
          definitions: {
            GoParams: object({ where: text, speed: ref("Speed"), note: text, ticket: text }, [
              "where",
              "speed",
              "note",
              "ticket"
            ])
          }
        },
        "breaking",
        [
          "GoParams.note is required now [host]",
          "GoParams.note may not be null any more [host]",
          "GoParams.ticket is new, and required [host]"
        ]
      )
    })

    it("a value or a variant that we send is gone", () => {
      expectChanges(
        { definitions: { Speed: { type: "string", enum: ["slow"] }, Vehicle: { oneOf: [tagged("train", {})] } } },
        "breaking",
        [
          "Speed value fast is gone [host]",
          "Vehicle variant bike is gone [bridge]"
        ]
      )
    })

    it("a member that we read is gone, may be missing, may be null, or has another type", () => {
      expectChanges(
        {
          definitions: {
            GoResponse: object({ by: ref("Vehicle"), log: nullableText }, ["by", "log"]),
            Moved: object({ at: nullableText }),
            Vehicle: { oneOf: [tagged("bike", { gears: text }, ["gears"]), tagged("train", {})] }
          }
        },
        "breaking",
        [
          "GoResponse.arrived is gone [host]",
          "Moved.at may be left out now [host]",
          "Moved.at may be null now [host]",
          "Vehicle:bike.gears was an int, is a string [host,bridge]"
        ]
      )
    })

    it("clients will insist on a member that the bridge does not write", () => {
      expectChanges(
        { definitions: { Moved: object({ at: text, atMs: { type: "integer" } }, ["at", "atMs"]) } },
        "breaking",
        [
          "Moved.atMs is new, and required [bridge]"
        ]
      )
    })
  })

  it("every used method has generated schemas", () => {
    const generated = Drift.generated()
    for (
      const envelope of ["clientRequests", "serverRequests", "serverNotifications", "clientNotifications"] as const
    ) {
      for (const name of used[envelope]) assert.property(generated[envelope], name)
    }
  })

  it.effect("the pinned binary shows none", () =>
    Effect.gen(function*() {
      const report = yield* Drift.check({ codexBin })
      assert.deepStrictEqual(report.differences, [])
      assert.strictEqual(report.severity, "none")
      assert.strictEqual(report.exitCode, 0)
      assert.strictEqual(report.checked, report.generatedFrom)
      assert.include(Drift.format(report), "no differences")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("a binary with another protocol is told to be breaking", () =>
    Effect.gen(function*() {
      const bundle = JSON.stringify({
        definitions: { ...definitions, ClientRequest: { oneOf: [method("go", "GoParams")] } }
      })
      const report = yield* Drift.check({
        codexBin: yield* script(
          `if [ "$1" = --version ]; then echo "codex-cli 9.9.9"; exit 0; fi
           mkdir -p "$4" && echo '${bundle}' > "$4/codex_app_server_protocol.schemas.json"`
        )
      })
      assert.strictEqual(report.severity, "breaking")
      assert.strictEqual(report.exitCode, 4)
      assert.strictEqual(report.checked, "9.9.9")
      assert.include(Drift.format(report), "breaking for host: turn/start client request is gone")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  describe("a binary that does not give its schemas", () => {
    it.live("is missing", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* reason("/nonexistent/codex"))._tag, "SpawnFailed")
      }).pipe(Effect.provide(NodeServices.layer)))

    it.live("fails: the status and the end of stderr are told", () =>
      Effect.gen(function*() {
        const failed = yield* reason(yield* script("echo 'no such subcommand' >&2; exit 7"))
        assert(failed._tag === "ExportFailed")
        assert.strictEqual(failed.exitCode, 7)
        assert.include(failed.message, "no such subcommand")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

    it.live("hangs", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* reason(yield* script("exec sleep 30"), "200 millis"))._tag, "ExportTimeout")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

    it.live("writes something else", () =>
      Effect.gen(function*() {
        const unreadable = yield* reason(yield* script("echo 'codex-cli 1.0.0'"))
        assert.strictEqual(unreadable._tag, "UnreadableExport")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
  })
})

/** A program that does what a shell script says. */
const script = Effect.fnUntraced(function*(body: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(yield* fs.makeTempDirectoryScoped({ prefix: "drift-test-" }), "codex")
  yield* fs.writeFileString(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  return file
})
