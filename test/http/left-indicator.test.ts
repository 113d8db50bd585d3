/** An indicator that left the current edition, in the explorer, in frames and in comparisons: what it is called, and what it may not be next to. */
import { expect, test } from 'vitest';
import { datasetArtifact, datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import { compare } from '../../shim/core/compare.ts';
import { explore } from '../../shim/core/explore.ts';
import { PROHIBITED_JOINS } from '../../shim/core/joins.ts';
import { datasetDocumentPath } from '../../shim/core/paths.ts';
import type { Context } from '../../shim/core/types.ts';
import { embedOf, printEmbed } from '../../shim/view/embed.ts';
import { finished } from '../../shim/core/steps.ts';
import { printExplore } from '../../shim/view/explore-page.ts';
import { printCompare } from '../../shim/view/compare.ts';
import { testContext } from '../_support/doors.ts';
import { catalogOf, packDatasets, packedStore } from '../_support/packed.ts';
import { TEST_SITE } from '../_support/tree.ts';
import { made } from '../revisions/made.ts';

const EARLIER = 'drug-seizures@2020-06';

/** A service of two editions, of which the first has `events` too, with these documents of editions. */
function serviceWith(documents: readonly string[]): Context {
  const rows = ['2017', '2018', '2019'].map((period) => ({ indicatorId: 'events', period }));
  const later = made({ edition: '2021-06', rows: [{}] });
  if (later.kind === 'observations')
    later.descriptor.indicators = later.descriptor.indicators.filter(({ id }) => id !== 'events');
  const packed = packDatasets([made({ edition: '2020-06', rows: [{}, ...rows] }), later]);
  const all = [...datasetDocuments(packed)];
  return testContext(
    packedStore(packed, [
      catalogOf(packed),
      ...all.filter(([id]) => documents.includes(id)).map(datasetArtifact),
    ]),
  );
}

const nothing = (): void => undefined;
const SITE = { siteUrl: TEST_SITE, generatedAt: null, query: '' };
const PAST = 'indicator=events&as_of=2020-12-31';
const titleOf = (html: string): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';

test.each([
  [PAST, 'Events: as published by 2020-12-31'],
  ['dataset=drug-seizures&as_of=2020-12-31&to=2019', 'Events: to 2019, as published by 2020-12-31'],
  ['indicator=events&geo=KEN', 'Events: KEN'],
  ['indicator=events&limit=1&as_of=2020-12-31', 'Events: as published by 2020-12-31'],
])('%s is called by the label of the edition that has it', (query, title) => {
  const model = explore(`?${query}`, serviceWith([EARLIER]), nothing);
  expect(titleOf(finished(printExplore(model, SITE, { world: null })))).toContain(title);
});

test('its frame and its view of a comparison are called so too', () => {
  const context = serviceWith([EARLIER]);
  const model = explore(`?${PAST}`, context, nothing);
  const embed = embedOf(model, TEST_SITE, null);
  expect(embed).toHaveProperty('figure');
  expect(titleOf(finished(printEmbed(model, embed, SITE)))).toContain('Events: ');
  const compared = compare(`?a=${encodeURIComponent(PAST)}&b=indicator%3Dweight`, context, nothing);
  expect(titleOf(finished(printCompare(compared, SITE)))).toContain('Compare: Events: ');
});

test('while the document of that edition is missing, it is called by its id', () => {
  const context = serviceWith([]);
  expect(() => context.release.document(datasetDocumentPath(EARLIER))).toThrow('unavailable');
  const model = explore(`?${PAST}`, context, nothing);
  expect(titleOf(finished(printExplore(model, SITE, { world: null })))).toContain('events: as published by');
});

test.each(PROHIBITED_JOINS.filter(({ others }) => others.includes('drugs')))(
  'it is of the lane of its dataset: $lane may not be next to it',
  ({ lane, why }) => {
    const other = lane === 'context' ? 'producerp-bri' : 'entities?country=MX';
    const { refusals } = compare(
      `?a=${encodeURIComponent(PAST)}&b=${encodeURIComponent(other)}`,
      serviceWith([EARLIER]),
      nothing,
    );
    expect(refusals.map((one) => one.why.slice(1))).toEqual([`${why.slice(1)}.`]);
  },
);
