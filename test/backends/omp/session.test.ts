import { layerRpc } from "../../support/ompDriver.ts"
import { sessionSuite } from "../pi-family/support/sessionSuite.ts"

sessionSuite("a session of omp over RPC", { layer: layerRpc, otherModel: "fake/fake-2" })
