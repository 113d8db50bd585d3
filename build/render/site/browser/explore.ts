/**
 * The explorer: turns a form into an API request and shows the response as a table. It computes nothing: values are shown as
 * they come, null as unavailable. Everything is written as text, never as markup.
 */
import type { AtlasRecord, Entity, Observation } from '../../../../shim/core/records.ts';
import { el, type Child } from '../../../../shim/view/node.ts';
import { list, table, type Column } from '../../../../shim/view/table.ts';
import { digits, labelOf, statusWords, valueOf } from '../../../../shim/view/words.ts';
import { draw } from './shared/dom.ts';

const API = new URL('../api/v1/', document.baseURI);

/** How a resource is shown: its columns, and the cells of a record. */
interface Shown {
  columns: Column[];
  /** What the API returns is checked against its schema there, so a record is taken as what its resource holds. */
  cells(record: never): Child[];
}

const SHOWN: Record<string, Shown> = {
  'market-observations': {
    columns: ['Place', 'Period', 'Label', 'Value', 'Unit', 'Status', 'Range', 'Cell'].map((head) => ({
      head,
      numeric: head === 'Value',
    })),
    cells: (record: Observation) => [
      record.geoName,
      record.period,
      labelOf(record),
      valueOf(record),
      record.unit,
      statusWords(record),
      rangeOf(record),
      `${record.sourceId}, ${record.sourceLocator}`,
    ],
  },
  atlas: {
    columns: ['Country', 'Year', 'Domain', 'Fields', 'Source'].map((head) => ({ head })),
    cells: ({ data, domain, meta }: AtlasRecord) => [
      `${data.country} (${data.iso3})`,
      String(data.year),
      domain,
      fieldsOf(data),
      `${meta.source}, ${meta.locator}`,
    ],
  },
  entities: {
    columns: ['Official name', 'Number', 'Type', 'Programs', 'Countries'].map((head) => ({ head })),
    cells: (record: Entity) => [
      record.name,
      String(record.sanctions_entity_number),
      record.entity_type,
      record.programs.join(', '),
      record.countries.join(', '),
    ],
  },
};

/** What the explorer reads of a response. */
interface Body {
  ok: boolean;
  message: string;
  data: {
    status: string;
    disclaimer?: string;
    limitations?: string[];
    page: { matched: number; returned: number; next_cursor: string | null };
    records?: never[];
    observations?: never[];
  };
}

/** What it reads of the catalog. */
interface Catalog {
  datasets: {
    id: string;
    geographyNames: Record<string, string>;
    indicators: { id: string; geographies: string[]; categories: string[]; subgroups: string[] }[];
  }[];
}

let catalog: Promise<Catalog> | null = null;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-resource]')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(form, null);
  });
  if (resourceOf(form) === 'market-observations') void fillFromCatalog(form);
}
restore();
addEventListener('hashchange', restore);

/** Read as an attribute: a field named dataset hides the form's own `dataset`. */
function resourceOf(form: HTMLFormElement): string {
  return form.getAttribute('data-resource') ?? '';
}

function restore(): void {
  const [resource = '', query] = location.hash.slice(1).split('?');
  const form = document.querySelector<HTMLFormElement>(`form[data-resource="${CSS.escape(resource)}"]`);
  if (!form || query === undefined) return;
  for (const [name, value] of new URLSearchParams(query)) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
  }
  void show(form, null);
}

