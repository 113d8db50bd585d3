// Each request of this command line is a process and a connection of its own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { textOf } from './parts.mjs';

const PROGRAM = 'node_modules/.bin/mcp-inspector';

export async function connect(url) {
  const ask = async (...flags) => {
    const args = [PROGRAM, '--cli', url, '--transport', 'http', ...flags];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout);
  };
  const argument = ([name, value]) => ['--tool-arg', `${name}=${value}`];
  return {
    tools: async () => (await ask('--method', 'tools/list')).tools.map(({ name }) => name),
    call: async (name, args) =>
      textOf(
        await ask('--method', 'tools/call', '--tool-name', name, ...Object.entries(args).flatMap(argument)),
      ),
    read: async (uri) => (await ask('--method', 'resources/read', '--uri', uri)).contents[0].text,
  };
}
