/** The resources that are one document of the release: the market catalog, the list of editions, what the context producer published. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/markets.schema.json' with { type: 'json' };
import editionsSchema from '../../../schemas/editions.schema.json' with { type: 'json' };
import bri from '../../../schemas/producerp-bri.schema.json' with { type: 'json' };
import corridors from '../../../schemas/producerp-corridors.schema.json' with { type: 'json' };
import { documentResource } from './definitions.ts';
import { absolute, BRI_ARTIFACT, BRI_SCHEMA, CATALOG, CORRIDORS, EDITIONS, sidecarPath } from '../paths.ts';
import { Fault, unavailable } from '../faults.ts';
import { isObject, readJson } from '../json.ts';
import type { JsonObject, JsonValue, Operation, PackManifest, Release } from '../types.ts';
import { artifactSummary, catalogPart, corridorsPart } from './short-forms.ts';

/** The date given where the contract requires one and the packaged data cannot be read. */
const NO_MOMENT = '1970-01-01T00:00:00Z';

/** `markets`: the catalog of market datasets. */
export const markets: Operation = {
  ...documentResource('markets', output, (input, { release }) =>
    catalogPart(readJsonDocument(release, CATALOG, 'The market catalog'), input, release),
  ),
  unavailable(_input, { release }, message) {
    const { generatedAt, unavailable: missing } = readableManifest(release);
    return {
      schema: 'svc.global-market-catalog.v1',
      status: 'unavailable',
      generatedAt,
      unavailableDatasets: missing.map(({ id, reason }) => ({ id, reason })),
      limitations: [
        message,
        'datasets is empty because the catalog cannot be read now, not because there are no datasets.',
        `generatedAt ${NO_MOMENT} means the date of the data could not be read.`,
      ],
      datasets: [],
      relatedResources: [],
    };
  },
};

/** The manifest, or in its place what responses say while it cannot be read. */
export function readableManifest(release: Release): Pick<PackManifest, 'generatedAt' | 'unavailable'> {
  try {
    return release.manifest();
  } catch {
    return { generatedAt: NO_MOMENT, unavailable: [] };
  }
}

/** `editions`: every edition of every dataset. */
export const editions = documentResource('editions', editionsSchema, (_input, { release }) =>
  readJsonDocument(release, EDITIONS, 'The list of editions'),
);

/** `producerp-bri`: the infrastructure-context artifact in its envelope. */
export const producerpBri = documentResource('producerp-bri', bri, ({ detail }, { settings, release }) => {
  const { interpretation, summaryNote } = definitions['producerp-bri'];
  const isShort = detail === 'summary';
  const artifact = readJsonDocument(release, BRI_ARTIFACT, 'The infrastructure-context artifact');
  const canonical = absolute(settings.siteUrl, BRI_ARTIFACT);
  return {
    schema: 'svc.api.producerp-bri-envelope.v1',
    data: isShort ? artifactSummary(artifact) : artifact,
    links: { canonical, sha256: sidecarPath(canonical), schema: absolute(settings.siteUrl, BRI_SCHEMA) },
    interpretation: isShort ? `${interpretation} ${summaryNote}` : interpretation,
  };
});

/** `producerp-corridors`: official country aggregates for China, Myanmar and Pakistan, as the build selected them. */
export const producerpCorridors = documentResource('producerp-corridors', corridors, (input, { release }) =>
  corridorsPart(readJsonDocument(release, CORRIDORS, 'The country aggregates'), input),
);

/** The verified document at `path`; `what` names it to the client. Throws an unavailable Fault when missing or damaged. */
function readJsonDocument(release: Release, path: string, what: string): JsonObject {
  try {
    const value = readJson<JsonValue>(release, path);
    if (isObject(value)) return value;
  } catch (error) {
    throw error instanceof Fault ? error : unavailable(what, error);
  }
  throw unavailable(what);
}