async function show(form: HTMLFormElement, cursor: string | null): Promise<void> {
  const resource = resourceOf(form);
  const place = document.querySelector(`[data-result="${CSS.escape(resource)}"]`);
  if (!place) return;
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') query.set(name, value);
  history.replaceState(null, '', `#${resource}?${query}`);
  if (cursor !== null) query.set('cursor', cursor);
  const address = new URL(`${resource}?${query}`, API);
  const link = el('p', { class: 'links' }, 'This response: ', el('a', { href: address.href }, address.href));
  draw(place, el('p', { role: 'status' }, 'Loading…'));
  const failed = (text: string): void =>
    draw(place, [el('p', { role: 'alert', class: 'note warn' }, text), link]);
  try {
    const body = (await (await fetch(address)).json()) as Body;
    if (!body.ok) failed(body.message);
    else {
      draw(place, resultOf(resource, body.data, link));
      place
        .querySelector('button')
        ?.addEventListener('click', () => void show(form, body.data.page.next_cursor));
    }
  } catch (error) {
    failed(
      `No response: ${error instanceof Error ? error.message : String(error)}. A copy of the files alone cannot answer queries.`,
    );
  }
}

function resultOf(resource: string, data: Body['data'], link: Child): Child {
  const records = data.records ?? data.observations ?? [];
  const { page } = data;
  const shown = SHOWN[resource];
  const notes = [...(data.disclaimer ? [data.disclaimer] : []), ...(data.limitations ?? [])];
  return [
    el(
      'p',
      { role: 'status' },
      `${page.matched} records match, ${page.returned} shown. Status: ${data.status}.`,
    ),
    link,
    shown && records.length > 0
      ? table(
          `Records of ${resource}`,
          shown.columns,
          records.map((record) => ({ cells: shown.cells(record) })),
        )
      : null,
    page.next_cursor === null ? null : el('button', { type: 'button' }, 'Next page'),
    el('h3', {}, 'What these records cannot show'),
    list(notes),
  ];
}

function rangeOf({ lower, upper }: Observation): Child {
  if (lower === null && upper === null) return '';
  const bound = (value: number | null): Child => (value === null ? 'not given' : digits(value));
  return [bound(lower), ' to ', bound(upper)];
}

/** The source's own fields as `path: value`, in their order. */
function fieldsOf(data: object, prefix = ''): string {
  return Object.entries(data)
    .filter(([name]) => prefix !== '' || !['iso3', 'country', 'year'].includes(name))
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? fieldsOf(value, `${prefix}${name}.`)
        : `${prefix}${name}: ${value === null ? 'unavailable' : String(value)}`,
    )
    .join('; ');
}

/** Suggests what the catalog lists for the dataset and indicator chosen. */
async function fillFromCatalog(form: HTMLFormElement): Promise<void> {
  catalog ??= fetch(new URL('markets', API))
    .then((response) => response.json())
    .then(({ data }: { data: Catalog }) => data);
  const { datasets } = await catalog.catch((): Catalog => ({ datasets: [] }));
  const suggest = (): void => {
    const [dataset, indicator] = [chosen(form, 'dataset'), chosen(form, 'indicator')];
    const listed = datasets.filter(({ id }) => dataset === '' || id === dataset);
    const indicators = listed
      .flatMap((known) => known.indicators)
      .filter(({ id }) => indicator === '' || id === indicator);
    const names: Record<string, string> = Object.assign(
      {},
      ...listed.map(({ geographyNames }) => geographyNames),
    );
    fillList(
      form,
      'geo',
      indicators.flatMap(({ geographies }) => geographies),
      (code) => names[code] ?? code,
    );
    for (const [name, values] of [
      ['category', indicators.flatMap(({ categories }) => categories)],
      ['subgroup', indicators.flatMap(({ subgroups }) => subgroups)],
    ] as const)
      fillList(form, name, values);
  };
  form.addEventListener('change', suggest);
  suggest();
}

function chosen(form: HTMLFormElement, name: string): string {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLSelectElement ? control.value : '';
}

function fillList(
  form: HTMLFormElement,
  name: string,
  values: string[],
  worded = (value: string): string => value,
): void {
  const control = form.elements.namedItem(name);
  if (!(control instanceof HTMLInputElement) || control.list === null) return;
  const known = [...new Set(values)].filter((value) => value !== '').sort();
  draw(
    control.list,
    known.map((value) => el('option', { value }, worded(value))),
  );
}
