/** The build as a table of contents: datasets/ in, one tree out. A finding stops it and leaves the last tree in place. */
import { EVIDENCE_FILE } from '../shim/core/paths.ts';
import { OPERATIONS } from '../shim/core/operations/all.ts';
import type { MissingDataset } from '../shim/core/types.ts';
import { checkDatasets } from './check/check.ts';
import { checkStories, type CheckedStory } from './newsroom/gate/gate.ts';
import type { VerifiedProducer } from './producer/contract.ts';
import { verifyProducer } from './producer/verify.ts';
import { VERDICTS, type Verdict } from './lib/dataset.ts';
import { Tree, type BuildEffects, type NextTree } from './lib/tree.ts';
import { BuildStopped, findingLine, type Finding } from './lib/findings.ts';
import { loadProducer } from './producer/reference.ts';
import { loadDatasets, type LoadedDataset } from './load/datasets.ts';
import { loadStories } from './newsroom/load.ts';
import { citable, citedDatasets, type MissingStory } from './newsroom/citation.ts';
import { currentOf, packArtifacts, packDatasets, treeStore, withinRights } from './pack/pack.ts';
import { bulkFiles, bulkMetadata, type Forms } from './render/bulk/bulk.ts';
import { renderEvidenceFile } from './render/bulk/evidence-file.ts';
import { bulkRelease } from './render/bulk/release.ts';
import { renderCatalog, renderDataFiles } from './render/api/catalog.ts';
import { renderEditions, renderTimeMaps } from './render/api/editions.ts';
import { renderCorridors } from './render/api/corridors.ts';
import { renderRevisionFeeds } from './render/api/revision-feeds.ts';
import { currentDocuments, datasetArtifact, datasetDocuments } from './render/api/dataset-documents.ts';
import { headOf } from './newsroom/printed.ts';
import { changeLines, newestFirst, renderNewsroom } from './newsroom/render/newsroom.ts';
import { operationExamples } from './render/openapi/examples.ts';
import { renderPages } from './render/api/pages.ts';
import { renderProducer } from './producer/artifact.ts';
import { LEDGER, parseLedger, renderRelease, renderSidecars, renderSums } from './release/describe.ts';
import { refuseEmpty, refuseSmaller, refuseUnsigned, type Meant } from './release/replacing.ts';
import { readSchemas, renderSchemas } from './render/schemas.ts';
import type { BuildSettings } from './settings.ts';
import { pageSources } from './render/facts.ts';
import { renderAssets } from './render/site/assets.ts';
import { renderClient } from './render/site/client.ts';
import { worldShapes } from './render/map/world.ts';
import { evidenceOf } from './render/site/evidence.ts';
import { addWebsite } from './render/website.ts';
import { addPlaces, ownWork, type Work } from './render/work.ts';
import { secondThread } from './write/second-thread.ts';

/** Where the build reads and writes. */
export interface BuildOptions extends Meant {
  datasets: string;
  schemas: string;
  out: string;
  settings: BuildSettings;
  /** Verdicts of rights that the release may hold; all where none are given. */
  rights?: readonly Verdict[];
  /** Threads that work; two where there are many rows. The tree is the same. */
  threads?: 1 | 2;
}

/** From here on a second thread saves more time than it takes to start. */
const MANY_ROWS = 30_000;

/** Builds and writes the tree; returns what was written. Throws BuildStopped with every finding, NotReplaced, Busy, NotATree. */
export async function build(options: BuildOptions, effects: BuildEffects): Promise<Tree> {
  const unclaim = effects.claimTree(options.out);
  const works: Work[] = [];
  let next: NextTree | null = null;
  try {
    next = effects.nextTree(options.out);
    return await buildClaimed(options, effects, next, (rows) => {
      const work = (options.threads ?? (rows > MANY_ROWS ? 2 : 1)) === 2 ? secondThread() : ownWork;
      works.push(work);
      return work;
    });
  } finally {
    for (const work of works) work.close();
    next?.discard();
    unclaim();
  }
}

