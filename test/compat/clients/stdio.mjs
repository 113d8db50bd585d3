// A bridge from standard input to the address, used as desktop hosts use it.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { NAME, ofSdk } from './parts.mjs';

const BRIDGES = {
  'mcp-remote': (url) => [url, '--transport', 'http-only', '--allow-http'],
  supergateway: (url) => ['--streamableHttp', url, '--logLevel', 'none'],
};

export async function connect(url) {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const name = Object.keys(BRIDGES).find((bridge) => bridge in dependencies);
  const { bin } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  const program = `node_modules/${name}/${typeof bin === 'string' ? bin : bin[name]}`;
  const client = new Client(NAME);
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: '.mcp-auth' };
  const args = [program, ...BRIDGES[name](url)];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return ofSdk(client);
}
