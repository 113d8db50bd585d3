import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/_support/tree-setup.ts'],
    reporters: ['default', './test/_support/closing-line.ts'],
    // Limits that end what hangs, on the slowest machine too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // One more than the cores of small machines: tests wait for programs and browsers that they start.
    maxWorkers: 3,
    // Test files share no changed state, and loading every module again for each file took a third of the time.
    isolate: false,
  },
});
