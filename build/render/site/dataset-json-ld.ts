/** Datasets in the words of schema.org, for search engines: the same facts as the catalog, as a data block that nothing executes. */
import { absolute } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { datasetAddress, indicatorAddress, PAGES } from '../../../shim/view/address.ts';
import { dataBlock } from '../../../shim/view/json-ld.ts';
import type { Child } from '../../../shim/view/node.ts';
import { measureWords } from '../../../shim/view/words.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import { COLLECTION, plainMediaType, type BulkDataset, type BulkRelease } from '../bulk/release.ts';
import { citeDataset } from './dataset-citation.ts';

/** The block of a dataset's page. */
export function datasetData(dataset: BulkDataset, siteUrl: string): Child {
  const { document, description, files, licences, rights, publishers, keywords } = dataset;
  const { id, title, edition, sources, limitations, firstPeriod, lastPeriod } = document;
  const retrieved = sources.map(({ retrievedAt }) => retrievedAt).sort(byCodeUnits);
  const address = absolute(siteUrl, datasetAddress(id));
  return dataBlock({
    '@type': 'Dataset',
    '@id': address,
    url: address,
    identifier: id,
    name: title,
    description: [description, ...limitations].join(' '),
    creator: publishers.map((name) => ({ '@type': 'Organization', name })),
    publisher: { '@type': 'Organization', name: COLLECTION.publisher, url: absolute(siteUrl, '') },
    license: licences.map(({ text, url }) => ({
      '@type': 'CreativeWork',
      name: text,
      ...(url === null ? {} : { url }),
    })),
    usageInfo: rights.map((text) => ({ '@type': 'CreativeWork', text })),
    isAccessibleForFree: true,
    inLanguage: 'en',
    keywords,
    version: edition,
    dateModified: retrieved.at(-1) ?? edition,
    ...(firstPeriod === null || lastPeriod === null
      ? {}
      : { temporalCoverage: `${firstPeriod}/${lastPeriod}` }),
    ...(document.geographies.length === 0
      ? {}
      : {
          spatialCoverage: document.geographies.map(({ code, name }) => ({
            '@type': 'Place',
            identifier: code,
            name,
          })),
        }),
    ...variables(dataset, siteUrl),
    distribution: files.map((file) => ({
      '@type': 'DataDownload',
      name: file.name,
      contentUrl: absolute(siteUrl, file.path),
      encodingFormat: plainMediaType(file),
      contentSize: `${file.bytes} B`,
      sha256: file.sha256,
    })),
    isBasedOn: sources.map((source) => ({
      '@type': 'Dataset',
      name: source.name,
      description: `${source.name}, edition ${source.dated}, as ${source.publisher} published it. The copy that was read has the SHA-256 ${source.sha256}.`,
      url: source.url,
      identifier: `sha256:${source.sha256}`,
      version: source.dated,
      creator: { '@type': 'Organization', name: source.publisher },
      license: source.licenseUrl ?? source.license,
    })),
    citation: citeDataset(dataset, siteUrl).text,
    includedInDataCatalog: catalogReference(siteUrl),
  });
}

/** The block of the list of datasets. */
export function catalogData({ siteUrl, datasets }: BulkRelease): Child {
  return dataBlock({
    ...catalogReference(siteUrl),
    description: COLLECTION.description,
    dataset: datasets.map(({ document: { id, title, description } }) => {
      const address = absolute(siteUrl, datasetAddress(id));
      return { '@type': 'Dataset', '@id': address, url: address, name: title, description };
    }),
  });
}

function variables({ document }: BulkDataset, siteUrl: string): JsonObject {
  const { id, indicators, fields, unit } = document;
  const measured = [
    ...indicators.map((indicator) => ({
      '@type': 'PropertyValue',
      identifier: indicator.id,
      name: indicator.label,
      description: indicator.description,
      unitText: indicator.units.join('; '),
      measurementTechnique: measureWords(indicator),
      url: absolute(siteUrl, indicatorAddress(indicator.id)),
    })),
    ...fields.map(({ path, label }) => ({
      '@type': 'PropertyValue',
      identifier: path,
      name: label,
      unitText: unit ?? '',
      url: absolute(siteUrl, indicatorAddress(id)),
    })),
  ];
  return measured.length === 0 ? {} : { variableMeasured: measured };
}

function catalogReference(siteUrl: string): JsonObject {
  const address = absolute(siteUrl, PAGES.data);
  return { '@type': 'DataCatalog', '@id': address, url: address, name: COLLECTION.title };
}
