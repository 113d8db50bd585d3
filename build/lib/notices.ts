/** The text with the licences of all packages whose code is part of a bundle. */
import { resolve } from 'node:path';
import type { BuildEffects } from './effects.ts';

/** From esbuild's metafile: how many bytes of each input are in each output. */
type Outputs = Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;

/** The folders of the packages that have code in these files, each once. */
export function packagesIn(outputs: Outputs): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return folder !== undefined && bytesInOutput > 0 ? [folder] : [];
  });
  return [...new Set(folders)];
}

const FILES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'COPYING'];

/** Name, version, licence and licence text of the packages in these folders. Throws an Error for a folder that is not a package. */
export function noticesText(folders: Iterable<string>, { read }: Pick<BuildEffects, 'read'>): string {
  const notices = [...folders].map((folder) => {
    const bytes = read(resolve(folder, 'package.json'));
    if (!bytes) throw new Error(`${folder} has no package.json: run npm ci`);
    const { name, version, license, homepage } = JSON.parse(bytes.toString('utf8')) as Record<string, string>;
    const [text] = FILES.flatMap((file) => read(resolve(folder, file))?.toString('utf8') ?? []);
    const licence = text ?? `The package has no file with the text of its licence: ${homepage ?? name}`;
    return `${name} ${version} (${license})\n\n${licence.replaceAll('\r\n', '\n').trim()}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `Packages that these files contain, with their licences.\n${line}${notices.sort().join(line)}`;
}
