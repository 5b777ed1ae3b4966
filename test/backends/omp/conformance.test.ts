import { backendConformance } from "../../support/conformance.ts"
import { layerRpc } from "../../support/ompDriver.ts"

backendConformance("omp 18.2.3 over RPC", {
  layer: layerRpc,
  clock: "live",
  missing: {
    goals: "the RPC of omp has none",
    rateLimited: "omp tries again for longer than a test may take"
  }
})
