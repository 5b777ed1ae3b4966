import { defineConfig } from "vitest/config"

/** What is run a second time under Bun: the wire, the promise door and turns on the real codex. */
export default defineConfig({
  test: {
    // What a test logs is of interest when it fails.
    silent: "passed-only",
    reporters: ["default", "./scripts/vitest-summary.ts"],
    include: [
      "test/agent/*.test.ts",
      "test/bridge/**/*.test.ts",
      "test/peer/*.test.ts",
      "test/transport/*.test.ts",
      "test/host/promise.test.ts",
      "test/e2e/{support,saying,approvals,interrupting}.test.ts"
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2
  }
})
