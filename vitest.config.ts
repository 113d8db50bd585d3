import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The folders whose modules node loads itself, as everywhere else: vitest would rewrite every one of them for each worker. */
const CODE = ['build', 'shim', 'schemas'].map(
  (folder) =>
    new RegExp(
      `^(?:file://)?${join(import.meta.dirname, folder, '/').replaceAll(/[^\w/]/g, String.raw`\$&`)}`,
    ),
);

/** Short files whose tests take long: they start first, so that none of them runs alone at the end. */
const LONG = /\/test\/(?:attack|browser|federation|refresh|release|remote|serve|store)\//;

/** Long files first, then by size, as vitest does. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/_support/tree-setup.ts'],
    reporters: ['default', './test/_support/closing-line.ts'],
    sequence: { sequencer: LongFirst },
    // Limits that end what hangs, on the slowest machine too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // One more than the cores of small machines: tests wait for programs and browsers that they start.
    maxWorkers: 3,
    // Test files share no changed state, and loading every module again for each file took a third of the time.
    isolate: false,
    execArgv: ['--import', 'tsx'],
    server: { deps: { external: CODE } },
  },
});
