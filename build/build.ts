/** The build as a table of contents: datasets/ in, one tree out. A finding stops it and leaves the last tree in place. */
import { setFlagsFromString } from 'node:v8';
import { OPERATIONS } from '../shim/core/operations/all.ts';
import { EVIDENCE_FILE, LICENCES, PACK_MANIFEST, RELEASE, SUMS } from '../shim/core/paths.ts';
import type { WorldShapes } from '../shim/view/chart/world.ts';
import { verifyProducer } from './producer/verify.ts';
import { VERDICTS, type Verdict } from './lib/dataset.ts';
import { addCached, addTaken, rememberedLater } from './lib/cache.ts';
import { noticesText } from './lib/notices.ts';
import { jsonArtifact, textArtifact, Tree } from './lib/tree.ts';
import type { Artifact, NextTree } from './lib/tree.ts';
import type { BuildEffects } from './lib/effects.ts';
import { BuildStopped, findingLine, type Finding } from './lib/findings.ts';
import { loadProducer } from './producer/reference.ts';
import { findEditions } from './load/datasets.ts';
import { citedDatasets } from './newsroom/citation.ts';
import { addStories } from './newsroom/stories.ts';
import { boundRowPages, currentOf, packsIn, treeStore } from './pack/pack.ts';
import { bulkMetadata } from './render/bulk/bulk.ts';
import { bulkRelease } from './render/bulk/release.ts';
import { renderCatalog, renderDataFiles } from './render/api/catalog.ts';
import { renderEditions, renderTimeMaps } from './render/api/editions.ts';
import { renderCorridors } from './render/api/corridors.ts';
import { renderRevisionFeeds } from './render/api/revision-feeds.ts';
import { currentDocuments, datasetArtifact, datasetDocuments } from './render/api/dataset-documents.ts';
import type { StoryHead } from './newsroom/printed.ts';
import { isPaged, operationExamples } from './render/openapi/examples.ts';
import { addPages } from './render/api/pages.ts';
import { addPacks, awaitedLater, planPacks } from './render/packs.ts';
import { renderProducer } from './producer/artifact.ts';
import { LEDGER, parseLedger, renderRelease, renderSidecars, renderSums } from './release/describe.ts';
import {
  publishedAbout,
  refuseEmpty,
  refuseSmaller,
  refuseUnsigned,
  type Meant,
} from './release/replacing.ts';
import { renderProvenance } from './release/provenance.ts';
import { lockfileOf, renderSbom } from './release/sbom.ts';
import { readSchemas, renderSchemas } from './render/schemas.ts';
import type { BuildSettings } from './settings.ts';
import { pageSources, type SiteFacts } from './render/facts.ts';
import { renderAssets } from './render/site/assets.ts';
import { endBundling, renderClient } from './render/site/client.ts';
import { evidenceOf, type Evidence } from './render/site/evidence.ts';
import { renderDatasetGroups } from './render/site/dataset-group.ts';
import { startSearchIndex } from './render/site/search-index.ts';
import { sourceFiles } from './render/site/source-files.ts';
import { addWebsite } from './render/website.ts';
import { addPlaces } from './render/places-work.ts';
import { ownWork, type Work } from './render/work.ts';
import { cachedWork } from './write/cached-work.ts';
import { twoThreads } from './write/second-thread.ts';

/** Where the build reads and writes. */
export interface BuildOptions extends Meant {
  datasets: string;
  schemas: string;
  out: string;
  settings: BuildSettings;
  /** Verdicts of rights that the release may hold; all where none are given. */
  rights?: readonly Verdict[];
  /** Whether the tree says what it was made from: the statement differs with the commit and the version of Node. */
  provenance?: boolean;
  /** Threads that work; two where there are many rows. The tree is the same. */
  threads?: 1 | 2;
  /**
   * A preview for those who work on the site: without the SQLite file and the later pages of resources. That of the data has new
   * packs and their documents, without other forms; the rest is that of the last tree.
   */
  preview?: 'data' | 'site';
  /** Current records whose rows are on pages, at most. */
  mostRows?: number;
}

