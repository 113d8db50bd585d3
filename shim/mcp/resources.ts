/**
 * The read-only resources: catalog, capabilities, the infrastructure-context artifact, and the document of each dataset. Their
 * addresses are the same on every mirror of the same bytes.
 */
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import listings from './listings.json' with { type: 'json' };
import { call, ofNewest, settled } from '../core/call.ts';
import { indicatorsOf } from '../core/editions.ts';
import { payloadBytes } from '../core/envelope.ts';
import { unlessFault } from '../core/faults.ts';
import { requireDataset } from '../core/left-out.ts';
import { capabilities } from '../core/operations/all.ts';
import { markets } from '../core/operations/documents.ts';
import { BRI_ARTIFACT, datasetDocumentPath } from '../core/paths.ts';
import type { Context, Operation } from '../core/types.ts';

const JSON_TYPE = { mimeType: 'application/json' };

/** Resources that are always listed, each with what its text is read from. */
const FIXED = new Map<string, (context: Context) => string | Promise<string>>([
  ['svc://catalog', (context) => payloadText(markets, context)],
  ['svc://capabilities', (context) => payloadText(capabilities, context)],
  ['svc://producerp-bri', (context) => documentText(BRI_ARTIFACT, context)],
]);

/** The one template: licence and caveats of a dataset. */
export const TEMPLATE: ResourceTemplateType = listings.template;
const DATASET_URI = /^svc:\/\/datasets\/([a-z0-9-]+)$/;

/** Address of a dataset's licence and caveats. */
export function datasetUri(id: string): string {
  return TEMPLATE.uriTemplate.replace('{id}', id);
}

/** Ids of every packaged dataset. Throws an unavailable Fault when the manifest cannot be read. */
export function datasetIds(context: Context): string[] {
  return ofNewest(context, (release) => release.manifest()).packs.map(({ id }) => id);
}

/** Ids of the market indicators of a dataset, or of all. Throws an unavailable Fault. */
export function indicatorIds(context: Context, dataset?: string): string[] {
  const { packs: all } = ofNewest(context, (release) => release.manifest());
  const packs = all.filter(
    ({ id, kind }) => kind === 'observations' && (dataset === undefined || id === dataset),
  );
  return packs.flatMap(indicatorsOf);
}

/** Every resource. Datasets are missing from the list while the packaged data cannot be read. */
export function listResources(context: Context): Resource[] {
  const ids = unlessFault(() => datasetIds(context), []);
  return [...listings.resources, ...ids.map(datasetResource)];
}

/** The contents of one resource. Throws resource-not-found, or an unavailable Fault. */
export async function readResource(uri: string, context: Context): Promise<ReadResourceResult> {
  return { contents: [{ uri, ...JSON_TYPE, text: await settled(context, () => textOf(uri, context)) }] };
}

function textOf(uri: string, context: Context): string | Promise<string> {
  const text = FIXED.get(uri);
  if (text) return text(context);
  const id = DATASET_URI.exec(uri)?.[1];
  if (id === undefined || !datasetIds(context).includes(id)) {
    requireDataset(id, context.release.manifest());
    throw new ResourceNotFoundError(uri);
  }
  return documentText(datasetDocumentPath(id), context);
}

/** A published document, byte for byte. */
function documentText(path: string, context: Context): string {
  return new TextDecoder().decode(ofNewest(context, (release) => release.document(path)));
}

async function payloadText(operation: Operation, context: Context): Promise<string> {
  const result = await call(operation, {}, context, (error) => {
    throw error;
  });
  if (!result.ok) throw result.fault;
  return new TextDecoder().decode(payloadBytes(result.payload));
}

/** A dataset as a resource: its licence and caveats. */
export function datasetResource(id: string): Resource {
  return {
    uri: datasetUri(id),
    name: `datasets/${id}`,
    title: `Licence and caveats of ${id}`,
    description: `Publisher, licence, source hashes and limitations of dataset ${id}.`,
    ...JSON_TYPE,
  };
}
