/** What each command takes and which code runs it; a command loads only what it needs. */
import { Option, type Command } from 'commander';
import {
  add,
  address,
  choices,
  editionDate,
  existing,
  newCommand,
  pastDate,
  place,
  requireBuild,
  today,
  UsageError,
  wholeNumber,
  type Done,
} from './lib/command-line.ts';
import { VERDICTS, type Verdict } from './lib/dataset.ts';
import { RELEASE_CODES } from './release/findings.ts';
import type { TrustOptions } from './release/command.ts';
import type { Meant } from './release/replacing.ts';
import type { RefreshOptions } from './refresh/command.ts';
import { REFRESH_CODES } from './refresh/outcomes.ts';
import { unsetSiteUrl } from '../shim/settings.ts';
import { buildSettings } from './settings.ts';

type Env = Record<string, string | undefined>;
type Building = { rights?: Verdict[]; cache?: string | boolean } & Meant;
type ImportOptions = { datasets: string; retrieved?: string; edition?: string; acceptLabels?: boolean };
const TREE = 'public';
const DATASETS = 'datasets';
const RIGHTS = `publish only datasets whose sources all have one of these rights: ${VERDICTS.join(',')} (default: all)`;
const ALLOWED = [
  ['--allow-empty', 'publish a site without any dataset'],
  ['--allow-smaller', 'publish less than nine tenths of the last release: of a dataset, or of all files'],
  ['--allow-unsigned', 'replace a signed release by an unsigned one'],
] as const;

/** The whole command line; `done` takes the exit code of the command that ran. */
export function commandLine(env: Env, done: Done): Command {
  const program = newCommand('npm run', 'Builds, serves and checks the public evidence service.');
  program.helpCommand(false);
  serving(program, env, done);
  data(program, env, done);
  releases(program, done);
  deployment(program, env, done);
  for (const command of program.commands) command.usage(`-- ${command.usage()}`);
  return program;
}

function repeatable(text: string, list: string[]): string[] {
  return [...list, text];
}

/** A command that builds the site: what it may publish, and what it does only when that is meant. */
function addBuilding(program: Command, name: string, description: string): Command {
  const command = add(program, name, description).option('--rights <verdicts>', RIGHTS, choices(VERDICTS));
  for (const [flag, meaning] of ALLOWED) command.option(flag, meaning);
  const kept = 'where results of builds are kept (default: .build/cache)';
  command.option('--cache <folder>', kept, place('folder'));
  return command.option('--no-cache', 'use no results of earlier builds, and keep none');
}

/** A command that reads a release of somebody else: what a reader may pin. */
function addTrusting(program: Command, name: string, description: string, codes?: string): Command {
  return add(program, name, description, codes)
    .option('--key <key>', 'minisign public key, or a file with one, that must have signed the release')
    .option('--min-serial <n>', 'refuse releases with a lower serial number');
}

function serving(program: Command, env: Env, done: Done): void {
  addBuilding(
    program,
    'start',
    'Build when something changed, then serve on HOST:PORT until SIGTERM or SIGINT.',
  )
    .option('--build-only', 'build site and server, and stop')
    .action(async (options: { buildOnly?: true } & Building) => {
      const { start } = await import('./serve/start.ts');
      done(await start(env, options));
    });
  add(program, 'dev', 'Serve a preview that follows datasets, schemas and code.').action(async () => {
    const { dev } = await import('./serve/start.ts');
    done(await dev(env));
  });
  addTrusting(program, 'get', 'Answer one request in process over public/ and print the body.')
    .argument('<path?query>', "what to request, such as '/api/v1/atlas?iso3=MEX'")
    .option('--from <address>', 'read the files of a release there instead', address)
    .action(async (target: string, options: TrustOptions & { from?: string }) => {
      const { get } = await import('./serve/get.ts');
      done(await get(target, TREE, env, options));
    });
  add(program, 'upstream', 'Run the stand-in of the money and capital-markets producer, TLS on loopback.')
    .option('--port <n>', 'port to listen on', wholeNumber(0, 65_535), 8443)
    .option('--lane <lane=behaviour>', 'how a lane behaves, * for all; repeatable', repeatable, [])
    .option('--list', 'print the names of all behaviours')
    .action(async (options: { port: number; lane: string[]; list?: true }) => {
      const { runStandIn } = await import('./stand-in/server.ts');
      await runStandIn(options);
    });
}

