/** The privacy gate: official names as the list prints them pass, anything that would identify a subject does not. */
import { describe, expect, test } from 'vitest';
import { detailIn, isPrintedCountry } from '../../build/check/subject-detail.ts';
import { findingsOf, firstRow, rulesOf } from './gate-door.ts';
import { items } from '../_support/words.ts';

const DETAILS = items(`a/k/a Johnny | A.K.A. JOHNNY | AKA JOHNNY | also known as JOHNNY |
  Passport A12345 | Cédula No. 12345 | CEDULA 12345 | DNI 12345678 | RFC GULJ570404 |
  R.F.C. GULJ570404AB1 | GULJ570404 | CURP GULJ570404HSLZXN09 | SSN 123456789 | RUC 2045 |
  DOB 12 Mar 1961 | 04/04/1957 | 1957-04-04 | Apr 4 1957 | April 1957 | 4 de abril de 1957 |
  nacido 1957 | born in Culiacan | Calle Hidalgo 12, Culiacan | Av. Insurgentes 123 | 12 Main St |
  Blvd. Sanchez 34 | Apt 4 | C.P. 80000 | P.O. Box 12 | Tel +52 667 715 0000 | 667-715-0000 |
  19.4326 -99.1332 | for trafficking cocaine | Linked To: SINALOA CARTEL | convicted 2003 | www.doe.com |
  john@doe.example | "Johnny" | Ｐａｓｓｐｏｒｔ A12345`);

describe('[ENTITIES-PRIVACY] names', () => {
  test.each(DETAILS)('%s is refused in a name', (detail) => {
    for (const type of ['individual', 'organization', 'vessel', 'aircraft'] as const)
      for (const name of [detail, `DOE, John ${detail}`, `ACME TRADING ${detail}`])
        expect(detailIn(name, type), `${type} ${name}`).not.toBeNull();
  });

  test.each(
    items(`DOE, John (El Chapo) | DOE, John AKA | DOE, John 2 | DOE, John; merchant |
    DOE, John, Mexico`),
  )('%s is not the name of an individual', (name) => {
    expect(detailIn(name, 'individual')).not.toBeNull();
  });

  test.each([
    ['individual', 'CALLE SERNA, Javier Antonio'],
    ['individual', "O'DOE-SMITH, María del Carmen"],
    ['individual', 'NIE, Rut'],
    ['individual', 'DOE'],
    ['organization', '1425 BRICKELL AVENUE UNIT 46B, LLC'],
    ['organization', 'AKA INTEGRAL SERVICES, S. DE R.L. DE C.V.'],
    ['organization', 'EMPRESA DE TRANSPORTES CHULUCANAS 2000 S.A.'],
    ['organization', 'GOLDPHARMA DRUG TRAFFICKING & MONEY LAUNDERING ORGANIZATION'],
    ['organization', 'MARINA 2004, C.A.'],
    ['organization', 'LA HACIENDA (USA), LLC'],
    ['organization', 'MS-13'],
    ['aircraft', 'N200VR'],
    ['vessel', 'SEA STAR 2'],
  ] as const)('%s %s is an official name', (type, name) => {
    expect(detailIn(name, type)).toBeNull();
  });

  test('the packaged designations pass, every one', () => {
    expect(findingsOf('designations')).toEqual([]);
  });

  test('a bracket in small letters is a remark, not a part of a company', () => {
    expect(detailIn('ACME TRADING (El Chapo)', 'organization')).not.toBeNull();
  });

  test('an invisible character in a name is refused', () => {
    const findings = findingsOf('designations', { 'records.csv': firstRow({ name: 'AC\u202eME LLC' }) });
    expect(rulesOf(findings)).toContain('safety');
  });
});

describe('[ENTITIES-PRIVACY] countries', () => {
  test.each(
    items(`Mexico | Burma | Kosovo | Netherlands Antilles | Virgin Islands, British |
    Congo, Republic of the`),
  )('%s is a country as printed', (country) => {
    expect(isPrintedCountry(country)).toBe(true);
  });

  test.each([
    ...items(`12 Main St, Mexico City | Culiacan, Sinaloa | Zip 80000 Mexico | 19.43 -99.13 | Atlantis |
      mexico`),
    'Mexico ',
    'constructor',
    '__proto__',
  ])('%s is not a country', (country) => {
    expect(isPrintedCountry(country)).toBe(false);
    const findings = findingsOf('designations', { 'records.csv': firstRow({ countries: country }) });
    expect(rulesOf(findings)).toContain('privacy');
  });
});
