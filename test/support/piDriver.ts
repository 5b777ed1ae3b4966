/**
 * A real pi in this process before a fake model, and the driver of the conformance suite for it.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PiBackend from "../../src/backends/pi/PiBackend.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"
import * as chatDriver from "./chatDriver.ts"
import { ConformanceDriver } from "./ConformanceDriver.ts"
import * as FakeChat from "./FakeChat.ts"
import * as PiHome from "./PiHome.ts"

// Pi looks for newer versions of itself otherwise.
process.env["PI_OFFLINE"] = "1"

export const layer = Layer.unwrap(Effect.gen(function*() {
  const chat = yield* FakeChat.FakeChat
  const home = yield* PiHome.make(chat.baseUrl)
  const driver = chatDriver.make({
    session: { cwd: home.work, approvalPolicy: "untrusted", sandbox: "workspace-write" },
    dialect: {
      command: (command) => ({ name: "bash", args: { command } }),
      patch: { name: "write", args: { path: "a.txt", content: "hello\n" } }
    }
  })
  return Layer.merge(
    Layer.effect(ConformanceDriver, driver),
    PiBackend.layer({ agentDirectory: home.agentDirectory })
  )
})).pipe(
  Layer.provideMerge(FakeChat.layer),
  Layer.provide(ProcessTable.layer),
  Layer.provide(NodeServices.layer)
)
