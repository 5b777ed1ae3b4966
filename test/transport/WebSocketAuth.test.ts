import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as NodeCrypto from "node:crypto"
import * as WebSocketAuth from "../../src/transport/WebSocketAuth.ts"

const secret = "0123456789abcdef0123456789abcdef"
const now = 2_000_000_000

const file = Effect.fnUntraced(function*(text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(path, text)
  return path
})

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const sign = (claims: unknown, header: unknown = { alg: "HS256", typ: "JWT" }, key = secret, hash = "sha256") => {
  const text = `${base64(header)}.${base64(claims)}`
  return `${text}.${NodeCrypto.createHmac(hash, key).update(text).digest("base64url")}`
}

const valid = { iss: "iss", aud: "aud", exp: now + 100 }

// What the real server answered to each of these, but for the two that mix algorithms, which it was not asked.
const tokens: ReadonlyArray<readonly [name: string, token: string, refusal: WebSocketAuth.Refusal | undefined]> = [
  ["a valid token", sign(valid), undefined],
  ["one of several audiences", sign({ ...valid, aud: ["x", "aud"] }), undefined],
  ["no exp", sign({ iss: "iss", aud: "aud" }), "invalid websocket jwt"],
  ["an exp that is text", sign({ ...valid, exp: String(now + 100) }), "invalid websocket jwt"],
  ["an exp with a fraction", sign({ ...valid, exp: now + 100.5 }), "invalid websocket jwt"],
  ["expired", sign({ ...valid, exp: now - 100 }), "expired websocket jwt"],
  ["expired before 1970", sign({ ...valid, exp: -1 }), "expired websocket jwt"],
  ["expired within the skew", sign({ ...valid, exp: now - 28 }), undefined],
  ["expired beyond the skew", sign({ ...valid, exp: now - 33 }), "expired websocket jwt"],
  ["not yet, within the skew", sign({ ...valid, nbf: now + 20 }), undefined],
  ["not yet", sign({ ...valid, nbf: now + 40 }), "websocket jwt is not valid yet"],
  ["an nbf that is text", sign({ ...valid, nbf: "x" }), "invalid websocket jwt"],
  ["another issuer", sign({ ...valid, iss: "other" }), "websocket jwt issuer mismatch"],
  ["no issuer", sign({ aud: "aud", exp: now + 100 }), "websocket jwt issuer mismatch"],
  ["several issuers", sign({ ...valid, iss: ["iss"] }), "invalid websocket jwt"],
  ["another audience", sign({ ...valid, aud: "z" }), "websocket jwt audience mismatch"],
  ["no audience", sign({ iss: "iss", exp: now + 100 }), "websocket jwt audience mismatch"],
  ["an audience that is a number", sign({ ...valid, aud: 5 }), "invalid websocket jwt"],
  ["everything wrong", sign({ iss: "o", aud: "z", exp: now - 100, nbf: now + 100 }), "expired websocket jwt"],
  ["issuer and audience wrong", sign({ iss: "o", aud: "z", exp: now + 100 }), "websocket jwt issuer mismatch"],
  ["not yet, and another issuer", sign({ ...valid, iss: "o", nbf: now + 100 }), "websocket jwt is not valid yet"],
  ["another secret", sign(valid, undefined, "x".repeat(32)), "invalid websocket jwt"],
  ["expired, by another secret", sign({ exp: 1 }, undefined, "x".repeat(32)), "invalid websocket jwt"],
  ["HS512", sign(valid, { alg: "HS512", typ: "JWT" }, secret, "sha512"), "invalid websocket jwt"],
  ["HS256 in the header, signed by HS512", sign(valid, undefined, secret, "sha512"), "invalid websocket jwt"],
  ["HS512 in the header, signed by HS256", sign(valid, { alg: "HS512", typ: "JWT" }), "invalid websocket jwt"],
  ["no algorithm", `${base64({ alg: "none" })}.${base64(valid)}.`, "invalid websocket jwt"],
  ["no typ", sign(valid, { alg: "HS256" }), undefined],
  ["garbage", "a.b.c", "invalid websocket jwt"],
  ["two parts", "a.b", "invalid websocket jwt"],
  ["four parts", `${sign(valid)}.x`, "invalid websocket jwt"],
  ["padding", `${sign(valid)}=`, "invalid websocket jwt"],
  ["claims that are a list", sign([1]), "invalid websocket jwt"]
]

