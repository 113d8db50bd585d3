/** The resources there are, one line each: route, tool, pages, OpenAPI and capabilities follow. */
import type { Operation } from '../operation.ts';
import { atlas } from './atlas.ts';
import { capabilitiesOf } from './capabilities.ts';
import { entities } from './entities.ts';
import { federation } from './federation.ts';
import { marketObservations } from './market-observations.ts';
import { markets } from './markets.ts';
import { producerpBri, producerpCorridors } from './producerp.ts';

const RESOURCES: Operation[] = [
  markets,
  marketObservations,
  atlas,
  entities,
  federation,
  producerpCorridors,
  producerpBri,
];

/** Every operation, capabilities first. */
export const OPERATIONS: Operation[] = [capabilitiesOf(RESOURCES), ...RESOURCES];

/** The operation of a resource name. */
export function operationOf(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name);
}
