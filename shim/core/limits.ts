/** The limits of a public server: times, sizes and counts. docs/self-hosting.md lists them. */

/**
 * Options of node's server. A URL that is too long for us still fits, so that it gets our own 414; Host is checked by the listener.
 * Node looks for late requests at the interval: the timeout and the interval together are shorter than `drain`.
 */
export const SERVER_OPTIONS = {
  maxHeaderSize: 32 * 1024,
  requireHostHeader: false,
  headersTimeout: 12_000,
  requestTimeout: 12_000,
  connectionsCheckingInterval: 1000,
  // Agents pause between two calls; a connection closed at the moment it is used again loses a POST.
  keepAliveTimeout: 20_000,
};

/** Other bounds; times in milliseconds. */
export const LIMITS = {
  /** Header fields of one request. */
  headerFields: 100,
  /** Connections at once: beyond that, a new one replaces one that waits for no reply. */
  connections: 2048,
  /** Requests of all connections that wait for the reply before them. */
  waitingRequests: 10_000,
  /** Requests of different connections that wait to be worked on. */
  waitingWork: 512,
  /** Broken requests at once that are answered; the connections of others are closed. */
  brokenRequests: 100,
  /** How long a connection may make no progress. Longer than the federation (15 s) and a listen stream (20 s) are silent. */
  noProgress: 30_000,
  /** How often a client that closed its sending side, as one does that hangs up, is looked for while its response is made. */
  halfClosed: 300,
  /** In each window of this length a client must take at least `leastTaken` bytes, or all that is left. */
  readingWindow: 30_000,
  leastTaken: 30_000,
  /** Bytes of responses made for single requests that are not sent yet. */
  unsentBytes: 48 * 1024 * 1024,
  /** The same for MCP responses, which are not shared. */
  unsentMcpBytes: 16 * 1024 * 1024,
  /** Bytes of upstream evidence in one MCP result, which carries it twice. */
  mcpResult: 1_000_000,
  /** How long `/readyz` waits for the check of all files before it says that it is still going on. Shorter than `noProgress`. */
  readiness: 20_000,
  /** Downloads at once whose hash and length are being computed. */
  downloads: 8,
  /** MCP requests that have arrived and are not answered yet; and how many of their messages may wait for a turn. */
  mcpRequests: 160,
  waitingMessages: 128,
  /** From the signal to stop until responses under way are cut off. */
  drain: 18_000,
};
