/**
 * `npm run verify-story`: re-checks a story from a mirror's files alone. Nothing of the repository is consulted: the packaged
 * records say what every cited cell holds, and dossier, brief and page must say the same.
 */
import dossierSchema from '../../schemas/news-dossier.schema.json' with { type: 'json' };
import briefSchema from '../../schemas/news-brief.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { csvLine } from '../lib/csv.ts';
import { filledText } from './edition.ts';
import { openMirror, type Mirror, type MirroredDataset } from './mirror.ts';
import { checkChartData, checkPage } from './printed-check.ts';
import { checkRemade } from './remade-check.ts';
import { remadeEdition } from './remake.ts';
import { nameOf, tokenOf, type Brief, type Cell, type Dossier, type Report } from './published-story.ts';
import { fieldOf, placeOf, printed } from './records.ts';
import { tokensOf } from './token.ts';
import type { ReleaseSource } from '../release/source.ts';

/** What a check of a story found; no findings, all is as the records say. */
export interface StoryCheck {
  findings: string[];
  /** Citations and bars checked. */
  checked: number;
  /** Present values of the cited cells by token, null where unavailable. */
  values: Map<string, string | null>;
}

/** Checks the story `id` of a published tree. */
export async function verifyStory(id: string, source: ReleaseSource): Promise<StoryCheck> {
  const findings: string[] = [];
  const values = new Map<string, string | null>();
  const report: Report = (file, message) => findings.push(`${file}: ${message}`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) {
    report(id, 'is no id of a story');
    return { findings, checked: 0, values };
  }
  const mirror = await openMirror(source, report);
  const file = `news/${id}/dossier.json`;
  const dossier = (await validated(mirror, file, dossierSchema, report)) as Dossier | null;
  if (!dossier) return { findings, checked: 0, values };

  const cells = [...dossier.citations, ...dossier.charts.flatMap(({ points }) => points)];
  for (const cell of cells)
    await checkCell(cell, mirror, (message) => report(file, `${nameOf(cell)}: ${message}`), values);
  await checkRecords(dossier, mirror, (message) => report(file, message));
  const texts = checkTexts(dossier, values, (message) => report(file, message));
  const brief = await checkBrief(id, dossier, texts, mirror, report);
  await checkPage(id, dossier, texts, values, mirror, report);
  await checkChartData(id, dossier, mirror, report);
  if (brief) await checkWhole(id, dossier, brief, mirror, report);
  return { findings, checked: cells.length, values };
}

/** The review file of a story: the present value of every cell it cites or draws. */
export function reviewFile({ values }: StoryCheck): string {
  return [...values].map(([token, value]) => csvLine([token, value ?? 'unavailable'])).join('');
}

/** A JSON file held against its schema; null where it cannot be read or breaks it. */
async function validated(mirror: Mirror, file: string, schema: JsonSchema, report: Report): Promise<unknown> {
  const document = await mirror.json(file);
  if (!document) return null;
  const violations = validator(schema)(document) ?? [];
  for (const { instancePath, message = '' } of violations)
    report(file, `${instancePath || 'the document'} ${message}`);
  return violations.length === 0 ? document : null;
}

async function checkCell(
  cell: Cell,
  mirror: Mirror,
  report: (message: string) => void,
  values: Map<string, string | null>,
): Promise<void> {
  const dataset = await mirror.dataset(cell.dataset);
  if (!dataset) return report(`the mirror has no dataset ${cell.dataset}`);
  if (dataset.sha256 !== cell.datasetSha256)
    report(`cites dataset sha256 ${cell.datasetSha256}, the packaged bytes have ${dataset.sha256}`);
  const record = dataset.find(cell.recordId);
  if (!record) return report('the packaged dataset has no such record');
  const value = fieldOf(record, cell.field) ?? null;
  if (typeof value !== 'object') values.set(tokenOf(cell), printed(value));
  else if (value === null) values.set(tokenOf(cell), null);
  if (value !== cell.value)
    report(`value ${JSON.stringify(cell.value)} is not the record's ${JSON.stringify(value)}`);
  if (cell.printed !== undefined && cell.printed !== String(value))
    report(`printed as "${cell.printed}", the record has ${JSON.stringify(value)}`);
  if (cell.printed === undefined && cell.field === 'value')
    for (const bound of ['lower', 'upper'] as const) {
      const drawn = record[bound] ?? null;
      if (typeof drawn === 'number') values.set(tokenOf({ ...cell, field: bound }), printed(drawn));
      if ((cell[bound] ?? null) !== drawn)
        report(`${bound} ${cell[bound] ?? 'null'} is not the record's ${JSON.stringify(drawn)}`);
    }
  const { sourceId, locator } = placeOf(record);
  if (locator !== cell.locator) report(`locator "${cell.locator}" is not the record's "${locator}"`);
  if (sourceId !== null && sourceId !== cell.source)
    report(`source ${cell.source} is not the record's source ${sourceId}`);
  const known = dataset.sources.find(
    ({ id, sha256 }) => sha256 === cell.sourceSha256 && (id === null || id === cell.source),
  );
  if (!known)
    report(
      `source ${cell.source} with sha256 ${cell.sourceSha256} is none the release lists for the dataset`,
    );
  else if (cell.publisher !== undefined)
    for (const [name, fact] of Object.entries({ publisher: known.publisher, ...known.facts }))
      if (name in cell && cell[name as keyof Cell] !== fact)
        report(
          `${name} ${JSON.stringify(cell[name as keyof Cell])} is not the release's ${JSON.stringify(fact)}`,
        );
}

