/**
 * What clients do in the workspace themselves, beside the agent: files, watches, file search, commands, processes and
 * terminals.
 *
 * Results, refusals, defaults and limits are those of the real server. What a connection has started (watches,
 * searches, processes) ends with it. Differences: there is no sandbox, so that `command/exec` refuses a request that
 * asks for one; a file that is copied to itself stays as it is; file search does not look into `.git`; files and outputs
 * that are given in one piece have limits that their messages can keep to; under Node a process on a terminal that ends of
 * a signal which was not ours is told with 128 and its number, and not with 1.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import { BridgeConfig } from "../BridgeConfig.ts"
import type { Handlers } from "../ClientConnection.ts"
import * as Commands from "./Commands.ts"
import * as Files from "./Files.ts"
import * as FileSearch from "./FileSearch.ts"
import * as Processes from "./Processes.ts"
import * as Terminal from "./Terminal.ts"
import * as Watches from "./Watches.ts"
import * as WorkspaceAccess from "./WorkspaceAccess.ts"

export type Options = WorkspaceAccess.Options

export type Requirements = ChildProcessSpawner | FileSystem.FileSystem | Path.Path | Scope.Scope

/** The handlers of all workspace methods. Closing the scope ends what connections still have running. */
export const make = Effect.fn("Workspace.make")(function*(
  options: Options = {}
): Effect.fn.Return<Handlers, never, Requirements> {
  const access = yield* WorkspaceAccess.make(options)
  const terminals = yield* Terminal.support
  return {
    ...yield* Files.make(access),
    ...yield* Watches.make(access),
    ...yield* FileSearch.make(access),
    ...yield* Commands.make(access, terminals),
    ...yield* Processes.make(access, terminals)
  }
})

/** The handlers with what the configuration lets clients do. */
export const handlers: Effect.Effect<Handlers, never, Requirements | BridgeConfig> = Effect.flatMap(
  BridgeConfig,
  ({ workspace }) => make(workspace)
)
