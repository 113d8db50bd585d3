/** Which resources a tool's result leads to: the licence and caveats of the datasets it drew on. */
import type { ResourceLink } from '@modelcontextprotocol/server';
import type { JsonObject, JsonValue } from '../core/types.ts';
import { ARTIFACT_URI, CATALOG_URI, datasetUri } from './uris.ts';

/** Links of one result; a result that draws on no packaged dataset has none. */
export function linksOf(resource: string, data: JsonObject): ResourceLink[] {
  if (resource === 'markets') return [link(CATALOG_URI, 'Market catalog')];
  if (resource === 'producerp-bri') return [link(ARTIFACT_URI, 'Infrastructure-context artifact')];
  return datasetsOf(resource, data).map((id) => link(datasetUri(id), `Licence and caveats of ${id}`));
}

/** Ids of the datasets whose records stand in a result, in the order they appear. */
function datasetsOf(resource: string, data: JsonObject): string[] {
  if (resource === 'market-observations') return ids(data['observations'], 'datasetId');
  if (resource === 'producerp-corridors') return ids(data['datasets'], 'id');
  if (resource === 'atlas')
    return ids(
      list(data['sources']).map((source) => member(source, 'metadata')),
      'id',
    );
  if (resource === 'entities') return ids([data['source'] ?? null], 'id');
  return [];
}

function ids(rows: JsonValue | undefined, name: string): string[] {
  const found = list(rows).map((row) => member(row, name));
  return [...new Set(found.filter((id) => typeof id === 'string'))];
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function member(value: JsonValue, name: string): JsonValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value[name] ?? null) : null;
}

function link(uri: string, title: string): ResourceLink {
  return { type: 'resource_link', uri, name: uri.replace('svc://', ''), title, mimeType: 'application/json' };
}
