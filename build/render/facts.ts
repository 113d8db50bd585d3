/** What the pages, the OpenAPI description and llms.txt are made from: the release, and the texts in content/. */
import { fileURLToPath } from 'node:url';
import { freshnessOf, listNote } from '../lib/clock.ts';
import type { Descriptor } from '../lib/dataset.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { BulkRelease } from './bulk/release.ts';
import type { Evidence } from './site/evidence.ts';
import type { OperationExample } from './openapi/examples.ts';
import type { Operation, PackManifest } from '../../shim/core/types.ts';
import type { WorldShapes } from '../../shim/view/chart/world.ts';

/** The release as the pages see it. */
export interface SiteFacts {
  siteUrl: string;
  manifest: PackManifest;
  descriptors: Descriptor[];
  operations: Operation[];
  /** A real response of each operation, by its name. */
  examples: ReadonlyMap<string, OperationExample>;
  /** Every story, newest first. */
  stories: readonly { story: string; title: string; summary: string; published: string }[];
  /** The current datasets with their files, as the metadata documents describe them. */
  bulk: BulkRelease;
  /** Whether the release has data/evidence.sqlite. */
  database: boolean;
  /** The records as pages show them. */
  evidence: Evidence;
  /** The world as maps draw it. */
  world: WorldShapes;
  /** The text of a source file of the pages: `content/docs.md`. */
  source(path: string): string;
}

/** What is known before all files are made. */
export type RecordFacts = Omit<SiteFacts, 'examples' | 'database'>;

/** Reads the source files next to this one. Throws for a file that is not there. */
export function pageSources(effects: BuildEffects): SiteFacts['source'] {
  return (path) => sourceBytes(fileURLToPath(new URL(path, import.meta.url)), effects).toString('utf8');
}

/** The bytes of a source file of the pages. Throws for a file that is not there. */
export function sourceBytes(path: string, { read }: Pick<BuildEffects, 'read'>): Buffer {
  const bytes = read(path);
  if (!bytes) throw new Error(`${path} is missing in the sources of the pages`);
  return bytes;
}

/** Sources of all datasets as data/files.json lists them, and how many of them are stale at the data clock. */
export function staleCount({ descriptors, manifest }: SiteFacts): { sources: number; stale: number } {
  const sources = descriptors.flatMap((descriptor) => descriptor.sources);
  const stale = sources.filter((source) => freshnessOf(source, manifest.generatedAt).stale).length;
  return { sources: sources.length, stale };
}

/** The note about designations on a page; null where none of these datasets has any. */
export function designationsNote(descriptors: readonly Descriptor[], clock: string): string | null {
  for (const descriptor of descriptors) {
    const [list] = descriptor.sources;
    if (descriptor.kind === 'entities' && list) return listNote(descriptor, freshnessOf(list, clock));
  }
  return null;
}

/** Lines as a Markdown list. */
export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