function data(program: Command, env: Env, done: Done): void {
  addBuilding(
    program,
    'build',
    'Check the datasets and write the published site; findings name file, row and rule.',
  )
    .option('--out <folder>', 'where to write', place('folder'), TREE)
    .option('--datasets <folder>', 'where to read', existing('folder'), DATASETS)
    .option('--provenance', 'add release.intoto.json: the commit, packages and Node it was made with')
    .action(async ({ out, cache, ...given }: { out: string; datasets: string } & Building) => {
      const { build } = await import('./build.ts');
      const { realEffects } = await import('./write/effects.ts');
      const options = { ...given, schemas: 'schemas', out, settings: buildSettings(env) };
      const started = performance.now();
      const { size } = await build(options, realEffects({ cache: cache ?? true }));
      console.error(`${out}: ${size} files in ${((performance.now() - started) / 1000).toFixed(1)} s`);
      const unset = unsetSiteUrl(env);
      if (unset !== null) console.error(unset);
    });
  add(program, 'import', 'Read raw publisher files into datasets/; all or nothing, with an audit.')
    .argument('[family]', 'the kind of file; without it, all kinds are listed')
    .argument('[files...]', 'the raw files')
    .option('--datasets <folder>', 'where to write', place('folder'), DATASETS)
    .option(
      '--retrieved <date>',
      'when the files were obtained, not in the future (default: today)',
      pastDate,
    )
    .option(
      '--edition <date>',
      "the publisher's date of the edition, YYYY-MM-DD or YYYY-MM, for a file that does not say it",
      editionDate,
    )
    .option('--accept-labels', "add the labels that are new to the dataset's vocabulary.csv, for review")
    .action(importFiles);
  add(
    program,
    'refresh',
    'Look for later editions at the publishers; import what changed and print the differences.',
    REFRESH_CODES,
  )
    .argument('[families...]', 'the kinds of file to look for (default: all)')
    .option('--apply', 'write the new editions into the datasets, and the day of the check', false)
    .option('--datasets <folder>', 'the datasets', existing('folder'), DATASETS)
    .option('--cache <folder>', "where publishers' files are kept (default: a folder in the user's cache)")
    .option('--edition <date>', "the publisher's date of a file that does not print it", editionDate)
    .option('--file <file>', 'a file obtained by hand, in place of the download; repeatable', repeatable, [])
    .option('--with <file>', 'a file needed in addition to the download; repeatable', repeatable, [])
    .option('--accept <sha256>', 'use a file in quarantine that was doubted; repeatable', repeatable, [])
    .option('--reason <words>', 'why it is right after all; recorded in the descriptor')
    .option('--accept-labels', "add labels that are new to the dataset's vocabulary.csv, for review", false)
    .option('--timeout <seconds>', 'how long one file may take', wholeNumber(1, 3600), 120)
    .option('--max-bytes <n>', 'how large one file may be', wholeNumber(1, 1_073_741_824), 67_108_864)
    .option('--base <family=url>', "take a family's files from another origin; repeatable", repeatable, [])
    .action(async (families: string[], options: RefreshOptions) => {
      const { refreshCommand } = await import('./refresh/command.ts');
      done(await refreshCommand(families, options, env));
    });
  add(
    program,
    'audit',
    'Read every raw source file a second time, without the importers, and compare every published record.',
  )
    .argument('<folder>', 'folder of raw source files', existing('folder'))
    .option('--base <folder or url>', 'the built site or server to audit', place('folder'), TREE)
    .option(
      '--datasets <folder>',
      'the datasets, which name the raw files by sha256',
      existing('folder'),
      DATASETS,
    )
    .option('--json', 'print every difference as JSON', false)
    .action(async (raw: string, options: { base: string; datasets: string; json: boolean }) => {
      requireBuild(options.base);
      const { audit } = await import('./audit/audit.ts');
      done(await audit({ ...options, raw }, console.log));
    });
  add(program, 'verify-story', "Check a story's citations again, from published files alone.")
    .argument('<id>', 'id of the story')
    .option('--base <folder or url>', 'the published site or mirror', TREE)
    .option('--accept', 'record the present values as reviewed')
    .option('--datasets <folder>', 'where --accept writes', existing('folder'), DATASETS)
    .action(async (id: string, options: { base: string; datasets: string; accept?: true }) => {
      if (options.base === TREE) requireBuild(TREE);
      const { verifyStory } = await import('./newsroom/verify.ts');
      done(await verifyStory(id, options));
    });
}

