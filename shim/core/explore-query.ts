/**
 * The address of the explorer: a query of market-observations with the same names, and a few names of the page's own that the API does not
 * have. The part of the API is left as it was sent, so that it is read and refused exactly as the API does.
 */

/** How records are shown in a figure of every record, the only views that may be in a frame. */
export const FIGURE_VIEWS = ['series', 'multiples', 'dots', 'map'] as const;
/** How records are shown. */
export const VIEWS = ['table', ...FIGURE_VIEWS, 'matrix'] as const;
/** The name of a view. */
export type ViewName = (typeof VIEWS)[number];

/** The columns by which the table can be sorted; with a hyphen before it, downwards. */
export const SORTS = ['place', 'period', 'label', 'value', 'unit', 'status', 'range', 'cell'] as const;
/** The name of a column to sort by. */
export type SortName = (typeof SORTS)[number];

/** The names of the page's own. `form` marks what a form sent: there, empty means any; `answer` asks for data instead of the page. */
const OWN = ['view', 'sort', 'unit', 'find', 'form', 'answer'] as const;
type OwnName = (typeof OWN)[number];

/** The filters of the API in their order; it has `limit` and `cursor` besides. A browser does not load the definitions for them. */
export const FILTERS = [
  'dataset',
  'indicator',
  'geo',
  'category',
  'subgroup',
  'from',
  'to',
  'as_of',
  'id',
] as const;

/** Records that a figure is drawn of at most: above, it is refused and the table is shown. */
export const MOST_DRAWN = 2000;

/** In a form, the choice of records whose label is empty: an empty choice means any. */
export const NO_LABEL = '(none)';

/** What an address asks of the explorer. */
export interface ExploreQuery {
  /** The API's part as sent, with its `?`; empty where there is none. */
  search: string;
  /** The API's part as names and texts, the first of each name. */
  given: Readonly<Record<string, string>>;
  /** Null: chosen by what the records are. */
  view: ViewName | null;
  sort: { by: SortName; down: boolean } | null;
  /** The unit that a map draws. */
  unit: string | null;
  /** Words by which series are looked for. */
  find: string | null;
  /** Whether the data of the page is asked for. A copy of the files gives its page instead, and no error. */
  data: boolean;
  /** What is wrong with a name of the page's own: the name, and a sentence. */
  refused: { parameter: string; message: string } | null;
}

/** Reads an address; the refusal of an unknown view lists the views `offered`. It never throws: what the API refuses is left to the API. */
export function readExplore(search: string, offered: readonly ViewName[] = VIEWS): ExploreQuery {
  const pairs = search.replace(/^\?/, '').split('&').filter(Boolean);
  const own = new Map<OwnName, string>();
  let refused: ExploreQuery['refused'] = null;
  const api = pairs.filter((pair) => {
    const [[name = '', value = ''] = []] = new URLSearchParams(pair);
    if (!isOwn(name)) return true;
    if (own.has(name))
      refused ??= { parameter: name, message: `Parameter "${name}" was given more than once.` };
    own.set(name, value);
    return false;
  });
  const chosen = <T extends string>(name: OwnName, all: readonly T[], accepted: string): T | null => {
    const text = own.get(name);
    if (text === undefined) return null;
    const found = all.find((one) => one === text.replace(name === 'sort' ? /^-/ : '', ''));
    const message = `Invalid value ${JSON.stringify(text.slice(0, 100))} for parameter "${name}": expected one of ${accepted}.`;
    if (!found) refused ??= { parameter: name, message };
    return found ?? null;
  };
  const view = chosen('view', VIEWS, offered.join(', '));
  const by = chosen('sort', SORTS, `${SORTS.join(', ')}, or one of these after a hyphen`);
  const given: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(api.join('&'))) given[name] ??= value;
  return {
    search: api.length === 0 ? '' : `?${api.join('&')}`,
    given,
    view,
    sort: by === null ? null : { by, down: own.get('sort')?.startsWith('-') === true },
    unit: own.get('unit') ?? null,
    find: own.get('find') ?? null,
    data: own.has('answer'),
    refused,
  };
}

function isOwn(name: string): name is OwnName {
  return OWN.some((own) => own === name);
}

/** The address of a query that a form sent, without what it leaves open; null where no form sent it. */
export function submitted(search: string): string | null {
  const sent = new URLSearchParams(search);
  if (!sent.has('form')) return null;
  const kept = [...sent].flatMap(([name, value]) => {
    const isUnlabelled = value === NO_LABEL && (name === 'category' || name === 'subgroup');
    const text = isUnlabelled ? '' : value.trim();
    return name === 'form' || (text === '' && !isUnlabelled) ? [] : [`${name}=${encodeURIComponent(text)}`];
  });
  return kept.join('&');
}
