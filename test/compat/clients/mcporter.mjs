// Each request of this command line is a process and a connection of its own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export async function connect(url) {
  const ask = async (command, ...words) => {
    const server = ['--http-url', url, '--allow-http', '--name', 'evidence'];
    const args = ['node_modules/.bin/mcporter', command, ...words, ...server];
    return (await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })).stdout;
  };
  return {
    tools: async () => JSON.parse(await ask('list', '--json')).tools.map(({ name }) => name),
    call: (name, args) => ask('call', `evidence.${name}`, '--args', JSON.stringify(args), '--output', 'text'),
  };
}
