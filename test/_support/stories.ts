/** Stories against the packaged datasets, without a whole build: the gate as the build calls it, over text a test changes. */
import { readFileSync } from 'node:fs';
import { findingLine } from '../../build/lib/findings.ts';
import { checkStories } from '../../build/newsroom/gate/gate.ts';
import type { CheckedStory } from '../../build/newsroom/citation.ts';
import { realEffects } from '../../build/write/effects.ts';
import type { Finding } from '../../build/lib/findings.ts';
import { loadDatasets } from '../../build/load/datasets.ts';
import { readStory } from '../../build/newsroom/load.ts';
import { citedDatasets, type CitedDataset } from '../../build/newsroom/citation.ts';
import { packDatasets } from './packed.ts';
import { datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { words } from './words.ts';

const CITED = words(`designations drug-seizures arms coca-cultivation national-indicators
  opium-cultivation organized-crime-index`);

/** The datasets these tests cite, packed. */
export function packagedDatasets(): Map<string, CitedDataset> {
  const { read, folders } = realEffects();
  const { datasets } = loadDatasets('datasets', {
    read,
    folders: (path) => folders(path).filter((name) => path !== 'datasets' || CITED.includes(name)),
  });
  const packed = packDatasets(datasets);
  return citedDatasets(datasetDocuments(packed, new Map()), packed.packs, null);
}

/** The text of a packaged story, without its corrections. */
export function storyText(id: string): string {
  const text = readFileSync(`datasets/newsroom/${id}.md`, 'utf8');
  return text.replace(/^corrections:\n(?: .*\n)+/m, 'corrections: []\n');
}

/** Runs the gate over one story. */
export function gate(
  id: string,
  text: string,
  datasets: Map<string, CitedDataset>,
  reviewed = new Map<string, string>(),
): { findings: Finding[]; checked: CheckedStory | undefined } {
  const findings: Finding[] = [];
  const file = `datasets/newsroom/${id}.md`;
  const story = readStory({ file, name: id, source: text, reviewed }, findings);
  const { checked, findings: more } = checkStories([story], datasets);
  return { findings: [...findings, ...more], checked: checked[0] };
}

/** A story that passes. */
export const SOUND = 'opium-broken-best-estimates';

const AREA = 'opium-cultivation:opium-cultivation.AFG.2022@2025-06';
const CELLS: Record<string, string> = { P: 'period', V: 'value', U: 'unit', G: 'geoName' };

/**
 * The findings, as lines, of that story with one more paragraph after its first heading; @P, @V, @U and @G stand for tokens of
 * period, value, unit and country.
 */
export function findingsOver(paragraph: string, datasets: Map<string, CitedDataset>): string[] {
  const written = paragraph.replaceAll(/@([PVUG])/g, (_all, name: string) => `{{${AREA}#${CELLS[name]}}}`);
  const heading = '## What the record shows\n';
  const text = storyText(SOUND).replace(heading, `${heading}\n${written}\n`);
  return gate(SOUND, text, datasets).findings.map(findingLine);
}
