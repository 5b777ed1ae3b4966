/**
 * What the tests of omp start and look at.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type * as OmpRpc from "../../../../src/backends/omp/OmpRpc.ts"
import { ChildRegistry } from "../../../../src/transport/ChildRegistry.ts"
import { ProcessTable } from "../../../../src/transport/ProcessTable.ts"

/** Answers nobody and knows no tool. */
export const deaf: OmpRpc.RpcHandlers = {
  onDialog: () => Effect.succeed({ _tag: "Cancelled" }),
  onHostTool: () => Effect.succeed({ content: [], isError: true })
}

/** Files, processes, and a registry of its own. */
export const services = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "omp-children-" })
  return ChildRegistry.layer({ directory })
})).pipe(Layer.provide(ProcessTable.layer), Layer.provideMerge(NodeServices.layer))

/** Gathers all events from now on; `until` waits for the first that fits, past or future. */
export const watch = Effect.fnUntraced(function*(conversation: OmpRpc.OmpConversation) {
  const seen: Array<OmpRpc.RpcEvent> = []
  const waiting = new Set<() => void>()
  yield* conversation.events.pipe(
    Stream.runForEach((event) =>
      Effect.sync(() => {
        seen.push(event)
        for (const look of waiting) look()
      })
    ),
    // How the process ends is what `ended` says.
    Effect.ignore,
    Effect.forkScoped
  )
  const until = (predicate: (event: OmpRpc.RpcEvent) => boolean, from = 0): Effect.Effect<OmpRpc.RpcEvent> =>
    Effect.callback((resume) => {
      const look = () => {
        const found = seen.slice(from).find(predicate)
        if (found === undefined) return
        waiting.delete(look)
        resume(Effect.succeed(found))
      }
      waiting.add(look)
      look()
      return Effect.sync(() => waiting.delete(look))
    })
  return { seen, until }
})

/** Whether it is a frame of that type. */
export const isFrame = (type: string) => (event: OmpRpc.RpcEvent): boolean =>
  event._tag === "Frame" && event.frame.type === type

/** Types of frames, tags of all other events. */
export const kinds = (events: ReadonlyArray<OmpRpc.RpcEvent>): ReadonlyArray<string> =>
  events.map((event) => event._tag === "Frame" ? event.frame.type : event._tag)