const headers: ReadonlyArray<readonly [header: string | undefined, refusal: WebSocketAuth.Refusal | undefined]> = [
  [undefined, "missing websocket bearer token"],
  ["Bearer s3cret-token", undefined],
  ["bearer s3cret-token", undefined],
  ["BEARER   s3cret-token  ", undefined],
  ["Bearer s3cret-tokeN", "invalid websocket bearer token"],
  ["Bearer s3cret-toke", "invalid websocket bearer token"],
  ["Bearer s3cret-token x", "invalid websocket bearer token"],
  ["Basic s3cret-token", "invalid authorization header"],
  ["Bearer ", "invalid authorization header"],
  ["Bearer", "invalid authorization header"],
  ["s3cret-token", "invalid authorization header"],
  ["Bearer\ts3cret-token", "invalid authorization header"]
]

layer(NodeServices.layer)("WebSocketAuth", (it) => {
  for (const [name, token, refusal] of tokens) {
    it.effect(`${refusal === undefined ? "lets in" : "refuses"} a signed token: ${name}`, () =>
      Effect.gen(function*() {
        const auth = yield* WebSocketAuth.signedBearer({
          secretFile: yield* file(`${secret}\n`),
          issuer: "iss",
          audience: "aud"
        })
        assert.strictEqual(WebSocketAuth.check(auth, `Bearer ${token}`, now), refusal)
      }))
  }

  for (const [header, refusal] of headers) {
    it.effect(`${refusal === undefined ? "lets in" : "refuses"} the header ${JSON.stringify(header)}`, () =>
      Effect.gen(function*() {
        const byFile = yield* WebSocketAuth.capabilityToken({ file: yield* file(" s3cret-token \n") })
        assert.strictEqual(WebSocketAuth.check(byFile, header, now), refusal)
        const byDigest = yield* WebSocketAuth.capabilityToken({
          sha256: NodeCrypto.createHash("sha256").update("s3cret-token").digest("hex").toUpperCase()
        })
        assert.strictEqual(WebSocketAuth.check(byDigest, header, now), refusal)
      }))
  }

  it.effect("needs neither issuer nor audience when none is asked for, and takes another skew", () =>
    Effect.gen(function*() {
      const secretFile = yield* file(secret)
      const auth = yield* WebSocketAuth.signedBearer({ secretFile, maxClockSkewSeconds: 0 })
      assert.isUndefined(WebSocketAuth.check(auth, `Bearer ${sign({ exp: now })}`, now))
      assert.strictEqual(WebSocketAuth.check(auth, `Bearer ${sign({ exp: now - 1 })}`, now), "expired websocket jwt")
    }))

  it.effect("refuses secrets that protect nothing, and does not show them", () =>
    Effect.gen(function*() {
      const messages = [
        yield* WebSocketAuth.signedBearer({ secretFile: yield* file("short") }).pipe(Effect.flip),
        yield* WebSocketAuth.signedBearer({ secretFile: yield* file(" \n") }).pipe(Effect.flip),
        yield* WebSocketAuth.capabilityToken({ file: yield* file("") }).pipe(Effect.flip),
        yield* WebSocketAuth.capabilityToken({ file: "/nonexistent/token" }).pipe(Effect.flip),
        yield* WebSocketAuth.capabilityToken({ sha256: "hunter2" }).pipe(Effect.flip)
      ].map(({ message }) => message.replace(/^\S+ /, ""))
      assert.deepStrictEqual(messages, [
        "must be at least 32 bytes",
        "must not be empty",
        "must not be empty",
        "could not be read (NotFound)",
        "must be a 64-character hex SHA-256 digest"
      ])
      const auth = yield* WebSocketAuth.signedBearer({ secretFile: yield* file(secret) })
      assert.notInclude(JSON.stringify(auth), secret)
    }))
})
