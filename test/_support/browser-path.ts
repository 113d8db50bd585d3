/** Where Chromium is on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The browser of CHROMIUM_PATH, /usr/bin/chromium, or one in PATH; null where none is found. */
export function browserPath(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...(named ? [named] : []), '/usr/bin/chromium', ...places].find((file) => existsSync(file)) ?? null;
}
