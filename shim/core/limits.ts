/** The limits of a server that meets strangers: how long, how large and how many. docs/self-hosting.md lists them. */

/**
 * Options of node's server: room for a URL that is our own 414, Host checked here, and how long a request may take to arrive with
 * its whole body. Node looks for late ones at the interval; together they are less than a stopping server waits.
 */
export const SERVER_OPTIONS = {
  maxHeaderSize: 32 * 1024,
  requireHostHeader: false,
  headersTimeout: 12_000,
  requestTimeout: 12_000,
  connectionsCheckingInterval: 1000,
  // Clients of agents think between two calls; a connection closed at the moment it is used again loses a POST.
  keepAliveTimeout: 20_000,
};

/** Other bounds; times in milliseconds. */
export const LIMITS = {
  /** Header fields of one request. */
  headerFields: 100,
  /** Connections at once: beyond, one that waits for no reply gives way to a new one. */
  connections: 2048,
  /** Requests of all connections that wait for the reply before them. */
  waitingRequests: 10_000,
  /** Requests of different connections that wait to be worked on. */
  waitingWork: 512,
  /** Broken requests at once that are answered; beyond, their connection is closed. */
  brokenRequests: 100,
  /** How long a connection may make no progress. Longer than the federation (15 s) and a listen stream (20 s) are silent. */
  noProgress: 30_000,
  /** In each so long a time a reader takes at least `leastTaken` bytes, or all that is left. */
  readingWindow: 30_000,
  leastTaken: 30_000,
  /** Bytes that were made for single requests and have not left yet. */
  unsentBytes: 48 * 1024 * 1024,
  /** The same for responses of MCP, which are not shared. */
  unsentMcpBytes: 16 * 1024 * 1024,
  /** Bytes of upstream evidence in one MCP result, which has it twice. */
  mcpResult: 1_000_000,
  /** Downloads at once whose hash and length are being found out. */
  downloads: 8,
  /** MCP requests that have arrived and are not answered yet; messages among them that wait for their turn. */
  mcpRequests: 160,
  waitingMessages: 128,
  /** From a stop to its end: what is under way is then cut off. */
  drain: 18_000,
};