async function importFiles(
  family: string | undefined,
  files: string[],
  { datasets, retrieved = today(), edition, acceptLabels = false }: ImportOptions,
): Promise<void> {
  const { importerList, IMPORTERS } = await import('./import/run.ts');
  const { runImport } = await import('./refresh/editions.ts');
  const { importProducer, PRODUCER_FAMILIES } = await import('./producer/reference.ts');
  const effects = (await import('./write/effects.ts')).realEffects();
  const known = IMPORTERS.find(({ name }) => name === family);
  if (family !== undefined && PRODUCER_FAMILIES.includes(family)) {
    for (const line of importProducer(family, files, { datasets, acceptLabels }, effects)) console.log(line);
    return;
  }
  if (family === undefined || !known) {
    const list = [
      ...importerList(),
      'producerp: one folder of the context producer',
      'producerp-reference: one source register (Markdown)',
    ].join('\n  ');
    const near = IMPORTERS.find(
      ({ name, datasets: made }) =>
        name.slice(0, 3) === family?.slice(0, 3) || made.some((dataset) => dataset === family),
    )?.name;
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    const problem = family === undefined ? 'A family is needed.' : `Unknown family "${family}".${hint}`;
    throw new UsageError(`${problem} Families, their datasets and files:\n  ${list}`);
  }
  if (files.length === 0) throw new UsageError(`${family} needs ${known.files}.`);
  effects.progress(`reading ${files.join(', ')}`);
  const request = { family, files, datasets, retrieved, edition, acceptLabels };
  for (const line of runImport(request, today())) console.log(line);
}

function releases(program: Command, done: Done): void {
  addTrusting(program, 'verify', 'Check every file of a site or mirror; one line per finding.', RELEASE_CODES)
    .argument('<folder or url>', 'the site')
    .option('--state <file>', 'remember serial number and key there, accept no older release', place('file'))
    .option('--max-bytes <n>', 'most bytes of all files (default: 4 GiB at an address)', wholeNumber(1, 1e15))
    .action(async (where: string, options: TrustOptions & { state?: string }) => {
      if (where === TREE) requireBuild(TREE);
      const { verifyCommand } = await import('./release/command.ts');
      done(await verifyCommand(where, options));
    });
  addTrusting(program, 'mirror', 'Copy a release, verify it, and switch it in at once.', RELEASE_CODES)
    .argument('<url>', 'address or folder of the published site')
    .argument('<folder>', 'where the copy goes', place('folder'))
    .option('--max-bytes <n>', 'most bytes of all files (default: 4 GiB)', wholeNumber(1, 1e15))
    .action(async (from: string, folder: string, options: TrustOptions) => {
      const { mirrorCommand } = await import('./release/command.ts');
      done(await mirrorCommand(from, folder, options));
    });
  add(program, 'release', 'Record the built site as published in datasets/releases.json.', RELEASE_CODES)
    .option('--tree <folder>', 'the built site', existing('folder'), TREE)
    .option('--datasets <folder>', 'where the ledger is', existing('folder'), DATASETS)
    .option('--expires <date>', 'when the release expires, a date or a date-time of UTC')
    .action(async (options: { tree: string; datasets: string; expires?: string }) => {
      requireBuild(options.tree);
      const { releaseCommand } = await import('./release/command.ts');
      done(await releaseCommand(options));
    });
  add(program, 'delta', 'Write the delta between two releases, or apply one.', RELEASE_CODES)
    .argument('<older>', 'folder of the older release', existing('folder'))
    .argument('<newer>', 'folder of the newer release; with --apply, the folder to write', place('folder'))
    .option('--out <file>', 'where the delta goes (default: into the newer release)', place('file'))
    .addOption(
      new Option('--apply <delta>', 'apply it to <older>').argParser(existing('file')).conflicts('out'),
    )
    .action(async (older: string, newer: string, options: { out?: string; apply?: string }) => {
      const { applyDeltaCommand, deltaCommand } = await import('./release/command.ts');
      if (options.apply === undefined) done(await deltaCommand(older, newer, options));
      else done(await applyDeltaCommand(options.apply, older, newer));
    });
}

function deployment(program: Command, env: Env, done: Done): void {
  add(program, 'host', 'Write netlify.toml from the operations, header constants and media types.').action(
    async () => {
      const { netlifyToml } = await import('./deploy/netlify.ts');
      const { writeFileSync } = await import('node:fs');
      writeFileSync('netlify.toml', netlifyToml());
    },
  );
  program
    .command('bundle-function', { hidden: true })
    .description('Write the function of the CDN; the second half of its build command.')
    .action(async () => {
      const { bundleFunction, FUNCTIONS_FOLDER } = await import('./deploy/netlify.ts');
      console.error(`${FUNCTIONS_FOLDER}: ${await bundleFunction(FUNCTIONS_FOLDER, env)} bytes`);
    });
  add(program, 'smoke', 'Check a running service: every kind of response once, one line per check.')
    .argument('<url>', 'address of the service', address)
    .action(async (url: string) => {
      const { smoke } = await import('./deploy/smoke.ts');
      done(await smoke(url, fetch, (line) => console.log(line)));
    });
  add(
    program,
    'emulate',
    'Serve the whole path of a deploy on localhost; installs the emulation on first use.',
  )
    .option('--port <n>', 'port to listen on', wholeNumber(0, 65_535), 8888)
    .action(async ({ port }: { port: number }) => {
      const { emulate } = await import('./deploy/emulate.ts');
      await emulate(port, env);
    });
}
