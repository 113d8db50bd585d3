/**
 * datasets/ -> packs and their bulk forms in the tree, and the facts that the rest of the build needs. Each edition is read,
 * checked and packed in one pass; what is known of all of them together grows with series and labels, not with records.
 */
import { REVISIONS } from '../../shim/core/paths.ts';
import type { MissingDataset } from '../../shim/core/types.ts';
import { checkTogether, descriptorCheck, type DescriptorFindings } from '../check/check.ts';
import { remembered } from '../lib/cache.ts';
import type { Descriptor, Verdict, Written } from '../lib/dataset.ts';
import type { Finding } from '../lib/findings.ts';
import { asFile, type Tree } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { findEditions, readDescriptor, type FoundEdition } from '../load/datasets.ts';
import { packedData, packNames, withinRights } from '../pack/pack.ts';
import type { Edition, PackedData, PackedOf } from '../pack/pack.ts';
import { comparedEdition, neighboursOf, tolerancesOf, type Neighbours } from '../pack/revision-pack.ts';
import { ndjsonOf } from './bulk/bulk.ts';
import type { BulkFile } from './bulk/release.ts';
import type { ReadEdition, Work } from './work.ts';

/** The packed datasets of a release. */
export interface Packs {
  packed: PackedData;
  /** The published forms of each pack by its id, NDJSON first; they are made while the packs are read. */
  forms: Promise<Map<string, BulkFile[]>>;
  /** The datasets that the rights of their sources left out. */
  leftOut: MissingDataset[];
}

type Check = ReturnType<typeof descriptorCheck>;

/** An edition before its rows are read. */
interface Planned extends FoundEdition {
  descriptor: Descriptor & Written;
  check: DescriptorFindings;
}

/** The editions to read: all of them, and those that the release may hold. */
interface Plan {
  /** By dataset: findings of its own, and its editions; null for one whose descriptor cannot be read. */
  datasets: { findings: Finding[]; editions: { folder: string; planned: Planned | null }[] }[];
  kept: Planned[];
  leftOut: MissingDataset[];
}

/** Plans the reading of all editions. Where their descriptors are wrong, rows are checked and nothing is packed. */
export function planPacks(root: string, rights: readonly Verdict[], effects: BuildEffects): Plan {
  const { cache } = effects;
  const today = effects.today();
  // Made when needed: a check reads the YAML files of all families, which most builds need not do.
  let checker: Check | null = null;
  const check: Check = (edition) => {
    const { folder, vocabulary, descriptor } = edition;
    const key = cache.key('descriptor', today, folder, JSON.stringify([vocabulary, descriptor]));
    return remembered(cache, key, () => (checker ??= descriptorCheck(today))(edition));
  };
  const datasets = findEditions(root, effects).map(({ findings, editions }) => ({
    findings,
    editions: editions.map((edition) => {
      const { descriptor } = readDescriptor(edition.folder, effects);
      if (!descriptor) return { folder: edition.folder, planned: null };
      const described = { ...edition, descriptor };
      return { folder: edition.folder, planned: { ...described, check: check(described) } };
    }),
  }));
  const all = datasets.flatMap(({ editions }) => editions.map(({ planned }) => planned));
  const described = all.filter((planned) => planned !== null);
  const isFine =
    described.length === all.length &&
    datasets.every(({ findings }) => findings.length === 0) &&
    described.every(({ check: { before, keys, after } }) => keys && before.length + after.length === 0);
  if (!isFine) return { datasets, kept: [], leftOut: [] };
  return { datasets, ...withinRights(described, rights) };
}

/** Reads every edition and packs what the release may hold, in all forms or as NDJSON alone. `stop` ends the build where anything was found. */
export async function addPacks(
  tree: Tree,
  { datasets, kept, leftOut }: Plan,
  work: Work,
  {
    stop,
    allForms,
    cache,
  }: { stop: (findings: Finding[]) => void; allForms: boolean; cache: BuildEffects['cache'] },
): Promise<Packs> {
  const names = new Map(packNames(kept).map((named, at) => [kept[at], named]));
  const files = new Map<string, BulkFile[]>();
  const addForms = async (of: PackedOf, entry: Edition['entry']): Promise<void> => {
    const others = allForms ? await work.do('forms', { of, entry }) : [];
    files.set(entry.id, [ndjsonOf(of, entry), ...others]);
  };
  const read = datasets.map(({ editions }) =>
    editions.map(async ({ folder, planned }) => {
      const named = (planned && names.get(planned)) ?? null;
      const result = await work.do('edition', { folder, keys: planned?.check.keys ?? null, named });
      return { planned, ...result };
    }),
  );
  const all = await Promise.all(read.map(async (editions) => Promise.all(editions)));
  stop(findingsOf(datasets, all));

  const byDataset = all.map((editions) =>
    editions.flatMap(({ planned, packed }): Edition[] =>
      planned && packed ? [{ ...packed, descriptor: planned.descriptor }] : [],
    ),
  );
  // The rest of the build waits for the differences, but not for the forms.
  const neighbours = byDataset.flatMap(neighboursIn);
  const comparisons = awaitedLater(Promise.all(neighbours.map((pair) => work.do('compare', pair))));
  const forms = byDataset.flat().map(({ descriptor, entry }) => awaitedLater(addForms(descriptor, entry)));
  const compared = await comparisons;
  const revisions = await work.do('revisions', { compared, tolerances: tolerancesOf(neighbours) });
  for (const { part } of compared) tree.folder.remove(part.path);
  forms.push(awaitedLater(addForms({ kind: 'revisions', name: REVISIONS }, revisions.entry)));
  const packed = packedData(byDataset.flat(), revisions, leftOut, cache);
  const entries = [...packed.editions.map(({ entry }) => entry), revisions.entry];
  tree.list(entries.flatMap((entry) => [entry, entry.index].map(asFile)));
  const made = Promise.all(forms).then(() => {
    tree.list([...files.values()].flatMap((own) => own.slice(1).map(asFile)));
    // The revisions are not a dataset and have no list of files.
    files.delete(REVISIONS);
    return files;
  });
  return { packed, forms: awaitedLater(made), leftOut };
}

/** The neighbouring editions that are compared: only those of observations. */
function neighboursIn(editions: readonly Edition[]): Neighbours[] {
  const observed = editions.flatMap(({ descriptor, ...packed }) =>
    descriptor.kind === 'observations' ? [comparedEdition(descriptor, packed)] : [],
  );
  return neighboursOf(editions[0]?.descriptor.name ?? '', observed);
}

/** Findings in their order: of reading, of each edition, of all together. */
function findingsOf(
  datasets: Plan['datasets'],
  all: readonly (readonly (ReadEdition & { planned: Planned | null })[])[],
): Finding[] {
  const read = all
    .flat()
    .flatMap(({ planned, isRead, wrong }) => (planned && isRead ? [{ planned, wrong }] : []));
  return [
    ...datasets.flatMap(({ findings }, at) => [
      ...findings,
      ...(all[at] ?? []).flatMap(({ unreadable }) => unreadable),
    ]),
    ...read.flatMap(({ planned: { check }, wrong }) => [...check.before, ...wrong, ...check.after]),
    ...checkTogether(read.map(({ planned }) => planned)),
  ];
}

/** Marks a result that is awaited later as handled: if the build stops before, its failure need not be reported. */
export function awaitedLater<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}
