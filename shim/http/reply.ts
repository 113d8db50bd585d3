/** An answer on its way out, before it is a Response: what rest and static give, what response.ts sends. */
import type { HeaderList } from '../core/headers.ts';
export interface Reply {
  status: number;
  /** All of them, in their final spelling. */
  headers: HeaderList;
  /** Null where the status has no body. */
  body: Uint8Array | ReadableStream<Uint8Array> | null;
}

/** The parts of a request that matter here. */
export interface Ask {
  method: string;
  /** Path as sent, percent-encoded. */
  pathname: string;
  /** From `?` on, or empty. */
  search: string;
  header(name: string): string | null;
}
