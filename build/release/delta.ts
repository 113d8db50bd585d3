/**
 * deltas/<from>..<to>.json: what changed between two releases, for readers who follow records and for mirrors that fetch little.
 * A delta is transport and proves nothing: what comes of applying it must verify as the release it names.
 */
import schema from '../../schemas/delta.schema.json' with { type: 'json' };
import type { JsonObject } from '../../shim/core/types.ts';
import { validator } from '../../shim/core/schema.ts';
import type { ReleaseName } from './manifest.ts';

/** Why a record differs: its source came, went or has another file; or the same file is packaged otherwise. */
export type ChangeReason = 'source_added' | 'source_removed' | 'source_edition' | 'packaging';

/** A record that came, went or changed. `source` is null where records name none (designations). */
export interface RecordChange {
  id: string;
  reason: ChangeReason;
  source: string | null;
}

/** Changes of one pack. Concatenating what `order` names gives the new pack line by line. */
export interface PackDelta {
  dataset: string;
  path: string;
  added: (RecordChange & { record: JsonObject })[];
  /** `fields`: dotted paths of what differs. */
  changed: (RecordChange & { fields: string[]; record: JsonObject })[];
  removed: RecordChange[];
  /** `["=", line, count]` lines of the old pack from 0, `["+", count]` the next added, `["~", count]` the next changed. */
  order: (['=', number, number] | ['+' | '~', number])[];
}

/** A piece of a file: text, bytes, or a range of a source: `[source, offset, length]` in bytes. */
export type Part = string | { base64: string } | [source: number, offset: number, length: number];

/** A delta document. Packs are rebuilt first, in the order given, then `content`; sums and sidecars follow from the files. */
export interface Delta {
  schema: 'svc.delta.v1';
  from: ReleaseName;
  to: ReleaseName & { manifestSha256: string };
  files: {
    added: { path: string; bytes: number; sha256: string }[];
    changed: { path: string; bytes: number; sha256: string; was: string }[];
    removed: { path: string; was: string }[];
    unchanged: number;
  };
  records: PackDelta[];
  /** Files that parts copy from: of the old release, or of the new one as far as it is rebuilt. */
  sources: { release: 'from' | 'to'; path: string }[];
  content: { path: string; parts: Part[] }[];
}

/** Where the delta between two releases stands. */
export function deltaPath(from: number, to: number): string {
  return `deltas/${from}..${to}.json`;
}

/** Reads a delta; throws an Error with one sentence when it is none. */
export function parseDelta(bytes: Uint8Array): Delta {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const [violation] = validator(schema)(value) ?? [];
  if (violation) throw new Error(`is no delta: ${violation.instancePath || '/'} ${violation.message ?? ''}`);
  return value as Delta;
}
