/**
 * A process on a terminal that has much to say to a client that is behind.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Client from "./Client.ts"

/** How many bytes the client was told while it was behind, and in all. */
export const heldBack = Effect.gen(function*() {
  const { directory, handlers } = yield* Client.make()
  const room = yield* Latch.make(false)
  let isBehind = true
  const client = yield* Client.connect(handlers, { behind: () => isBehind ? room.await : undefined })
  const spawn = (processHandle: string, script: string) =>
    client.call("process/spawn", {
      processHandle,
      command: ["/bin/sh", "-c", script],
      cwd: directory,
      tty: processHandle === "talks",
      outputBytesCap: null,
      timeoutMs: null
    })
  const exited = (handle: string) => client.hear("process/exited", ({ processHandle }) => processHandle === handle)
  const bytes = () =>
    client.of("process/outputDelta").reduce(
      (sum, { deltaBase64 }) => sum + Buffer.from(deltaBase64, "base64").length,
      0
    )
  yield* spawn("talks", "head -c 2000000 /dev/zero | tr '\\0' a")
  yield* client.hear("process/outputDelta")
  // Time enough to say it all.
  yield* spawn("clock", "sleep 1")
  yield* exited("clock")
  const held = bytes()
  isBehind = false
  yield* room.open
  yield* exited("talks")
  return { held, all: bytes() }
})
