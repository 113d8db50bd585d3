/** What the pages of datasets, indicators and publishers' files share: rights, sources, clocks, hashes, counts by status, the past. */
import definitions from '../../../shim/core/operations/definitions.json' with { type: 'json' };
import { sidecarText } from '../../../shim/core/paths.ts';
import type { DatasetSource } from '../../../shim/core/records.ts';
import { RELEASES } from '../../../shim/view/address.ts';
import { code, el, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { spanWords } from '../../../shim/view/periods.ts';
import { facts as factList, listEach, section, table } from '../../../shim/view/table.ts';
import { counted, grouped, REASONS, type Kind } from '../../../shim/view/words.ts';
import { byCodeUnits, distinct, VERDICTS, type Verdict } from '../../lib/dataset.ts';
import { revisionCount, type EditionPair } from '../../pack/revisions.ts';
import { differencesQuery, outcomesOf } from '../api/revision-feeds.ts';

/** A link to a page of a publisher. */
export function linkOut(address: string, words: Child = address): Child {
  return el('a', { href: address, rel: 'external' }, words);
}

/** Whether data may be used commercially, in one word, by what the check of the terms found. */
const COMMERCIAL: Record<Verdict, string> = {
  open: 'Yes',
  non_commercial: 'No',
  unresolved: 'Unclear',
};

/** The answer to "May I use it commercially?" for these sources: each answer once, the least free first. */
export function commercialUse(sources: readonly Pick<DatasetSource, 'rights'>[]): string {
  return VERDICTS.toReversed()
    .filter((verdict) => sources.some(({ rights }) => rights.verdict === verdict))
    .map((verdict) => COMMERCIAL[verdict])
    .join(' or ');
}

/** The answer with the sentence it rests on, for each distinct statement. */
export function commercialAnswers(sources: readonly Pick<DatasetSource, 'rights'>[]): Child {
  const answers = sources.map(({ rights: { verdict, evidence, checked } }) => ({
    word: COMMERCIAL[verdict],
    rest: ` ${evidence} Checked ${checked}.`,
  }));
  return joinEach(
    distinct(answers, ({ word, rest }) => word + rest),
    ' ',
    ({ word, rest }) => [el('strong', {}, `${word}.`), rest],
  );
}

/** The licences of sources in the publishers' words, each once, with a link where there is an address. */
export function licenceWords(sources: readonly Pick<DatasetSource, 'license' | 'licenseUrl'>[]): Child {
  const licences = distinct(sources, ({ license }) => license);
  return joinEach(licences, '; ', ({ license, licenseUrl }) =>
    licenseUrl === null ? license : el('a', { href: licenseUrl, rel: 'license external' }, license),
  );
}

/** A day or a month, which no line ends within. */
export function dayOf(text: string): Child {
  return el('time', { datetime: text }, text);
}

/** The first and the last period, which no line ends within. */
export function spanOfDays(first: string | null, last: string | null): Child {
  return first === null ? '' : joinEach(spanWords(first, last).split(' to '), ' to ', dayOf);
}

/** Until when the edition of a source is current, and whether a newer one is overdue at the data clock. */
export function dueWords({ stale, staleAfter }: Pick<DatasetSource, 'stale' | 'staleAfter'>): Child {
  if (staleAfter === null) return 'not renewed by its publisher';
  if (!stale) return ['current until ', dayOf(staleAfter)];
  return [el('strong', { class: 'stale' }, 'overdue'), ' since ', dayOf(staleAfter)];
}

/** When the next edition is due: of several sources, what is overdue first, then the earliest day. */
export function firstDue(sources: readonly DatasetSource[]): Child {
  const [first] = sources.toSorted(
    (a, b) =>
      Number(b.stale) - Number(a.stale) || byCodeUnits(a.staleAfter ?? '9999', b.staleAfter ?? '9999'),
  );
  return first ? dueWords(first) : null;
}

/** The files that a page rests on: their pages, licence and whether commercial use is allowed. */
export function sourcesSection(
  sources: readonly DatasetSource[],
  fileOf: (source: DatasetSource) => string,
  root: string,
): Child {
  return section('sources', 'Source', [
    listEach(sources, (source) => [
      linkTo(root, fileOf(source), source.name),
      `, ${source.publisher}, edition ${source.dated}, `,
      dueWords(source),
    ]),
    factList([
      ['Licence', licenceWords(sources)],
      ['May I use it commercially?', commercialAnswers(sources)],
    ]),
  ]);
}

const UNITS: Record<string, readonly [one: string, many: string]> = {
  D: ['day', 'days'],
  W: ['week', 'weeks'],
  M: ['month', 'months'],
  Y: ['year', 'years'],
};

/** How often a publisher renews a file: `every 2 years`. */
export function cadenceWords(cadence: string | null): string {
  const [, count = '', unit = ''] = /^P(\d+)([DWMY])$/.exec(cadence ?? '') ?? [];
  const [one, many] = UNITS[unit] ?? [];
  if (one === undefined) return cadence ?? 'once; the publisher does not renew it';
  return count === '1' ? `every ${one}` : `every ${count} ${many}`;
}

/** Lines that check downloaded files against their hashes. */
export function checkLines(files: readonly { path: string; sha256: string }[]): Child {
  const lines = files.map(
    ({ path, sha256 }) => `echo '${sidecarText(path, sha256).trimEnd()}' | sha256sum -c`,
  );
  return el('pre', {}, code(lines.join('\n')));
}

const KIND_WORDS: Record<Kind, string> = {
  reported: 'reported, not zero',
  zero: 'zero, as the source printed it',
  estimated: 'estimated, not zero',
  ...REASONS,
};

/** Records by status, and by reason where there is no value; only what occurs. */
export function statusTable(counts: ReadonlyMap<Kind, number>): Child {
  const of = (kind: Kind): number => counts.get(kind) ?? 0;
  const kinds = (Object.keys(KIND_WORDS) as Kind[]).filter((kind) => of(kind) > 0);
  return table('Rows by status; a row without a value is unavailable, never zero', kinds, [
    ['Status', (kind) => `${kind in REASONS ? 'unavailable: ' : ''}${KIND_WORDS[kind]}`],
    [{ numbers: 'Rows' }, (kind) => grouped(of(kind))],
  ]);
}

/** Pairs of editions with what differs between them, newest first; nothing where there is one edition. */
export function differences(pairs: readonly EditionPair[], root: string): Child {
  if (pairs.length === 0) return null;
  return section('differences', 'What differs between editions', [
    p(
      'A difference says nothing about why the editions differ. ',
      linkTo(root, RELEASES, 'What changed in all datasets'),
    ),
    pairs.map((pair) => pairCounts(pair, root)),
  ]);
}

/** What a pair of editions counts, and the link to each of its differences. */
export function pairCounts(pair: EditionPair, root: string): Child {
  return [
    table(`Edition ${pair.to} next to edition ${pair.from}`, outcomesOf(pair), [
      ['Records', ({ words }) => words],
      [{ numbers: 'Count' }, ({ count }) => grouped(count)],
    ]),
    differencesLink(pair, root),
  ];
}

/** Differences on a page of the API, at most. */
const MOST = definitions.revisions.pageSize.maximum;

function differencesLink(pair: EditionPair, root: string): Child {
  const own = revisionCount(pair);
  if (own === 0) return p('The API lists no difference between these two.');
  const words = `${counted(own, 'difference')} between editions ${pair.from} and ${pair.to}, with both values and cells`;
  return p(linkTo(root, differencesQuery(pair), words), own > MOST && ` (${MOST} on each page)`);
}
