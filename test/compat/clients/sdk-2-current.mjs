import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NAME, ofSdk } from './parts.mjs';

export async function connect(url) {
  const client = new Client(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return ofSdk(client);
}
