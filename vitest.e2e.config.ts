import { defineConfig } from "vitest/config"
import all from "./vitest.config.ts"

/** Files of ten seconds and more: real clients and agents in many processes. `npm test` leaves them out. */
export const slow = [
  "test/backends/{codex,omp}/conformance.test.ts",
  "test/cli/attempt/{agents,codex}.test.ts",
  "test/cli/{bundle,main}.test.ts",
  "test/e2e/bridge/*.test.ts",
  "test/e2e/{failing,processes}.test.ts"
]

export default defineConfig({ test: { ...all.test, include: slow } })
