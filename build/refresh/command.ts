/** Turns the command line of `npm run refresh` into a request: families, stand-ins of publishers, files, and where the cache is. */
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import descriptorSchema from '../../schemas/dataset.schema.json' with { type: 'json' };
import { urlOf } from '../../shim/core/hosts.ts';
import { IMPORTERS } from '../import/run.ts';
import { today, UsageError } from '../lib/command-line.ts';
import { lockFolder } from '../write/folder-lock.ts';
import { openCache } from './cache.ts';
import { refresh } from './refresh.ts';

/** The flags as given. */
export interface RefreshOptions {
  datasets: string;
  cache?: string;
  apply: boolean;
  base: string[];
  file: string[];
  with: string[];
  edition?: string;
  accept: string[];
  reason?: string;
  acceptLabels: boolean;
  timeout: number;
  maxBytes: number;
}

/** What the reason of an acceptance may be, as descriptors have it. */
const REASON = descriptorSchema.$defs.sources.items.properties.accepted.properties.reason.pattern;

/** Runs the command; `env` says where the user's cache folder is. Returns the exit code. */
export async function refreshCommand(
  families: string[],
  options: RefreshOptions,
  env: Record<string, string | undefined>,
): Promise<number> {
  const importers = families.length === 0 ? IMPORTERS : families.map(importerOf);
  const { accept, reason, file, edition } = options;
  if ((accept.length === 0) !== (reason === undefined))
    throw new UsageError('--accept <sha256> and --reason <words> are given together.');
  const wrong = accept.find((hash) => !/^[0-9a-f]{64}$/.test(hash));
  if (wrong !== undefined)
    throw new UsageError(`Invalid value "${wrong}" for --accept: expected a sha256, 64 hexadecimal digits.`);
  if (reason !== undefined && !new RegExp(REASON, 'u').test(reason))
    throw new UsageError(
      `Invalid value ${JSON.stringify(reason)} for --reason: expected up to 200 letters, digits, spaces and . , ; : ( ) ' % / -, a letter or digit first.`,
    );
  const bases = new Map(options.base.map(baseOf));
  const unused = [...bases.keys()].find((name) => !importers.some((importer) => importer.name === name));
  if (unused !== undefined)
    throw new UsageError(`--base ${unused}=...: ${unused} is not among the families of this refresh.`);
  const given = {
    '--file': file.length > 0,
    '--with': options.with.length > 0,
    '--edition': edition !== undefined,
  };
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined && importers.length !== 1) throw new UsageError(`${flag} needs exactly one family.`);
  const cache = cacheFolder(options.cache, options.datasets, env);
  const unlock = lockFolder(cache);
  try {
    return await refresh(
      {
        importers,
        datasets: options.datasets,
        apply: options.apply,
        bases,
        files: file,
        extra: options.with,
        edition,
        accept: reason === undefined ? null : { files: accept, reason },
        acceptLabels: options.acceptLabels,
        cache: openCache(cache),
        timeoutMs: options.timeout * 1000,
        maxBytes: options.maxBytes,
        today: today(),
      },
      console.log,
    );
  } finally {
    unlock();
  }
}

function importerOf(name: string): (typeof IMPORTERS)[number] {
  const found = IMPORTERS.find((importer) => importer.name === name);
  if (!found)
    throw new UsageError(
      `Unknown family "${name}". Families: ${IMPORTERS.map((importer) => importer.name).join(', ')}.`,
    );
  return found;
}

/** `<family>=<url>`: https, or http on loopback for a stand-in. */
function baseOf(text: string): [family: string, base: URL] {
  const [family = '', address = ''] = text.split(/=(.*)/s);
  const base = urlOf(address);
  const isLoopback = base !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(base.hostname);
  if (base?.protocol !== 'https:' && !(base?.protocol === 'http:' && isLoopback))
    throw new UsageError(
      `Invalid value "${text}" for --base: expected <family>=<url>, https or http on a loopback address.`,
    );
  return [importerOf(family).name, base];
}

/** The folder of the cache; raw files never enter the repository. */
function cacheFolder(
  given: string | undefined,
  datasets: string,
  env: Record<string, string | undefined>,
): string {
  const home = env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = resolve(given ?? join(home, 'public-evidence-api', 'refresh'));
  for (const kept of [process.cwd(), resolve(datasets)])
    if (!relative(kept, folder).startsWith('..'))
      throw new UsageError(
        `--cache ${folder} is inside ${kept}: publishers' files are kept outside the repository.`,
      );
  return folder;
}
