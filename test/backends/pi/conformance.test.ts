import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PiBackend from "../../../src/backends/pi/PiBackend.ts"
import { ProcessTable } from "../../../src/transport/ProcessTable.ts"
import * as chatDriver from "../../support/chatDriver.ts"
import { backendConformance } from "../../support/conformance.ts"
import { ConformanceDriver } from "../../support/ConformanceDriver.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import * as PiHome from "../../support/PiHome.ts"

// Pi looks for newer versions of itself otherwise.
process.env["PI_OFFLINE"] = "1"

const layer = Layer.unwrap(Effect.gen(function*() {
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
  Layer.provide(FakeChat.layer),
  Layer.provide(ProcessTable.layer),
  Layer.provide(NodeServices.layer)
)

backendConformance("pi 0.73.1", {
  layer,
  clock: "live",
  missing: {
    goals: "Pi has none",
    question: "Pi's own tools ask nothing",
    die: "Pi runs in this process",
    usage: "Pi does not count reasoning"
  }
})
