/** The 404 of a host of files alone: the bytes the app answers for an unknown path under /api. */
import { errorBody } from '../../../shim/core/envelope.ts';
import { Fault } from '../../../shim/core/faults.ts';
import { API_NOT_FOUND, API_ROOT } from '../../../shim/core/paths.ts';
import type { Artifact } from '../../lib/tree.ts';

/** Renders the body; hosts answer it with status 404. */
export function renderApiNotFound(): Artifact {
  const message = `There is no such resource under /api; /${API_ROOT}/capabilities lists what there is.`;
  return { path: API_NOT_FOUND, bytes: errorBody(new Fault('not_found', message)) };
}
