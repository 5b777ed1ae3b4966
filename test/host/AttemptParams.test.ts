import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AttemptParams, validate } from "../../src/host/AttemptParams.ts"

const fieldOf = (params: AttemptParams) =>
  validate(params).pipe(
    Effect.flip,
    Effect.map(({ reason }) => reason._tag === "InvalidParams" ? reason.field : reason._tag)
  )

describe("AttemptParams", () => {
  it.effect("passes what is right", () =>
    Effect.gen(function*() {
      const { settings } = yield* validate({
        prompt: "",
        images: [{ url: "data:image/png;base64,AA==" }, { path: "/tmp/a.png" }],
        workspaceDir: "/work",
        sessionFile: "/sessions/../sessions/a.jsonl",
        developerInstructions: "Be kind.",
        extraSystemPrompt: "Be brief.",
        timeoutMs: 1
      })
      assert.strictEqual(settings.sessionFile, "/sessions/a.jsonl")
      assert.strictEqual(settings.developerInstructions, "Be kind.\n\nBe brief.")
    }))

  const cases: ReadonlyArray<[string, AttemptParams]> = [
    ["prompt", { prompt: " " }],
    ["workspaceDir", { prompt: "x", workspaceDir: "relative" }],
    ["images.0.path", { prompt: "x", images: [{ path: "a.png" }] }],
    ["images.1.url", { prompt: "x", images: [{ url: "https://a/b" }, { url: "file:///etc/passwd" }] }],
    ["sessionFile", { prompt: "x", sessionFile: "a.jsonl" }],
    ["sessionKey", { prompt: "x", sessionKey: "" }],
    ["runId", { prompt: "x", runId: "" }],
    ["timeoutMs", { prompt: "x", timeoutMs: 0 }],
    ["idleTimeoutMs", { prompt: "x", idleTimeoutMs: Number.NaN }],
    ["outputSchema", { prompt: "x", outputSchema: { dependentRequired: { a: ["b"] } } }]
  ]
  for (const [field, params] of cases) {
    it.effect(`names ${field}`, () => Effect.map(fieldOf(params), (found) => assert.strictEqual(found, field)))
  }

  it.effect("checks hosts that have no types", () =>
    Effect.gen(function*() {
      const untyped: Record<string, unknown> = { prompt: "x", sandbox: "none" }
      assert.strictEqual(yield* fieldOf({ prompt: "x", ...untyped }), "sandbox")
    }))
})
