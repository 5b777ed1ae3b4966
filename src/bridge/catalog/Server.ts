/**
 * What clients ask about this server and its machine.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { pathToFileURL } from "node:url"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import * as Directories from "../../transport/Directories.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { type BridgeError, Internal, InvalidRequest, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"

const local = "local"

const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))

/**
 * The id of this installation, made up once and kept in the state directory.
 */
export const installationId: Effect.Effect<
  string,
  BridgeError,
  BridgeConfig | FileSystem.FileSystem | Path.Path
> = Effect.gen(function*() {
  const { stateDirectory } = yield* BridgeConfig
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(stateDirectory, "installation-id")
  const read = fs.readFileString(file).pipe(
    Effect.map((text) => text.trim()),
    Effect.filterOrElse(isUuid, () => Effect.fail(refuse(new Internal({ message: `${file} holds no id` }))))
  )
  const create = Effect.gen(function*() {
    yield* Directories.make(fs, stateDirectory, 0o700)
    const id = yield* Effect.sync(() => randomUUID())
    return yield* fs.writeFileString(file, `${id}\n`, { flag: "wx", mode: 0o600 }).pipe(
      Effect.as(id),
      // Another process was first.
      Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () => read)
    )
  })
  return yield* read.pipe(
    Effect.catchIf((error) => error._tag === "PlatformError" && error.reason._tag === "NotFound", () => create),
    Effect.catchTag(
      "PlatformError",
      (error) => Effect.fail(refuse(new Internal({ message: `Cannot keep ${file}: ${error.message}`, cause: error })))
    )
  )
})

/** What `remoteControl/status/read` answers, and what clients are told when they connect. */
export const remoteControlStatus: Effect.Effect<
  Strict.RemoteControlStatusReadResponse,
  BridgeError,
  BridgeConfig | FileSystem.FileSystem | Path.Path
> = Effect.map(installationId, (installationId) => ({
  status: "disabled",
  serverName: hostname(),
  installationId,
  environmentId: null
}))

const shell = (path: string): { readonly name: string; readonly path: string } => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  path
})

const unknown = (environmentId: string): string => `unknown environment id \`${environmentId}\``

type Served =
  | "environment/info"
  | "environment/status"
  | "remoteControl/status/read"
  | "server/diagnostics"

export const handlers = Effect.gen(function*() {
  const context = yield* Effect.context<BridgeConfig | FileSystem.FileSystem | Path.Path>()
  const path = yield* Path.Path
  const served: Pick<HandlersOf<"catalog">, Served> = {
    "environment/info": ({ environmentId }) =>
      environmentId === local
        ? Effect.sync(() => ({
          shell: shell(process.env["SHELL"] ?? "/bin/sh"),
          cwd: pathToFileURL(path.resolve(".")).href
        }))
        : Effect.fail(refuse(new InvalidRequest({ message: unknown(environmentId) }))),
    "environment/status": ({ environmentId }) =>
      Effect.succeed(
        environmentId === local ? { status: "ready" } : { status: "unknown", error: unknown(environmentId) }
      ),
    "remoteControl/status/read": () => Effect.provide(remoteControlStatus, context),
    "server/diagnostics": () =>
      Effect.sync(() => ({
        process: { id: process.pid, residentMemoryBytes: process.memoryUsage.rss(), physicalFootprintBytes: null },
        gauges: []
      }))
  }
  return served
})
