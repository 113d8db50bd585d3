/** Addresses of the MCP resources: the same on every mirror of the same bytes. */

export const CATALOG_URI = 'svc://catalog';
export const CAPABILITIES_URI = 'svc://capabilities';
export const ARTIFACT_URI = 'svc://producerp-bri';
/** Template of a dataset's licence and caveats. */
export const DATASET_TEMPLATE = 'svc://datasets/{id}';

/** Address of a dataset's licence and caveats. */
export function datasetUri(id: string): string {
  return DATASET_TEMPLATE.replace('{id}', id);
}

/** The dataset an address names, null when it names none. */
export function datasetOfUri(uri: string): string | null {
  return /^svc:\/\/datasets\/([a-z0-9-]+)$/.exec(uri)?.[1] ?? null;
}
