/** Official names as the list prints them pass; a name that holds more than a name is in doubt. */
import { describe, expect, test } from 'vitest';
import { doubtIn } from '../../build/import/official-name.ts';
import { items } from '../_support/words.ts';
import { findingsOf, firstRow, rulesOf } from './gate-door.ts';

const DETAILS =
  items(`12/JAN/1970 | 12 JAN 70 | N19 W99 | C/O JUAN PEREZ | PURITY 80 | a/k/a Johnny | A.K.A. JOHNNY | AKA JOHNNY | also known as JOHNNY | DBA BETA | D/B/A BETA | D.B.A. BETA |
  Passport A12345 | Cédula No. 12345 | CEDULA 12345 | DNI 12345678 | RFC GULJ570404 |
  R.F.C. GULJ570404AB1 | GULJ570404 | CURP GULJ570404HSLZXN09 | SSN 123456789 | RUC 20451 |
  DOB 12 Mar 1961 | 04/04/1957 | 1957-04-04 | Apr 4 1957 | April 1957 | 4 de abril de 1957 | MCMLXX |
  nacido 1957 | born in Culiacan | Calle Hidalgo 12, Culiacan | Av. Insurgentes 123 | 12 Main St |
  Blvd. Sanchez 34 | Apt 4 | C.P. 80000 | P.O. Box 12 | Tel +52 667 715 0000 | 667-715-0000 |
  for trafficking cocaine | Linked To: SINALOA CARTEL | convicted 2003 | www.doe.com |
  john@doe.example | FORMERLY BETA | TRADING AS BETA | DOING BUSINESS AS BETA | T/A BETA | CONOCIDO COMO BETA | 19.4326N 99.1332W |
  LAT 19 LON 99 | RUC 2045 | SERIAL 1234 | (SN 123) | PHONE 555 | OWNED BY JOAQUIN GUZMAN | HAUPTSTRASSE 5 | KM 5 VIA CALI | PISO 3 | "Johnny" | “Johnny” | (Johnny) | (MONEY LAUNDERER) | Ｐａｓｓｐｏｒｔ A12345 | A\u202EB | A\u200BB | A\u034FB | A\uFE0FB | \u023AK\u023A JOHNNY |
  A-K-A JOHNNY | A,K,A JOHNNY | A·K·A JOHNNY | D-B-A BETA | \u0410\u041A\u0410 JOHNNY | \u13AA\u13E6\u13AA JOHNNY | \u0391\u039A\u0391 JOHNNY | N.I.T. NO 800 | R,U,C 2045 |
  ALSO CALLED BETA | DIT BETA | POR OTRO NOMBRE BETA | NACIO 1970 | HEROIN 94 | 94 PCT PURE | LAUNDERING MONEY | FRONT FOR SINALOA CARTEL | NARCOTRAFICANTE`);

