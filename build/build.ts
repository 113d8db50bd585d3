/** The build as a table of contents: datasets/ in, one tree out. A finding stops it and leaves the last tree in place. */
import { OPERATIONS } from '../shim/core/operations/all.ts';
import { checkDatasets } from './check/check.ts';
import { checkStories } from './newsroom/gate/gate.ts';
import { verifyProducer } from './producer/verify.ts';
import { Tree, type BuildEffects } from './lib/tree.ts';
import { BuildStopped, findingLine, type Finding } from './lib/findings.ts';
import { loadProducer } from './producer/reference.ts';
import { loadDatasets } from './load/datasets.ts';
import { loadStories } from './newsroom/load.ts';
import { citedDatasets } from './newsroom/citation.ts';
import { memoryStore, packArtifacts, packDatasets } from './pack/pack.ts';
import { bulkFiles, bulkMetadata } from './render/bulk/bulk.ts';
import { bulkRelease } from './render/bulk/release.ts';
import { renderCatalog, renderDataFiles } from './render/api/catalog.ts';
import { renderCorridors } from './render/api/corridors.ts';
import { datasetArtifact, datasetDocuments } from './render/api/dataset-documents.ts';
import { changeLines, renderNewsroom } from './newsroom/render/newsroom.ts';
import { operationExamples } from './render/openapi/examples.ts';
import { renderPages } from './render/api/pages.ts';
import { renderProducer } from './producer/artifact.ts';
import { LEDGER, parseLedger, renderRelease, renderSidecars, renderSums } from './release/describe.ts';
import { readSchemas, renderSchemas } from './render/schemas.ts';
import type { BuildSettings } from './settings.ts';
import { pageSources } from './render/facts.ts';
import { addWebsite } from './render/website.ts';

/** Where the build reads and writes. */
export interface BuildOptions {
  datasets: string;
  schemas: string;
  out: string;
  settings: BuildSettings;
}

/** Builds and writes the tree; returns what was written. Throws BuildStopped with every finding, Busy, NotATree. */
export async function build(options: BuildOptions, effects: BuildEffects): Promise<Tree> {
  const unclaim = effects.claimTree(options.out);
  try {
    return await buildClaimed(options, effects);
  } finally {
    unclaim();
  }
}

async function buildClaimed(
  { datasets, schemas, out, settings }: BuildOptions,
  effects: BuildEffects,
): Promise<Tree> {
  const { siteUrl, signingKey = null } = settings;
  effects.progress('reading datasets');
  const loaded = loadDatasets(datasets, effects);
  effects.progress('checking');
  stopOn([...loaded.findings, ...checkDatasets(loaded.datasets)]);
  const descriptors = loaded.datasets.map(({ descriptor }) => descriptor);
  const { producer, findings } = verifyProducer(loadProducer(datasets, effects));
  for (const finding of findings)
    effects.progress(`the context producer is unavailable: ${findingLine(finding)}`);

  effects.progress('packing');
  const packed = packDatasets(loaded.datasets);
  effects.progress('rendering bulk files');
  const bulk = bulkFiles(descriptors, packed.packs);
  const documents = datasetDocuments(loaded.datasets, packed, bulk.files);

  effects.progress('checking stories');
  const cited = citedDatasets(documents, packed.packs);
  const written = loadStories(datasets, effects);
  const stories = checkStories(written.stories, cited);
  stopOn([...written.findings, ...stories.findings]);
  for (const line of changeLines(stories.checked)) effects.progress(line);

  const tree = new Tree();
  tree.add([...packArtifacts(packed), ...bulk.artifacts, ...documents.map(datasetArtifact)]);
  tree.add([renderCatalog(documents, packed.manifest, siteUrl)]);
  tree.add(
    renderProducer(producer, effects.read(`${schemas}/svc-producerp-bri-v1.schema.json`) ?? Buffer.alloc(0)),
  );
  tree.add([renderCorridors(documents, packed)]);
  const { generatedAt } = packed.manifest;
  tree.add(bulkMetadata(bulkRelease({ siteUrl, generatedAt }, documents, bulk.files)));
  tree.add([renderDataFiles(tree, documents, generatedAt)]);

  effects.progress('rendering pages');
  const context = { settings: { siteUrl }, release: memoryStore(packed, tree.files), peers: {} };
  tree.add(await renderPages(OPERATIONS, context));
  tree.add(renderSchemas(readSchemas(schemas, effects), OPERATIONS, siteUrl));
  tree.add(renderNewsroom(stories.checked, siteUrl));
  const { manifest } = packed;
  const examples = await operationExamples(OPERATIONS, context);
  const source = pageSources(effects);
  const facts = { siteUrl, manifest, descriptors, operations: OPERATIONS, examples, source };
  await addWebsite(tree, facts, context);

  effects.progress('writing checksums');
  const ledger = parseLedger(effects.read(`${datasets}/${LEDGER}`));
  tree.add(renderRelease(tree, { siteUrl, generatedAt, ledger, signingKey }));
  tree.add([renderSums(tree)]);
  tree.add(renderSidecars(tree));

  effects.progress(`writing ${tree.files.size} files`);
  effects.replaceTree(out, tree.sorted());
  return tree;
}

function stopOn(findings: Finding[]): void {
  if (findings.length > 0) throw new BuildStopped(findings);
}