/** Every byte of every file of the story, made again from the records. */
async function checkWhole(
  id: string,
  dossier: Dossier,
  brief: Brief,
  mirror: Mirror,
  report: Report,
): Promise<void> {
  const cells = [...dossier.citations, ...dossier.charts.flatMap(({ points }) => points)];
  const datasets = new Map<string, MirroredDataset | null>();
  for (const { dataset } of cells)
    if (!datasets.has(dataset)) datasets.set(dataset, await mirror.dataset(dataset));
  const edition = remadeEdition(id, dossier, brief, (cell) => {
    const dataset = datasets.get(cell.dataset);
    const record = dataset?.find(cell.recordId);
    return dataset && record ? { dataset, record } : null;
  });
  if (edition) await checkRemade(edition, dossier.url, mirror, report);
  else report(`news/${id}/dossier.json`, 'the story cannot be made again from it, the brief and the records');
}

/** The records a dossier carries whole must be the packaged ones, and cite their source as the release names it. */
async function checkRecords(
  { records, citations }: Dossier,
  mirror: Mirror,
  report: (message: string) => void,
): Promise<void> {
  for (const { dataset, recordId, record, cite } of records) {
    const known = await mirror.dataset(dataset);
    if (JSON.stringify(known?.find(recordId) ?? null) !== JSON.stringify(record))
      report(`record ${recordId} of ${dataset} is not the packaged one`);
    const cited = citations.find((cell) => cell.dataset === dataset && cell.recordId === recordId);
    const facts = known?.sources.find(({ sha256 }) => sha256 === cited?.sourceSha256)?.facts ?? {};
    const dated = (cite.csl.issued['date-parts'][0] ?? [])
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    for (const [name, said] of [
      ['sourceTitle', cite.csl.title],
      ['dated', dated],
    ] as const)
      if (facts[name] !== undefined && facts[name] !== said)
        report(`record ${recordId} of ${dataset}: ${name} ${JSON.stringify(said)} is not the release's`);
  }
}

/** Fills every template again from the records; returns what the passages must read. */
function checkTexts(
  { passages, citations, title, summary }: Dossier,
  values: Map<string, string | null>,
  report: (message: string) => void,
): { place: string; text: string }[] {
  const numbers = new Map(citations.map((cell) => [tokenOf(cell), cell.number ?? 0]));
  const texts = passages.map(({ place, template, text, citations: listed }) => {
    const filled = filledText(template, (raw) => values.get(raw) ?? '');
    if (filled !== text)
      report(`${place} reads ${JSON.stringify(text)}, the records make it ${JSON.stringify(filled)}`);
    const cited = tokensOf(template).map(({ raw }) => numbers.get(raw) ?? 0);
    if (cited.join() !== listed.join())
      report(`${place} lists citations ${listed.join(', ')}, its tokens are ${cited.join(', ')}`);
    return { place, text: filled };
  });
  for (const [place, text] of [
    ['title', title],
    ['summary', summary],
  ] as const)
    if (texts.find((passage) => passage.place === place)?.text !== text)
      report(`${place} ${JSON.stringify(text)} is not what its passage reads`);
  return texts;
}

/** The brief must carry the same citations and the same sentences. */
async function checkBrief(
  id: string,
  dossier: Dossier,
  texts: { place: string; text: string }[],
  mirror: Mirror,
  report: Report,
): Promise<Brief | null> {
  const file = `news/${id}/brief.json`;
  const brief = (await validated(mirror, file, briefSchema, report)) as Brief | null;
  if (!brief) return null;
  for (const [position, citation] of dossier.citations.entries())
    if (JSON.stringify(brief.citations[position]) !== JSON.stringify(citation))
      report(file, `${nameOf(citation)} differs from the dossier's`);
  if (brief.citations.length !== dossier.citations.length)
    report(file, `has ${brief.citations.length} citations, the dossier ${dossier.citations.length}`);
  const sentences = texts.filter(({ place }) => place.startsWith('sentence ')).map(({ text }) => text);
  const read = brief.paragraphs.map(({ text }) => text).join(' ');
  if (read !== sentences.join(' ')) report(file, 'its paragraphs do not read as the records make them');
  if (brief.title !== dossier.title || brief.summary !== dossier.summary)
    report(file, "title or summary differ from the dossier's");
  return brief;
}
