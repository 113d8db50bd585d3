/** The settings of the build, read in one place. */
import { BadSetting } from '../shim/core/faults.ts';
import { sharedSettings } from '../shim/settings.ts';
import type { Settings } from '../shim/core/types.ts';
import { KEY_FORMS, signingKeyOf, type SigningKey } from './release/minisign.ts';

/** The settings of a build. The key never reaches an operation or a page. */
export interface BuildSettings extends Settings {
  signingKey?: SigningKey | null;
}

/** Settings of a build from the environment. Throws BadSetting. */
export function buildSettings(env: Record<string, string | undefined>): BuildSettings {
  const shared = sharedSettings(env);
  // Documents name it in fields that are URIs: what browsers correct silently is refused there.
  if (/[[\]^|]|%(?![\da-f]{2})/i.test(new URL(shared.siteUrl).pathname))
    throw new BadSetting(
      'SITE_URL',
      shared.siteUrl,
      'an address with a path of letters, digits, escapes and -._~/',
    );
  return { ...shared, signingKey: signingKeySetting(env['SIGNING_KEY'] ?? '') };
}

/** Unset or empty means that there is no key. A key that cannot be read is not shown: it may be one with a typing error. */
function signingKeySetting(text: string): SigningKey | null {
  if (text === '') return null;
  const key = signingKeyOf(text);
  if (key === null) throw new BadSetting('SIGNING_KEY', `(${text.length} characters, not shown)`, KEY_FORMS);
  return key;
}
