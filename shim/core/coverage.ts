/**
 * One sentence for agents: the publications that a resource is based on, with their dates. It is read from the open release,
 * because editions and lists change with it; what cannot be read is left out.
 */
import { Fault } from './faults.ts';
import { readJson, rowsOf } from './json.ts';
import { BRI_ARTIFACT, CORRIDORS } from './paths.ts';
import type { JsonObject, PackEntry, Release } from './types.ts';

/** A publication: what it is called here, who publishes it, and its date. */
interface Publication {
  name: string;
  publisher: string;
  date: string;
}

const READERS: Record<string, (release: Release) => string> = {
  markets: marketTables,
  'market-observations': marketTables,
  series: marketTables,
  revisions: marketTables,
  atlas: (release) =>
    `Sources and their dates: ${byPublisher(
      packsOf(release, 'atlas').map(({ edition, meta }) => {
        const [source = {}] = rowsOf(meta['metadata'], 'sources');
        return {
          name: `${String(meta['domain'])} from the ${String(source['name'])}`,
          publisher: String(source['publisher']),
          date: edition,
        };
      }),
    )}.`,
  entities(release) {
    const lists = packsOf(release, 'entities').map(({ rows, meta }) => {
      const [source = {}] = rowsOf(meta['source'], 'sources');
      const date = String((meta['source'] as JsonObject)['sanctions_list_date']);
      return `${String(source['name'])}, of the ${String(source['publisher'])}: list of ${date}, ${rows} entries`;
    });
    return `List: ${lists.join('; ')}.`;
  },
  'producerp-corridors'(release) {
    const tables = rowsOf(readJson<JsonObject>(release, CORRIDORS), 'datasets').map((dataset) => {
      const dates = rowsOf(dataset, 'sources').map(({ edition }) => String(edition));
      const publisher = [dataset['publishers'] ?? []].flat().join(', ');
      return { name: String(dataset['id']), publisher, date: dates.sort().at(-1) ?? '' };
    });
    return `Publishers and dates of the tables: ${byPublisher(tables)}.`;
  },
  'producerp-bri': (release) => `${artifactLine(release)}.`,
  federation: (release) => `${artifactLine(release)}; the lanes producers-* are read at each request.`,
};

/** The sentence for a resource; an empty list where it has none or it cannot be read. */
export function coverageOf(operation: string, release: Release): string[] {
  try {
    return [READERS[operation]?.(release) ?? []].flat();
  } catch (error) {
    if (error instanceof Fault || error instanceof SyntaxError) return [];
    throw error;
  }
}

function marketTables(release: Release): string {
  const tables = packsOf(release, 'observations').map(({ id, edition, meta }) => ({
    name: id,
    publisher: [...new Set(rowsOf(meta, 'sources').map(({ publisher }) => String(publisher)))].join(', '),
    date: edition,
  }));
  return `Publishers and dates of the tables: ${byPublisher(tables)}.`;
}

function artifactLine(release: Release): string {
  const artifact = readJson<JsonObject>(release, BRI_ARTIFACT);
  const { source, clocks } = artifact['economicContext'] as Record<string, JsonObject>;
  return `Release of ProducerP of ${String(artifact['dataAsOf']).slice(0, 10)}, with series of the ${String(source?.['publisher'])} last updated ${String(clocks?.['datasetLastUpdated'])}`;
}

/** "Publisher: table (date), table (date); Publisher: ..." */
function byPublisher(publications: Publication[]): string {
  const publishers = [...new Set(publications.map(({ publisher }) => publisher))];
  return publishers
    .map((publisher) => {
      const own = publications.filter((publication) => publication.publisher === publisher);
      return `${publisher}: ${own.map(({ name, date }) => `${name} (${date})`).join(', ')}`;
    })
    .join('; ');
}

function packsOf(release: Release, kind: PackEntry['kind']): PackEntry[] {
  return release.manifest().packs.filter((pack) => pack.kind === kind);
}
