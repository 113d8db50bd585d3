/** The settings of the build, read in one place. */
import { sharedSettings } from '../shim/settings.ts';
import type { Settings } from '../shim/core/types.ts';

export { BadSetting } from '../shim/settings.ts';

/** Settings of a build from the environment. Throws BadSetting. */
export function buildSettings(env: Record<string, string | undefined>): Settings {
  return sharedSettings(env);
}
