/**
 * /r/<record id> and /r/<record id>@<edition>: one cell as a page, and with an ending as JSON, BibTeX, RIS, CSL-JSON or text. The
 * cited edition is shown or said to be missing here; another edition's value is never given in its place. Loaded by the first
 * request that needs it.
 */
import { notSearched } from '../core/absence-message.ts';
import { callNow } from '../core/call.ts';
import { cellsBeside, cellsNear, editionsIn, editionsOfCell, placeOf, releaseFacts } from '../core/cell.ts';
import type { Cell, CellPlace } from '../core/cell.ts';
import { citeRecord } from '../core/cite.ts';
import { lastDay } from '../core/editions.ts';
import { Fault, FAULTS, orFault, quoted } from '../core/faults.ts';
import { mediaTypeOf } from '../core/headers.ts';
import { requireRecord, withUnknownIndicators } from '../core/left-out.ts';
import { marketObservations } from '../core/operations/market-observations.ts';
import { absolute } from '../core/paths.ts';
import type { Context } from '../core/types.ts';
import { apiAddress, recordAddress } from '../view/address.ts';
import { printMissingRecord, type MissingRecord } from '../view/missing-record.ts';
import { printRecordPage } from '../view/record-page.ts';
import { FORMS, type CellView } from '../view/record-words.ts';
import { percentDecoded } from './answering.ts';
import type { Replies } from './content.ts';
import { printForm } from './record-forms.ts';
import { answered, dataOf, pageOf, type Made } from './page-reply.ts';

/** The path of records. */
const PREFIX = '/r/';
const EDITION = /^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/;

/** The parts of a record's address. */
interface Asked {
  id: string;
  /** Null for the current edition. */
  edition: string | null;
  /** Null where the page is requested. */
  ending: (typeof FORMS)[number][0] | null;
}

/** Why there is no cell to show, as a page and as an error. */
interface Missing {
  status: number;
  fault: Fault;
  page: Pick<MissingRecord, 'title' | 'sentences' | 'others'>;
}

/** Makes the replies to requests for records, which throw what is not expected. */
export function recordReplies(context: Context): Replies {
  return (request) => {
    const asked = askedOf(request.pathname);
    // A program that sends filters would take the record for one that matches them.
    if (asked.ending !== null && request.search.length > 1)
      throw new Fault(
        'invalid_request',
        `A record takes no parameters, and this request has ${quoted(request.search.slice(1))}. For another edition, request /r/<id>@<edition>${asked.ending}`,
      );
    return answered({ ...request, search: '' }, context, (now) => recordOf(asked, request.pathname, now));
  };
}

/** The cell of an address as a page or form; where there is none, the page that says so or, for a program, the error. */
function recordOf(asked: Asked, pathname: string, context: Context): Made | Fault {
  const { ending } = asked;
  const view = lookUp(asked, context);
  if (!('fault' in view)) {
    if (ending === null) return pageOf(printRecordPage(view), null);
    return dataOf(printForm(ending, view), mediaTypeOf(ending));
  }
  const { status, fault, page } = view;
  if (ending !== null) return fault;
  const given = [...givenOf(asked)].slice(0, 120).join('');
  const site = { siteUrl: context.settings.siteUrl, generatedAt: null };
  return pageOf(printMissingRecord({ ...page, path: pathname.slice(1), given, site }), fault, status);
}

/** Reads the path: percent-decoded, without the ending of its form. */
function askedOf(pathname: string): Asked {
  const raw = pathname.slice(PREFIX.length);
  const [ending = null] = FORMS.map(([name]) => name)
    .filter((name) => raw.endsWith(name))
    .sort((a, b) => b.length - a.length);
  const name = ending === null ? raw : raw.slice(0, -ending.length);
  // What is not UTF-8 is the name of no record, and is shown as it came.
  const text = percentDecoded(name) ?? name;
  const at = text.indexOf('@');
  return at < 0
    ? { id: text, edition: null, ending }
    : { id: text.slice(0, at), edition: text.slice(at + 1), ending };
}

function givenOf({ id, edition }: Asked): string {
  return edition === null ? id : `${id}@${edition}`;
}

function lookUp(asked: Asked, context: Context): CellView | Missing {
  const view = orFault(() => found(asked, context));
  if (!(view instanceof Fault)) return view;
  return {
    status: FAULTS[view.code].status,
    fault: view,
    page: {
      title: view.lasting
        ? 'This evidence is not in this release'
        : 'This evidence cannot be read at the moment',
      sentences: [view.message],
      others: null,
    },
  };
}

