/** What the explorer shows for an address, as data that the service makes and a page draws. Types alone, no behaviour. */
import type { ExploreQuery } from './explore-query.ts';
import type { Fault } from './faults.ts';
import type { DatasetSource, Observation } from './records.ts';
import type { seriesAt } from './series-directory.ts';

/** The response of market-observations, as far as the page reads it. */
export interface ExploreAnswer {
  status: string;
  datasets: ({ id: string; path: string } | null)[];
  page: { limit: number; matched: number; returned: number; next_cursor: string | null };
  observations: Observation[];
  sources: ExploreSource[];
  absence: ExploreAbsence | null;
  limitations: string[];
}

/** A source of the records shown; `stale` and `staleAfter` are those of the catalog, `older` says that it has a newer file of it. */
export type ExploreSource = Pick<DatasetSource, 'id' | 'name' | 'publisher' | 'sha256' | 'license'> &
  Partial<Pick<DatasetSource, 'stale' | 'staleAfter'>> & {
    datasetId: string;
    edition: string;
    older?: boolean;
  };

/** Why nothing matches, and what there is instead. */
export interface ExploreAbsence {
  parameter: string | null;
  reason: string;
  nearest: string[];
  periods: string[];
  elsewhere: { category: string; subgroup: string; periods: string[] }[];
  message: string;
}

/** A line of the directory of series. */
export type ExploreLine = ReturnType<typeof seriesAt>;

/** A value of a list, and its name for people. */
export type Choice = readonly [value: string, name: string];

/** What the lists of the form hold, only what has rows; and the place that was given. */
export interface Choices {
  dataset: Choice[];
  indicator: Choice[];
  geo: Choice[];
  category: string[];
  subgroup: string[];
  /** The name of the place that was given, whether or not it has rows; null where none is known. */
  place: string | null;
}

/** Choices of a filter that leave fewer of the series found, each with how many; none where the filter is chosen already. */
export interface Fewer {
  name: 'dataset' | 'indicator';
  options: { value: string; label: string; matched: number }[];
}

/** An error as the API gives it. */
export type ExploreFault = Pick<Fault, 'code' | 'message' | 'lasting' | 'retryAfter'>;

/** Everything the page is drawn from. */
export interface Exploration {
  query: ExploreQuery;
  fault: ExploreFault | null;
  answer: ExploreAnswer | null;
  /** All records that match, where a figure may be drawn of them: those of the page, or a list; null where there are too many. */
  all: 'page' | Observation[] | null;
  /** Limitations that name other labels with records of the same place. */
  beside: string[];
  /** Limitations that say that the edition shown of a dataset is not the current one. */
  earlier: string[];
  choices: Choices;
  /** Labels of the indicators of the records, or of the one asked for. */
  indicators: Record<string, string>;
  /** How not to read each indicator of the records, in one sentence of the edition they are of. */
  boundaries: Record<string, string | undefined>;
  /** What words of `find` lead to, or why they lead to nothing. */
  found: { lines: ExploreLine[]; matched: number; notes: string[]; fewer: Fewer | null } | null;
  findFault: ExploreFault | null;
  generatedAt: string | null;
}
