/**
 * A process on a terminal that has much to say to a client that is behind.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Client from "./Client.ts"

/** Bytes that the process says. */
export const said = 8_000_000

/**
 * Bytes that may come before a process is held back: what the terminal keeps, and what is read while it takes in that it
 * has to stop.
 */
export const mayCome = 1_000_000

/** How many bytes of that the client was told while it was behind, also though a key was typed, and in all. */
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
  // Without the echo of the key.
  const bytes = () =>
    client.of("process/outputDelta").reduce(
      (sum, { deltaBase64 }) => sum + Buffer.from(deltaBase64, "base64").filter((byte) => byte === 97).length,
      0
    )
  yield* spawn("talks", `head -c ${said} /dev/zero | tr '\\0' a`)
  yield* client.hear("process/outputDelta")
  yield* spawn("typist", "sleep .2")
  yield* exited("typist")
  yield* client.call("process/writeStdin", { processHandle: "talks", deltaBase64: Client.base64("k") })
  // Time enough to say it all. Were it less on a busy machine, the test would see less, but not fail.
  yield* spawn("clock", "sleep 1")
  yield* exited("clock")
  const held = bytes()
  isBehind = false
  yield* room.open
  yield* exited("talks")
  return { held, all: bytes() }
})
