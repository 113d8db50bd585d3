/** The figure of an indicator that too few places have for one picture of a period. */
import { groupedBy } from '../../../shim/core/groups.ts';
import type { DatasetDocument, DatasetIndicator, Observation } from '../../../shim/core/records.ts';
import { apiAddress } from '../../../shim/view/address.ts';
import { dotPlot } from '../../../shim/view/chart/dots.ts';
import type { FigureAbout } from '../../../shim/view/chart/figure.ts';
import { seriesFigure } from '../../../shim/view/chart/panels.ts';
import { seriesOf } from '../../../shim/view/chart/series.ts';
import type { Child } from '../../../shim/view/node.ts';
import { figureSources } from '../../../shim/view/source-line.ts';
import { labelOf } from '../../../shim/view/words.ts';
import { byCodeUnits } from '../../lib/dataset.ts';

/** Series that fit into one figure. */
const MOST_SERIES = 24;

/** All series where they fit into one figure, else the label and period with the most places as a dot plot. */
export function fewPlacesFigure(
  document: DatasetDocument,
  indicator: DatasetIndicator,
  records: readonly Observation[],
  root: string,
): Child {
  const { id, label, market } = indicator;
  const aboutOf = (
    own: readonly Observation[],
    caption: string,
    filters: Parameters<typeof apiAddress>[1],
  ): FigureAbout => ({
    id: 'places',
    root,
    caption,
    sources: figureSources(
      document,
      own.map(({ sourceId }) => sourceId),
    ),
    boundary: indicator.limitations[0] ?? document.limitations[0] ?? null,
    query: market === 'context' ? null : apiAddress('market-observations', filters),
  });
  if (seriesOf(records).length <= MOST_SERIES)
    return seriesFigure(records, aboutOf(records, `${label}: every series`, { indicator: id }));
  const [widest] = [
    ...groupedBy(records, ({ period, category, subgroup, unit }) =>
      JSON.stringify([period, category, subgroup, unit]),
    ).values(),
  ]
    .map((rows) => ({ rows, places: new Set(rows.map(({ geoCode }) => geoCode)).size }))
    .sort((a, b) => b.places - a.places || byCodeUnits(periodOf(b.rows), periodOf(a.rows)));
  const [first] = widest?.rows ?? [];
  if (!widest || !first) return null;
  const { period, category, subgroup } = first;
  return dotPlot(
    widest.rows,
    aboutOf(
      widest.rows,
      `${label}: ${labelOf(first)}, ${period}, the label and period with the most places`,
      {
        indicator: id,
        category,
        subgroup,
        from: period,
        to: period,
      },
    ),
  );
}

function periodOf([first]: readonly Observation[]): string {
  return first?.period ?? '';
}
