import { layer } from "../../support/piDriver.ts"
import { sessionSuite } from "../pi-family/support/sessionSuite.ts"

sessionSuite("a session of Pi", { layer, otherModel: "fake/fake-2" })
