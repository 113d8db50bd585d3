/**
 * The row shape of the bulk forms: which columns a dataset has, in which order, of which type. A column is a leaf of the
 * JSON record and is called by its dotted path there, so CSV, Parquet and the metadata documents all read this one list.
 */
import observationSchema from '../../../schemas/observation.schema.json' with { type: 'json' };
import type { AtlasDescriptor, Descriptor } from '../../lib/dataset.ts';

export type ColumnType = 'string' | 'number' | 'integer' | 'boolean' | 'list';

/** A column of a dataset; `name` is the dotted path of the leaf in the JSON record. */
export interface Column {
  name: string;
  type: ColumnType;
  description: string;
  /** May be null: an empty CSV cell, a Parquet null. Every other column always holds a value. */
  nullable: boolean;
  /** A text or list that may be empty without being missing. */
  blank: boolean;
  /** The closed list of values, where there is one. */
  values: readonly string[] | null;
}

const { properties } = observationSchema;

/** The columns of every observations dataset: the fields of an observation, in their order. */
export const OBSERVATION_COLUMNS: readonly Column[] = [
  text('id', 'Record id, unique and stable while the source cell stays where it is.'),
  text('datasetId', 'Dataset id of the market catalog.'),
  text('indicatorId', 'Indicator id of the market catalog.'),
  text('geoCode', 'ISO 3166-1 alpha-3 code, or an x- code where none exists.'),
  text('geoName', 'Name of the geography.'),
  closed('geoLevel', 'Level of the geography.', properties.geoLevel.enum),
  text('period', 'Year YYYY or month YYYY-MM.'),
  blank('category', 'Category as printed; empty when the source has none.'),
  blank('subgroup', 'Subgroup as printed; empty when the source has none.'),
  number('value', 'Value in the unit of the row; null is unavailable, 0 is a zero the source printed.'),
  number('lower', 'Lower bound as printed; null when the source gives none.'),
  number('upper', 'Upper bound as printed; null when the source gives none.'),
  blank('unit', 'Unit as printed by the source, never converted; empty when the source prints none.'),
  closed('status', 'unavailable exactly when value is null.', properties.status.enum),
  {
    ...closed(
      'unavailableReason',
      'Why the value is missing; null unless status is unavailable.',
      properties.unavailableReason.enum,
    ),
    nullable: true,
  },
  text('sourceId', 'Id of the source in the dataset descriptor.'),
  text('sourceLocator', 'Cell of the publisher file that holds the value.'),
];

const ENTITY_COLUMNS: readonly Column[] = [
  integer('sanctions_entity_number', 'Number of the entry in the official list.'),
  text('name', 'Primary name as the official list prints it.'),
  text('entity_type', 'aircraft, individual, organization or vessel.'),
  list('programs', 'Sanctions programs of the entry.'),
  list('countries', 'Countries the official list names in the entry.'),
  text('meta.evidence_class', 'administrative_action: a designation is no judgment of a court.'),
  {
    ...text('meta.adjudication', 'false: the record is no adjudication.'),
    type: 'boolean',
  },
  text('meta.source', 'Title of the source.'),
  text('meta.source_url', 'Page of the source.'),
  text('meta.downloaded_at', 'When the copy was obtained.'),
];

/** The columns of a dataset, in the order of its records' leaves. */
export function columnsOf(descriptor: Descriptor): readonly Column[] {
  if (descriptor.kind === 'observations') return OBSERVATION_COLUMNS;
  return descriptor.kind === 'atlas' ? atlasColumns(descriptor) : ENTITY_COLUMNS;
}

/** The columns that identify a row. */
export function keyOf({ kind }: Descriptor): readonly string[] {
  if (kind === 'observations') return ['id'];
  return kind === 'atlas' ? ['domain', 'data.iso3', 'data.year'] : ['sanctions_entity_number'];
}

function atlasColumns({ fields }: AtlasDescriptor): Column[] {
  return [
    text('domain', 'Domain of the atlas.'),
    text('meta.availability', 'observed, partial or unavailable.'),
    list('meta.unavailable_fields', 'Fields (or groups) of data that are missing: not reported, never zero.'),
    text('meta.source', 'Id of the source in the dataset descriptor.'),
    text('meta.source_url', 'Page of the source.'),
    text('meta.source_sha256', 'sha256 of the publisher file.'),
    text('meta.locator', 'Cells of the publisher file.'),
    text('meta.downloaded_at', 'When the copy was obtained.'),
    text('meta.rights', 'Rights statement.'),
    list('meta.caveats', 'What a reader must know.'),
    text('data.iso3', 'ISO 3166-1 alpha-3 code.'),
    text('data.country', 'Country as printed.'),
    integer('data.year', 'Year of the record.'),
    ...fields.map(({ path, label }) =>
      number(`data.${path}`, `${label}. null is unavailable, 0 a reported zero.`),
    ),
  ];
}

function text(name: string, description: string): Column {
  return { name, type: 'string', description, nullable: false, blank: false, values: null };
}

function blank(name: string, description: string): Column {
  return { ...text(name, description), blank: true };
}

function closed(name: string, description: string, values: readonly (string | null)[]): Column {
  return { ...text(name, description), values: values.filter((value) => value !== null) };
}

function number(name: string, description: string): Column {
  return { ...text(name, description), type: 'number', nullable: true };
}

function integer(name: string, description: string): Column {
  return { ...text(name, description), type: 'integer' };
}

function list(name: string, description: string): Column {
  return { ...blank(name, description), type: 'list' };
}
