/** The one prompt, how to cite evidence of a dataset so that every number can be checked, and the completions of ids. */
import type {
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Prompt,
} from '@modelcontextprotocol/server';
import listings from './listings.json' with { type: 'json' };
import type { Context } from '../core/types.ts';
import { invalidParams } from './protocol.ts';
import { datasetIds, datasetUri, indicatorIds, readResource, TEMPLATE } from './resources.ts';

/** The prompt as listed. */
export const CITE_PROMPT: Prompt = listings.prompt;

/** The messages of the prompt, with the dataset's document embedded. Throws invalid-params that name what is accepted. */
export async function getPrompt(
  name: string,
  args: Record<string, string> | undefined,
  context: Context,
): Promise<GetPromptResult> {
  if (name !== CITE_PROMPT.name) throw invalidParams(`Unknown prompt. Available: ${CITE_PROMPT.name}.`);
  const { dataset, indicator, question, ...others } = args ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalidParams(`Unknown argument ${unknown}; the prompt accepts dataset, indicator, question.`);
  const datasets = datasetIds(context);
  if (dataset === undefined || !datasets.includes(dataset))
    throw invalidParams(`Argument dataset accepts one of ${datasets.join(', ')}.`);
  const indicators = indicatorIds(context, dataset);
  if (indicator !== undefined && !indicators.includes(indicator))
    throw invalidParams(
      `Argument indicator accepts one of ${indicators.join(', ') || 'none for this dataset'}.`,
    );
  const about =
    indicator === undefined ? `dataset ${dataset}` : `indicator ${indicator} of dataset ${dataset}`;
  const task =
    question === undefined
      ? 'Answer the question of this conversation.'
      : `Answer this question: ${question}`;
  const { contents } = await readResource(datasetUri(dataset), context);
  const text = [task, `Evidence: ${about}, as above.`, ...listings.rules].join('\n- ');
  return {
    description: `Citing ${about}`,
    messages: [
      ...contents.map((resource) => ({
        role: 'user' as const,
        content: { type: 'resource' as const, resource },
      })),
      { role: 'user', content: { type: 'text', text } },
    ],
  };
}

/** The protocol's limit. */
const MAX_COMPLETIONS = 100;

/** Ids that contain the typed text, those that begin with it first. Throws invalid-params for an unknown reference. */
export function complete(
  { ref, argument, context: given }: CompleteRequestParams,
  context: Context,
): CompleteResult {
  const ids = idsFor(ref, argument.name, given?.arguments?.['dataset'], context);
  const begins = ids.filter((id) => id.startsWith(argument.value));
  const contains = ids.filter((id) => !id.startsWith(argument.value) && id.includes(argument.value));
  const values = [...begins, ...contains];
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}

function idsFor(
  ref: CompleteRequestParams['ref'],
  argument: string,
  dataset: string | undefined,
  context: Context,
): string[] {
  if (ref.type === 'ref/resource' && ref.uri === TEMPLATE.uriTemplate && argument === 'id')
    return datasetIds(context);
  if (ref.type === 'ref/prompt' && ref.name === CITE_PROMPT.name) {
    if (argument === 'dataset') return datasetIds(context);
    if (argument === 'indicator') return indicatorIds(context, dataset);
    if (argument === 'question') return [];
  }
  throw invalidParams(
    `Completions exist for the arguments of prompt ${CITE_PROMPT.name} and for id of ${TEMPLATE.uriTemplate}.`,
  );
}
