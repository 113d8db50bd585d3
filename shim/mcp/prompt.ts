/** The one prompt: how to cite evidence of a dataset so that every number can be checked. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Context } from '../core/types.ts';
import { datasetIds, indicatorIds } from './rights.ts';
import { readResource } from './resources.ts';
import { datasetUri } from './uris.ts';

/** The prompt as listed. */
export const CITE_PROMPT: Prompt = {
  name: 'cite_evidence',
  title: 'Cite evidence',
  description:
    'Answer from one dataset and cite every number so that a reader can check it against the source.',
  arguments: [
    {
      name: 'dataset',
      description: 'Dataset id, as the market catalog or a result names it.',
      required: true,
    },
    { name: 'indicator', description: 'Indicator id of that dataset; all of them when left out.' },
    { name: 'question', description: 'What to answer.' },
  ],
};

const RULES = [
  'Use only values that a tool of this server returned in this conversation; never fill a gap from memory.',
  'With each number give: the unit as printed, geography, period, status (reported or estimated), record id, source name and publisher, source locator, sha256 of the source and of the dataset.',
  'null is unavailable: say so, with its reason. 0 is an observed zero. Neither may stand for the other.',
  'Do not add, average, convert or rank values across categories, units, countries or datasets, and do not split annual values into months.',
  'A seizure is an administrative observation, not a market size. A designation is an administrative action, not proof of guilt. Infer no cause and no culpability.',
  'Name the licence and repeat the caveats that apply. When a cursor is refused as stale, restart from the first page.',
];

/** The messages of the prompt, with the dataset's licence and caveats embedded. Throws invalid-params that name what is accepted. */
export async function getPrompt(
  name: string,
  args: Record<string, string> | undefined,
  context: Context,
): Promise<GetPromptResult> {
  if (name !== CITE_PROMPT.name) throw invalid(`There is no prompt ${name}; there is ${CITE_PROMPT.name}.`);
  const { dataset, indicator, question, ...others } = args ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalid(`Unknown argument ${unknown}; the prompt accepts dataset, indicator, question.`);
  const datasets = datasetIds(context);
  if (dataset === undefined || !datasets.includes(dataset))
    throw invalid(`Argument dataset accepts one of ${datasets.join(', ')}.`);
  const indicators = indicatorIds(context, dataset);
  if (indicator !== undefined && !indicators.includes(indicator))
    throw invalid(`Argument indicator accepts one of ${indicators.join(', ') || 'none for this dataset'}.`);
  const { contents } = await readResource(datasetUri(dataset), context);
  const about =
    indicator === undefined ? `dataset ${dataset}` : `indicator ${indicator} of dataset ${dataset}`;
  const asked = question === undefined ? 'the question asked' : `this question: ${question}`;
  return {
    description: `Citing ${about}`,
    messages: [
      ...contents.map((resource) => ({
        role: 'user' as const,
        content: { type: 'resource' as const, resource },
      })),
      {
        role: 'user',
        content: {
          type: 'text',
          text: [`Answer ${asked}`, `Evidence: ${about}, as above.`, ...RULES].join('\n- '),
        },
      },
    ],
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
