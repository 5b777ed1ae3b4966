import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { defineConfig } from "vitest/config"

// Bun looks at HOME when a process begins: what omp writes there has to go elsewhere from the start.
const home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "omp-user-"))
process.once("exit", () => Fs.rmSync(home, { recursive: true, force: true }))

/** What is run a second time under Bun: the wire, the promise door and turns on the real codex. And omp in process. */
export default defineConfig({
  test: {
    // What a test logs is of interest when it fails.
    silent: "passed-only",
    reporters: ["default", "./scripts/vitest-summary.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "bun",
          include: [
            "test/agent/*.test.ts",
            "test/bridge/**/*.test.ts",
            "test/peer/*.test.ts",
            "test/transport/*.test.ts",
            "test/host/promise.test.ts",
            "test/e2e/{support,saying,approvals,interrupting}.test.ts"
          ]
        }
      },
      {
        extends: true,
        test: {
          name: "omp",
          include: ["test/backends/omp/sdk.*.test.ts"],
          env: { HOME: home },
          // It is TypeScript as it is published, and Bun's to load.
          server: { deps: { external: [/@oh-my-pi/] } }
        }
      }
    ]
  }
})
