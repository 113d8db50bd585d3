/** The protocol versions served: the SDK brings the modern one, this list bounds what `initialize` may negotiate. */

export const MODERN_VERSION = '2026-07-28';
/** Newest first: a client that asks for anything else is offered the first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18'];
