import { afterAll, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { backendConformance } from "../../support/conformance.ts"
import { close, isBun, layerSdk } from "../../support/ompSdkDriver.ts"

if (isBun) {
  afterAll(() => Effect.runPromise(close))

  backendConformance("omp 18.2.3 in process", {
    layer: layerSdk,
    clock: "live",
    missing: {
      die: "omp runs in this process"
    }
  })
} else {
  it.skip("omp 18.2.3 in process (omp's SDK runs on Bun alone: npm run test:bun)", () => {})
}