/** The cell of an address. Throws unavailable where its dataset is not in the release, and where an edition that could have it cannot be read. */
function found(asked: Asked, context: Context): CellView | Missing {
  const { id, edition } = asked;
  const { release } = context;
  const place = placeOf(id, release.manifest());
  if (!place) requireRecord(id, release.manifest());
  if (!place || (edition !== null && !EDITION.test(edition))) return unknown(asked, null, context);
  const editions = editionsOfCell(id, place, release);
  const having = editions.flatMap(({ cell }) => cell ?? []);
  const current = editions.at(-1);
  const cell = edition === null ? current?.cell : having.findLast((one) => one.edition === edition);
  if (cell) {
    const { siteUrl } = context.settings;
    const { document } = cell;
    const own =
      cell.kind === 'atlas'
        ? cell.record.meta.caveats
        : (document.indicators.find((one) => one.id === cell.record.indicatorId)?.limitations ?? []);
    return {
      cell,
      pinned: edition !== null,
      editions,
      ...cellsBeside(cell, release),
      release: releaseFacts(release),
      limitations: [...new Set([...own, ...document.limitations])],
      cite: citeRecord({
        dataset: document.id,
        recordId: `${cell.id}@${cell.edition}`,
        packSha256: cell.pack.sha256,
        locator: cell.locator,
        source: cell.source,
        address: absolute(siteUrl, recordAddress(cell.id, cell.edition)),
      }),
      api: apiOf(cell),
      site: { siteUrl, generatedAt: release.manifest().generatedAt },
    };
  }
  const asking =
    edition === null ? editions.slice(-1) : editions.filter(({ pack }) => editionsIn(pack).includes(edition));
  const damaged = asking.find(({ fault }) => fault !== null);
  if (damaged?.fault) throw damaged.fault;
  const others = { heading: 'What the editions published here print in this row', cells: distinct(having) };
  const published = [...new Set(editions.map(({ pack }) => pack.edition))].join(', ');
  if (edition !== null && asking.length === 0)
    return missing(200, {
      title: 'The cited edition is not published here',
      sentences: [
        `This link cites edition ${edition}; this host publishes ${published}.`,
        having.length > 0
          ? 'What other editions print in this row is not the cited value.'
          : 'No edition published here has a row with this id.',
      ],
      others,
    });
  if (having.length === 0) return unknown(asked, place, context);
  return missing(404, {
    title: edition === null ? 'This row is no longer in the table' : `Edition ${edition} has no such row`,
    sentences: [
      edition === null
        ? `The current edition of the table, ${current?.pack.edition ?? ''}, has no row with this id. Earlier editions have.`
        : 'Other editions of the table have a row with this id.',
    ],
    others,
  });
}

/** One cell per edition, the newest first. */
function distinct(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [cell.edition, cell])).values()].toReversed();
}

/** A page without a cell; programs are told in words which records it links to. */
function missing(status: number, page: Missing['page']): Missing {
  const linked = (page.others?.cells ?? []).map(({ id, edition }) => `${id}@${edition}`);
  const closest = linked.length > 0 ? [`Closest records: ${linked.join(', ')}.`] : [];
  const message = [page.title, ...page.sentences, ...closest].join('. ').replaceAll('..', '.');
  return { status, page, fault: new Fault('not_found', message) };
}

/** An id that no edition has: what its form should be, or the rows closest to it. */
function unknown(asked: Asked, place: CellPlace | null, context: Context): Missing {
  if (place === null)
    return missing(404, {
      title: 'There is no such record',
      sentences: [
        `No dataset published here has a record with the id ${quoted(givenOf(asked))}.`,
        'A record id is made of the indicator, the place, the period and the label, such as seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2295f3: at most 96 letters, digits, full stops, hyphens, underscores and tildes. It may be followed by @ and an edition, YYYY-MM or YYYY-MM-DD.',
        ...notSearched(withUnknownIndicators(context.release.manifest().unavailable).map(({ id }) => id)),
      ],
      others: null,
    });
  const cells = cellsNear(asked.id, place, context.release);
  return missing(404, {
    title: 'There is no such record',
    sentences: [
      `No edition published here has a row with the id ${quoted(givenOf(asked))}.`,
      ...(cells.length === 0 ? absenceOf(place, context) : []),
    ],
    others: { heading: 'The closest rows', cells },
  });
}

/** The operation's message about a place and period without rows. */
function absenceOf({ indicator, geo, period }: CellPlace, context: Context): string[] {
  if (indicator === null) return [];
  const input = { indicator, geo, from: period, to: period };
  const result = callNow(marketObservations, input, context, () => undefined);
  if (!result.ok) return [];
  const { absence } = result.payload as { absence?: { message: string } | null };
  return absence ? [absence.message] : [];
}

/** The API's address of a cell; null for national context, which no resource gives. */
function apiOf({ kind, id, edition, pack, record, document }: Cell): string | null {
  if (pack.kind === 'context') return null;
  if (kind === 'observation') return apiAddress('market-observations', { id: `${id}@${edition}` });
  const { iso3, year } = record.data;
  const asOf = pack.id.includes('@') ? { as_of: lastDay(edition) } : {};
  return apiAddress('atlas', { domain: document.domain, iso3, year: String(year), ...asOf });
}
