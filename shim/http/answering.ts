/** Decides which code answers an address outside the API: that of its folder, unless there is a published file. */
import type { HttpRequest, Reply } from './content.ts';
import type { PublishedFiles } from './files.ts';

/** The folders that code answers. */
const FOLDERS = ['r', 'explore', 'designations', 'compare', 'embed', 'oembed', 'download', 'search'] as const;
/** A target whose reply may take longer to make than those of the API and of files: such requests wait in a line of their own. */
export const LONG = new RegExp(`^/(?:${FOLDERS.join('|')})(?:[/?]|$)`);

/** By such a folder: the code that answers addresses below it where there is no published file. */
export type Answered = Readonly<Partial<Record<(typeof FOLDERS)[number], Answering>>>;

/** Replies to the addresses below a folder. */
export interface Answering {
  reply(request: HttpRequest): Reply | Promise<Reply>;
  /** Whether requests with a query are answered even where the path is that of a published file. */
  queried: boolean;
  /** False where only the folder itself is answered, with a query. */
  below?: boolean;
  /** The one path that is answered, with and without a query: nothing is published there. */
  only?: string;
}

/** The code for an address below one of the folders; null for a published file, and for the folder itself. */
export function answering(
  { pathname, search }: HttpRequest,
  answered: Readonly<Record<string, Answering | undefined>>,
  files: PublishedFiles | null,
): Answering | null {
  const [, folder = '', below] = /^\/([a-z]+)(?:\/(.*))?$/s.exec(pathname) ?? [];
  const answers = Object.hasOwn(answered, folder) ? answered[folder] : undefined;
  if (answers?.only !== undefined) return pathname === answers.only ? answers : null;
  if (!answers || below === undefined) return null;
  if (answers.below === false && below !== '') return null;
  if (answers.queried && search.length > 1) return answers;
  const path = publishedPath(pathname);
  return below === '' || (path !== null && files?.has(path)) ? null : answers;
}

/** The path below the root a URL path names: decoded, `/` ending in index.html; null where it could leave the tree. */
export function publishedPath(pathname: string): string | null {
  const path = percentDecoded(pathname)?.slice(1);
  if (path === undefined || path.includes('\0') || path.includes('\\')) return null;
  // An empty part would give a file a second address, and a redirect to `//name/` would lead to another host.
  if (path.startsWith('/') || path.includes('//')) return null;
  if (path.split('/').some((part) => part === '..' || part === '.')) return null;
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/** The percent-decoded text; null where it is not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
