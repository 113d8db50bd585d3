/** Pages whose text is a Markdown file; the frame is that of every page (shim/view/frame.ts). */
import type { Child } from '../../../shim/view/node.ts';
import { filledPage } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { framed } from './page.ts';
import pages from '../content/pages.json' with { type: 'json' };
import type { RecordFacts } from '../facts.ts';

/** Renders the page whose text is content/<name>.md, filled in with these values. */
export function contentPage(
  name: keyof typeof pages,
  { source, evidence }: RecordFacts,
  values: Record<string, Child>,
): Artifact {
  return framed(evidence, { ...pages[name], body: filledPage(source(`content/${name}.md`), values) });
}
