import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Argument from "effect/cli/Argument"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
const c = Command.make("x", {a: Flag.String("a").pipe(Flag.optional), b: Argument.String("b")}, () => Effect.void)
c.pipe(Command.run({version:"1"}), Effect.provide(NodeServices.layer), NodeRuntime.runMain)
