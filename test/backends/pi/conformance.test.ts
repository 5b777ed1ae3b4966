import { backendConformance } from "../../support/conformance.ts"
import { layer } from "../../support/piDriver.ts"

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
