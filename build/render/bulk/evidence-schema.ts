/**
 * The tables and views of data/evidence.sqlite. Tables that begin with an underscore hold each text once, so that the file stays
 * small; views with plain names join them to the records, with the columns of the CSV files first. Read the views.
 */

/** The tables that records are written into. */
export const TABLES = `
CREATE TABLE about (name TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE "columns" ("table" TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, nullable INTEGER NOT NULL, description TEXT NOT NULL);
CREATE TABLE datasets (datasetId TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, kind TEXT NOT NULL, edition TEXT NOT NULL, records INTEGER NOT NULL, firstPeriod TEXT, lastPeriod TEXT, limitations TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE unavailable_datasets (datasetId TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE _source (key INTEGER PRIMARY KEY, datasetId TEXT NOT NULL, datasetEdition TEXT NOT NULL, current INTEGER NOT NULL, sourceId TEXT NOT NULL, name TEXT NOT NULL, publisher TEXT NOT NULL, url TEXT NOT NULL, downloadUrl TEXT NOT NULL, license TEXT NOT NULL, licenseUrl TEXT, rights TEXT NOT NULL, rightsEvidence TEXT NOT NULL, rightsChecked TEXT NOT NULL, edition TEXT NOT NULL, retrievedAt TEXT NOT NULL, cadence TEXT, staleAfter TEXT, stale INTEGER NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, notes TEXT NOT NULL);
CREATE TABLE _indicator (key INTEGER PRIMARY KEY, datasetId TEXT NOT NULL, indicatorId TEXT NOT NULL, current INTEGER NOT NULL, label TEXT NOT NULL, market TEXT NOT NULL, unit TEXT, units TEXT NOT NULL, measureType TEXT NOT NULL, description TEXT NOT NULL, limitations TEXT NOT NULL, sourceId TEXT NOT NULL, observations INTEGER NOT NULL, reported INTEGER NOT NULL, estimated INTEGER NOT NULL, unavailable INTEGER NOT NULL, zeros INTEGER NOT NULL, firstPeriod TEXT, lastPeriod TEXT);
CREATE TABLE _place (key INTEGER PRIMARY KEY, geoCode TEXT NOT NULL, geoName TEXT NOT NULL, geoLevel TEXT NOT NULL);
CREATE TABLE _label (key INTEGER PRIMARY KEY, category TEXT NOT NULL, subgroup TEXT NOT NULL, "group" TEXT NOT NULL, unit TEXT NOT NULL);
CREATE TABLE _series (key INTEGER PRIMARY KEY, indicator INTEGER NOT NULL REFERENCES _indicator, place INTEGER NOT NULL REFERENCES _place, label INTEGER NOT NULL REFERENCES _label, mark TEXT NOT NULL);
CREATE TABLE _status (key INTEGER PRIMARY KEY, status TEXT NOT NULL, unavailableReason TEXT);
CREATE TABLE _observation (key INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES _source, series INTEGER NOT NULL REFERENCES _series, label INTEGER NOT NULL REFERENCES _label, period TEXT NOT NULL, ordinal INTEGER NOT NULL, value REAL, lower REAL, upper REAL, state INTEGER NOT NULL REFERENCES _status, sourceLocator TEXT NOT NULL);
`;

/** Made once every record is in: indexes over sorted rows are small and quick to make. */
export const INDEXES = `
CREATE INDEX _observation_series ON _observation (series, period);
CREATE INDEX _series_place ON _series (place);
CREATE INDEX _series_indicator ON _series (indicator);
CREATE INDEX _place_code ON _place (geoCode);
`;

/** Indexes of the differences between editions, where there are any. */
export const REVISION_INDEXES = `
CREATE INDEX revisions_id ON revisions (id);
CREATE INDEX revisions_place ON revisions (geoCode, indicatorId);
`;

const OBSERVATION = `
i.indicatorId || '.' || p.geoCode || '.' || o.period || e.mark || CASE o.ordinal WHEN 1 THEN '' ELSE '.' || o.ordinal END AS id, i.datasetId, s.edition, i.indicatorId, p.geoCode, p.geoName, p.geoLevel, o.period, l.category, l.subgroup, l."group", o.value, o.lower, o.upper, l.unit, t.status, t.unavailableReason, s.sourceId, o.sourceLocator,
s.name AS sourceName, s.publisher AS sourcePublisher, s.url AS sourceUrl, s.sha256 AS sourceSha256, s.license, s.rights, o.series
FROM _observation o JOIN _source s ON s.key = o.source JOIN _series e ON e.key = o.series
JOIN _indicator i ON i.key = e.indicator JOIN _place p ON p.key = e.place JOIN _label l ON l.key = o.label JOIN _status t ON t.key = o.state`;

const SOURCE =
  'datasetId, sourceId, name, publisher, url, downloadUrl, license, licenseUrl, rights, rightsEvidence, rightsChecked, edition, retrievedAt, cadence, staleAfter, stale, sha256, bytes, notes';

/** All views except that of the atlas. */
export const VIEWS = `
CREATE VIEW observations AS SELECT ${OBSERVATION} WHERE s.current;
CREATE VIEW observations_all_editions AS SELECT s.current, s.datasetEdition, ${OBSERVATION};
CREATE VIEW sources AS SELECT ${SOURCE} FROM _source WHERE current;
CREATE VIEW editions AS SELECT datasetEdition, current, ${SOURCE} FROM _source;
CREATE VIEW indicators AS SELECT datasetId, indicatorId, label, market, unit, units, measureType, description, limitations, sourceId, observations, reported, estimated, unavailable, zeros, firstPeriod, lastPeriod FROM _indicator WHERE current;
CREATE VIEW places AS SELECT DISTINCT p.geoCode, p.geoName, p.geoLevel FROM _place p JOIN _series e ON e.place = p.key;
CREATE VIEW series AS SELECT o.series, i.datasetId, i.indicatorId, i.label, p.geoCode, p.geoName, l.category, l.subgroup, CASE WHEN min(l."group") = max(l."group") THEN l."group" END AS "group", CASE WHEN min(l.unit) = max(l.unit) THEN l.unit END AS unit, min(o.period) AS firstPeriod, max(o.period) AS lastPeriod, count(*) AS observations, count(o.value) AS numeric, sum(o.value IS 0) AS zeros, sum(o.value IS NULL) AS unavailable
FROM _observation o JOIN _source s ON s.key = o.source JOIN _series e ON e.key = o.series JOIN _indicator i ON i.key = e.indicator JOIN _place p ON p.key = e.place JOIN _label l ON l.key = o.label WHERE s.current GROUP BY o.series;
`;

/** Words of the series of current editions. Designations are in no search. */
export const SEARCH = `
CREATE VIEW _words AS SELECT e.key AS series, d.title AS dataset, i.label AS indicator, p.geoName, l.category, l.subgroup, l."group"
FROM _series e JOIN _indicator i ON i.key = e.indicator JOIN datasets d ON d.datasetId = i.datasetId JOIN _place p ON p.key = e.place JOIN _label l ON l.key = e.label
WHERE e.key IN (SELECT o.series FROM _observation o JOIN _source s ON s.key = o.source WHERE s.current);
CREATE VIRTUAL TABLE search USING fts5(dataset, indicator, geoName, category, subgroup, "group", content = '_words', content_rowid = 'series', detail = 'column', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO search (search) VALUES ('rebuild');
`;
