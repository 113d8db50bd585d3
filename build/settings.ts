/** Every setting of the build, read in one place; a bad value stops it with one line that names it. */
import type { Settings } from '../shim/core/types.ts';

/** A setting with a value nobody can use. */
export class BadSetting extends Error {
  constructor(name: string, value: string, accepts: string) {
    super(`${name} is ${JSON.stringify(value)}; it accepts ${accepts}`);
    this.name = 'BadSetting';
  }
}

/** The settings of a build from the environment. `SITE_URL` falls back to Netlify's `URL`, then to localhost. */
export function buildSettings(env: Record<string, string | undefined>): Settings {
  const given = env['SITE_URL'] ?? (env['NETLIFY'] ? env['URL'] : undefined) ?? 'http://localhost:3000';
  return { siteUrl: siteUrlOf(given) };
}

/** An http(s) origin, with a path at most, without trailing slash. */
export function siteUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain =
    url &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (!plain)
    throw new BadSetting('SITE_URL', text, 'an http or https address without query, fragment or credentials');
  return text.replace(/\/+$/, '');
}
