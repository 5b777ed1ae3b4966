import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Argument from "effect/cli/Argument"
console.log(typeof Command.make, typeof Flag.String, typeof Argument.String)
