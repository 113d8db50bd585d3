/** Installs a client into a folder of its own, with the adapter that drives it: its pinned packages, and no other of the project. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A client of clients.yaml. */
export interface ClientPin {
  client: string;
  adapter: string;
  /** Package names with their versions, the client's own first. */
  packages: Record<string, string>;
  /** The oldest version of Node it runs on, where that is later than ours. */
  node?: string;
}

const HERE = 'test/compat';
const { before, clients } = parse(readFileSync(`${HERE}/clients.yaml`, 'utf8')) as {
  before: string;
  clients: ClientPin[];
};

/** Every client of clients.yaml, in its order. */
export const CLIENTS = clients;

/** The version of the client itself. */
export function versionOf({ packages }: ClientPin): string {
  return Object.values(packages)[0] ?? '';
}

/** Installs a client below `folder` unless it is there; gives its folder. Throws with what npm printed. */
export async function install(pin: ClientPin, folder: string): Promise<string> {
  const packages = Object.entries(pin.packages).map(([name, version]) => `${name}@${version}`);
  const home = join(folder, `${pin.adapter}-${packages.join('-').replaceAll(/[^\w.-]+/g, '-')}`);
  mkdirSync(home, { recursive: true });
  for (const name of ['run', 'parts']) copyFileSync(`${HERE}/clients/${name}.mjs`, join(home, `${name}.mjs`));
  copyFileSync(`${HERE}/clients/${pin.adapter}.mjs`, join(home, 'adapter.mjs'));
  if (existsSync(join(home, 'node_modules/.package-lock.json'))) return home;
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n');
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', `--before=${before}`];
  const npm = spawn('npm', ['install', ...flags, ...packages], { cwd: home });
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (bytes) => (printed += String(bytes)));
  const [code] = (await once(npm, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm install ${packages.join(' ')} failed: ${printed.slice(-1000)}`);
  return home;
}
