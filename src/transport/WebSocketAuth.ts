/**
 * Who may connect to a WebSocket: a bearer token that is known in advance, or one that is signed with a shared secret.
 *
 * Secrets come from files. They are held redacted, compared in constant time, and are in no message and no log.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as NodeCrypto from "node:crypto"

/** The secret cannot be used: it is not there, too short, or no digest. */
export class WebSocketAuthError extends Schema.TaggedError<WebSocketAuthError>()("WebSocketAuthError", {
  /** The file, or the setting, that is at fault. */
  source: Schema.String,
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `${this.source} ${this.detail}`
  }
}

/** What a client must show. */
export type WebSocketAuth =
  | { readonly _tag: "CapabilityToken"; readonly sha256: Redacted.Redacted<Uint8Array> }
  | {
    readonly _tag: "SignedBearer"
    readonly secret: Redacted.Redacted<string>
    readonly issuer: string | undefined
    readonly audience: string | undefined
    /** Seconds. */
    readonly maxClockSkew: number
  }

/** Why a handshake is refused: the body of the 401. `undefined` when it is not. */
export type Refusal =
  | "missing websocket bearer token"
  | "invalid authorization header"
  | "invalid websocket bearer token"
  | "invalid websocket jwt"
  | "expired websocket jwt"
  | "websocket jwt is not valid yet"
  | "websocket jwt issuer mismatch"
  | "websocket jwt audience mismatch"

const minSecretBytes = 32

const sha256 = (text: string): Buffer => NodeCrypto.createHash("sha256").update(text).digest()

const readSecret = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path).pipe(
    Effect.mapError((cause) =>
      new WebSocketAuthError({ source: path, detail: `could not be read (${cause.reason._tag})`, cause })
    )
  )
  const secret = text.trim()
  return secret === "" ? yield* new WebSocketAuthError({ source: path, detail: "must not be empty" }) : secret
})

/** A token that clients know: from a file, white space around it left out, or as the SHA-256 digest of one, in hex. */
export const capabilityToken = Effect.fn("WebSocketAuth.capabilityToken")(function*(
  from: { readonly file: string } | { readonly sha256: string }
): Effect.fn.Return<WebSocketAuth, WebSocketAuthError, FileSystem.FileSystem> {
  if ("file" in from) {
    return { _tag: "CapabilityToken", sha256: Redacted.make(sha256(yield* readSecret(from.file))) }
  }
  if (!/^[0-9a-f]{64}$/i.test(from.sha256)) {
    return yield* new WebSocketAuthError({
      source: "--ws-token-sha256",
      detail: "must be a 64-character hex SHA-256 digest"
    })
  }
  return { _tag: "CapabilityToken", sha256: Redacted.make(Buffer.from(from.sha256, "hex")) }
})

/** JSON web tokens that are signed with a secret by HS256. The secret in the file needs 32 bytes. */
export const signedBearer = Effect.fn("WebSocketAuth.signedBearer")(function*(options: {
  readonly secretFile: string
  /** Required value of `iss`. */
  readonly issuer?: string | undefined
  /** Required value of `aud`, or of one of its elements. */
  readonly audience?: string | undefined
  /** By how many seconds clocks may differ; 30 by default. */
  readonly maxClockSkewSeconds?: number | undefined
}): Effect.fn.Return<WebSocketAuth, WebSocketAuthError, FileSystem.FileSystem> {
  const secret = yield* readSecret(options.secretFile)
  if (Buffer.byteLength(secret) < minSecretBytes) {
    return yield* new WebSocketAuthError({
      source: options.secretFile,
      detail: `must be at least ${minSecretBytes} bytes`
    })
  }
  const skew = options.maxClockSkewSeconds ?? 30
  if (!Number.isSafeInteger(skew) || skew < 0) {
    return yield* new WebSocketAuthError({
      source: "--ws-max-clock-skew-seconds",
      detail: "must be a whole number of seconds"
    })
  }
  return {
    _tag: "SignedBearer",
    secret: Redacted.make(secret),
    issuer: options.issuer,
    audience: options.audience,
    maxClockSkew: skew
  }
})

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && NodeCrypto.timingSafeEqual(a, b)

const base64url = /^[A-Za-z0-9_-]+$/

/** The JSON object in one part of a token; `undefined` makes the token invalid. */
const objectIn = (part: string): { readonly [key: string]: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"))
    return Predicate.isObject(value) && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isText = Predicate.isString
const isTexts = (value: unknown): value is ReadonlyArray<string> => Array.isArray(value) && value.every(isText)

const checkToken = (
  auth: Extract<WebSocketAuth, { _tag: "SignedBearer" }>,
  token: string,
  now: number
): Refusal | undefined => {
  const [header = "", payload = "", signature = "", ...more] = token.split(".")
  if (more.length > 0 || ![header, payload, signature].every((part) => base64url.test(part))) {
    return "invalid websocket jwt"
  }
  if (objectIn(header)?.alg !== "HS256") return "invalid websocket jwt"
  const expected = NodeCrypto.createHmac("sha256", Redacted.value(auth.secret)).update(`${header}.${payload}`).digest()
  if (!equal(Buffer.from(signature, "base64url"), expected)) return "invalid websocket jwt"

  const claims = objectIn(payload)
  if (claims === undefined) return "invalid websocket jwt"
  const { aud, exp, iss, nbf } = claims
  if (!Number.isSafeInteger(exp) || !(nbf === undefined || nbf === null || Number.isSafeInteger(nbf))) {
    return "invalid websocket jwt"
  }
  if (!(iss === undefined || iss === null || isText(iss))) return "invalid websocket jwt"
  if (!(aud === undefined || aud === null || isText(aud) || isTexts(aud))) return "invalid websocket jwt"
  if (Number(exp) + auth.maxClockSkew < now) return "expired websocket jwt"
  if (Predicate.isNumber(nbf) && nbf - auth.maxClockSkew > now) return "websocket jwt is not valid yet"
  if (auth.issuer !== undefined && iss !== auth.issuer) return "websocket jwt issuer mismatch"
  if (auth.audience !== undefined && aud !== auth.audience && !(isTexts(aud) && aud.includes(auth.audience))) {
    return "websocket jwt audience mismatch"
  }
  return undefined
}

/**
 * Checks the `Authorization` header of a handshake. `now` is in seconds since 1970.
 *
 * Gives the sentence of the refusal, or `undefined` if the client may connect.
 */
export const check = (auth: WebSocketAuth, authorization: string | undefined, now: number): Refusal | undefined => {
  if (authorization === undefined) return "missing websocket bearer token"
  const token = /^bearer +(\S.*)$/i.exec(authorization.trim())?.[1]
  if (token === undefined) return "invalid authorization header"
  switch (auth._tag) {
    case "CapabilityToken":
      // Digests have one length, so that the comparison tells nothing about the token.
      return equal(sha256(token), Redacted.value(auth.sha256)) ? undefined : "invalid websocket bearer token"
    case "SignedBearer":
      return checkToken(auth, token, now)
  }
}
