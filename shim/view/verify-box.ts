/**
 * The box that checks a file: its sha256 is computed in the browser (assets/verify.js) and compared with the source of the page and
 * with every source and file of the release. Without script it says how to do the same with a command.
 */
import type { DatasetSource } from '../core/records.ts';
import { VERIFY_PAGE } from './address.ts';
import { code, el, hash, linkTo, p, type Child } from './node.ts';

/** The script that the page of a box has to load. */
export const VERIFY_SCRIPT = 'verify.js';

/** The source file that a page is about. */
export interface VerifiedSource {
  name: string;
  edition: string;
  sha256: string;
  /** Where to look in it: `sheet Seizures, cell H6783`; null where the page is about the whole file. */
  where: string | null;
  /** The publisher's address of the file, or of the page that has it. */
  downloadUrl: string;
  /** The name of the file; null where its address has none. */
  fileName: string | null;
}

/** Every publisher's file with its hash, for the check of files. */
export const SOURCE_LIST = 'assets/sources.json';

/** A publisher's file as the script knows it. */
export interface KnownSource extends Pick<
  DatasetSource,
  'sha256' | 'name' | 'publisher' | 'license' | 'licenseUrl'
> {
  edition: string;
  /** Address of the page about the file. */
  address: string;
  /** Whether a later file of the same source is here. */
  isOlder: boolean;
  /** The editions of datasets that were read from it, with the file of their records. */
  uses: { dataset: string; edition: string; path: string | null }[];
}

/** Prints the box; `root` leads to the root of the site. A page has one box at most. */
export function verifyBox(root: string, source: VerifiedSource): Child {
  return el(
    'section',
    {
      class: 'verify',
      'aria-labelledby': 'verify',
      'data-root': root,
      'data-sha256': source.sha256,
      'data-name': source.name,
      'data-edition': source.edition,
      'data-where': source.where,
    },
    el('h2', { id: 'verify' }, 'Check it yourself'),
    p(
      'Whether your copy is the file that was read here. ',
      el('a', { href: source.downloadUrl, rel: 'external' }, 'Get the publisher’s file'),
      '. Or ',
      linkTo(root, VERIFY_PAGE, 'check any file'),
      '.',
    ),
    fileControl(false),
    el('details', {}, [
      el('summary', {}, 'Without this box, and what is sent'),
      p(
        'On Linux ',
        code('sha256sum FILE'),
        ', on macOS ',
        code('shasum -a 256 FILE'),
        ', on Windows ',
        code('certutil -hashfile FILE SHA256'),
        ' must print ',
        hash(source.sha256),
        '; or this line must print OK:',
      ),
      el('pre', {}, [code(`echo '${source.sha256}  ${source.fileName ?? 'FILE'}' | sha256sum -c`)]),
      p(
        'The file is read by your browser and does not leave your machine: ',
        linkTo(root, `${VERIFY_PAGE}#sent`, 'how to see that'),
        '.',
      ),
    ]),
  );
}

/** The field for a file, or for several, and the place of the answer. */
export function fileControl(several: boolean): Child {
  return [
    el('div', { class: 'verify-file', hidden: true }, [
      el('label', { for: 'verify-file' }, several ? 'Files to check' : 'File to check'),
      el('input', { id: 'verify-file', type: 'file', multiple: several }),
      el('small', {}, 'Or drop it anywhere on this page.'),
    ]),
    el('div', { class: 'verify-answer', role: 'status', 'aria-atomic': 'false' }),
  ];
}

/** The name of a file where its address has one. */
export function fileName({ downloadUrl }: Pick<VerifiedSource, 'downloadUrl'>): string | null {
  const [, name = null] = /\/([^/?#]+\.(?:xlsx|csv|zip|json|pdf))$/i.exec(downloadUrl) ?? [];
  return name;
}
