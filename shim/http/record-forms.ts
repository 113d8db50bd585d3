/** The forms of a cell for programs: JSON with all that its page shows, and its citation alone. */
import type { EditionOfCell } from '../core/cell.ts';
import type { JsonObject } from '../core/types.ts';
import { recordAddress } from '../view/address.ts';
import { FORMS, type CellView } from '../view/record-words.ts';

/** The text of a form by its ending. */
export function printForm(ending: (typeof FORMS)[number][0], view: CellView): string {
  const { cite } = view;
  if (ending === '.bib') return cite.bibtex;
  if (ending === '.ris') return cite.ris;
  if (ending === '.txt') return `${cite.text}\n`;
  return `${JSON.stringify(ending === '.json' ? documentOf(view) : [cite.csl])}\n`;
}

/** `svc.record.v1`: the record as its pack has it, its source, its editions, its limits and its citation. */
function documentOf({
  cell,
  editions,
  release,
  limitations,
  cite,
  api,
  site: { siteUrl },
}: CellView): JsonObject {
  const { id, edition, document, pack, locator, record } = cell;
  const { dated, stale: _stale, staleAfter: _after, ...source } = cell.source;
  const page = `${siteUrl}/${recordAddress(id, edition)}`;
  const current = editions.at(-1);
  const forms = FORMS.map(([ending]) => [ending.slice(1), `${page}${ending}`]);
  return {
    schema: 'svc.record.v1',
    id,
    edition,
    current: current?.fault ? null : current?.cell?.edition === edition,
    record: record as unknown as JsonObject,
    dataset: { id: document.id, title: document.title, path: `/${pack.path}`, sha256: pack.sha256 },
    source: { ...source, edition: dated },
    locator,
    release: release === null ? null : { ...release },
    editions: editions.map(editionOf),
    limitations: [...limitations],
    cite,
    links: { page, ...Object.fromEntries(forms), api: api === null ? null : `${siteUrl}/${api}` },
  };
}

/** This row in one edition: `record` is null where it has none, `readable` false where it cannot be read now. */
function editionOf({ pack, cell, fault }: EditionOfCell): JsonObject {
  return {
    datasetEdition: pack.edition,
    readable: fault === null,
    edition: cell?.edition ?? null,
    record: cell === null ? null : (cell.record as unknown as JsonObject),
    sourceSha256: cell?.source.sha256 ?? null,
    locator: cell?.locator ?? null,
  };
}