async function buildClaimed(
  options: BuildOptions,
  effects: BuildEffects,
  next: NextTree,
  workFor: (rows: number) => Work,
): Promise<Tree> {
  const { progress } = effects;
  const { siteUrl, signingKey = null } = options.settings;

  progress('reading and checking datasets');
  refuseUnsigned(options.out, signingKey !== null, effects, options);
  const { kept: editions, leftOut } = readDatasets(options, effects);
  refuseEmpty(options.datasets, editions, options);
  const datasets = currentOf(editions);
  const descriptors = datasets.map(({ descriptor }) => descriptor);
  const producer = readProducer(options, effects);

  progress('packing and rendering bulk files');
  const work = workFor(editions.reduce((sum, { rows }) => sum + rows.length, 0));
  const forms: Promise<Forms>[] = [];
  const packed = packDatasets(editions, leftOut, (of, pack) => forms.push(noted(work.bulk(of, pack))));
  const { manifest } = packed;
  const { generatedAt } = manifest;
  const bulk = bulkFiles(await Promise.all(forms));
  const all = datasetDocuments(editions, packed, bulk.files);
  const documents = currentDocuments(all);

  progress('checking stories');
  const { stories, missing } = readStories(options, citedDatasets(all, packed.packs), leftOut, effects);

  progress('rendering data');
  const briSchema = effects.read(`${options.schemas}/svc-producerp-bri-v1.schema.json`);
  const tree = new Tree(next);
  tree.add([...packArtifacts(packed), ...bulk.artifacts, ...[...all].map(datasetArtifact)]);
  tree.add([renderEditions(editions, all, generatedAt), ...renderTimeMaps(all, siteUrl)]);
  tree.add([renderCatalog(documents, manifest, siteUrl), renderCorridors(documents, packed)]);
  tree.add(renderProducer(producer, briSchema ?? Buffer.alloc(0)));
  const release = bulkRelease({ siteUrl, generatedAt }, documents, bulk.files);
  tree.add(bulkMetadata(release));
  tree.add(renderRevisionFeeds(documents, manifest, siteUrl));
  const read = (path: string): Buffer => tree.read(path);
  tree.add(await renderEvidenceFile({ siteUrl, manifest, documents: all, read }, effects.cache));
  tree.add([renderDataFiles(tree, documents, generatedAt)]);

  progress('rendering pages');
  const context = { settings: { siteUrl }, release: treeStore(manifest, tree), peers: {} };
  const evidence = evidenceOf(context.release, all, siteUrl);
  const placePages = noted(addPlaces(tree, { manifest, evidence }, work, effects.cache));
  const examples = await operationExamples(OPERATIONS, context);
  const source = pageSources(effects);
  tree.add(await renderPages(OPERATIONS, context));
  tree.add([...(await renderAssets(effects)), ...(await renderClient(effects))]);
  tree.add(renderSchemas(readSchemas(options.schemas, effects), OPERATIONS, siteUrl));
  tree.add(renderNewsroom(stories, siteUrl, missing));
  const heads = newestFirst(stories).map((story) => headOf(story, siteUrl));
  const facts = {
    siteUrl,
    manifest,
    descriptors,
    operations: OPERATIONS,
    examples,
    source,
    evidence,
    stories: heads,
    world: worldShapes(new Set(evidence.places.keys())),
    bulk: release,
    database: tree.has(EVIDENCE_FILE),
  };
  await addWebsite(tree, facts, context, placePages, effects.cache);

  refuseSmaller(options.out, { tree, manifest, leftOut }, effects, options);

  progress('writing checksums');
  const ledger = parseLedger(effects.read(`${options.datasets}/${LEDGER}`));
  tree.add(renderRelease(tree, { siteUrl, generatedAt, ledger, signingKey }));
  tree.add([renderSums(tree)]);
  tree.add(renderSidecars(tree));

  progress(`putting ${tree.size} files into place`);
  next.replace();
  effects.cache.trim();
  return tree;
}

/** Every edition of every dataset, checked, and those that the release may hold. Throws BuildStopped with all findings. */
function readDatasets(
  { datasets: folder, rights = VERDICTS }: BuildOptions,
  effects: BuildEffects,
): { kept: LoadedDataset[]; leftOut: MissingDataset[] } {
  const { datasets, findings } = loadDatasets(folder, effects);
  stopOn([...findings, ...checkDatasets(datasets, effects.today())]);
  const split = withinRights(datasets, rights);
  for (const { id, reason } of split.leftOut) effects.progress(`dataset ${id}: ${reason}`);
  return split;
}

/** The context producer's release; null, with its findings printed, where it is unavailable. */
function readProducer({ datasets }: BuildOptions, effects: BuildEffects): VerifiedProducer | null {
  const { producer, findings } = verifyProducer(loadProducer(datasets, effects));
  for (const line of findings.map(findingLine))
    effects.progress(`the context producer is unavailable: ${line}`);
  return producer;
}

/** Every story, past the citation gate, and those that cite a dataset that was left out. Throws BuildStopped with all findings. */
function readStories(
  { datasets }: BuildOptions,
  cited: Parameters<typeof checkStories>[1],
  leftOut: readonly MissingDataset[],
  effects: BuildEffects,
): { stories: CheckedStory[]; missing: MissingStory[] } {
  const { stories, findings } = loadStories(datasets, effects);
  const { kept, missing } = citable(stories, leftOut);
  const { checked, findings: refused } = checkStories(kept, cited);
  stopOn([...findings, ...refused]);
  for (const { id, reason } of missing) effects.progress(`story ${id}: ${reason}`);
  for (const line of changeLines(checked)) effects.progress(line);
  return { stories: checked, missing };
}

/** A result that is waited for later: where the build stops before, its failure need not be reported. */
function noted<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

function stopOn(findings: Finding[]): void {
  if (findings.length > 0) throw new BuildStopped(findings);
}