/** Rows of so many bytes are worth a second thread, which takes a second to start. */
const MANY_BYTES = 5_000_000;
/** Rows of so many bytes leave much garbage: with other work on the computer it is collected late. */
const LARGE_BYTES = 200_000_000;
/** Sets by how many percent the memory may grow between two garbage collections; with 0, V8 decides. */
const collectAt = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/** Builds and writes the tree; returns what was written. Throws BuildStopped with every finding, NotReplaced, Busy, NotATree. */
export async function build(options: BuildOptions, given: BuildEffects): Promise<Tree> {
  const unclaim = given.claimTree(options.out, [options.datasets, options.schemas]);
  let next: NextTree | null = null;
  let work: Work | null = null;
  let isEnded = false;
  let turns = 0;
  // A task that still waits for its turn when the build fails writes nothing more.
  const turn = async (): Promise<void> => {
    turns += 1;
    await given.turn();
    if (isEnded) throw new Error('the build was ended');
  };
  const effects = { ...given, turn };
  try {
    next = effects.nextTree(options.out);
    const tools = { effects, folder: next };
    const bytes = bytesOf(options.datasets, effects);
    if (bytes > LARGE_BYTES) collectAt(60);
    const { threads = bytes > MANY_BYTES ? 2 : 1 } = options;
    const workers = threads === 2 ? twoThreads(tools, next.root, () => turns) : ownWork(tools);
    work = cachedWork(workers, effects, next);
    return await buildClaimed(options, effects, next, work);
  } finally {
    isEnded = true;
    // A server may be bundled next: code that is compiled under other flags than those of a start would be compiled again there.
    collectAt(0);
    await work?.close();
    next?.discard();
    unclaim();
  }
}

async function buildClaimed(
  options: BuildOptions,
  effects: BuildEffects,
  next: NextTree,
  work: Work,
): Promise<Tree> {
  const { progress } = effects;
  const { siteUrl, signingKey = null } = options.settings;
  const { preview = null } = options;
  const tree = new Tree(next);
  const has = (path: string): boolean => tree.has(path);

  progress('reading and checking datasets');
  stopOn(linksIn(options.datasets, effects));
  refuseUnsigned(options.out, signingKey !== null, effects, options);
  const plan = planPacks(options.datasets, options.rights ?? VERDICTS, effects);
  const { packed, leftOut, forms } = await addPacks(tree, plan, work, {
    stop: stopOn,
    allForms: preview !== 'data',
    cache: effects.cache,
  });
  for (const { id, reason } of leftOut) progress(`dataset ${id}: ${reason}`);
  refuseEmpty(options.datasets, packed.editions, options);
  const descriptors = currentOf(packed.editions).map(({ descriptor }) => descriptor);
  const { manifest } = packed;
  boundRowPages(manifest, options.mostRows);
  const { generatedAt } = manifest;
  const context = { settings: { siteUrl }, release: treeStore(manifest, tree) };
  tree.add([jsonArtifact(PACK_MANIFEST, manifest), packed.series]);
  // The database and the pages of places are made of records, and of nothing that is known of the forms, which take long.
  const described = datasetDocuments(packed);
  const records = { manifest, evidence: evidenceOf(context.release, described, siteUrl) };
  const short = new Map(
    packed.editions.flatMap(({ entry, short: file }) => (file ? [[entry.id, file]] : [])),
  );
  const facts = { siteUrl, manifest, documents: described, short };
  const made = preview ? Promise.resolve([]) : work.do('database', facts);
  const database = awaitedLater(
    made.then((files) => {
      tree.list(files);
      for (const { path } of short.values()) tree.folder.remove(path);
    }),
  );
  const placePages = preview === 'data' ? null : awaitedLater(addPlaces(tree, records, work, effects));
  let stories: StoryHead[] = [];
  if (preview !== 'data') {
    const cited = citedDatasets(described, packsIn(tree, packed), context.release);
    stories = await addStories(tree, { datasets: options.datasets, siteUrl, cited, leftOut }, effects);
    await addFixed(tree, options, effects);
    await addPages(tree, OPERATIONS.filter(isPaged), context, { ...effects, all: preview === null });
  }
  const files = await forms;
  const all = datasetDocuments(packed, files);
  const documents = currentDocuments(all);
  tree.add([...all].map(datasetArtifact));
  tree.add([renderEditions(packed, all), ...renderTimeMaps(all, siteUrl)]);
  tree.add([renderCatalog(documents, manifest, siteUrl), renderCorridors(documents, context.release)]);
  if (preview === 'data') {
    tree.add([renderSums(tree, effects.read(`${options.out}/${SUMS}`))]);
    tree.add(renderSidecars(tree));
    next.keepRest(has);
    await next.replace(has);
    return tree;
  }

  progress('rendering data');
  const release = bulkRelease({ siteUrl, generatedAt }, documents, files);
  tree.add(bulkMetadata(release));
  tree.add(renderRevisionFeeds(documents, manifest, siteUrl));

  progress('rendering pages');
  const evidence = evidenceOf(context.release, all, siteUrl);
  const source = pageSources(effects);
  const inputs = {
    siteUrl,
    manifest,
    descriptors,
    operations: OPERATIONS,
    source,
    evidence,
    stories,
    world: await shapesOf(evidence, effects.cache),
    bulk: release,
  };
  // The list of files is complete with the database, which takes long and only the list's own resource waits for.
  const [capabilities, ...others] = OPERATIONS.filter((operation) => !isPaged(operation));
  await addPages(tree, others, context, effects);
  const sources = sourceFiles(inputs, tree);
  const groups = await renderDatasetGroups(inputs, sources, effects);
  const whole = async (): Promise<Pick<SiteFacts, 'examples' | 'database'>> => {
    const own = capabilities ? [capabilities] : [];
    const rest = OPERATIONS.filter((operation) => operation !== capabilities);
    const examples = await operationExamples(rest, context, effects);
    await database;
    tree.add([renderDataFiles(tree, documents, generatedAt)]);
    await addPages(tree, own, context, effects);
    for (const pair of await operationExamples(own, context, effects)) examples.set(...pair);
    return { examples, database: tree.has(EVIDENCE_FILE) };
  };
  const searchIndex = startSearchIndex(inputs, effects.cache);
  await addWebsite(tree, inputs, { ...groups, sources, searchIndex }, context, placePages, whole);

  refuseSmaller(options.out, { tree, manifest, leftOut }, effects, options);

  progress('writing checksums');
  const ledger = parseLedger(effects.read(`${options.datasets}/${LEDGER}`));
  tree.add(renderRelease(tree, { siteUrl, generatedAt, ledger, signingKey }));
  tree.add([renderSums(tree)]);
  if (options.provenance) tree.add(provenanceOf(tree, options, effects));
  tree.add(renderSidecars(tree));
  tree.add(publishedAbout(options.out, tree, effects));

  progress(`putting ${tree.size} files into place`);
  await next.replace(has);
  effects.cache.trim();
  return tree;
}

