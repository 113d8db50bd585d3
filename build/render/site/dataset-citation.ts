/** How to cite a dataset. */
import { absolute } from '../../../shim/core/paths.ts';
import { datasetAddress } from '../../../shim/view/address.ts';
import { distinct, type BulkDataset } from '../bulk/release.ts';

/** The citation as plain text: publisher, title, edition, hash of the records, day of retrieval, address, licence. */
export function citationText(
  { document, publishers, licences, files }: BulkDataset,
  siteUrl: string,
): string {
  const { id, title, edition, sources } = document;
  const retrieved = distinct(sources.map(({ retrievedAt }) => retrievedAt)).sort();
  const proof = `Dataset ${id}, edition ${edition} (sha256 ${files[0]?.sha256 ?? ''})`;
  return `${publishers.join('; ')}, "${title}" (${edition}). ${proof}; retrieved ${retrieved.at(-1) ?? ''}. Public Evidence API, ${absolute(siteUrl, datasetAddress(id))}. Licence: ${licences.map(({ text }) => text).join('; ')}.`;
}
