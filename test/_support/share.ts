/** Tests that go through thousands of alike cases take a share of them. With TEST_ALL=1 they take all. */
import { groupedBy } from '../../shim/core/groups.ts';

const TAKES_ALL = process.env['TEST_ALL'] === '1';
const MOST_OF_A_KIND = 12;

/** How many cases to take: `all` of them, or `few` in a run that takes a share. */
export function casesOf(all: number, few: number): number {
  return TAKES_ALL ? all : few;
}

/** One case in each `step`, from the first to the last. */
export function shareOf<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_case, at) => TAKES_ALL || at % step === 0);
}

/** Of the paths of each kind (top folders, depth and ending) at most twelve, spread over all of the kind. */
export function someOfEachKind(paths: readonly string[]): string[] {
  const kindOf = (path: string): string => {
    const parts = path.split('/');
    return JSON.stringify([
      parts.slice(0, Math.max(0, Math.min(2, parts.length - 2))),
      parts.length,
      /\.[^/]*$/.exec(path)?.[0],
    ]);
  };
  const kinds = [...groupedBy(paths, kindOf).values()];
  return kinds.flatMap((kind) => shareOf(kind, Math.ceil(kind.length / MOST_OF_A_KIND)));
}
