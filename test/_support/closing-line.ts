/** A reporter that ends the run with plain lines: why tests were skipped, and `N passed, N failed, N skipped`. */
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const reasons = new Set<string>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state !== 'pending') count[result.state] += 1;
        if (result.state === 'skipped' && result.note !== undefined) reasons.add(result.note);
      }
      if (module.errors().length > 0) count.failed += 1;
    }
    for (const reason of reasons) console.log(`skipped: ${reason}`);
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
