/** The chain of unfiltered pages: from `<resource>.json` every further page must be reached, once, by files alone. */
import { API_ROOT, pagePath } from '../../shim/core/paths.ts';
import type { ReleaseFinding } from './findings.ts';

/** What a page says about itself; null for a response without pages. */
export type PageFacts = { matched: number; returned: number; nextCursor: string | null } | null;

const PAGE = new RegExp(`^${API_ROOT}/([a-z-]+)(/[A-Za-z0-9_-]+)?\\.json$`);

/** Whether a path is a page of the API. */
export function isPage(path: string): boolean {
  return PAGE.test(path);
}

/** The resource that a path is the first page of; null for any other path. */
export function resourceOf(path: string): string | null {
  const [, resource, cursor] = PAGE.exec(path) ?? [];
  return cursor === undefined ? (resource ?? null) : null;
}

/** Reads what a page says about itself. */
export function pageFacts(body: Uint8Array): PageFacts {
  let page: unknown;
  try {
    page = member(member(JSON.parse(new TextDecoder().decode(body)), 'data'), 'page');
  } catch {
    return null;
  }
  const [matched, returned] = [member(page, 'matched'), member(page, 'returned')];
  const next = member(page, 'next_cursor');
  return typeof matched === 'number' && typeof returned === 'number'
    ? { matched, returned, nextCursor: typeof next === 'string' ? next : null }
    : null;
}

/** Walks every chain over the listed pages. Altered pages have no facts: another rule reports them. */
export function checkPages(listed: string[], facts: ReadonlyMap<string, PageFacts>): ReleaseFinding[] {
  const findings: ReleaseFinding[] = [];
  const unreached = new Set(listed.filter(isPage));
  for (const first of listed) {
    const resource = resourceOf(first);
    if (resource === null) continue;
    const { isWhole, fault } = walk(resource, first, unreached, facts);
    if (fault) findings.push(fault);
    // One cut is one finding, not one for each page behind it.
    if (!isWhole)
      for (const path of unreached) if (path.startsWith(`${API_ROOT}/${resource}/`)) unreached.delete(path);
  }
  for (const file of unreached)
    findings.push({ file, rule: 'page-chain', message: 'is not reached from a first page by next_cursor' });
  return findings;
}

/** Follows one chain and takes its pages out of `unreached`. */
function walk(
  resource: string,
  first: string,
  unreached: Set<string>,
  facts: ReadonlyMap<string, PageFacts>,
): { isWhole: boolean; fault: ReleaseFinding | null } {
  let records = 0;
  for (let path = first; ;) {
    const fault = (message: string): ReleaseFinding => ({ file: path, rule: 'page-chain', message });
    unreached.delete(path);
    const page = facts.get(path);
    if (!page) return { isWhole: page === null, fault: null };
    records += page.returned;
    if (page.nextCursor === null)
      return records === page.matched
        ? { isWhole: true, fault: null }
        : { isWhole: false, fault: fault(`ends the walk after ${records} records of ${page.matched}`) };
    const next = pagePath(resource, page.nextCursor);
    if (!unreached.has(next))
      return { isWhole: false, fault: fault(`leads to ${next}, which is not a further page`) };
    path = next;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
