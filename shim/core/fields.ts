/**
 * The fields of a record, read from its schema: `observation`, `atlas-record` and `entity` are the only lists of them.
 * A field is a leaf of the JSON record and is called by its dotted path there; one with `x-csv` is also a column of
 * records.csv, in that position, called by its own name.
 */
import atlasRecord from '../../schemas/atlas-record.schema.json' with { type: 'json' };
import entity from '../../schemas/entity.schema.json' with { type: 'json' };
import observation from '../../schemas/observation.schema.json' with { type: 'json' };
import revision from '../../schemas/revision.schema.json' with { type: 'json' };
import { memberAt } from './json.ts';
import type { AtlasRecord, DatasetDocument } from './records.ts';
import type { JsonObject } from './types.ts';

export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'list';

/** A field of a dataset's records; `name` is the dotted path of the leaf in the JSON record. */
export interface Field {
  name: string;
  type: FieldType;
  description: string;
  /** May be null: an empty CSV cell, a Parquet null. Every other field always holds a value. */
  nullable: boolean;
  /** A text or list that may be empty without being missing. */
  blank: boolean;
  /** The closed list of values, where there is one. */
  values: readonly string[] | null;
}

/** A column of records.csv, called by the leaf's own name; `place` orders the columns in the file. */
export interface Column extends Field {
  place: number;
}

/** The part of a dataset's descriptor that decides its fields; revisions have fields as well. */
export type Fielded =
  | { kind: 'observations' | 'entities' | 'revisions' }
  | (Pick<DatasetDocument, 'fields'> &
      Required<Pick<DatasetDocument, 'domain' | 'unit'>> & { kind: 'atlas' });

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: (string | null)[];
  const?: string | boolean;
  properties?: Record<string, Schema>;
  'x-csv'?: number;
}

const SCHEMAS: Record<Fielded['kind'], Schema> = {
  observations: observation,
  atlas: atlasRecord,
  entities: entity,
  revisions: revision,
};

/** The fields of a dataset's records, in their order there. */
export function fieldsOf(descriptor: Fielded): Field[] {
  const fields = leavesOf(SCHEMAS[descriptor.kind]).map(([name, schema]) => fieldOf(name, schema));
  if (descriptor.kind !== 'atlas') return fields;
  const zero = descriptor.domain === 'firearms_tracing' ? ', 0 a reported zero' : '';
  const native = descriptor.fields.map(({ path, label }) =>
    nativeField(`data.${path}`, `${label}: ${descriptor.unit}; null is unavailable${zero}.`),
  );
  return [...fields, ...native];
}

/** The columns of records.csv of a dataset, in the order of the schema. */
export function columnsOf(descriptor: Fielded): Column[] {
  const columns = leavesOf(SCHEMAS[descriptor.kind]).flatMap(([path, schema]) => {
    const { 'x-csv': place } = schema;
    return place === undefined ? [] : [{ ...fieldOf(path.slice(path.lastIndexOf('.') + 1), schema), place }];
  });
  if (descriptor.kind !== 'atlas') return columns;
  const native = descriptor.fields.map(({ path, label }, position) => ({
    ...nativeField(path, label),
    place: columns.length + 1 + position,
  }));
  return [...columns, ...native];
}

/** The closed list of values of a field of an observation or entity; empty where it is open. */
export function valuesOf(kind: 'observations' | 'entities', name: string): readonly string[] {
  return fieldOf(name, SCHEMAS[kind].properties?.[name] ?? {}).values ?? [];
}

/** The leaves below a schema; below a group that may be null, every leaf may be null. */
function leavesOf({ properties = {}, type }: Schema, prefix = ''): [path: string, schema: Schema][] {
  const isOptional = Array.isArray(type) && type.includes('null');
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (schema.properties) return leavesOf(schema, `${prefix}${name}.`);
    return [[`${prefix}${name}`, isOptional ? orNull(schema) : schema]];
  });
}

function orNull(schema: Schema): Schema {
  if (schema.enum) return { ...schema, enum: [...new Set([...schema.enum, null])] };
  return { ...schema, type: [...new Set([schema.type ?? [], 'null'].flat())] };
}

function fieldOf(name: string, schema: Schema): Field {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const types =
    schema.type === undefined
      ? values.map((value) => (value === null ? 'null' : typeof value))
      : [schema.type].flat();
  const type = types.includes('array') ? 'list' : (types.find((one) => one !== 'null') as FieldType);
  const blank = type === 'string' && !NOT_BLANK.some((keyword) => Object.hasOwn(schema, keyword));
  return {
    name,
    type,
    description: schema.description ?? '',
    nullable: types.includes('null'),
    blank: type === 'list' || blank,
    values: schema.enum?.filter((value) => value !== null) ?? null,
  };
}

/** Keywords under which a text cannot be empty. */
const NOT_BLANK = ['minLength', 'pattern', 'enum', 'const'];

/** A field that an atlas takes from its own source. */
function nativeField(name: string, description: string): Field {
  return { name, type: 'number', description, nullable: true, blank: false, values: null };
}

/** The value of a field of the atlas at a dotted path; null where it or the group that holds it is unavailable. */
export function atlasValue({ data }: AtlasRecord, path: string): number | null {
  const value = memberAt(data as JsonObject, path);
  return typeof value === 'number' ? value : null;
}
