/** The build through its command: reproducible anywhere, atomic, clear about bad settings. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { builtTree, temporaryFolder, TEST_SITE } from '../_support/tree.ts';

const root = temporaryFolder();

function main(
  args: string[],
  env: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'build/main.ts', ...args],
    {
      env: { PATH: process.env['PATH'] ?? '', SITE_URL: TEST_SITE, ...env },
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

test('[REPRODUCIBLE] another folder, time zone and locale give the same tree, byte for byte', () => {
  const datasets = join(root, 'elsewhere', 'ds');
  cpSync('datasets', datasets, { recursive: true });
  const out = join(root, 'elsewhere', 'tree');
  const { status, stderr } = main(['build', '--datasets', datasets, '--out', out], {
    TZ: 'Pacific/Kiritimati',
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'tr_TR.UTF-8',
  });
  expect(stderr).toContain('files in');
  expect(status).toBe(0);
  execFileSync('diff', ['-r', builtTree(), out]);
});

test('[UNAVAILABLE] a dataset that is not packaged is named in the catalog and answers 503, not 400', async () => {
  const datasets = join(root, 'fewer');
  // Stories cite what is missing: they are left out with it.
  cpSync('datasets', datasets, {
    recursive: true,
    filter: (path) => !/^datasets\/(newsroom|opium-cultivation)$/.test(path),
  });
  const out = join(root, 'fewer-tree');
  expect(main(['build', '--datasets', datasets, '--out', out]).status).toBe(0);
  const app = testApp(out);
  const ask = async (
    target: string,
  ): Promise<[number, { data: Record<string, unknown>; error?: string }]> => {
    const response = await app.fetch(new Request(`${TEST_SITE}/api/v1/${target}`));
    return [response.status, (await response.json()) as { data: Record<string, unknown> }];
  };
  const [, catalog] = await ask('markets');
  expect(catalog.data).toMatchObject({
    status: 'partial',
    unavailableDatasets: [{ id: 'opium-cultivation' }],
  });
  expect(await ask('market-observations?dataset=opium-cultivation')).toMatchObject([
    503,
    { error: 'unavailable' },
  ]);
  expect(await ask('market-observations?dataset=drug-prices&limit=1')).toMatchObject([200, {}]);
});

test('[SUMS] sha256sum accepts the sums and every sidecar', () => {
  execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: builtTree() });
  const files = readdirSync(builtTree(), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const plain = files.filter(({ name }) => !name.endsWith('.sha256'));
  expect(plain.length).toBeGreaterThan(300);
  for (const { parentPath, name } of plain) {
    const sum = createHash('sha256')
      .update(readFileSync(join(parentPath, name)))
      .digest('hex');
    expect(readFileSync(join(parentPath, `${name}.sha256`), 'utf8'), name).toBe(`${sum}  ${name}\n`);
  }
});

test('[ATOMIC] a build that fails leaves the last tree as it was and exits 1 with the findings', () => {
  const datasets = join(root, 'failing');
  mkdirSync(datasets);
  cpSync('datasets/coca-cultivation', join(datasets, 'coca-cultivation'), { recursive: true });
  const out = join(root, 'kept');
  expect(main(['build', '--datasets', datasets, '--out', out]).status).toBe(0);
  const before = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
  const records = join(datasets, 'coca-cultivation/records.csv');
  writeFileSync(records, readFileSync(records, 'utf8').replace('estimated', 'guessed'));
  const failed = main(['build', '--datasets', datasets, '--out', out]);
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(/coca-cultivation\/records\.csv:\d+: status: /);
  expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe(before);
  expect(existsSync(`${out}.next`)).toBe(false);
});

describe('[SETTINGS] a bad value stops with one line and exit 2', () => {
  test.each([
    ['build', 'SITE_URL', 'ftp://x.example'],
    ['build', 'SITE_URL', 'not an address'],
    ['build', 'SITE_URL', 'https://user:secret@x.example'],
    ['start', 'PORT', '70000'],
    ['start', 'PORT', '3000x'],
    ['start', 'HOST', 'a b'],
    ['start', 'PRODUCERS_BASE_URL', 'http://producer.example'],
    ['start', 'PRODUCERS_BASE_URL', 'https://user:secret@producer.example'],
    ['start', 'PRODUCERS_BASE_URL', ''],
    ['start', 'MCP_ALLOWED_ORIGINS', 'a,,b'],
  ])('%s with %s=%s', (command, name, value) => {
    const { status, stderr } = main(
      [command, ...(command === 'build' ? ['--out', join(root, 'never')] : [])],
      { [name]: value },
    );
    expect(status).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(name);
    expect(stderr).not.toContain('secret');
    expect(existsSync(join(root, 'never'))).toBe(false);
  });
});

test('[COMMANDS] an unknown command or flag exits 2 and says what there is', () => {
  expect(main(['bild'])).toMatchObject({ status: 2, stderr: expect.stringContaining('build') as string });
  expect(main(['build', '--outt', 'x']).status).toBe(2);
});