describe('[ENTITIES-PRIVACY] names', () => {
  test.each(DETAILS)('%s makes a name doubtful', (detail) => {
    for (const type of ['individual', 'organization', 'vessel', 'aircraft'] as const)
      for (const name of [`DOE, John ${detail}`, `ACME TRADING ${detail}`])
        expect(doubtIn(name, type), `${type} ${name}`).not.toBeNull();
  });

  test.each([
    ...items(`DOE, John (El Chapo) | DOE, John 'El Chapo' | DOE, John ‘Chapo’ | DOE, John AKA | DOE, John 2 | DOE, John; merchant |
      DOE, John of Culiacan | DOE, John, Doctor, Mexico | DOE, John 19.4326 -99.1332 | JOHN\u0430 |
      DOE, John, El Chapo | DOE, John, Mexico | DOE, John, Narcotraficante | DOE, John, Calle Hidalgo | DOE, John - Chapo |
      DOE, John apodo Chapo | DOE, John né en Culiacan | DOE, John called Chapo |
      DOE, John El Chapo | DOE, John el Chapo | DOE, John Richard La Chapa | JOHN DOE CHAPO | DOE BORN ROE, Jane | DOE, Born | DOE, El Chapo | DOE, La Chapa | DE LA DOE, JR., El Chapo | DOE, John Murderer | DOE, Capo`),
  ])('%s is not the name of an individual', (name) => {
    expect(doubtIn(name, 'individual')).not.toBeNull();
  });

  test.each([
    ...items(`2351885 ONTARIO INC | 3-101-507688 SA | CALI @ TELE.COM LTDA. | ANGULO OROBIO (SEGUNDO), Jose Francisco |
      1425 BRICKELL AVENUE UNIT 46B, LLC | 1425 BRICKELL AVE 63-F LLC | AKA INTEGRAL SERVICES, S. DE R.L. DE C.V. |
      EMPRESA DE TRANSPORTES CHULUCANAS 2000 S.A. | GOLDPHARMA DRUG TRAFFICKING & MONEY LAUNDERING ORGANIZATION |
      MARINA 2004, C.A. | LA HACIENDA (USA), LLC | VIC DEL INC. (OFF SHORE) | VIDA PANAMA (ZONA LIBRE) S.A. | MS-13 |
      FINANCIAL CORPORATION (FINCORP INTERNATIONAL), S.A. | 10219452 CANADA INCORPORATED | 'NDRANGHETA ORGANIZATION |
      PRIVATE MILITARY COMPANY 'WAGNER' | 7 KARNES | TECHNO: TRADE + SERVICES |
      ALMACEN JUNIOR NO. 2 | COMPANIA GANADERA 5 MANANTIALES S. DE P.R. DE R.L. | ACME RUST 95 OOD | JSC 33 SHIPYARD |
      POPULAR FRONT FOR THE LIBERATION OF BETA | WILDLIFE TRAFFICKING TRANSNATIONAL CRIMINAL ORGANIZATION`),
  ])('%s is the name of an organization', (name) => {
    expect(doubtIn(name, 'organization')).toBeNull();
  });

  test.each([
    ...items(`ACME TRADING LTD (CALLE 93 NO. 12-54 BOGOTA) | ACME S.A. (AVENIDA 9 NO. 5) | ACME LTD (BETA HOLDINGS) |
      ACME GROUP, BLK 12 UNIT 4 MANILA | ACME 25N 71W | GRUPO 25-30N 71-20W | ACME INC DIRECTOR JUAN PEREZ |
      ACME TRADING, CALLE HIDALGO, CULIACAN | ACME, AVENIDA 9, S.A. | ACME, 1425 BRICKELL AVE, LLC | ACME, HIDALGO 12, S.A. |
      ACME - PASEO COLON, S.A. | ACME/RUA AUGUSTA LTDA | ACME (CALLE HIDALGO) LTD | ACME CONHECIDO COMO BETA | ACME PUREZA 80 |
      ACME HIDALGO 123 COL CENTRO | ACME 12 HIDALGO | ACME HIDALGO 12 | ACME HIDALGO NO. 123`),
  ])('%s is more than the name of an organization', (name) => {
    expect(doubtIn(name, 'organization')).not.toBeNull();
  });

  test.each([
    ...items(`LOT 3A OF DETE VALLEY FARM | OFFICE 39 | GLOBAL TECHNOLOGY IMPORT & EXPORT, S.A. (GTI) |
      PREMIER INVESTMENT GROUP SAL (OFF-SHORE) | RUNNING BROOK, LLC (USA) |
      HOTEL CASA GRANDE - ULCINJ, MONTENEGRO | AIRCRAFT, AVIONICS, PARTS & SUPPORT LTD. | CITY PLAZA, SOCIEDAD ANOMINA DE CAPITAL VARIABLE`),
  ])('%s is an official name', (name) => {
    expect(doubtIn(name, 'organization')).toBeNull();
  });

  test.each([
    ...items(`CALLE SERNA, Javier Antonio | O'DOE-SMITH, María del Carmen | NIE, Rut | DOE | ANGULO OROBIO (SEGUNDO), Jose Francisco |
      DELOS REYES, Feliciano Semborio, Jr. | MNANGAGWA, JR., Emmerson Dambudzo | AL-'AJMI, 'Ali Hasan 'Ali |
      'ABD AL-SALAM, 'Abd al-Malik Muhammad Yusuf | AL-BADRI, Dr. Ibrahim 'Awwad Ibrahim 'Ali | TAHA, Husam a-Sahykh | DOE, Abd ar-Rahman d'Souza | DOE, Giovanni della Rovere | DE LA CRUZ, Juan de los Angeles | FORERO, Ofelia |
      McDONALD, Jane | FitzDOE, Jane | BORN, Jane | AKA, Jane | DO NASCIMENTO, Jane | DOE, Gilbert de Los Angeles | EL DOE, Abou El Yazid`),
  ])('%s is the name of an individual', (name) => {
    expect(doubtIn(name, 'individual')).toBeNull();
  });

  test.each([
    ['aircraft', 'N200VR'],
    ['aircraft', 'RA-85846'],
    ['aircraft', 'YK-AKA'],
    ['aircraft', 'MSN 391'],
    ['aircraft', 'FOURTH AIRCRAFT'],
    ['vessel', 'SEA STAR 2'],
    ['vessel', 'NORDØST 5'],
    ['vessel', 'XIN LONG 8'],
  ] as const)('%s %s is an official name', (type, name) => {
    expect(doubtIn(name, type)).toBeNull();
  });
});

describe('[ENTITIES-PRIVACY] the build', () => {
  const doubted = firstRow({ sanctions_entity_number: '7', name: 'ACME DBA BETA' });
  const accepted = (line: string) => (text: string) => `${text}${line}\n`;

  test('stops at a name in doubt, with its row, and says how to accept it', () => {
    expect(findingsOf('designations', { 'records.csv': doubted })).toEqual([
      expect.objectContaining({
        row: 2,
        rule: 'privacy',
        message:
          '"ACME DBA BETA" looks like it holds an alias; only official names may be packaged. If it is one, accept it in accepted.csv',
      }),
    ]);
  });

  test('passes a name that was accepted by its number', () => {
    const lists = { 'accepted.csv': accepted('7,ACME DBA BETA,The list prints it so.') };
    expect(findingsOf('designations', { 'records.csv': doubted, ...lists })).toEqual([]);
  });

  test.each(['8,ACME DBA BETA,reason', '7,ACME DBA GAMMA,reason'])(
    'does not pass it for another number or name: %s',
    (line) => {
      const findings = findingsOf('designations', { 'records.csv': doubted, 'accepted.csv': accepted(line) });
      expect(rulesOf(findings)).toEqual(['privacy']);
    },
  );

  test.each(['7,ACME DBA BETA,', 'x,ACME DBA BETA,reason', '7,,reason'])('refuses the line %s', (line) => {
    const [finding] = findingsOf('designations', { 'accepted.csv': accepted(line) });
    expect(finding).toMatchObject({ file: 'datasets/designations/accepted.csv', rule: 'list-readable' });
    expect(finding?.message).toContain('line 3');
  });
});
