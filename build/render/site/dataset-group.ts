/**
 * The pages of one dataset as a group: its own, those of its indicators or fields, and their maps. They are made from the dataset
 * and nothing else, so it is their key in the cache of the build.
 */
import { datasetFacts, type DatasetFacts, type MapListed } from './dataset-facts.ts';
import { filesOf } from '../../lib/cache.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import { sha256, type Artifact } from '../../lib/tree.ts';
import type { BuildEffects } from '../../lib/effects.ts';
import { REVISIONS } from '../../../shim/core/paths.ts';
import type { RecordFacts } from '../facts.ts';
import { indicatorFigure, scoreFigures, type PlacesFigure } from '../map/maps.ts';
import { mapPages } from '../map/pages.ts';
import { renderAtlasIndicator } from './atlas-indicator.ts';
import { datasetPage } from './datasets.ts';
import { indicatorPage } from './indicators.ts';
import type { SourceFile } from './source-files.ts';
import { RecordSummary } from './summary.ts';

/** The pages of all datasets, and the maps of each by its id. */
export interface DatasetGroups {
  pages: Artifact[];
  maps: Map<string, MapListed[]>;
}

/** The pages of every dataset, and its maps by its id: those in the cache, and those made now. */
export async function renderDatasetGroups(
  facts: RecordFacts,
  files: ReadonlyMap<string, SourceFile>,
  { cache, turn }: Pick<BuildEffects, 'cache' | 'turn'>,
): Promise<DatasetGroups> {
  const world = sha256(JSON.stringify(facts.world));
  const pages: Artifact[] = [];
  const maps = new Map<string, MapListed[]>();
  for (const dataset of facts.bulk.datasets) {
    await turn();
    const { id } = dataset.document;
    const own = datasetFacts(facts, dataset, files);
    const key = cache.key('dataset', world, ...keyParts(own, facts));
    const known = cache.take(key);
    // The border: what was kept under this key.
    const group = known ? { pages: filesOf(known), ...(known.facts as unknown as Kept) } : renderGroup(own);
    if (!known) cache.keep(key, group.pages, { maps: group.maps });
    pages.push(...group.pages);
    maps.set(id, group.maps);
  }
  return { pages, maps };
}

/** What the pages of a dataset are made from: the hashes of its records and differences, and all other facts as text. */
function keyParts(own: DatasetFacts, { manifest, evidence }: RecordFacts): string[] {
  const { site, dataset, editions, pairs, note, fileOf, places, hasRowPages } = own;
  const { id } = dataset.document;
  const pack = manifest.packs.find((one) => one.id === id);
  const revisions = sha256(evidence.text(REVISIONS, { dataset: id }));
  const addresses = editions.flatMap(({ sources }) => sources.map(fileOf));
  const said = [site, dataset, editions, pairs, note, addresses, [...places], hasRowPages];
  return [pack?.sha256 ?? '', pack?.index.sha256 ?? '', revisions, JSON.stringify(said)];
}

/** What is kept of a group besides its pages. */
interface Kept {
  maps: MapListed[];
}

function renderGroup(facts: DatasetFacts): Kept & { pages: Artifact[] } {
  const { document } = facts.dataset;
  if (document.kind === 'atlas') {
    const figures = scoreFigures(facts.atlas(), facts.world, document);
    const pages = [renderAtlasIndicator(facts, figures), datasetPage(facts, new RecordSummary())];
    return { pages: [...pages, ...mapPages(figures, facts)], maps: figures.map(listed) };
  }
  const whole = new RecordSummary();
  const pages: Artifact[] = [];
  const figures = new Map<string, PlacesFigure>();
  // In the order of the pack.
  for (const indicator of document.indicators.toSorted((a, b) => byCodeUnits(a.id, b.id))) {
    const records = facts.hasRowPages ? facts.observations(indicator.id) : null;
    const figure = indicatorFigure(records ?? facts.lastOf(indicator.id), facts.world, document, indicator);
    const summary = new RecordSummary();
    for (const part of records ? [records] : facts.passing(indicator.id))
      for (const record of part) {
        summary.add(record);
        whole.add(record);
      }
    pages.push(indicatorPage(facts, indicator, { records, summary, figure }));
    if (figure?.isMap === true) figures.set(indicator.id, figure);
  }
  const maps = document.indicators.flatMap(({ id }) => figures.get(id) ?? []);
  return {
    pages: [...pages, datasetPage(facts, whole), ...mapPages(maps, facts)],
    maps: maps.map(listed),
  };
}

function listed({ id, title, period, places }: PlacesFigure): MapListed {
  return { id, title, period, places };
}
