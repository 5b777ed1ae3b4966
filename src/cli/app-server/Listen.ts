/**
 * `--listen` of `codex app-server`, and who may connect there.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import { isAbsolute, resolve } from "node:path"
import * as WebSocketAuth from "../../transport/WebSocketAuth.ts"
import { UsageError } from "../UsageError.ts"

export type Listen =
  | { readonly _tag: "Stdio" }
  /** `path` is missing for the place where clients look by default. */
  | { readonly _tag: "Unix"; readonly path: string | undefined }
  | { readonly _tag: "WebSocket"; readonly host: string; readonly port: number }

const invalid = (detail: string) => Effect.fail(new UsageError({ flag: "--listen", detail }))

export const parse = (text: string): Effect.Effect<Listen, UsageError> => {
  if (text === "stdio://" || text === "stdio") return Effect.succeed({ _tag: "Stdio" })
  if (text.startsWith("unix://")) {
    const path = text.slice("unix://".length)
    return Effect.succeed({ _tag: "Unix", path: path === "" ? undefined : isAbsolute(path) ? path : resolve(path) })
  }
  if (text.startsWith("ws://")) {
    const address = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+|localhost)):(\d{1,5})\/?$/.exec(text.slice("ws://".length))
    const host = address?.[1] ?? address?.[2]
    const port = Number(address?.[3])
    if (host === undefined || port > 65_535) return invalid(`${text} must be ws://IP:PORT`)
    return Effect.succeed({ _tag: "WebSocket", host, port })
  }
  if (text === "off") return invalid("`off` is for remote control, which this server does not have")
  return invalid(`${text} is none of stdio://, unix://, unix://PATH, ws://IP:PORT`)
}

/** What the flags `--ws-…` ask of clients. */
export const auth = Effect.fnUntraced(function*(
  flags: Readonly<Record<string, string>>
): Effect.fn.Return<
  WebSocketAuth.WebSocketAuth | undefined,
  UsageError | WebSocketAuth.WebSocketAuthError,
  FileSystem.FileSystem
> {
  const need = (flag: string): Effect.Effect<string, UsageError> => {
    const value = flags[flag]
    return value === undefined
      ? Effect.fail(new UsageError({ flag: `--${flag}`, detail: `is needed for --ws-auth ${flags["ws-auth"]}` }))
      : Effect.succeed(value)
  }
  const seconds = (flag: string): Effect.Effect<number | undefined, UsageError> => {
    const value = flags[flag]
    if (value === undefined) return Effect.undefined
    return /^\d{1,9}$/u.test(value)
      ? Effect.succeed(Number(value))
      : Effect.fail(new UsageError({ flag: `--${flag}`, detail: `${value} is no whole number of seconds` }))
  }
  switch (flags["ws-auth"]) {
    case undefined: {
      const lonely = Object.keys(flags).find((flag) => flag.startsWith("ws-"))
      return lonely === undefined
        ? undefined
        : yield* new UsageError({ flag: `--${lonely}`, detail: "has no meaning without --ws-auth" })
    }
    case "capability-token": {
      const sha256 = flags["ws-token-sha256"]
      return yield* WebSocketAuth.capabilityToken(
        sha256 === undefined ? { file: yield* need("ws-token-file") } : { sha256 }
      )
    }
    case "signed-bearer-token":
      return yield* WebSocketAuth.signedBearer({
        secretFile: yield* need("ws-shared-secret-file"),
        issuer: flags["ws-issuer"],
        audience: flags["ws-audience"],
        maxClockSkewSeconds: yield* seconds("ws-max-clock-skew-seconds")
      })
    default:
      return yield* new UsageError({
        flag: "--ws-auth",
        detail: `${flags["ws-auth"]} is neither capability-token nor signed-bearer-token`
      })
  }
})
