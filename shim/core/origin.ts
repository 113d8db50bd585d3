/** The one origin that may be contacted: `PRODUCERS_BASE_URL`. */

/** What the setting accepts, for its error line and its documentation. */
export const ORIGIN_ACCEPTS =
  'an https origin such as https://producer.example, without path, query, fragment or credentials';

/** The origin of a setting's text. Throws an Error of one line that names the variable and hides credentials. */
export function parseProducersBaseUrl(text: string): URL {
  if (/^https:\/\/[^\s/?#@\\]+\/?$/i.test(text) && URL.canParse(text)) return new URL(new URL(text).origin);
  const shown = JSON.stringify(text.replace(/\/\/[^/]*@/, '//***@'));
  throw new Error(`PRODUCERS_BASE_URL is ${shown}; it accepts ${ORIGIN_ACCEPTS}`);
}

/** The address of a path below the origin. Throws where it would leave the origin or carry credentials. */
export function upstreamUrl(origin: URL, path: string): URL {
  const url = new URL(path, origin);
  if (url.origin !== origin.origin || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error(`${path} does not stand under the configured origin`);
  return url;
}
