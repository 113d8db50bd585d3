// Hosts that need a login for anything else: listing their servers connects to each and pings it, and no more.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const HOSTS = {
  '@google/gemini-cli': { program: 'gemini', flags: ['--debug'] },
  '@qwen-code/qwen-code': { program: 'qwen', flags: [] },
};

export async function connect(url) {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { program, flags } = HOSTS[Object.keys(HOSTS).find((host) => host in dependencies)];
  const home = resolve('home');
  mkdirSync(`${home}/.${program}`, { recursive: true });
  const settings = { mcpServers: { evidence: { httpUrl: url } } };
  writeFileSync(`${home}/.${program}/settings.json`, JSON.stringify(settings));
  const env = { ...process.env, HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const args = [resolve(`node_modules/.bin/${program}`), 'mcp', 'list', ...flags];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  const said = `${stdout}${stderr}`;
  if (!/evidence.* Connected/.test(said) || /failed/i.test(said)) throw new Error(said.slice(-2000));
  return { tools: async () => null, call: async () => null };
}