/** Adds what is not made of records: the context producer's documents, what pages load, and what says how all is made. */
async function addFixed(tree: Tree, options: BuildOptions, effects: BuildEffects): Promise<void> {
  const { schemas, settings } = options;
  addProducer(tree, options, effects);
  const assets = async (): Promise<Artifact[]> => {
    const packages = new Set<string>();
    const made = [...(await renderAssets(effects, packages)), ...(await renderClient(effects, packages))];
    await endBundling();
    return [...made, textArtifact(LICENCES, noticesText(packages, effects))];
  };
  await addCached(tree, effects.cache, effects.cache.key('assets'), assets);
  tree.add([renderSbom(lockfileOf(effects))]);
  tree.add(renderSchemas(readSchemas(schemas, effects), OPERATIONS, settings.siteUrl));
}

/** The world as maps draw it, which takes long and changes with the places alone. */
async function shapesOf({ places }: Evidence, cache: BuildEffects['cache']): Promise<WorldShapes> {
  const codes = [...places.keys()];
  return rememberedLater(cache, cache.key('world', codes), async () => {
    // The map of the world is large, and most builds need not read it.
    const { worldShapes } = await import('./render/map/world.ts');
    return worldShapes(new Set(codes));
  });
}

function bytesOf(datasets: string, effects: BuildEffects): number {
  const editions = findEditions(datasets, effects).flatMap((dataset) => dataset.editions);
  return editions.reduce((sum, { folder }) => sum + effects.size(`${folder}/records.csv`), 0);
}

function provenanceOf(tree: Tree, options: BuildOptions, effects: BuildEffects): Artifact[] {
  const { datasets, settings, rights = VERDICTS } = options;
  const { siteUrl, signingKey = null } = settings;
  const made = { lockfile: lockfileOf(effects), siteUrl, signingKey, rights, origin: effects.origin() };
  return renderProvenance(tree.read(RELEASE), { ...made, ownData: datasets === 'datasets' });
}

/** Adds what is published of the context producer's release; its findings are printed where it is unavailable. */
function addProducer(tree: Tree, { datasets, schemas }: BuildOptions, effects: BuildEffects): void {
  const { read, progress, cache } = effects;
  const schema = read(`${schemas}/svc-producerp-bri-v1.schema.json`) ?? Buffer.alloc(0);
  const files = loadProducer(datasets, effects);
  const key = cache.key('producer', schema, [...files.keys()], ...files.values());
  if (addTaken(tree, cache, key)) return;
  const { producer, findings } = verifyProducer(files);
  for (const line of findings.map(findingLine)) progress(`the context producer is unavailable: ${line}`);
  const made = renderProducer(producer, schema);
  if (producer) cache.keep(key, made);
  tree.add(made);
}

/** A finding for each link in the datasets: results of earlier builds are found by the files of a folder, and the target of a link is none of them. */
function linksIn(datasets: string, effects: BuildEffects): Finding[] {
  const message = 'is a symbolic link, which is not followed: put what it leads to in its place';
  return effects
    .links(datasets)
    .map((path) => ({ file: `${datasets}/${path}`, row: null, rule: 'link', message }));
}

function stopOn(findings: Finding[]): void {
  if (findings.length > 0) throw new BuildStopped(findings);
}
