/** Licence, sources and caveats of one packaged dataset, as its own documents state them. */
import { readJsonDocument } from '../core/document.ts';
import { CATALOG, CORRIDORS } from '../core/paths.ts';
import type { Context, JsonObject, JsonValue, PackEntry } from '../core/types.ts';

/** The rights document of a dataset, null when there is no such dataset. Throws an unavailable Fault. */
export function rightsOf(id: string, context: Context): JsonObject | null {
  const pack = context.store.manifest().packs.find((entry) => entry.id === id);
  if (!pack) return null;
  const described = describedIn(pack, context);
  const sources = objects(described['sources']);
  return {
    schema: 'svc.mcp.dataset-rights.v1',
    id,
    title: described['title'] ?? pack.meta['title'] ?? id,
    path: `/${pack.path}`,
    bytes: pack.bytes,
    sha256: pack.sha256,
    records: pack.rows,
    publishers: distinct(texts(described['publishers']), sources, 'publisher'),
    licenses: distinct(texts(described['licenses']), sources, 'license'),
    sources,
    limitations: texts(described['limitations']),
    indicators: objects(described['indicators']).map((indicator) => ({
      id: indicator['id'] ?? null,
      label: indicator['label'] ?? null,
      limitations: texts(indicator['limitations']),
    })),
    staleNotes: texts(pack.meta['staleNotes']),
    reuse:
      'Each source governs reuse of its data: name the publisher, keep the licence and the caveats, give the sha256.',
  };
}

/** The entry of a dataset where its sources are published: catalog, pack manifest, or the country aggregates. */
function describedIn({ id, kind, meta }: PackEntry, { store }: Context): JsonObject {
  if (kind === 'atlas') return object(meta['metadata']);
  if (kind === 'entities') return object(meta['source']);
  const document =
    kind === 'observations'
      ? readJsonDocument(store, CATALOG, 'The market catalog')
      : readJsonDocument(store, CORRIDORS, 'The country aggregates');
  return objects(document['datasets']).find((dataset) => dataset['id'] === id) ?? {};
}

function distinct(given: string[], sources: JsonObject[], name: string): string[] {
  const found = sources.map((source) => source[name]).filter((value) => typeof value === 'string');
  return [...new Set([...given, ...found])];
}

function object(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}

/** The texts of a list. */
export function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
