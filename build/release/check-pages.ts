/** The chain of unfiltered pages: from `<resource>.json` every further page must be reached, once, by files alone. */
import { API_ROOT, pagePath } from '../../shim/core/paths.ts';
import type { ReleaseFinding } from './finding.ts';

/** What a page says of itself; null for an answer without pages. */
export interface PageFacts {
  matched: number;
  returned: number;
  nextCursor: string | null;
}

const FIRST = new RegExp(`^${API_ROOT}/([a-z-]+)\\.json$`);
const FURTHER = new RegExp(`^${API_ROOT}/([a-z-]+)/([A-Za-z0-9_-]+)\\.json$`);

/** Whether a path is a page of the API. */
export function isPage(path: string): boolean {
  return FIRST.test(path) || FURTHER.test(path);
}

/** The resource a path is the first page of; null for any other. */
export function resourceOf(path: string): string | null {
  return FIRST.exec(path)?.[1] ?? null;
}

/** Reads a page's own account of itself. */
export function pageFacts(body: Uint8Array): PageFacts | null {
  try {
    const page = member(member(JSON.parse(new TextDecoder().decode(body)), 'data'), 'page');
    const [matched, returned, next] = [
      member(page, 'matched'),
      member(page, 'returned'),
      member(page, 'next_cursor'),
    ];
    return typeof matched === 'number' && typeof returned === 'number'
      ? { matched, returned, nextCursor: typeof next === 'string' ? next : null }
      : null;
  } catch {
    return null;
  }
}

/** Walks every chain over the listed pages. Pages that were altered have no facts: another rule names them. */
export function checkPages(listed: string[], facts: ReadonlyMap<string, PageFacts | null>): ReleaseFinding[] {
  const findings: ReleaseFinding[] = [];
  const pages = new Set(listed.filter(isPage));
  for (const first of listed) {
    const resource = resourceOf(first);
    if (resource === null) continue;
    const walk = walked(resource, first, pages, facts);
    for (const path of walk.reached) pages.delete(path);
    if (walk.fault) findings.push(walk.fault);
    if (walk.fault || walk.cut) dropRest(pages, resource);
  }
  for (const file of pages)
    findings.push({ file, rule: 'page-chain', message: 'is reached from no first page by next_cursor' });
  return findings;
}

interface Walk {
  reached: string[];
  fault: ReleaseFinding | null;
  /** The walk ended at a page whose content is not as released. */
  cut: boolean;
}

function walked(
  resource: string,
  first: string,
  pages: ReadonlySet<string>,
  facts: ReadonlyMap<string, PageFacts | null>,
): Walk {
  const reached: string[] = [];
  let records = 0;
  for (let path = first; ;) {
    reached.push(path);
    if (!facts.has(path)) return { reached, fault: null, cut: true };
    const page = facts.get(path);
    if (!page) return { reached, fault: null, cut: false };
    records += page.returned;
    if (page.nextCursor === null) return { reached, fault: totals(path, records, page.matched), cut: false };
    const next = pagePath(resource, page.nextCursor);
    if (!pages.has(next) || reached.includes(next))
      return {
        reached,
        fault: { file: path, rule: 'page-chain', message: `leads to ${next}, which is no further page` },
        cut: true,
      };
    path = next;
  }
}

function totals(file: string, records: number, matched: number): ReleaseFinding | null {
  if (records === matched) return null;
  return { file, rule: 'page-chain', message: `ends the walk after ${records} records of ${matched}` };
}

function dropRest(pages: Set<string>, resource: string): void {
  for (const path of pages) if (path.startsWith(`${API_ROOT}/${resource}/`)) pages.delete(path);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
