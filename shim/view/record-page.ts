/**
 * The page of one cell: its value, where it is printed, its editions, what is next to it, how to cite and how to check it. The
 * address with an edition shows that edition's cell for ever, whatever is current.
 */
import { keyIn, type Cell } from '../core/cell.ts';
import type { Observation } from '../core/records.ts';
import {
  datasetAddress,
  indicatorAddress,
  PAGES,
  placeAddress,
  recordAddress,
  rowsAddress,
} from './address.ts';
import { printPage } from './frame.ts';
import { locatorWords } from './locator.ts';
import { el, linkTo, p, type Child } from './node.ts';
import { sourceFacts } from './record-source.ts';
import { atlasValues, besideTables, historyTable, printsSame } from './record-tables.ts';
import {
  FORMS,
  indicatorLabel,
  mayBeOther,
  placeOfCell,
  plainValue,
  ROOT,
  type CellView,
} from './record-words.ts';
import { isLong } from './rows.ts';
import { list, section } from './table.ts';
import { fileName, verifyBox, VERIFY_SCRIPT } from './verify-box.ts';
import { counted, digits, IN_PLACE_OF_VALUE, REASONS } from './words.ts';

/** Prints the page. */
export function printRecordPage(view: CellView): string {
  const { cell, pinned, site } = view;
  const { place, code, period, label } = placeOfCell(cell);
  const { document, id, edition } = cell;
  const title = `${place}, ${period}: ${label}`;
  return printPage(site, {
    path: recordAddress(id, pinned ? edition : undefined),
    title: label === document.title ? title : `${title} (${document.title})`,
    description: `${title}: ${plainValue(cell)}, as printed in ${cell.source.name}, edition ${edition}, ${locatorWords(cell.locator).where}.`,
    trail: [
      ['Data', PAGES.data],
      [document.title, datasetAddress(document.id)],
      // Rows that left the current edition are on no page of rows.
      [place, view.editions.at(-1)?.cell ? rowsAddress(document.id, code, rowsOf(cell)) : placeAddress(code)],
    ],
    scripts: [VERIFY_SCRIPT],
    alternates: FORMS.map(([ending, type, name]) => [type, `${recordAddress(id, edition)}${ending}`, name]),
    body: el('article', { class: 'record' }, bodyOf(view, title)),
  });
}

/** The period whose page has the row of the cell; none where the rows of the place are not divided, or on no page. */
function rowsOf(cell: Cell): string | undefined {
  return cell.kind === 'observation' && cell.pack.rowPages !== false ? cell.record.period : undefined;
}

function bodyOf(view: CellView, title: string): Child {
  const { cell, cite, limitations, site } = view;
  const { id, edition, locator, source } = cell;
  const pinned = recordAddress(id, edition);
  return [
    cell.kind === 'atlas' ? null : el('p', { class: 'over' }, aboutOf(cell)),
    el('h1', {}, title),
    currentNote(view),
    cell.kind === 'observation' ? valueBlock(cell.record) : atlasValues(cell),
    el('div', { class: 'record-parts' }, [
      el('div', {}, sourceFacts(view)),
      el('div', {}, [
        verifyBox(ROOT, {
          name: source.name,
          edition: source.dated,
          sha256: source.sha256,
          where: locatorWords(locator).where,
          downloadUrl: source.downloadUrl,
          fileName: fileName(source),
        }),
        section('cite', 'Cite', [
          el('p', { class: 'cite-text' }, cite.text),
          el('p', { class: 'forms' }, [
            FORMS.map(([ending, type, name]) => [
              el('a', { href: `${ROOT}${pinned}${ending}`, type }, name),
              ' ',
            ]),
          ]),
          p('Link to this cell in this edition, which does not change: '),
          p(el('a', { class: 'permalink', href: `${ROOT}${pinned}` }, `${site.siteUrl}/${pinned}`)),
        ]),
      ]),
    ]),
    historyTable(view),
    besideTables(view),
    limitations.length === 0 ? null : section('limits', 'How not to read it', list(limitations)),
  ];
}

/** The dataset, and the indicator with its unit where the value does not name them. */
function aboutOf(cell: Extract<Cell, { kind: 'observation' }>): Child {
  const { document, record } = cell;
  const dataset = linkTo(ROOT, datasetAddress(document.id), document.title);
  const label = indicatorLabel(cell);
  const indicator = linkTo(ROOT, indicatorAddress(record.indicatorId), label);
  return label === document.title ? indicator : [dataset, ' · ', indicator];
}

function valueBlock(record: Observation): Child {
  const { value, unit, lower, upper, status, unavailableReason } = record;
  const range = rangeOf(record);
  if (value === null) {
    const reason = unavailableReason ?? 'blank_in_source';
    return [
      el('p', { class: 'value gone', 'data-status': status, 'data-reason': reason }, [
        `unavailable: ${REASONS[reason]}`,
      ]),
      el('p', { class: 'state' }, [
        `${IN_PLACE_OF_VALUE[reason]} No value in ${unit} is given, which is not a zero.`,
        range,
      ]),
    ];
  }
  return [
    el(
      'p',
      {
        class: isLong(record) ? 'value long' : 'value',
        'data-status': status,
        'data-lower': lower,
        'data-upper': upper,
      },
      [el('data', { value: String(value) }, digits(value)), ' ', el('span', { class: 'unit' }, unit)],
    ),
    el('p', { class: 'state' }, [
      el('b', {}, value === 0 ? `${status}: an observed zero` : status),
      ', as printed by the source.',
      range,
    ]),
  ];
}

/** The bounds that the source prints; null where it prints none. */
function rangeOf({ lower, upper, unit }: Observation): Child {
  if (lower === null && upper === null) return null;
  if (lower !== null && upper !== null)
    return [' Printed range: ', digits(lower), ' to ', digits(upper), ` ${unit}.`];
  return [
    lower === null ? ' Printed upper bound: ' : ' Printed lower bound: ',
    digits(lower ?? upper ?? 0),
    ` ${unit}.`,
  ];
}

/** A line above a cell that is not the current one. */
function currentNote(view: CellView): Child {
  const { cell, editions } = view;
  const current = editions.at(-1);
  if (!current || current.cell?.edition === cell.edition) return null;
  const now = current.cell;
  const address = `${ROOT}${recordAddress(cell.id)}`;
  let says: Child;
  if (current.fault) says = 'The current edition cannot be read at the moment.';
  else if (current.rows > 0 && mayBeOther(current, view) && !(now && printsSame(now, cell))) {
    const rows = linkTo(ROOT, recordAddress(keyIn(cell.id)), counted(current.rows, 'row'));
    says = [
      `Edition ${current.pack.edition} is current and has `,
      rows,
      ' with this label. Which rows of the two editions are the same cannot be told.',
    ];
  } else if (!now) says = `Edition ${current.pack.edition} is current; this row is no longer in it.`;
  else {
    const value =
      now.kind === 'observation' ? plainValue(now) : printsSame(now, cell) ? 'the same' : 'other values';
    says = [`Edition ${now.edition} is current and prints `, el('a', { href: address }, value), '.'];
  }
  return el('p', { class: 'note warn' }, `This is the cell of edition ${cell.edition}. `, says);
}
