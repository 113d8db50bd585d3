/** Rules over a story's frame, its paragraphs, its charts and the story as a whole. */
import { cellOf, type Citation, type CitedDataset } from '../citation.ts';
import { plainMarkdown } from '../markdown.ts';
import { fieldOf } from '../records.ts';
import { chartsOf, paragraphsOf, passagesOf, type Chart, type Paragraph, type Story } from '../story.ts';
import type { ReportAt } from './gate.ts';

/** The front matter, and what no story can be without: words in every place, a cited paragraph. */
export function checkFrame(story: Story, report: ReportAt): void {
  const { id, name, published, updated, corrections } = story;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id !== name)
    report(1, 'story-id', `front matter: id "${id}" must be the file's name, in small letters and hyphens`);
  for (const [key, day] of [
    ['published', published],
    ['updated', updated],
    ...corrections.map(({ date }, at) => [`date of correction ${at + 1}`, date] as const),
  ] as const)
    if (!isDay(day))
      report(1, 'story-date', `front matter: ${key} must be a valid date YYYY-MM-DD, not "${day}"`);
  if (updated < published) report(1, 'story-date', 'front matter: updated must not be before published');
  for (const { place, text } of passagesOf(story))
    if (plainMarkdown(text).trim() === '') report(1, 'story-text', `${place} is missing`);
  if (!paragraphsOf(story).some(({ sentences }) => sentences.some(({ tokens }) => tokens.length > 0)))
    report(1, 'story-text', 'a story needs a paragraph that cites a packaged record');
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** What only a whole paragraph can break: citations, datasets and publishers. */
export function checkParagraph(
  { kind, sentences }: Paragraph,
  citations: Map<string, Citation>,
  report: ReportAt,
): void {
  const [first] = sentences;
  if (!first) return;
  const tokens = sentences.flatMap((sentence) => sentence.tokens);
  const cited = tokens.flatMap(({ raw }) => citations.get(raw) ?? []);
  if (tokens.length === 0)
    report(first, 'uncited-paragraph', 'the paragraph cites no packaged record; it must cite one or more');
  if (cited.length < tokens.length) return;
  const sets = new Set(cited.map(({ dataset }) => dataset));
  const publishers = new Set(cited.map(({ cell }) => publisherOf(cell.source.publisher)));
  if (kind === 'paragraph' && sets.size > 1)
    report(
      first,
      'synthesis-unmarked',
      `the paragraph combines ${[...sets].join(' and ')}: begin it with "synthesis:" or split it`,
    );
  if (kind === 'synthesis' && publishers.size < 2)
    report(
      first,
      'synthesis-single-publisher',
      `a synthesis needs two or more independent publishers; this one has ${[...publishers].join(' and ') || 'none'}`,
    );
}

/** Title, summary, headings, chart titles and corrections cannot be marked as a synthesis: each cites one dataset. */
export function checkSinglePassages(story: Story, report: ReportAt): void {
  const sentences = new Set(paragraphsOf(story).flatMap((paragraph) => paragraph.sentences));
  for (const passage of passagesOf(story)) {
    const sets = new Set(passage.tokens.map(({ dataset }) => dataset));
    if (sets.size > 1 && !sentences.has(passage))
      report(
        passage,
        'synthesis-unmarked',
        `it combines ${[...sets].join(' and ')}, which only a paragraph marked as synthesis may do`,
      );
  }
}

/** Publishers count as one when only letter case, brackets or an acronym differ. */
function publisherOf(name: string): string {
  return name
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Bars of one dataset and one unit, each a cell that can be drawn or is shown as unavailable. */
export function checkChart(
  { line, points, label, series, title }: Chart,
  datasets: Map<string, CitedDataset>,
  reportAt: ReportAt,
): void {
  const report = (at: number, message: string): void => reportAt(at, 'chart', `chart: ${message}`);
  if (title.text === '') report(line, 'a chart needs a title');
  if (points.length === 0) report(line, 'a chart needs at least one bar');
  const units = new Set<string>();
  const sets = new Set<string>();
  for (const { token, line: at } of points) {
    const cell = cellOf(token, datasets);
    if ('rule' in cell) {
      report(at, cell.message);
      continue;
    }
    const { record, value } = cell;
    if (value !== null && typeof value !== 'number') report(at, `${token.raw} is not a number`);
    if (typeof value === 'number' && value < 0)
      report(at, `${token.raw} is negative, which bars from a common base cannot show`);
    for (const field of series === null ? [label] : [label, series])
      if (field !== 'field' && typeof (fieldOf(record, field) ?? null) === 'object')
        report(at, `${token.raw}: its record has no field "${field}" to name the bar`);
    sets.add(token.dataset);
    units.add(typeof record['unit'] === 'string' ? record['unit'] : token.dataset);
  }
  if (sets.size > 1) report(line, `a chart uses one dataset, not ${[...sets].join(', ')}`);
  else if (units.size > 1)
    report(line, `a chart has one unit; units are never converted (${[...units].join(', ')})`);
}

/** Lanes no story may join to others: the markets of indicators, the domains of the atlas, and `designations`. */
const PROHIBITED_JOINS: { lane: string; others: string[]; why: string }[] = [
  {
    lane: 'context',
    others: ['drugs', 'arms', 'organized_crime', 'firearms_tracing', 'designations'],
    why: 'national and infrastructure context is never joined to evidence on drugs, arms, crime or designated persons',
  },
  {
    lane: 'designations',
    others: ['drugs', 'arms', 'informal_economy', 'organized_crime', 'firearms_tracing'],
    why: 'designations are never joined to observations or scores',
  },
];

/** Lanes that must not meet in a story, named where the second one comes in; and persons, whom no story singles out. */
export function checkLanes(story: Story, datasets: Map<string, CitedDataset>, report: ReportAt): void {
  const lanes = new Set<string>();
  let joined = false;
  const cited = [
    ...passagesOf(story).flatMap((passage) => passage.tokens.map((token) => ({ token, at: passage }))),
    ...chartsOf(story).flatMap(({ points }) => points.map(({ token, line }) => ({ token, at: line }))),
  ];
  for (const { token, at } of cited) {
    const cell = cellOf(token, datasets);
    if ('rule' in cell) continue;
    if (cell.record['entity_type'] === 'individual')
      report(at, 'person', `${token.raw} is a natural person; no story singles one out`);
    lanes.add(cell.lane);
    const prohibited = PROHIBITED_JOINS.flatMap(({ lane, others, why }) =>
      others
        .filter((other) => lanes.has(lane) && lanes.has(other))
        .map((other) => `lanes ${lane} and ${other} must not meet in a story: ${why}`),
    );
    if (prohibited[0] !== undefined && !joined)
      report(at, 'prohibited-join', `${token.raw}: ${prohibited[0]}`);
    joined ||= prohibited.length > 0;
  }
}
