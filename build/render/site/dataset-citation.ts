/** How to cite a dataset, an indicator of it or a publisher's file, in the four forms of every citation. */
import { formsOf, SERVICE, type CiteBlock } from '../../../shim/core/cite.ts';
import { absolute } from '../../../shim/core/paths.ts';
import type { DatasetIndicator, DatasetSource } from '../../../shim/core/records.ts';
import { datasetAddress, indicatorAddress } from '../../../shim/view/address.ts';
import { code, el, type Child } from '../../../shim/view/node.ts';
import { section } from '../../../shim/view/table.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import type { BulkDataset } from '../bulk/release.ts';

/** A dataset in its edition, or one indicator of it: publisher, title, hash of the records, day of retrieval, address, licence. */
export function citeDataset(
  { document, publishers, licences, files }: BulkDataset,
  siteUrl: string,
  indicator?: Pick<DatasetIndicator, 'id' | 'label'>,
): CiteBlock {
  const { id, edition: issued, sources } = document;
  const title = indicator?.label ?? document.title;
  const author = publishers.join('; ');
  const [accessed = issued] = sources.map(({ retrievedAt }) => retrievedAt).sort((a, b) => byCodeUnits(b, a));
  const part = indicator ? `Indicator ${indicator.id} of dataset ${id}` : `Dataset ${id}`;
  const proof = `${part}, edition ${issued} (sha256 ${files[0]?.sha256 ?? ''})`;
  const url = absolute(siteUrl, indicator ? indicatorAddress(indicator.id) : datasetAddress(id));
  const note = `${proof}, from ${SERVICE}. Licence: ${licences.map(({ text }) => text).join('; ')}`;
  return cite({
    id: indicator ? `${id}:${indicator.id}` : id,
    author,
    title,
    issued,
    accessed,
    url,
    note,
    own: { version: issued },
  });
}

/** A publisher's file. */
export function citeFile(source: DatasetSource): CiteBlock {
  const { id, name: title, publisher: author, dated: issued, retrievedAt: accessed, url, license } = source;
  const note = `File with sha256 ${source.sha256}. Licence: ${license}`;
  return cite({ id, author, title, issued, accessed, url, note });
}

function cite(facts: Omit<Parameters<typeof formsOf>[0], 'type' | 'text'>): CiteBlock {
  const { author, title, issued, accessed, url, note } = facts;
  const text = `${author}, "${title}" (${issued}). ${note}; retrieved ${accessed}. ${url}.`;
  return formsOf({ ...facts, type: 'dataset', text });
}

/** The citation in all forms, to copy. */
export function citeSection({ text, bibtex, ris, csl }: CiteBlock): Child {
  const forms = [
    ['BibTeX', bibtex],
    ['RIS', ris.replaceAll('\r\n', '\n')],
    ['CSL-JSON', JSON.stringify([csl], null, 2)],
  ] as const;
  return section('cite', 'How to cite', [
    el('p', { class: 'cite-text' }, text),
    forms.map(([name, form]) =>
      el('details', {}, el('summary', {}, name), el('pre', {}, code(form.trimEnd()))),
    ),
  ]);
}
