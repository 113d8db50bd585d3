/** What the pages for people are made from: everything is read from the release, nothing is written down twice. */
import type { Operation } from '../../../shim/core/operation.ts';
import type { PackManifest } from '../../../shim/core/types.ts';
import type { Descriptor, Source } from '../../lib/dataset.ts';
import { freshnessOf } from '../../lib/clock.ts';
import type { OperationExample } from '../openapi/examples.ts';

/** The release as the pages see it. */
export interface SiteFacts {
  siteUrl: string;
  manifest: PackManifest;
  descriptors: Descriptor[];
  operations: Operation[];
  /** A real answer of each operation, by its name. */
  examples: ReadonlyMap<string, OperationExample>;
  /** Whether a path below the site root is published. */
  published(path: string): boolean;
}

/** How current a source is, in words: the edition, and that a newer one was due where it was. */
export function freshnessWords(source: Source, clock: string): { stale: boolean; words: string } {
  const { stale, staleAfter } = freshnessOf(source, clock);
  const edition = `edition ${source.dated}`;
  if (stale) return { stale, words: `${edition}; a newer one was due by ${staleAfter}` };
  if (staleAfter === null) return { stale, words: `${edition}; not renewed by its publisher` };
  return { stale, words: `${edition}; current until ${staleAfter}` };
}

/** Sources of all datasets, and how many of them are stale at the data clock. */
export function staleCount({ descriptors, manifest }: SiteFacts): { sources: number; stale: number } {
  const sources = descriptors.flatMap((descriptor) => descriptor.sources);
  const stale = sources.filter((source) => freshnessOf(source, manifest.generatedAt).stale).length;
  return { sources: sources.length, stale };
}

/** A number with thin groups for people: 1,884. No locale of the machine. */
export function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Bytes for people, in units of 1,000. */
export function sizeWords(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return bytes >= 1000 ? `${Math.round(bytes / 1000)} kB` : `${bytes} bytes`;
}
