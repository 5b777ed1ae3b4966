/**
 * Whether Pi can have a login or a model at all. Only Pi knows; but where nothing is, the answer needs no Pi.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import * as Os from "node:os"
import * as Installed from "../pi-family/Installed.ts"
import type { PiSdkOptions } from "./PiSdk.ts"

const packageName = "@mariozechner/pi-coding-agent"

const Table = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const readTable = Schema.decodeEffect(Table)

/** Pi writes files without content by itself. */
const entriesOf = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file).pipe(Effect.orElseSucceed(() => true)))) return []
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(readTable),
    Effect.map((table) => Object.keys(table)),
    // What cannot be read may say anything.
    Effect.orElseSucceed(() => ["defaultModel"])
  )
})

/** Why this Pi certainly runs no turn, in a line for people. */
export const unfit = Effect.fnUntraced(function*(
  options: PiSdkOptions = {}
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  if (!(yield* Installed.isInstalled(packageName))) {
    return `${packageName} is not installed (npm install ${packageName})`
  }
  const directory = options.agentDirectory ?? process.env["PI_CODING_AGENT_DIR"] ??
    path.join(Os.homedir(), ".pi", "agent")
  const logins = yield* entriesOf(path.join(directory, "auth.json"))
  const models = yield* entriesOf(path.join(directory, "models.json"))
  const settings = yield* entriesOf(path.join(directory, "settings.json"))
  const isSetUp = logins.length > 0 || models.length > 0 ||
    settings.some((key) => key === "defaultModel" || key === "defaultProvider")
  return isSetUp ? undefined : `no login and no models in ${directory}`
})
