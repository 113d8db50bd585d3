/** Where Chromium is on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** By preference: the headless shell lays out and draws like the others, and opens a window in a fraction of their time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser of CHROMIUM_PATH, or the first of NAMES in /usr/bin or PATH; null where none is found. */
export function browserPath(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(named ? [named] : []), ...places].find((file) => existsSync(file)) ?? null;
}
