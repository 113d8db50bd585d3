/**
 * REST: /api/v1/<resource>. Unfiltered requests get the published page, filtered ones what `call` answers, remembered while
 * the data stays. The door adds caching, links and conditional answers, and no rule of its own about evidence.
 */
import { readQuery } from '../core/arguments.ts';
import { call, type Report, type Result } from '../core/call.ts';
import { errorBody, written } from '../core/envelope.ts';
import { Fault, FAULTS } from '../core/faults.ts';
import type { Operation } from '../core/operation.ts';
import { operationOf } from '../core/operations/all.ts';
import { absolute, API_ROOT, MOST_URL_BYTES, pagePath } from '../core/paths.ts';
import type { Context } from '../core/types.ts';
import { boundedCache } from '../core/bounded-cache.ts';
import { contentOf, send, type Content } from './content.ts';
import {
  ALLOWED_METHODS,
  CACHE_CDN,
  CACHE_LIVE,
  CACHE_STATIC,
  headerList,
  linkHeader,
  PREFLIGHT,
  SHARED,
  type HeaderList,
} from '../core/headers.ts';
import type { Ask, Reply } from './reply.ts';
import { publishedPath, type StaticFiles } from './static.ts';

const JSON_TYPE = 'application/json';
const CACHE_BYTES = 64 * 1024 * 1024;
/** The file of an unfiltered page, and the cursor of a further one. */
const PAGE_FILE = new RegExp(`^${API_ROOT}/([^/.]+)(?:/([^/.]+))?\\.json$`);
/** Keys remembered as asked once, and the longest worth remembering. */
const KEYS = 4096;
const LONGEST_KEY = 1024;

/** What every door works with. */
export interface DoorOptions {
  context: Context;
  /** Published files; absent where a CDN serves them before us. */
  files: StaticFiles | null;
  /** Grows when the data changes. */
  generation(): number;
  report: Report;
}

/** Answers everything under /api. */
export type Rest = (ask: Ask) => Reply | Promise<Reply>;

