import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import * as Listen from "../../../src/cli/app-server/Listen.ts"

describe("--listen", () => {
  const places: ReadonlyArray<readonly [string, Listen.Listen]> = [
    ["stdio://", { _tag: "Stdio" }],
    ["unix://", { _tag: "Unix", path: undefined }],
    ["unix:///run/x.sock", { _tag: "Unix", path: "/run/x.sock" }],
    ["unix://x.sock", { _tag: "Unix", path: Path.resolve("x.sock") }],
    ["ws://127.0.0.1:4500", { _tag: "WebSocket", host: "127.0.0.1", port: 4500 }],
    ["ws://[::1]:0", { _tag: "WebSocket", host: "::1", port: 0 }]
  ]
  for (const [text, expected] of places) {
    it.effect(`takes ${text}`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* Listen.parse(text), expected)
      }))
  }

  for (const text of ["", "off", "tcp://1.2.3.4:5", "ws://", "ws://127.0.0.1", "ws://127.0.0.1:65536", "ws://a.b:1"]) {
    it.effect(`refuses ${JSON.stringify(text)} by name`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(Listen.parse(text))
        assert.strictEqual(error.flag, "--listen")
      }))
  }
})

describe("--ws-auth", () => {
  const refused: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
    [{ "ws-auth": "password" }, /^--ws-auth: password is neither/],
    [{ "ws-auth": "capability-token" }, /^--ws-token-file: is needed/],
    [{ "ws-auth": "signed-bearer-token" }, /^--ws-shared-secret-file: is needed/],
    [{ "ws-auth": "capability-token", "ws-token-sha256": "ab" }, /64-character hex/],
    [
      {
        "ws-auth": "signed-bearer-token",
        "ws-shared-secret-file": "/x",
        "ws-max-clock-skew-seconds": "soon"
      },
      /^--ws-max-clock-skew-seconds: soon is no whole number/
    ],
    [{ "ws-token-file": "/x" }, /^--ws-token-file: has no meaning without --ws-auth/],
    [{ "ws-auth": "capability-token", "ws-token-file": "/nonexistent/token" }, /\/nonexistent\/token could not be read/]
  ]
  for (const [flags, message] of refused) {
    it.effect(`refuses ${JSON.stringify(flags)}`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(Listen.auth(flags))
        assert.match(error.message, message)
      }).pipe(Effect.provide(NodeServices.layer)))
  }

  it.effect("asks nothing where nothing was said", () =>
    Effect.gen(function*() {
      assert.isUndefined(yield* Listen.auth({ listen: "ws://127.0.0.1:1" }))
    }).pipe(Effect.provide(NodeServices.layer)))
})
