/** Maps as tests read them: records made for them, and the marks of a printed figure. */
import type { Observation } from '../../shim/core/records.ts';
import type { FigureAbout } from '../../shim/view/chart/figure.ts';
import { unescaped } from './site-pages.ts';

/** A mark as it is printed. */
export interface PrintedMark {
  href: string;
  id: string;
  value: string;
  title: string;
}

/** What a prepared figure says of itself. */
export const ABOUT: FigureAbout = {
  id: 'f',
  root: '../',
  caption: 'Prepared',
  sources: [],
  boundary: null,
  query: 'api/v1/x',
};

/** What a reader sees of HTML. */
export function textOf(html: string): string {
  return unescaped(html.replaceAll(/<[^>]*>/g, ''));
}

/** The marks of a map in their order, then its records that are listed. */
export function marksOf(html: string): PrintedMark[] {
  const drawn =
    /<a href="(?<href>[^"]*)"><g class="mark[^>]*data-record="(?<id>[^"]*)"[^>]*data-value="(?<value>[^"]*)"><title>(?<title>[^<]*)/g;
  const listed =
    /<li class="mark[^>]*data-record="(?<id>[^"]*)"[^>]*data-value="(?<value>[^"]*)"><a href="(?<href>[^"]*)">(?<title>[^<]*)/g;
  return [...html.matchAll(drawn), ...html.matchAll(listed)].map(({ groups = {} }) => {
    const { href = '', id = '', value = '', title = '' } = groups;
    return { href, id, value, title: textOf(title) };
  });
}

/** A record of Belgium, 10 %, with what a test changes. */
export function madeRecord(change: Partial<Observation>): Observation {
  return {
    id: `prepared.${change.geoCode ?? 'BEL'}`,
    datasetId: 'prepared',
    edition: '2025-01',
    indicatorId: 'prepared',
    geoCode: 'BEL',
    geoName: 'Belgium',
    geoLevel: 'country',
    period: '2023',
    category: '',
    subgroup: '',
    group: '',
    value: 10,
    lower: null,
    upper: null,
    unit: '%',
    status: 'reported',
    unavailableReason: null,
    sourceId: 'prepared',
    sourceLocator: 'A!A1',
    ...change,
  };
}

/** A record without a value, of a country that is named by its code. */
export function unavailableIn(
  geoCode: string,
  unavailableReason: Observation['unavailableReason'],
): Observation {
  return madeRecord({ geoCode, geoName: geoCode, value: null, status: 'unavailable', unavailableReason });
}
