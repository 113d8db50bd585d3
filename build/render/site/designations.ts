/** designations/index.html: the form of the search, which the service answers at the same address. */
import { designationList } from '../../../shim/core/designation.ts';
import { PAGES } from '../../../shim/view/address.ts';
import { printDesignations } from '../../../shim/view/designations.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';

/** Renders the page. */
export function renderDesignations({ manifest, evidence }: SiteFacts): Artifact {
  const list = designationList(manifest);
  const page = { list, given: {}, result: null, refusal: null, site: evidence };
  return textArtifact(`${PAGES.designations}index.html`, printDesignations(page));
}
