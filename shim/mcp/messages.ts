/** The schemas of the messages of MCP. Making them takes longer than all the rest of the endpoint, so it is done apart. */
export { JSONRPCMessageSchema } from '@modelcontextprotocol/core';
