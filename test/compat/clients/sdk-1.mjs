import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { NAME, ofSdk } from './parts.mjs';

export async function connect(url) {
  const client = new Client(NAME);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return ofSdk(client);
}
