/**
 * The explorer: turns a form into an API request and shows the response as a table. It computes nothing: values
 * are shown as they come, null as unavailable. Everything is written as text, never as markup.
 */

const API = new URL('../api/v1/', document.baseURI);

/** How each resource is shown: a heading and the text of a record's cell. */
const COLUMNS = {
  'market-observations': [
    ['Geography', (record) => `${record.geoName} (${record.geoCode})`],
    ['Period', (record) => record.period],
    ['Indicator', (record) => record.indicatorId],
    ['Category', (record) => [record.category, record.subgroup].filter(Boolean).join('; ')],
    ['Value', (record) => valueText(record.value, record.unavailableReason)],
    [
      'Range',
      (record) =>
        record.lower === null && record.upper === null
          ? ''
          : `${valueText(record.lower)} to ${valueText(record.upper)}`,
    ],
    ['Unit', (record) => record.unit],
    ['Status', (record) => record.status],
    ['Source', (record) => `${record.sourceId}, ${record.sourceLocator}`],
  ],
  atlas: [
    ['Country', (record) => `${record.data.country} (${record.data.iso3})`],
    ['Year', (record) => String(record.data.year)],
    ['Domain', (record) => record.domain],
    ['Fields', (record) => fieldsOf(record.data)],
    ['Source', (record) => `${record.meta.source}, ${record.meta.locator}`],
  ],
  entities: [
    ['Official name', (record) => record.name],
    ['Number', (record) => String(record.sanctions_entity_number)],
    ['Type', (record) => record.entity_type],
    ['Programs', (record) => record.programs.join(', ')],
    ['Countries', (record) => record.countries.join(', ')],
  ],
};

let catalog = null;

for (const form of document.querySelectorAll('form[data-resource]')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show(form, null);
  });
  if (resourceOf(form) === 'market-observations') fillFromCatalog(form);
}
restore();
addEventListener('hashchange', restore);

/** Read as an attribute: a field named dataset hides the form's own `dataset`. */
function resourceOf(form) {
  return form.getAttribute('data-resource');
}

function restore() {
  const [resource, query] = decodeURI(location.hash.slice(1)).split('?');
  const form = document.querySelector(`form[data-resource="${CSS.escape(resource)}"]`);
  if (!form || query === undefined) return;
  for (const [name, value] of new URLSearchParams(query)) {
    const control = form.elements.namedItem(name);
    if (control) control.value = value;
  }
  show(form, null);
}

async function show(form, cursor) {
  const resource = resourceOf(form);
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
  history.replaceState(null, '', `#${resource}?${query}`);
  if (cursor) query.set('cursor', cursor);
  const address = new URL(`${resource}?${query}`, API);
  const place = document.querySelector(`[data-result="${resource}"]`);
  place.replaceChildren(element('p', 'Loading…', { role: 'status' }));
  const failure = (text) => [element('p', text, { role: 'alert', class: 'note warn' }), linkTo(address)];
  try {
    const body = await (await fetch(address)).json();
    place.replaceChildren(...(body.ok ? resultOf(form, body.data, address) : failure(body.message)));
  } catch (error) {
    place.replaceChildren(...failure(`No response: ${error.message}`));
  }
}

function resultOf(form, data, address) {
  const resource = resourceOf(form);
  const records = data.records ?? data.observations;
  const { page } = data;
  const parts = [
    element('p', `${page.matched} records match, ${page.returned} shown. Status: ${data.status}.`, {
      role: 'status',
    }),
    linkTo(address),
  ];
  if (records.length > 0) parts.push(tableOf(resource, records));
  if (page.next_cursor) {
    const next = element('button', 'Next page', { type: 'button' });
    next.addEventListener('click', () => show(form, page.next_cursor));
    parts.push(next);
  }
  const notes = [...(data.disclaimer ? [data.disclaimer] : []), ...(data.limitations ?? [])];
  const list = element('ul', '', { class: 'note' });
  list.append(...notes.map((note) => element('li', note)));
  return [...parts, element('h3', 'What these records cannot show'), list];
}

function tableOf(resource, records) {
  const columns = COLUMNS[resource];
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  head.append(...columns.map(([label]) => element('th', label, { scope: 'col' })));
  const body = table.createTBody();
  for (const record of records) {
    const row = body.insertRow();
    for (const [label, text] of columns) {
      const cell = row.insertCell();
      cell.textContent = text(record);
      if (label === 'Value' && record.value === null) cell.className = 'gone';
    }
  }
  const scroll = element('div', '', {
    class: 'scroll',
    role: 'region',
    tabindex: '0',
    'aria-label': `Records of ${resource}`,
  });
  scroll.append(table);
  return scroll;
}

function valueText(value, reason) {
  if (value === null) return reason ? `unavailable (${reason.replaceAll('_', ' ')})` : 'unavailable';
  return String(value);
}

/** The source's own fields as `path: value`, in their order. */
function fieldsOf(data, prefix = '') {
  return Object.entries(data)
    .filter(([name]) => prefix !== '' || !['iso3', 'country', 'year'].includes(name))
    .map(([name, value]) =>
      value !== null && typeof value === 'object'
        ? fieldsOf(value, `${prefix}${name}.`)
        : `${prefix}${name}: ${valueText(value)}`,
    )
    .join('; ');
}

/** Suggests what the catalog lists for the dataset and indicator chosen. */
async function fillFromCatalog(form) {
  try {
    catalog ??= (await (await fetch(new URL('markets', API))).json()).data;
  } catch {
    return;
  }
  const suggest = () => {
    const dataset = form.elements.namedItem('dataset').value;
    const indicator = form.elements.namedItem('indicator').value;
    const datasets = catalog.datasets.filter(({ id }) => dataset === '' || id === dataset);
    const indicators = datasets
      .flatMap((listed) => listed.indicators)
      .filter(({ id }) => indicator === '' || id === indicator);
    const names = Object.assign({}, ...datasets.map(({ geographyNames }) => geographyNames));
    fillList(
      form,
      'geo',
      distinct(indicators.flatMap(({ geographies }) => geographies)),
      (code) => names[code] ?? code,
    );
    fillList(form, 'category', distinct(indicators.flatMap(({ categories }) => categories)));
    fillList(form, 'subgroup', distinct(indicators.flatMap(({ subgroups }) => subgroups)));
  };
  form.addEventListener('change', suggest);
  suggest();
}

function fillList(form, name, values, labelOf = (value) => value) {
  const list = form.elements.namedItem(name).list;
  list.replaceChildren(...values.map((value) => element('option', labelOf(value), { value })));
}

function distinct(values) {
  return [...new Set(values)].filter((value) => value !== '').sort();
}

function linkTo(address) {
  const line = element('p', 'This response: ', { class: 'links' });
  line.append(element('a', address.href, { href: address.href }));
  return line;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
