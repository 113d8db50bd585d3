/**
 * /designations/?query=... and /designations/<number>: the search of official names, and one entry, as pages. The operation
 * `entities` does the search and refuses queries. Loaded by the first request that needs it.
 */
import { callNow, readQuery, type Report } from '../core/call.ts';
import { designationList, designationOf } from '../core/designation.ts';
import { recordsOf } from '../core/envelope.ts';
import { Fault, orFault, quoted } from '../core/faults.ts';
import { headerList, NOT_INDEXED } from '../core/headers.ts';
import { entities } from '../core/operations/entities.ts';
import type { Entity } from '../core/records.ts';
import type { Context, JsonObject, Payload, RawList } from '../core/types.ts';
import { designationsAddress, PAGES } from '../view/address.ts';
import { DESIGNATION_FIELDS, printDesignation, printDesignations } from '../view/designations.ts';
import type { DesignationResult } from '../view/designations.ts';
import { percentDecoded } from './answering.ts';
import type { HttpRequest, Reply } from './content.ts';
import { pageReply } from './page-reply.ts';

const PREFIX = `/${PAGES.designations}`;

/** Makes the replies to requests for designations, which throw only unexpected errors. */
export function designationReplies(context: Context, report: Report): (request: HttpRequest) => Reply {
  return (request) => {
    // The whole page is made from one release.
    const { release, settings } = context;
    const now = { ...context, release };
    const site = { siteUrl: settings.siteUrl, generatedAt: null, query: request.search };
    const below = request.pathname.slice(PREFIX.length);
    try {
      const manifest = release.manifest();
      const list = designationList(manifest);
      const dated = { ...site, generatedAt: manifest.generatedAt };
      if (below === '' || below === 'index.html') {
        const { fault, ...searched } = search(request.search, now, report);
        const refusal = fault === null ? null : fault.message.replaceAll('"entity_type"', '"type"');
        return reply(request, printDesignations({ ...searched, refusal, list, site: dated }), fault);
      }
      const entry = entryOf(below, now);
      const fault = typeof entry === 'string' ? new Fault('not_found', entry) : null;
      return reply(request, printDesignation({ list, given: shown(below), entry }, dated), fault);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      report(error);
      const refusal = error.message;
      const page = printDesignations({ list: null, given: {}, result: null, refusal, site });
      return reply(request, page, error);
    }
  };
}

function reply(request: HttpRequest, page: string, fault: Fault | null): Reply {
  return pageReply(page, request, fault, headerList(NOT_INDEXED));
}

/** The outcome of a search: a result, or why there is none. */
interface Searched {
  given: Record<string, string>;
  result: DesignationResult | null;
  fault: Fault | null;
}

/** Answers a query: empty fields are not filters, and the operation accepts or refuses everything else. */
function search(query: string, context: Context, report: Report): Searched {
  const pairs = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !DESIGNATION_FIELDS.some(([name]) => pair === `${name}=`))
    .map((pair) => pair.replace(/^type=/, 'entity_type='));
  const raw = orFault(() => readQuery(entities, `?${pairs.join('&')}`));
  if (raw instanceof Fault) return { given: {}, result: null, fault: raw };
  const input = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]));
  const { cursor, limit: _limit, ...filters } = input;
  const fields = DESIGNATION_FIELDS.map(([name, parameter]) => [name, filters[parameter]] as const);
  const given = Object.fromEntries(fields.map(([name, value]) => [name, value ?? '']));
  const answered = callNow(entities, raw, context, report);
  if (!answered.ok) return { given, result: null, fault: answered.fault };
  const page = (next: string | undefined): string =>
    designationsAddress({ ...Object.fromEntries(fields), cursor: next });
  const result = {
    filters,
    ...resultOf(answered.payload),
    first: cursor === undefined ? null : page(undefined),
    next: answered.next === null ? null : page(answered.next),
  };
  return { given, result, fault: null };
}

function resultOf(payload: Payload): Pick<DesignationResult, 'matched' | 'entries' | 'absence'> {
  const { page, source, records } = payload;
  const { matched } = page as { matched: number };
  const { absence } = source as JsonObject & Pick<DesignationResult, 'absence'>;
  return { matched, absence, entries: recordsOf(records as RawList) as Entity[] };
}

/** The entry of an address, or why there is none. Numbers that have left the list are as unknown as any other. */
function entryOf(below: string, { release }: Context): Entity | string {
  const number = /^[1-9][0-9]{0,8}$/.test(below) ? Number(below) : null;
  if (number === null)
    return `An entry has its number as its address, as in ${PREFIX}<number>; ${quoted(shown(below))} is not one.`;
  const found = designationOf(number, release);
  return (
    found ??
    `This edition of the list has no entry with the number ${number}. Entries that have left the list are not named again. This is not a clearance.`
  );
}

/** The requested address as text, cut to 60 characters. What is not UTF-8 is shown as it came. */
function shown(below: string): string {
  return [...(percentDecoded(below) ?? below)].slice(0, 60).join('');
}
