/** The command line: help, hints, exit codes, and nothing changed by wrong usage. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import RULES from '../../build/release/rules.json' with { type: 'json' };
import { commandLine } from '../../build/commands.ts';
import { wholeNumber } from '../../build/lib/command-line.ts';
import { buildSettings } from '../../build/settings.ts';
import { serverSettings } from '../../shim/settings.ts';
import { run } from '../_support/command-line.ts';
import { builtTree, temporaryFolder } from '../_support/tree.ts';

const empty = temporaryFolder();
const never = join(empty, 'never');
const scripts = Object.entries(packageJson.scripts);
const commands = scripts.flatMap(([name, script]) => (script.includes('build/run.mjs') ? name : []));

describe('[SETTINGS] a bad value stops with one line and exit 2', () => {
  test.each([
    ['build', 'SITE_URL', 'ftp://x.example'],
    ['build', 'SITE_URL', 'not an address'],
    ['build', 'SITE_URL', 'https://user:secret@x.example'],
    ['build', 'SITE_URL', 'https://x.example/100%'],
    ['build', 'SITE_URL', 'https://x.example/a/[b]'],
    ['start', 'PORT', '70000'],
    ['start', 'PORT', '3000x'],
    ['start', 'HOST', 'a b'],
    ['start', 'HOST', '999.1.1.1'],
    ['start', 'PRODUCERS_BASE_URL', 'http://producer.example'],
    ['start', 'PRODUCERS_BASE_URL', 'https://user:secret@producer.example'],
    ['start', 'PRODUCERS_BASE_URL', ''],
    ['start', 'MCP_ALLOWED_ORIGINS', 'a,,b'],
  ])('%s with %s=%s', async (command, name, value) => {
    const out = command === 'build' ? ['--out', never] : [];
    const { status, stderr } = await run([command, ...out], { [name]: value });
    expect(status).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(new RegExp(`^${name} is `));
    expect(stderr).not.toContain('secret');
    expect(existsSync(never)).toBe(false);
  });
});

test.each([
  [{}, 'http://localhost:3000'],
  [{ PORT: '3401' }, 'http://localhost:3401'],
  [{ PORT: '80', HOST: '0.0.0.0' }, 'http://localhost'],
  [{ PORT: '0', HOST: '::' }, 'http://localhost:3000'],
  [{ HOST: '192.0.2.7', PORT: '8080' }, 'http://192.0.2.7:8080'],
  [{ HOST: '2001:db8::1' }, 'http://[2001:db8::1]:3000'],
  [{ HOST: 'evidence.example', SITE_URL: 'https://other.example/' }, 'https://other.example'],
])('[SETTINGS] with %j links lead to %s', (env, siteUrl) => {
  expect(serverSettings(env).siteUrl).toBe(siteUrl);
  expect(buildSettings(env).siteUrl).toBe(siteUrl);
});

describe('[COMMANDS] the command line', () => {
  test.each(commands)('%s --help says what it does, its flags and its exit codes', async (name) => {
    const { status, stdout } = await run([name, '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name} -- `));
    expect(stdout).toContain('--help');
    expect(stdout).toContain('Exit codes: 0');
    expect(stdout).not.toMatch(/\(default:\s+(?:false|\[\]|"")\)/);
  });

  test('the help of commands about releases names every code that a finding has', async () => {
    const { stdout } = await run(['verify', '--help']);
    for (const code of [...new Set(Object.values(RULES)), 6])
      expect(stdout).toMatch(new RegExp(`, ${code} `));
  });

  test.each([
    [['bild'], 'Did you mean build?'],
    [['build', '--outt', never], 'Did you mean --out?'],
    [['build', '--out', never, '--datasets', join(empty, 'none')], 'does not exist'],
    [['build', never], 'too many arguments'],
    [['start', 'now'], 'too many arguments'],
    [['get'], "missing required argument 'path?query'"],
    [['get', '/api/v1/atlas', '/api/v1/markets'], 'too many arguments'],
    [['smoke', 'evidence'], 'http or https address'],
    [['smoke', 'https://user:secret@evidence.example'], 'without query, fragment or credentials'],
    [['verify', 'https://evidence.example/?x=1'], 'neither a folder nor an http(s) address'],
    [['audit', never], 'This folder does not exist'],
    [['build', '--out', never, '--datasets', 'package.json'], 'This is not a folder'],
    [['delta', never, 'schemas'], 'This folder does not exist'],
    [['delta', 'schemas', 'schemas'], 'schemas holds no published site'],
    [['delta', 'schemas', never, '--apply', never], 'This file does not exist'],
    [['delta', 'schemas', never, '--apply', 'schemas'], 'This is not a file'],
    [['build', '--out', 'package.json'], 'This is not a folder.'],
    [['build', '--out', 'datasets/public'], 'which the build reads; use a folder outside of it'],
    [['build', '--out', ''], 'Expected the name of a folder.'],
    [['build', '--out', '--allow-empty'], "'--out <folder>' argument missing before '--allow-empty'"],
    [['build', '--out', never, '--out', 'x'], `'--out <folder>' takes one value; got '${never}' and 'x'`],
    [['release', '--tree', ''], "'--tree <folder>' argument '' is invalid"],
    [['delta', 'schemas', ''], "value '' is invalid for argument 'newer'"],
    [['audit', 'schemas', '--base', ''], "'--base <folder or url>' argument '' is invalid"],
    [['verify-story', 'x', '--accept', '--datasets', ''], "'--datasets <folder>' argument '' is invalid"],
    [['mirror', 'schemas', 'package.json'], 'This is not a folder.'],
    [['verify', 'schemas', '--state', 'docs'], 'This is not a file.'],
    [['mirror', 'https://evidence.example'], "missing required argument 'folder'"],
    [['import'], 'seizures: UNODC World Drug Report'],
    [['import', 'sezures', 'annex.xlsx'], 'Unknown family "sezures"'],
    [['import', 'designations', 'sdn.csv'], 'Did you mean "ofac"?'],
    [['import', 'seizures'], 'seizures needs one workbook'],
    [['import', 'seizures', 'annex.xlsx', '--retrieved', '2026-02-30'], 'Expected a date, YYYY-MM-DD'],
    [['upstream', '--port', '99999'], 'from 0 to 65535'],
    [['upstream', '--lane', 'money=valid'], 'Unknown lane "money"'],
    [['upstream', '--lane', '*=vaild'], 'Unknown behaviour "vaild"'],
  ])('%j is wrong usage: exit 2, and nothing is written', async (words, hint) => {
    const { status, stdout, stderr } = await run(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(hint);
    expect(readdirSync(empty)).toEqual([]);
  });

  const flags = commandLine({}, () => undefined).commands.flatMap((command) =>
    command.options.flatMap(({ long }) => (long ? [[command.name(), long] as const] : [])),
  );

  test('every command has flags or only arguments, and there are flags to mistype', () => {
    expect(flags.length).toBeGreaterThan(30);
  });

  test.each(flags)('%s %s, mistyped, is refused with a hint and changes nothing', async (name, flag) => {
    const before = readdirSync('.').toSorted();
    // Two letters change places, and at the end of the word one is doubled.
    const swapped = `--${flag[3]}${flag[2]}${flag.slice(4)}`;
    for (const typo of [swapped, `${flag}${flag.at(-1)}`]) {
      const { status, stdout, stderr } = await run([name, typo, 'x']);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(new RegExp(`unknown option '${typo}'\\s.*Did you mean .*${flag}\\b`, 's'));
    }
    expect(readdirSync('.').toSorted()).toEqual(before);
  });

  /** The real program, in a folder where public/ is the built site or missing. */
  const main = resolve('build/run.mjs');
  const site = temporaryFolder();
  symlinkSync(builtTree(), join(site, 'public'));

  test('a missing build is one plain line', () => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'get', '/api/v1/atlas'], {
      cwd: empty,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, 'public holds no published site: run "npm run build" first.\n']);
  });

  const programs = scripts.filter(([name]) => ['bench:explore', 'compat:duckdb'].includes(name));
  test.each(programs)('%s, a program of the tests, says the same of its --tree', (_, script) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `${script} --tree ${empty}`], {
      encoding: 'utf8',
    });
    const line = `${empty} holds no published site: run "npm run build" first.\n`;
    expect([status, stdout, stderr]).toEqual([2, '', line]);
  });

  test.each([
    ['/proc/nowhere', '/proc/nowhere.lock'],
    ['/proc/nowhere/site', '/proc/nowhere'],
  ])('%s, which cannot be written to, is named in one plain line', async (out, named) => {
    const { status, stderr } = await run(['build', '--out', out]);
    const line = `${named} cannot be used: no such file or directory (ENOENT).\n`;
    expect([status, stderr]).toEqual([1, line]);
  });

  test('audit names the file that it did not get', async () => {
    const { status, stderr } = await run(['audit', 'schemas', '--base', 'http://127.0.0.1:1']);
    const line = /^http:\/\/127\.0\.0\.1:1\/data\/\S+\.ndjson gave no response: bad port\.\n$/;
    expect([status, stderr]).toEqual([1, expect.stringMatching(line)]);
  });

  test('refresh makes its folder in the cache of a user who has none', async () => {
    const home = temporaryFolder();
    const words = ['refresh', 'seizures', '--file', never];
    const { status, stderr } = await run(words, { XDG_CACHE_HOME: join(home, 'new') });
    expect([status, stderr]).toEqual([
      1,
      `${never}: the file: expected a file; found nothing, or a folder\n`,
    ]);
    expect(readdirSync(home)).toEqual(['new']);
  });

  test('get prints one body, even into a pipe that closes early', () => {
    const piped = `"$0" "$1" get '/api/v1/market-observations?limit=500' | head -c 12`;
    const { stdout, stderr } = spawnSync('sh', ['-c', piped, process.execPath, main], {
      cwd: site,
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['{"ok":true,"', '']);
  });

  test.runIf(existsSync('/dev/full'))('a full disk is one plain line', () => {
    const full = `"$0" "$1" get '/api/v1/atlas?limit=1' > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', full, process.execPath, main], {
      cwd: site,
      encoding: 'utf8',
    });
    const line = 'Standard output cannot be used: no space left on device (ENOSPC).\n';
    expect([status, stderr]).toEqual([1, line]);
  });

  test('get answers where the service has a path of its own', () => {
    const asked = spawnSync(process.execPath, [main, 'get', '/api/v1/atlas?limit=1'], {
      cwd: site,
      encoding: 'utf8',
      env: { ...process.env, SITE_URL: 'https://evidence.example/below' },
    });
    expect([asked.status, asked.stdout.slice(0, 11)]).toEqual([0, '{"ok":true,']);
  });

  test('get exits 1 for a refused request', () => {
    const get = (): void =>
      void execFileSync(process.execPath, [main, 'get', '/api/v1/atlas?limit=0'], { cwd: site });
    expect(get).toThrow(expect.objectContaining({ status: 1 }));
  });

  test('prepared code that is cut short, or cannot be read, is prepared once more', () => {
    const project = temporaryFolder();
    for (const name of ['build/write', 'shim', 'schemas'])
      mkdirSync(join(project, name), { recursive: true });
    cpSync('build/run.mjs', join(project, 'build/run.mjs'));
    symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
    // A command of few words: what is prepared of all of them is run by the tests above.
    const said = 'what the command says';
    writeFileSync(join(project, 'build/main.ts'), `console.log('${said}');`);
    writeFileSync(join(project, 'build/write/second-thread-worker.ts'), '');
    const printed = (): string =>
      execFileSync(process.execPath, ['build/run.mjs'], { cwd: project, encoding: 'utf8' }).trimEnd();
    const folder = join(project, '.build/code');
    expect(printed()).toBe(said);
    const [made = ''] = readdirSync(folder);
    const part = join(folder, made, 'main.mjs');
    const whole = (): string => readFileSync(part, 'utf8');
    const before = whole();
    expect(before).toContain(said);
    truncateSync(part, 20);
    expect([printed(), whole()]).toEqual([said, before]);
    rmSync(part);
    symlinkSync(never, part);
    expect([printed(), whole()]).toEqual([said, before]);
    expect(readdirSync(folder)).toEqual([made]);
    expect(lstatSync(part).isFile()).toBe(true);
  });

  test.each(['', '0', '-5', '1e6', 'many', '999999999', '1.0', ' 1'])(
    '%j is not a number of 1 to 100',
    (text) => {
      expect(() => wholeNumber(1, 100)(text)).toThrow('Expected a whole number from 1 to 100.');
    },
  );
});
