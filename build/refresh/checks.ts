/** The day of a check, recorded in the descriptors of the current editions with the address that was checked. */
import { join } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import type { Importer } from '../import/importer.ts';
import { presentEditions } from './editions.ts';
import type { CheckedSource } from './sources.ts';

/** Records that the publisher answered for these sources today. */
export function recordChecks(
  importer: Importer,
  sources: CheckedSource[],
  root: string,
  today: string,
): void {
  const checked = new Map(sources.map(({ id, refresh }) => [id, refresh]));
  const current = new Map(
    presentEditions(importer, root).map((dataset) => [dataset.descriptor.name, dataset]),
  );
  for (const { folder, descriptor } of current.values()) {
    for (const source of descriptor.sources) {
      const stated = checked.get(source.id);
      if (stated?.address !== undefined) source.refresh = { ...stated, lastChecked: today };
    }
    writeFileAtomic(join(folder, 'datapackage.json'), `${JSON.stringify(descriptor, null, 2)}\n`);
  }
}
