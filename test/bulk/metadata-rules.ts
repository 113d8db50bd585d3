/**
 * What the three specifications require of a metadata document, as rules that return findings:
 * Data Package 2.0 (datapackage.org/standard), Croissant 1.0 (docs.mlcommons.org/croissant) and DCAT-AP 3.0
 * (semiceu.github.io/DCAT-AP): required members, cardinalities, value types, references that resolve.
 */
import { isObject } from '../../shim/core/json.ts';
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';

const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'list'];
const PATH = /^(https?:\/\/.+|(?![./~])(?!.*\.\.)[^\\]+)$/;

/** Findings of a Data Package. */
export function frictionlessFindings(document: JsonObject): string[] {
  const found: string[] = [];
  const say = (ok: boolean, message: string): void => void (ok || found.push(message));
  say(document['$schema'] === 'https://datapackage.org/profiles/2.0/datapackage.json', '$schema');
  const resources = objects(document['resources']);
  say(resources.length > 0, 'a package needs resources');
  say(new Set(resources.map(({ name }) => name)).size === resources.length, 'names of resources are unique');
  for (const holder of [document, ...resources]) {
    const at = String(holder['name']);
    say(/^[a-z0-9._-]+$/.test(at), `${at}: name`);
    for (const licence of objects(holder['licenses'])) {
      say(isText(licence['name']) || isText(licence['path']), `${at}: a licence needs a name or a path`);
      say(/^[-a-zA-Z0-9._]+$/.test(String(licence['name'] ?? 'x')), `${at}: name of the licence`);
      say(PATH.test(String(licence['path'] ?? 'x')), `${at}: path of the licence`);
    }
    for (const source of objects(holder['sources'])) {
      say(isText(source['title']), `${at}: a source needs a title`);
      say(PATH.test(String(source['path'] ?? 'x')), `${at}: path of the source`);
      say(isText(source['version'] ?? 'x'), `${at}: version of the source is a text`);
    }
    say(objects(holder['licenses']).length > 0, `${at}: licenses`);
  }
  for (const resource of resources) found.push(...resourceFindings(resource));
  say(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(document['created'])), 'created is a date-time');
  return found;
}

function resourceFindings(resource: JsonObject): string[] {
  const found: string[] = [];
  const at = String(resource['name']);
  const say = (ok: boolean, message: string): void => void (ok || found.push(`${at}: ${message}`));
  say(
    isText(resource['path']) && PATH.test(resource['path']) && !('data' in resource),
    'path is a relative path or URL',
  );
  say(Number.isInteger(resource['bytes']), 'bytes is an integer');
  say(/^[^:]+:[a-f0-9]+$/.test(String(resource['hash'])), 'hash is <algorithm>:<hex>');
  say(/^.+\/.+$/.test(String(resource['mediatype'])), 'mediatype');
  say([undefined, 'table'].includes(resource['type'] as undefined), 'type');
  const schema = resource['schema'];
  say(isObject(schema) === (resource['type'] === 'table'), 'a table has a schema');
  if (!isObject(schema)) return found;
  const fields = objects(schema['fields']);
  const names = fields.map(({ name }) => name);
  say(fields.length > 0 && new Set(names).size === names.length, 'fields have unique names');
  say(texts(schema['missingValues']), 'missingValues are texts');
  for (const { name, type, missingValues, constraints } of fields) {
    say(isText(name) && FIELD_TYPES.includes(String(type)), `type of field ${String(name)}`);
    say(missingValues === undefined || texts(missingValues), `missingValues of field ${String(name)}`);
    const { required, enum: values } = isObject(constraints) ? constraints : {};
    say([undefined, true].includes(required as undefined), `required of field ${String(name)}`);
    say(values === undefined || (texts(values) && values.length > 0), `enum of field ${String(name)}`);
  }
  say(
    Array.isArray(schema['primaryKey']) && schema['primaryKey'].every((key) => names.includes(key)),
    'primaryKey',
  );
  return found;
}

