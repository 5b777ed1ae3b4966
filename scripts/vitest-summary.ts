/**
 * A reporter that ends the run with one line which any tool can read: `N passed, N failed, N skipped`.
 */
import type { Reporter, TestModule } from "vitest/node"

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++
      // A file that could not be loaded has no tests to count.
      if (module.state() === "failed" && [...module.children.allTests("failed")].length === 0) counts.failed++
    }
    const failed = counts.failed + errors.length
    process.stdout.write(`\n${counts.passed} passed, ${failed} failed, ${counts.skipped + counts.pending} skipped\n`)
  }
}
