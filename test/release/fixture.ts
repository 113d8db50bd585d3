/** Small releases of one site: packs, their manifest and catalog, a chain of pages, and enough other files to tamper with. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256, jsonArtifact, textArtifact, Tree } from '../../build/lib/tree.ts';
import type { ReleaseFinding } from '../../build/release/findings.ts';
import { folderSource } from '../../build/release/source.ts';
import { signingKeyOf, type SigningKey } from '../../build/release/minisign.ts';
import { replaceTree } from '../../build/write/tree-folder.ts';
import type { Expectations } from '../../build/release/trust.ts';
import { verifyTree } from '../../build/release/verify.ts';
import {
  parseLedger,
  renderRelease,
  renderSidecars,
  renderSums,
  type Ledger,
} from '../../build/release/describe.ts';
import { temporaryFolder } from '../_support/tree.ts';

export const SITE = 'https://evidence.example';
export const SEED = Buffer.alloc(32, 7).toString('base64');
export const OTHER_SEED = Buffer.alloc(32, 8).toString('base64');

/** A day on which the fixture's releases are current. */
export const TODAY = new Date('2026-09-01T00:00:00Z');

/** A key that must be readable. */
export function keyOf(text: string): SigningKey {
  const key = signingKeyOf(text);
  if (!key) throw new Error('the test key is not readable');
  return key;
}

/** One record of the fixture's pack. */
export interface FixtureRecord {
  id: string;
  value: number | null;
  sourceId: string;
}

/** What makes one release differ from another. */
export interface FixtureOptions {
  records?: FixtureRecord[];
  /** Hash of the source's file. */
  edition?: string;
  extra?: Record<string, string>;
  key?: SigningKey | null;
  ledger?: Ledger;
  generatedAt?: string;
  /** How many pages for people there are. */
  docs?: number;
}

/** Forty records, three zeros among them. */
export function fixtureRecords(): FixtureRecord[] {
  return Array.from({ length: 40 }, (_, row) => ({
    id: `coca.C${String(row).padStart(2, '0')}.2020`,
    value: row % 13 === 0 ? 0 : row * 10,
    sourceId: 'wdr-2025',
  }));
}

/** A whole release in memory. */
export function release(options: FixtureOptions = {}): Tree {
  const { records = fixtureRecords(), edition = 'a'.repeat(64), extra = {}, docs = 8 } = options;
  const tree = new Tree();
  const pack = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const source = { id: 'wdr-2025', sha256: edition };
  tree.add([
    textArtifact('data/coca.ndjson', pack),
    jsonArtifact('data/packs.json', {
      schema: 'svc.packs.v1',
      packs: [{ id: 'coca', path: 'data/coca.ndjson', sha256: sha256(pack), meta: {} }],
    }),
    jsonArtifact('data/datasets/coca.json', { id: 'coca', sources: [source] }),
    textArtifact('.well-known/api-catalog', '{}\n'),
    textArtifact('index.html', '<!doctype html>\n'),
  ]);
  tree.add(pages(records, sha256(pack).slice(0, 8)));
  for (let number = 0; number < docs; number += 1)
    tree.add([textArtifact(`docs/page-${number}/index.html`, `<p>page ${number}</p>\n`.repeat(number + 1))]);
  for (const [path, text] of Object.entries(extra)) tree.add([textArtifact(path, text)]);
  return described(tree, options);
}

/** The tree with manifest, sums and sidecars. */
export function described(tree: Tree, options: Pick<FixtureOptions, 'key' | 'ledger' | 'generatedAt'>): Tree {
  const { key = null, ledger = parseLedger(null), generatedAt = '2026-08-22T00:00:00Z' } = options;
  tree.add(renderRelease(tree, { siteUrl: SITE, generatedAt, ledger, signingKey: key }));
  tree.add([renderSums(tree)]);
  tree.add(renderSidecars(tree));
  return tree;
}

/** The ledger after these releases were published. */
export function ledgerOf(...trees: Tree[]): Ledger {
  const releases = trees.map((tree) => {
    const { siteUrl, serial, treeSha256, generatedAt, expires } = manifestOf(tree);
    return { siteUrl, serial, treeSha256, generatedAt, expires };
  });
  return { schema: 'svc.releases.v1', releases };
}

/** release.json of a tree. */
export function manifestOf(tree: Tree): Ledger['releases'][number] {
  return JSON.parse(String(tree.read('release.json'))) as Ledger['releases'][number];
}

/** A new, empty place for a tree. */
export function place(): string {
  return join(temporaryFolder(), 'site');
}

/** Writes a tree into a new folder. */
export function written(tree: Tree, folder = place()): string {
  replaceTree(folder, tree.contents());
  return folder;
}

/** Changes the bytes of one file. */
export function edit(folder: string, path: string, change: (bytes: Buffer) => Buffer | string): void {
  writeFileSync(join(folder, path), change(readFileSync(join(folder, path))));
}

/** Verifies a folder on a day when its release is current. */
export async function findingsOf(
  folder: string,
  expectations: Partial<Expectations> = {},
): Promise<ReleaseFinding[]> {
  const asked = { now: TODAY, key: null, minSerial: 0, known: null, ...expectations };
  return (await verifyTree(folderSource(folder), asked, () => undefined)).findings;
}

/** `file rule` of every finding, sorted. */
export function brief(findings: ReleaseFinding[]): string[] {
  return findings.map(({ file, rule }) => `${file} ${rule}`).sort();
}

function pages(records: FixtureRecord[], stamp: string): ReturnType<typeof jsonArtifact>[] {
  const size = 15;
  return Array.from({ length: Math.ceil(records.length / size) }, (_, page) => {
    const rows = records.slice(page * size, (page + 1) * size);
    const more = (page + 1) * size < records.length;
    return jsonArtifact(page === 0 ? 'api/v1/atlas.json' : `api/v1/atlas/${stamp}_${page}.json`, {
      ok: true,
      resource: 'atlas',
      data: {
        page: {
          matched: records.length,
          returned: rows.length,
          next_cursor: more ? `${stamp}_${page + 1}` : null,
        },
        records: rows,
      },
    });
  });
}