/** Findings of a Croissant document. */
export function croissantFindings(document: JsonObject): string[] {
  const found: string[] = [];
  const say = (ok: boolean, message: string): void => void (ok || found.push(message));
  const context = isObject(document['@context']) ? document['@context'] : {};
  for (const [term, iri] of [
    ['@vocab', 'https://schema.org/'],
    ['sc', 'https://schema.org/'],
    ['cr', 'http://mlcommons.org/croissant/'],
    ['dct', 'http://purl.org/dc/terms/'],
    ['conformsTo', 'dct:conformsTo'],
    ['recordSet', 'cr:recordSet'],
    ['field', 'cr:field'],
    ['source', 'cr:source'],
    ['extract', 'cr:extract'],
    ['column', 'cr:column'],
    ['fileObject', 'cr:fileObject'],
  ])
    say(context[term ?? ''] === iri, `@context ${String(term)}`);
  say(document['@type'] === 'sc:Dataset', '@type');
  say(document['conformsTo'] === 'http://mlcommons.org/croissant/1.0', 'conformsTo');
  for (const name of ['name', 'description', 'url', 'datePublished']) say(isText(document[name]), name);
  say(isUrl(document['url']), 'url is a URL');
  say(/^\d{4}-\d\d-\d\d$/.test(String(document['datePublished'])), 'datePublished is a date');
  say(/^\d+\.\d+\.\d+$/.test(String(document['version'])), 'version is MAJOR.MINOR.PATCH');
  say(/^@misc\{.+\}\n$/s.test(String(document['citeAs'])), 'citeAs is BibTeX');
  const creators = objects(document['creator']);
  say(creators.length > 0 && creators.every(({ name }) => isText(name)), 'creator');
  const licences = Array.isArray(document['license']) ? document['license'] : [];
  say(licences.length > 0, 'license');
  for (const licence of licences)
    say(
      isUrl(licence) || (isObject(licence) && licence['@type'] === 'sc:CreativeWork'),
      'license is a URL or a work',
    );
  const files = objects(document['distribution']);
  const sets = objects(document['recordSet']);
  const ids = [...files, ...sets, ...sets.flatMap(({ field }) => objects(field))].map((node) => node['@id']);
  say(new Set(ids).size === ids.length && ids.every(isText), 'every @id is there and unique');
  for (const file of files) {
    const at = String(file['@id']);
    say(file['@type'] === 'cr:FileObject' && isText(file['name']), `${at}: FileObject with a name`);
    say(isUrl(file['contentUrl']), `${at}: contentUrl`);
    say(/^[^;]+\/[^;]+$/.test(String(file['encodingFormat'])), `${at}: encodingFormat is a media type`);
    say(/^[a-f0-9]{64}$/.test(String(file['sha256'])), `${at}: sha256`);
  }
  for (const set of sets) {
    const fields = objects(set['field']);
    const own = fields.map((field) => field['@id']);
    say(set['@type'] === 'cr:RecordSet' && fields.length > 0, `${String(set['@id'])}: RecordSet with fields`);
    say(
      objects(set['key']).every((key) => own.includes(key['@id'])),
      `${String(set['@id'])}: key`,
    );
    for (const field of fields) {
      const at = String(field['@id']);
      const { fileObject, extract } = isObject(field['source']) ? field['source'] : {};
      say(field['@type'] === 'cr:Field' && isText(field['name']), `${at}: Field with a name`);
      say(/^sc:(Text|Float|Integer|Boolean)$/.test(String(field['dataType'])), `${at}: dataType`);
      say(
        isObject(fileObject) && files.some((file) => file['@id'] === fileObject['@id']),
        `${at}: fileObject`,
      );
      say(isObject(extract) && isText(extract['column']), `${at}: extract.column`);
    }
  }
  return found;
}

