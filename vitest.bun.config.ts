import { defineConfig } from "vitest/config"

/** What is run a second time under Bun: the real codex, the wire, and the command line. */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/vitest-summary.ts"],
    include: [
      "test/e2e/support.test.ts",
      "test/e2e/smoke.test.ts",
      "test/transport/*.test.ts",
      "test/host/promise.test.ts"
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2
  }
})
