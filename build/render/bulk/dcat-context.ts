/** JSON-LD context of data/dcat.jsonld: the terms of DCAT-AP 3 it uses, each with the range the profile requires. */

const DCT = 'http://purl.org/dc/terms/';
const DCAT = 'http://www.w3.org/ns/dcat#';
const SPDX = 'http://spdx.org/rdf/terms#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const FOAF = 'http://xmlns.com/foaf/0.1/';

/** EU authority tables, which DCAT-AP requires where they have the value. */
export const AUTHORITY = 'http://publications.europa.eu/resource/authority';

/** The context. Terms of the same name as their property; `Location`, `Agent`, ... are classes. */
export const DCAT_CONTEXT = {
  dct: DCT,
  dcat: DCAT,
  spdx: SPDX,
  xsd: XSD,
  foaf: FOAF,
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  country: `${AUTHORITY}/country/`,
  Catalog: `${DCAT}Catalog`,
  Dataset: `${DCAT}Dataset`,
  Distribution: `${DCAT}Distribution`,
  DataService: `${DCAT}DataService`,
  Agent: `${FOAF}Agent`,
  Document: `${FOAF}Document`,
  Location: `${DCT}Location`,
  PeriodOfTime: `${DCT}PeriodOfTime`,
  LicenseDocument: `${DCT}LicenseDocument`,
  LinguisticSystem: `${DCT}LinguisticSystem`,
  MediaType: `${DCT}MediaType`,
  MediaTypeOrExtent: `${DCT}MediaTypeOrExtent`,
  ProvenanceStatement: `${DCT}ProvenanceStatement`,
  Checksum: `${SPDX}Checksum`,
  ChecksumAlgorithm: `${SPDX}ChecksumAlgorithm`,
  title: { '@id': `${DCT}title`, '@language': 'en' },
  description: { '@id': `${DCT}description`, '@language': 'en' },
  identifier: `${DCT}identifier`,
  keyword: { '@id': `${DCAT}keyword`, '@language': 'en' },
  label: { '@id': 'http://www.w3.org/2000/01/rdf-schema#label', '@language': 'en' },
  name: `${FOAF}name`,
  publisher: { '@id': `${DCT}publisher`, '@type': '@id' },
  creator: { '@id': `${DCT}creator`, '@type': '@id' },
  license: { '@id': `${DCT}license`, '@type': '@id' },
  language: { '@id': `${DCT}language`, '@type': '@id' },
  provenance: { '@id': `${DCT}provenance`, '@type': '@id' },
  spatial: { '@id': `${DCT}spatial`, '@type': '@id' },
  temporal: { '@id': `${DCT}temporal`, '@type': '@id' },
  format: { '@id': `${DCT}format`, '@type': '@id' },
  homepage: { '@id': `${FOAF}homepage`, '@type': '@id' },
  page: { '@id': `${FOAF}page`, '@type': '@id' },
  dataset: { '@id': `${DCAT}dataset`, '@type': '@id' },
  service: { '@id': `${DCAT}service`, '@type': '@id' },
  servesDataset: { '@id': `${DCAT}servesDataset`, '@type': '@id' },
  distribution: { '@id': `${DCAT}distribution`, '@type': '@id' },
  accessURL: { '@id': `${DCAT}accessURL`, '@type': '@id' },
  downloadURL: { '@id': `${DCAT}downloadURL`, '@type': '@id' },
  endpointURL: { '@id': `${DCAT}endpointURL`, '@type': '@id' },
  endpointDescription: { '@id': `${DCAT}endpointDescription`, '@type': '@id' },
  mediaType: { '@id': `${DCAT}mediaType`, '@type': '@id' },
  startDate: `${DCAT}startDate`,
  endDate: `${DCAT}endDate`,
  modified: `${DCT}modified`,
  byteSize: { '@id': `${DCAT}byteSize`, '@type': `${XSD}nonNegativeInteger` },
  checksum: { '@id': `${SPDX}checksum`, '@type': '@id' },
  algorithm: { '@id': `${SPDX}algorithm`, '@type': '@id' },
  checksumValue: { '@id': `${SPDX}checksumValue`, '@type': `${XSD}hexBinary` },
};
