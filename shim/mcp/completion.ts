/** Completions of ids: datasets and indicators, for the prompt's arguments and the resource template. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import type { Context } from '../core/types.ts';
import { CITE_PROMPT } from './prompt.ts';
import { datasetIds, indicatorIds } from './rights.ts';
import { DATASET_TEMPLATE } from './uris.ts';

/** The protocol's limit. */
const MOST = 100;

/** Ids that contain what was typed, those that begin with it first. Throws invalid-params for an unknown reference. */
export function complete(
  { ref, argument, context: given }: CompleteRequestParams,
  context: Context,
): CompleteResult {
  const ids = idsFor(ref, argument.name, given?.arguments?.['dataset'], context);
  const begins = ids.filter((id) => id.startsWith(argument.value));
  const holds = ids.filter((id) => !id.startsWith(argument.value) && id.includes(argument.value));
  const values = [...begins, ...holds];
  return {
    completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST },
  };
}

function idsFor(
  ref: CompleteRequestParams['ref'],
  argument: string,
  dataset: string | undefined,
  context: Context,
): string[] {
  if (ref.type === 'ref/resource' && ref.uri === DATASET_TEMPLATE && argument === 'id')
    return datasetIds(context);
  if (ref.type === 'ref/prompt' && ref.name === CITE_PROMPT.name) {
    if (argument === 'dataset') return datasetIds(context);
    if (argument === 'indicator') return indicatorIds(context, dataset);
    if (argument === 'question') return [];
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Completions exist for the arguments of prompt ${CITE_PROMPT.name} and for id of ${DATASET_TEMPLATE}.`,
  );
}
