/** The World Development Indicators series that are packaged, and the copies of them whose retrieval date is known. */

/** One series of the publisher. */
export interface WdiSeries {
  /** The publisher's code in lower case: indicator id here. */
  id: string;
  /** The publisher's title; another title is another meaning. */
  title: string;
  /** sha256 of the long-form copy retrieved on 2026-07-01. */
  copy: string;
}

const LISTED: [id: string, title: string, copy: string][] = [
  [
    'bn.cab.xoka.cd',
    'Current account balance (BoP, current US$)',
    '72318616167aba0139a59a0bca9f52e0c65ece60885352b8d6a4f0c8da6fe6bc',
  ],
  [
    'bx.klt.dinv.cd.wd',
    'Foreign direct investment, net inflows (BoP, current US$)',
    '9c90839988c376cdd22ae213f3044cca18a325c18c4e7f2daa1fb6b2cd6cee56',
  ],
  [
    'dt.dod.dect.cd',
    'External debt stocks, total (DOD, current US$)',
    '22d64e509c9a69d31d0d82e889f2ce46dab79ebc395ccaf0349799656ebb737c',
  ],
  [
    'dt.dod.dect.gn.zs',
    'External debt stocks (% of GNI)',
    '7b8d86578f44692ae291a3d2074d116af2de57a8802629c9bd7004ea7a0242d7',
  ],
  [
    'dt.dod.dimf.cd',
    'Use of IMF credit (DOD, current US$)',
    'cbb56c294700970a369ebb3be5b4321b242a79bf39caa3988b31239fd64a8ce3',
  ],
  [
    'dt.dod.dppg.cd',
    'External debt stocks, public and publicly guaranteed (PPG) (DOD, current US$)',
    '2411e765cc3ab8bede5f0adc6b5726ecb04cf56a40f9f2d795b895f570d327e0',
  ],
  [
    'dt.oda.odat.cd',
    'Net official development assistance received (current US$)',
    '64f4e3559a5776fa46ce4741ddc7224835fd449b1319923f4e9c51c770655223',
  ],
  [
    'dt.tds.dect.ex.zs',
    'Total debt service (% of exports of goods, services and primary income)',
    '6fca62c2568c5876ba35ae7a49bca516d1cb0b09d8640060b8360b57063780f1',
  ],
  [
    'eg.elc.accs.zs',
    'Access to electricity (% of population)',
    '6c3c4dcbbe6d2a0fada0d38acd24fad17e45288b36a7f78419eb73eb7124568a',
  ],
  [
    'fi.res.totl.cd',
    'Total reserves (includes gold, current US$)',
    '8ebb0c3e09d4bcc28481e663c289ed3330a6b6d4fe4534d121fe0108c4aa36b4',
  ],
  [
    'fp.cpi.totl.zg',
    'Inflation, consumer prices (annual %)',
    '82113415febb0b32411c86a17940fd857970a2b5f369d724c5529432f526bc34',
  ],
  [
    'is.shp.good.tu',
    'Container port traffic (TEU: 20 foot equivalent units)',
    '65f9ee19a1c97f0494053b33ec7ac70ade56af5565689809d9862a631ea399b7',
  ],
  ['ny.gdp.mktp.cd', 'GDP (current US$)', 'f488630ac53a04503f6c4164bd2737d18f7ac7fdecb07dc56042b0e1adc11cf7'],
  [
    'ny.gdp.mktp.kd.zg',
    'GDP growth (annual %)',
    '5468bc4339dd2ea3e677adea1319b40b98640d9c5997b43961196e726bcf3e8a',
  ],
  [
    'ny.gdp.pcap.cd',
    'GDP per capita (current US$)',
    '77c7f7b01151f21558ad08df402f865b4469aafbd00c6907f0586caec8f5900e',
  ],
  ['sp.pop.totl', 'Population, total', 'cd7856b882884a41b3473cf74e8c85eb58d7d663d818a07e03f42ebdfb2c6b34'],
  [
    'tg.val.totl.gd.zs',
    'Merchandise trade (% of GDP)',
    '46a3a905a1da917d2a817f21464f606394ae350726ceb4e40c7e84e67b642669',
  ],
  [
    'tm.val.mrch.cd.wt',
    'Merchandise imports (current US$)',
    'cc4dc88950c1b30a348ffbc764c34d18c629f2564182d22e2173c3d61e5492d7',
  ],
  [
    'tx.val.mrch.cd.wt',
    'Merchandise exports (current US$)',
    'c64c07cf3000a19495cc2e4e4a89e24696a97aebdab884b2def426f688b4f7af',
  ],
  [
    'vc.ihr.psrc.p5',
    'Intentional homicides (per 100,000 people)',
    '007e93a4b80664ae02deaf70f753e20f3707e7fc285522e12840e519962c033d',
  ],
];

/** The series that are packaged, in the order of their ids. */
export const WDI_SERIES: WdiSeries[] = LISTED.map(([id, title, copy]) => ({ id, title, copy }));
