/** /sources/ and a page for each publisher's file: where it comes from, its hash, what was taken from it, what was left out. */
import { sortedByName } from '../../../shim/core/name-order.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import {
  datasetAddress,
  indicatorAddress,
  PAGES,
  rootFrom,
  VERIFY_PAGE,
} from '../../../shim/view/address.ts';
import { code, el, hash, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { spanWords } from '../../../shim/view/periods.ts';
import { facts as factList, list, listEach, section, table } from '../../../shim/view/table.ts';
import { fileName, verifyBox, VERIFY_SCRIPT } from '../../../shim/view/verify-box.ts';
import { counted, grouped, sizeWords } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import { distinct } from '../../lib/dataset.ts';
import type { RecordFacts } from '../facts.ts';
import { citeFile, citeSection } from './dataset-citation.ts';
import { cadenceWords, commercialAnswers, dayOf, dueWords, licenceWords, linkOut } from './dataset-parts.ts';
import { framed } from './page.ts';
import type { SourceFile } from './source-files.ts';
import { indicatorLabels } from './evidence.ts';

/** Renders the list of all files and the page of each. */
export function renderSources(facts: RecordFacts, files: ReadonlyMap<string, SourceFile>): Artifact[] {
  const all = [...files.values()];
  return [listPage(facts, all), ...all.map((file) => filePage(facts, file, all))];
}

function listPage(facts: RecordFacts, files: readonly SourceFile[]): Artifact {
  const path = `${PAGES.sources}index.html`;
  const root = rootFrom(path);
  const publishers = sortedByName(
    groupedBy(files, ({ source }) => source.publisher),
    ([publisher]) => publisher,
  );
  const body = [
    el('h1', {}, "Publishers' files"),
    el('p', { class: 'standfirst' }, [
      `${counted(files.length, 'file')} of ${counted(publishers.length, 'publisher')}, those of earlier editions among them. Every value of this site was read from one of them; each has its SHA-256 here, so that your own copy can be compared.`,
    ]),
    el('p', { id: 'verify' }, [
      linkTo(root, VERIFY_PAGE, 'Check a file'),
      ': choose it, and the page says which of these it is.',
    ]),
    publishers.map(([publisher, own], index) =>
      section(`publisher-${index + 1}`, publisher, [
        table(`Files of ${publisher}; due dates at ${facts.evidence.generatedAt.slice(0, 10)}`, own, [
          [
            'File',
            ({ address, source }) => [linkTo(root, address, source.name), el('br'), hash(source.sha256)],
          ],
          ['Edition', ({ source }) => dayOf(source.dated)],
          ['Next one', (file) => nextWords(file, root)],
          [{ numbers: 'Bytes' }, ({ source }) => grouped(source.bytes)],
          [
            'Datasets',
            ({ uses }) =>
              joinEach(distinct(uses.map(({ document }) => document.id)), ', ', (id) =>
                linkTo(root, datasetAddress(id), id),
              ),
          ],
        ]),
      ]),
    ),
  ];
  return framed(facts.evidence, {
    path,
    title: "Publishers' files",
    description: "Every publisher's file that this site reads, with its address, edition, size and SHA-256.",
    body,
    trail: [['Data', PAGES.data]],
  });
}

function filePage(facts: RecordFacts, file: SourceFile, files: readonly SourceFile[]): Artifact {
  const { source, address, newer } = file;
  const path = `${address}index.html`;
  const root = rootFrom(path);
  const others = files.filter((other) => other !== file && other.source.id === source.id);
  const name = fileName(source);
  const current = indicatorLabels(facts.evidence.documents.values());
  const body = [
    el('h1', {}, source.name),
    el('p', { class: 'standfirst' }, `A file of ${source.publisher}, edition ${source.dated}.`),
    newer === null
      ? null
      : el('p', { class: 'note' }, [
          'A newer file of this source has been published: ',
          linkTo(root, newer.address, `edition ${newer.source.dated}`),
          '.',
        ]),
    factList([
      ['Publisher', source.publisher],
      ["Publisher's page", linkOut(source.url)],
      [
        'Download',
        source.downloadUrl === source.url
          ? 'from that page; the file has no address of its own'
          : linkOut(source.downloadUrl),
      ],
      ['File name', name === null ? null : code(name)],
      ['Source id', code(source.id)],
      ['SHA-256', hash(source.sha256)],
      ['Bytes', `${grouped(source.bytes)} (${sizeWords(source.bytes)})`],
      [
        'Edition',
        `${source.dated}, its publisher’s date of publication, unless a note below says that it is inferred`,
      ],
      ['Retrieved', source.retrievedAt],
      ['Renewed', cadenceWords(source.cadence)],
      ['Next one', [nextWords(file, root), ` (at ${facts.evidence.generatedAt.slice(0, 10)})`]],
      ['Licence', licenceWords([source])],
      ['May I use it commercially?', commercialAnswers([source])],
    ]),
    verifyBox(root, {
      name: source.name,
      edition: source.dated,
      sha256: source.sha256,
      where: null,
      downloadUrl: source.downloadUrl,
      fileName: name,
    }),
    taken(file, current, root),
    leftOut(file),
    citeSection(citeFile(source)),
    others.length === 0
      ? null
      : section('editions', 'Other editions of this source', [
          listEach(others, (other) => [
            linkTo(root, other.address, `Edition ${other.source.dated}`),
            `, ${grouped(other.source.bytes)} bytes, `,
            hash(other.source.sha256),
          ]),
        ]),
  ];
  return framed(facts.evidence, {
    path,
    title: `${source.name}, edition ${source.dated}`,
    description: `${source.name}, edition ${source.dated}, a file of ${source.publisher}: address, size, SHA-256, licence, and what was read from it.`,
    body,
    scripts: [VERIFY_SCRIPT],
    trail: [
      ['Data', PAGES.data],
      ["Publishers' files", PAGES.sources],
    ],
  });
}

function taken({ uses }: SourceFile, current: ReadonlyMap<string, string>, root: string): Child {
  return section('taken', 'What was taken from it', [
    uses.map(({ document, isCurrent, rows, periods, indicators }) => [
      p(
        linkTo(root, datasetAddress(document.id), document.title),
        `, edition ${document.edition}${isCurrent ? '' : ' (not the current one)'}: `,
        rows === null ? 'entries of the list' : counted(rows, 'row'),
        periods.first === null ? '' : `, ${spanWords(periods.first, periods.last)}`,
        '.',
      ),
      listEach(indicators, ({ id, label }) =>
        current.has(id) ? linkTo(root, indicatorAddress(id), label) : label,
      ),
    ]),
  ]);
}

function leftOut({ source, uses }: SourceFile): Child {
  const limitations = distinct(
    uses.flatMap(({ document, indicators }) => [
      ...document.limitations,
      ...indicators.flatMap((indicator) => indicator.limitations),
    ]),
  );
  return section('notes', 'What was left out, and what to know', [
    source.notes.length > 0 ? list(source.notes) : null,
    limitations.length > 0 ? [el('h3', {}, 'Of the datasets made from it'), list(limitations)] : null,
  ]);
}

/** When a newer file is due; where there is one, which. */
function nextWords({ source, newer, uses }: SourceFile, root: string): Child {
  if (newer !== null) return linkTo(root, newer.address, ['edition ', dayOf(newer.source.dated), ' is here']);
  const [use] = uses;
  if (!use || uses.some(({ isCurrent }) => isCurrent)) return dueWords(source);
  const { id, title } = use.document;
  return ['newer editions of ', linkTo(root, datasetAddress(id), title), ' are from other files'];
}