/** Builds the REST door. */
export function restDoor({ context, files, generation, report }: DoorOptions): Rest {
  const { siteUrl } = context.settings;
  const plain = linkHeader(siteUrl, null);
  const shared = headerList(SHARED);
  const pageHeaders = [...shared, 'link', plain];
  const caching = {
    data: headerList({
      'cache-control': CACHE_STATIC,
      'netlify-cdn-cache-control': CACHE_CDN,
      'netlify-vary': 'query',
    }),
    live: headerList({ 'cache-control': CACHE_LIVE }),
  };
  const lastPage = {
    data: [...pageHeaders, ...caching.data],
    live: [...pageHeaders, ...caching.live],
  };
  const answers = boundedCache<RememberedAnswer>(CACHE_BYTES, ({ content }) => content.bytes.length * 2);
  const askedBefore = secondTime();
  let seen = generation();
  /** Resources found whole since `checked`. */
  const intact = new Set<string>();
  let checked = seen;

  const fromCall = (operation: Operation, ask: Ask): Reply | Promise<Reply> => {
    const current = generation();
    if (current !== seen) answers.clear();
    seen = current;
    const key = `${operation.name}${ask.search}`;
    const known = answers.get(key);
    if (known) return send(known.content, ask, known.headers);
    const deliver = (answer: Result): Reply => {
      const { body } = written(operation.name, answer);
      if (!answer.ok) return faultReply(answer.fault, body, ask);
      // What is missing may be back in a moment: an answer without it is kept no longer than an error.
      const kept = answer.partial ? 'live' : operation.freshness;
      const headers =
        answer.next === null ? lastPage[kept] : pageBefore(operation.name, kept, ask.search, answer.next);
      const content = contentOf(body, JSON_TYPE, 'fresh');
      if (operation.freshness === 'data' && askedBefore(key)) answers.set(key, { content, headers });
      return send(content, ask, headers);
    };
    const answer = call(operation, () => readQuery(operation, ask.search), context, report);
    return answer instanceof Promise ? answer.then(deliver) : deliver(answer);
  };

  const faultReply = ({ code }: Fault, body: Uint8Array, ask: Ask): Reply => {
    const headers = [...pageHeaders, 'cache-control', FAULTS[code].cache];
    if (code === 'method_not_allowed') headers.push('allow', ALLOWED_METHODS);
    if (code === 'unavailable') headers.push('retry-after', '60');
    return send(contentOf(body, JSON_TYPE, 'fresh'), ask, headers, FAULTS[code].status);
  };
  const refuse = (fault: Fault, ask: Ask): Reply => faultReply(fault, errorBody(fault), ask);

  return (ask) => {
    if (ask.pathname.length + ask.search.length > MOST_URL_BYTES)
      return refuse(new Fault('uri_too_long', `The URL is longer than ${MOST_URL_BYTES} bytes.`), ask);
    if (ask.method === 'OPTIONS')
      return {
        status: 204,
        headers: headerList({ ...SHARED, ...PREFLIGHT, allow: ALLOWED_METHODS, link: plain }),
        body: null,
      };
    if (ask.method !== 'GET' && ask.method !== 'HEAD')
      return refuse(
        new Fault('method_not_allowed', `Every operation is a read: use ${ALLOWED_METHODS}.`),
        ask,
      );
    const prefix = `/${API_ROOT}/`;
    const rest = ask.pathname.startsWith(prefix) ? ask.pathname.slice(prefix.length) : '';
    const operation = operationOf(rest);
    if (!operation) return publishedPage(ask);
    if ((ask.search === '' || ask.search === '?') && operation.freshness === 'data' && isIntact(operation)) {
      const page = files?.(pagePath(operation.name), ask, pageHeaders);
      if (page && page !== 'damaged') return page;
    }
    return fromCall(operation, ask);
  };

  /** A page says nothing that could not be said anew: what it was made of must be whole. */
  function isIntact({ name, pinned, packs }: Operation): boolean {
    const current = generation();
    if (current !== checked) intact.clear();
    checked = current;
    if (intact.has(name)) return true;
    const whole = opens(() => {
      if (pinned !== undefined) context.store.document(pinned);
      for (const { id } of packs?.(context.store) ?? []) context.store.pack(id);
    });
    // Opening may find that files were replaced: then nothing found before holds.
    if (whole && generation() === checked) intact.add(name);
    return whole;
  }

  /** A page asked for by its file name, as mirrors do; it takes no parameters, and none is ignored. */
  function publishedPage(ask: Ask): Reply | Promise<Reply> {
    const path = /\.json(\.sha256)?$/.test(ask.pathname) ? publishedPath(ask.pathname) : null;
    const page = path === null ? null : files?.(path, ask, pageHeaders);
    const [, name = '', cursor] = PAGE_FILE.exec(path ?? '') ?? [];
    const operation = operationOf(name);
    if (page && operation?.freshness === 'data' && ask.search.length <= 1 && !isIntact(operation))
      return fromCall(operation, { ...ask, search: cursor === undefined ? '' : `?cursor=${cursor}` });
    if (page === 'damaged')
      return refuse(
        new Fault('unavailable', 'This page does not match its checksum and is not served.'),
        ask,
      );
    if (page && ask.search.length > 1)
      return refuse(
        new Fault(
          'invalid_request',
          'A published page takes no parameters; ask for the resource without ".json" to filter.',
        ),
        ask,
      );
    return (
      page ??
      refuse(
        new Fault(
          'not_found',
          `There is no such resource under /api; /${API_ROOT}/capabilities lists what there is.`,
        ),
        ask,
      )
    );
  }

  function pageBefore(
    name: string,
    freshness: Operation['freshness'],
    search: string,
    cursor: string,
  ): HeaderList {
    const next = `${absolute(siteUrl, `${API_ROOT}/${name}`)}?${nextQuery(search, cursor)}`;
    return [...shared, 'link', linkHeader(siteUrl, next), ...caching[freshness]];
  }
}

function opens(open: () => void): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}

/** An answer kept whole, with the headers that are always the same. */
interface RememberedAnswer {
  content: Content;
  headers: HeaderList;
}

/** Tells whether a key was asked lately: an answer nobody asks for again is not worth keeping. */
function secondTime(): (key: string) => boolean {
  const lately = new Set<string>();
  return (key) => {
    if (key.length > LONGEST_KEY) return false;
    if (lately.delete(key)) return true;
    if (lately.size >= KEYS) lately.delete(lately.values().next().value ?? key);
    lately.add(key);
    return false;
  };
}

/** The query of the next page: the one that was asked, with another cursor. */
function nextQuery(search: string, cursor: string): string {
  if (!/^[\w.~=&?-]*$/.test(search)) {
    const query = new URLSearchParams(search);
    query.set('cursor', cursor);
    return query.toString();
  }
  // Nothing is escaped, so nothing needs to be written anew.
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('cursor='));
  return [...kept, `cursor=${cursor}`].join('&');
}