/** For each DCAT-AP class its properties: [minimum, maximum, class of the value or the literal's form]. */
const SHAPES: Record<string, Record<string, [min: number, max: number, range: string | RegExp]>> = {
  Catalog: {
    title: [1, 9, /./],
    description: [1, 9, /./],
    publisher: [1, 1, 'Agent'],
    dataset: [1, Infinity, 'Dataset'],
    service: [0, Infinity, 'DataService'],
    homepage: [0, 1, 'Document'],
    contactPoint: [1, 1, 'Kind'],
    themeTaxonomy: [1, 1, 'ConceptScheme'],
    language: [0, 9, 'LinguisticSystem'],
  },
  Dataset: {
    title: [1, 9, /./],
    description: [1, 9, /./],
    publisher: [0, 1, 'Agent'],
    creator: [0, Infinity, 'Agent'],
    distribution: [1, Infinity, 'Distribution'],
    theme: [1, 9, 'Concept'],
    contactPoint: [1, 1, 'Kind'],
    spatial: [0, Infinity, 'Location'],
    temporal: [0, Infinity, 'PeriodOfTime'],
    provenance: [0, Infinity, 'ProvenanceStatement'],
    page: [0, Infinity, 'Document'],
    language: [0, 9, 'LinguisticSystem'],
  },
  Distribution: {
    accessURL: [1, Infinity, /^https?:/],
    downloadURL: [0, Infinity, /^https?:/],
    license: [1, 1, 'LicenseDocument'],
    format: [0, 1, 'MediaTypeOrExtent'],
    mediaType: [0, 1, 'MediaType'],
    checksum: [1, 1, 'Checksum'],
    byteSize: [1, 1, /^\d+$/],
    language: [0, 9, 'LinguisticSystem'],
  },
  DataService: {
    title: [1, 9, /./],
    endpointURL: [1, Infinity, /^https?:/],
    endpointDescription: [0, Infinity, /^https?:/],
    servesDataset: [0, Infinity, 'Dataset'],
  },
  Checksum: { algorithm: [1, 1, 'ChecksumAlgorithm'], checksumValue: [1, 1, /^([a-f0-9]{2})+$/] },
  Agent: { name: [1, 9, /./] },
  Kind: { fn: [1, 1, /./], hasURL: [1, 1, /^https?:/] },
  LicenseDocument: { title: [1, 9, /./] },
  PeriodOfTime: { startDate: [1, 1, /./], endDate: [1, 1, /./] },
};

/** Findings of a DCAT-AP catalogue in JSON-LD. */
export function dcatFindings(document: JsonObject): string[] {
  const context = isObject(document['@context']) ? document['@context'] : {};
  const nodes = nodesIn(document['@graph']);
  const types = new Map(nodes.map((node) => [node['@id'], node['@type']]));
  const found = nodes.flatMap((node) => shapeFindings(node, types, context));
  if (nodes.filter((node) => node['@type'] === 'Catalog').length !== 1) found.push('one Catalog');
  const ids = nodes.flatMap((node) => (isText(node['@id']) ? [node['@id']] : []));
  if (new Set(ids).size !== ids.length) found.push('every @id is described once');
  return found;
}

function shapeFindings(node: JsonObject, types: Map<unknown, unknown>, context: JsonObject): string[] {
  const found: string[] = [];
  const at = `${String(node['@type'])} ${String(node['@id'] ?? '')}`;
  if (!isText(context[String(node['@type'])])) found.push(`${at}: its class is not in the context`);
  for (const name of Object.keys(node))
    if (!name.startsWith('@') && !name.includes(':') && context[name] === undefined)
      found.push(`${at}: ${name} is not in the context`);
  for (const [name, [min, max, range]] of Object.entries(SHAPES[String(node['@type'])] ?? {})) {
    const given = node[name];
    const values = given === undefined ? [] : Array.isArray(given) ? given : [given];
    if (values.length < min || values.length > max) found.push(`${at}: ${values.length} values of ${name}`);
    for (const value of values) {
      const fits =
        typeof range === 'string'
          ? (isObject(value) ? value['@type'] : types.get(value)) === range
          : range.test(String(isObject(value) ? value['@value'] : value));
      if (!fits) found.push(`${at}: ${name} is no ${String(range)}: ${JSON.stringify(value)}`);
    }
  }
  for (const name of ['modified', 'startDate', 'endDate']) {
    const value = node[name];
    if (isObject(value) && !fitsDate(String(value['@type']), String(value['@value'])))
      found.push(`${at}: ${name}`);
  }
  return found;
}

function fitsDate(type: string, value: string): boolean {
  const forms: Record<string, RegExp> = {
    'xsd:gYear': /^\d{4}$/,
    'xsd:gYearMonth': /^\d{4}-\d\d$/,
    'xsd:date': /^\d{4}-\d\d-\d\d$/,
    'xsd:dateTime': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  };
  return forms[type]?.test(value) ?? false;
}

function nodesIn(value: JsonValue | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap(nodesIn);
  return '@type' in value && !('@value' in value) ? [value, ...inner] : inner;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
}
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
function isUrl(value: unknown): boolean {
  return isText(value) && URL.canParse(value) && /^https?:/.test(value);
}
function texts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
