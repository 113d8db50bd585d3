// Without a login this command connects and pings, and no more.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

export async function connect(url) {
  const home = resolve('home');
  mkdirSync(`${home}/.gemini`, { recursive: true });
  writeFileSync(
    `${home}/.gemini/settings.json`,
    JSON.stringify({ mcpServers: { evidence: { httpUrl: url } } }),
  );
  const program = resolve('node_modules/.bin/gemini');
  const env = { ...process.env, HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [program, 'mcp', 'list', '--debug'],
    { env },
  );
  const said = `${stdout}${stderr}`;
  if (!/evidence.*Connected/.test(said) || /failed|error/i.test(said)) throw new Error(said.slice(-2000));
  return { tools: async () => null, call: async () => null };
}
