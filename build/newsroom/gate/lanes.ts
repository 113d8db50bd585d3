/** What holds for a story as a whole: lanes that must not meet in it, and persons it does not single out. */
import { cellOf, laneOf, type CitedDataset } from '../citation.ts';
import { prohibitedJoin } from './lane-rules.ts';
import { chartsOf, passagesOf, type Story } from '../story.ts';
import { shortened } from './paragraphs.ts';

/** Lanes that must not meet in a story, and persons no story singles out. The finding names the sentence that brings the second lane in. */
export function checkLanes(
  story: Story,
  datasets: Map<string, CitedDataset>,
  report: (line: number, rule: string, message: string) => void,
): void {
  const lanes = new Set<string>();
  let joined = false;
  const cited = [
    ...passagesOf(story).flatMap(({ tokens, place, line, text }) =>
      tokens.map((token) => ({ token, line, place: `${place} ${JSON.stringify(shortened(text))}` })),
    ),
    ...chartsOf(story).flatMap(({ points }) => points.map((point) => ({ ...point, place: 'chart' }))),
  ];
  for (const { token, line, place } of cited) {
    const cell = cellOf(token, datasets);
    if ('rule' in cell) continue;
    if (cell.record['entity_type'] === 'individual')
      report(line, 'person', `${place}: ${token.raw} is a natural person; no story singles one out`);
    lanes.add(laneOf(cell.record, cell.dataset.descriptor));
    const why = prohibitedJoin(lanes);
    if (why !== null && !joined) report(line, 'prohibited-join', `${place}: ${token.raw}: ${why}`);
    joined ||= why !== null;
  }
}
