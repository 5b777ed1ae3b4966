/**
 * Methods that put something else into a thread than what a person says.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { BridgeConfig } from "../BridgeConfig.ts"
import { InvalidRequest, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import * as WorkspaceAccess from "../workspace/WorkspaceAccess.ts"
import { beginning } from "./Beginning.ts"
import * as InjectedItems from "./InjectedItems.ts"
import * as ShellCommands from "./ShellCommands.ts"
import { Threads } from "./Threads.ts"

type Served = "thread/inject_items" | "thread/shellCommand"

export const handlers = Effect.gen(function*() {
  const { workspace } = yield* BridgeConfig
  const access = yield* WorkspaceAccess.make(workspace)
  const context = yield* Effect.context<ChildProcessSpawner | FileSystem.FileSystem | Path.Path>()
  const threads = yield* Threads

  const served: Pick<HandlersOf<"threads">, Served> = {
    "thread/inject_items": Effect.fnUntraced(function*({ items, threadId }) {
      const thread = yield* threads.get(threadId)
      yield* thread.inject(yield* Effect.fromResult(InjectedItems.textsOf(items)))
      return {}
    }),
    "thread/shellCommand": Effect.fnUntraced(function*({ command, threadId, timeoutMs }, _connection, call) {
      const thread = yield* threads.get(threadId)
      if (command.trim() === "") return yield* refuse(new InvalidRequest({ message: "command must not be empty" }))
      yield* access.mayRun("thread/shellCommand")
      const cwd = yield* access.directory(thread.record.cwd)
      const started = ShellCommands.start(thread, { command, cwd, timeoutMs: timeoutMs ?? undefined })
      return yield* beginning(Effect.map(Effect.provide(started, context), (run) => ({ run })), call)
    })
  }
  return served
})
