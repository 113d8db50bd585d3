// The shape of hosts that wrap the transport: the version that the client sets on it after the handshake gets lost.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { NAME, ofSdk } from './parts.mjs';

class WrappedTransport extends StreamableHTTPClientTransport {
  setProtocolVersion() {}
}

export async function connect(url) {
  const client = new Client(NAME);
  await client.connect(new WrappedTransport(new URL(url)));
  return ofSdk(client);
}
