import { defineConfig } from "vitest/config"

/** All tests: what `npm test` runs and what `npm run test:e2e` runs. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // What a test logs is of interest when it fails.
    silent: "passed-only",
    reporters: ["default", "./scripts/vitest-summary.ts"],
    // Real child processes share two cores on a small machine: a slow start is no failure.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2
  }
})
