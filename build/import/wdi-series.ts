/** The World Development Indicators series that are packaged, and the copies of them whose retrieval date is known. */

/** One series of the publisher. */
export interface WdiSeries {
  /** The publisher's code in lower case: indicator id here. */
  id: string;
  /** The publisher's title; another title is another meaning. */
  title: string;
  /** As printed in the title's parentheses; `people` where it prints none. */
  unit: string;
  /** The organization the World Bank takes the series from, where its terms matter beside CC BY 4.0. */
  origin: string | null;
  /** sha256 of the long-form copy retrieved on 2026-07-01. */
  copy: string;
}

/** The series in the order of their ids. */
export const WDI_SERIES: WdiSeries[] = [
  {
    id: 'bn.cab.xoka.cd',
    title: 'Current account balance (BoP, current US$)',
    unit: 'BoP, current US$',
    origin: null,
    copy: '72318616167aba0139a59a0bca9f52e0c65ece60885352b8d6a4f0c8da6fe6bc',
  },
  {
    id: 'bx.klt.dinv.cd.wd',
    title: 'Foreign direct investment, net inflows (BoP, current US$)',
    unit: 'BoP, current US$',
    origin: null,
    copy: '9c90839988c376cdd22ae213f3044cca18a325c18c4e7f2daa1fb6b2cd6cee56',
  },
  {
    id: 'dt.dod.dect.cd',
    title: 'External debt stocks, total (DOD, current US$)',
    unit: 'DOD, current US$',
    origin: null,
    copy: '22d64e509c9a69d31d0d82e889f2ce46dab79ebc395ccaf0349799656ebb737c',
  },
  {
    id: 'dt.dod.dect.gn.zs',
    title: 'External debt stocks (% of GNI)',
    unit: '% of GNI',
    origin: null,
    copy: '7b8d86578f44692ae291a3d2074d116af2de57a8802629c9bd7004ea7a0242d7',
  },
  {
    id: 'dt.dod.dimf.cd',
    title: 'Use of IMF credit (DOD, current US$)',
    unit: 'DOD, current US$',
    origin: null,
    copy: 'cbb56c294700970a369ebb3be5b4321b242a79bf39caa3988b31239fd64a8ce3',
  },
  {
    id: 'dt.dod.dppg.cd',
    title: 'External debt stocks, public and publicly guaranteed (PPG) (DOD, current US$)',
    unit: 'DOD, current US$',
    origin: null,
    copy: '2411e765cc3ab8bede5f0adc6b5726ecb04cf56a40f9f2d795b895f570d327e0',
  },
  {
    id: 'dt.oda.odat.cd',
    title: 'Net official development assistance received (current US$)',
    unit: 'current US$',
    origin: null,
    copy: '64f4e3559a5776fa46ce4741ddc7224835fd449b1319923f4e9c51c770655223',
  },
  {
    id: 'dt.tds.dect.ex.zs',
    title: 'Total debt service (% of exports of goods, services and primary income)',
    unit: '% of exports of goods, services and primary income',
    origin: null,
    copy: '6fca62c2568c5876ba35ae7a49bca516d1cb0b09d8640060b8360b57063780f1',
  },
  {
    id: 'eg.elc.accs.zs',
    title: 'Access to electricity (% of population)',
    unit: '% of population',
    origin: null,
    copy: '6c3c4dcbbe6d2a0fada0d38acd24fad17e45288b36a7f78419eb73eb7124568a',
  },
  {
    id: 'fi.res.totl.cd',
    title: 'Total reserves (includes gold, current US$)',
    unit: 'includes gold, current US$',
    origin: null,
    copy: '8ebb0c3e09d4bcc28481e663c289ed3330a6b6d4fe4534d121fe0108c4aa36b4',
  },
  {
    id: 'fp.cpi.totl.zg',
    title: 'Inflation, consumer prices (annual %)',
    unit: 'annual %',
    origin: null,
    copy: '82113415febb0b32411c86a17940fd857970a2b5f369d724c5529432f526bc34',
  },
  {
    id: 'is.shp.good.tu',
    title: 'Container port traffic (TEU: 20 foot equivalent units)',
    unit: 'TEU: 20 foot equivalent units',
    origin: 'UNCTAD',
    copy: '65f9ee19a1c97f0494053b33ec7ac70ade56af5565689809d9862a631ea399b7',
  },
  {
    id: 'ny.gdp.mktp.cd',
    title: 'GDP (current US$)',
    unit: 'current US$',
    origin: null,
    copy: 'f488630ac53a04503f6c4164bd2737d18f7ac7fdecb07dc56042b0e1adc11cf7',
  },
  {
    id: 'ny.gdp.mktp.kd.zg',
    title: 'GDP growth (annual %)',
    unit: 'annual %',
    origin: null,
    copy: '5468bc4339dd2ea3e677adea1319b40b98640d9c5997b43961196e726bcf3e8a',
  },
  {
    id: 'ny.gdp.pcap.cd',
    title: 'GDP per capita (current US$)',
    unit: 'current US$',
    origin: null,
    copy: '77c7f7b01151f21558ad08df402f865b4469aafbd00c6907f0586caec8f5900e',
  },
  {
    id: 'sp.pop.totl',
    title: 'Population, total',
    unit: 'people',
    origin: null,
    copy: 'cd7856b882884a41b3473cf74e8c85eb58d7d663d818a07e03f42ebdfb2c6b34',
  },
  {
    id: 'tg.val.totl.gd.zs',
    title: 'Merchandise trade (% of GDP)',
    unit: '% of GDP',
    origin: null,
    copy: '46a3a905a1da917d2a817f21464f606394ae350726ceb4e40c7e84e67b642669',
  },
  {
    id: 'tm.val.mrch.cd.wt',
    title: 'Merchandise imports (current US$)',
    unit: 'current US$',
    origin: null,
    copy: 'cc4dc88950c1b30a348ffbc764c34d18c629f2564182d22e2173c3d61e5492d7',
  },
  {
    id: 'tx.val.mrch.cd.wt',
    title: 'Merchandise exports (current US$)',
    unit: 'current US$',
    origin: null,
    copy: 'c64c07cf3000a19495cc2e4e4a89e24696a97aebdab884b2def426f688b4f7af',
  },
  {
    id: 'vc.ihr.psrc.p5',
    title: 'Intentional homicides (per 100,000 people)',
    unit: 'per 100,000 people',
    origin: 'UNODC',
    copy: '007e93a4b80664ae02deaf70f753e20f3707e7fc285522e12840e519962c033d',
  },
];
