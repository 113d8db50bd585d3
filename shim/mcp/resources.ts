/** The read-only resources: catalog, capabilities, the infrastructure-context artifact, and the rights of each dataset. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { call } from '../core/call.ts';
import { payloadBytes } from '../core/envelope.ts';
import { Fault } from '../core/faults.ts';
import { operationOf } from '../core/operations/all.ts';
import { BRI_ARTIFACT } from '../core/paths.ts';
import type { Context } from '../core/types.ts';
import { datasetIds, rightsOf } from './rights.ts';
import {
  ARTIFACT_URI,
  CAPABILITIES_URI,
  CATALOG_URI,
  DATASET_TEMPLATE,
  datasetOfUri,
  datasetUri,
} from './uris.ts';

const JSON_TYPE = { mimeType: 'application/json' };

/** A resource that always stands in the list, and the text it reads as. */
interface FixedResource {
  resource: Resource;
  text(context: Context): string | Promise<string>;
}

const FIXED: FixedResource[] = [
  {
    resource: {
      uri: CATALOG_URI,
      name: 'catalog',
      title: 'Market catalog',
      description:
        'Every market dataset: indicators, geographies, categories, coverage, sources, licences. No values.',
      ...JSON_TYPE,
    },
    text: (context) => payloadText('markets', context),
  },
  {
    resource: {
      uri: CAPABILITIES_URI,
      name: 'capabilities',
      title: 'Capabilities',
      description:
        'Resources, parameters, schemas, every packaged file with its sha256, limits and the safety boundary.',
      ...JSON_TYPE,
    },
    text: (context) => payloadText('capabilities', context),
  },
  {
    resource: {
      uri: ARTIFACT_URI,
      name: 'producerp-bri',
      title: 'Infrastructure-context artifact',
      description:
        'The pinned artifact exactly as published. Parallel context only; never joined to drug-market evidence.',
      ...JSON_TYPE,
    },
    text: ({ store }) => new TextDecoder().decode(store.document(BRI_ARTIFACT)),
  },
];

/** The one template: licence and caveats of a dataset. */
export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: DATASET_TEMPLATE,
    name: 'dataset-rights',
    title: 'Licence and caveats of a dataset',
    description:
      'Sources with publisher, licence and sha256, limitations, and the hash of the packaged bytes of one dataset.',
    ...JSON_TYPE,
  },
];

/** Every resource. Datasets are missing from the list while the packaged data cannot be read. */
export function listResources(context: Context): Resource[] {
  return [...FIXED.map(({ resource }) => resource), ...readableIds(context).map(rightsResource)];
}

/** The contents of one resource. Throws resource-not-found, or an internal error that says what is unavailable. */
export async function readResource(uri: string, context: Context): Promise<ReadResourceResult> {
  return { contents: [{ uri, ...JSON_TYPE, text: await resourceText(uri, context) }] };
}

async function resourceText(uri: string, context: Context): Promise<string> {
  try {
    const fixed = FIXED.find(({ resource }) => resource.uri === uri);
    if (fixed) return await fixed.text(context);
    const id = datasetOfUri(uri);
    const rights = id === null ? null : rightsOf(id, context);
    if (rights) return JSON.stringify(rights);
  } catch (error) {
    if (error instanceof Fault) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    throw error;
  }
  throw new ResourceNotFoundError(uri);
}

async function payloadText(name: string, context: Context): Promise<string> {
  const operation = operationOf(name);
  if (!operation) throw new Error(`no operation ${name}`);
  const result = await call(operation, {}, context, (error) => {
    throw error;
  });
  if (!result.ok) throw result.fault;
  return new TextDecoder().decode(payloadBytes(result.payload));
}

function readableIds(context: Context): string[] {
  try {
    return datasetIds(context);
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

function rightsResource(id: string): Resource {
  return {
    uri: datasetUri(id),
    name: `datasets/${id}`,
    title: `Licence and caveats of ${id}`,
    description: `Publisher, licence, source hashes and limitations of dataset ${id}.`,
    ...JSON_TYPE,
  };
}
