import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/_support/tree-setup.ts'],
    reporters: ['default', './test/_support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Test files share no changed state, and loading every module again for each file took a third of the time.
    isolate: false,
  },
});
