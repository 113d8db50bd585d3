/**
 * .well-known/security.txt (RFC 9116). The contact is the section of the documentation that says how to report: the
 * project names no person. It expires a year after the data clock, so the same data gives the same file.
 */
import { absolute } from '../../../shim/core/paths.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';

const PATH = '.well-known/security.txt';

/** Renders security.txt; `generatedAt` is the data clock. */
export function renderSecurityTxt(siteUrl: string, generatedAt: string): Artifact {
  return textArtifact(
    PATH,
    [
      `Contact: ${absolute(siteUrl, 'docs/#contact')}`,
      `Expires: ${aYearAfter(generatedAt)}`,
      'Preferred-Languages: en',
      `Canonical: ${absolute(siteUrl, PATH)}`,
      '',
    ].join('\n'),
  );
}

function aYearAfter(moment: string): string {
  const date = new Date(moment);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toISOString().replace('.000Z', 'Z');
}
