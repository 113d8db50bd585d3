/** The sheets of the Informal Economy Database that are packaged: what each measures and in which unit. */

/** A sheet we package: `says` is what the workbook's own list of variables must print for it. */
export interface Series {
  sheet: string;
  id: string;
  label: string;
  unit: string;
  says: RegExp;
  /** Estimates of a model stand for every year, so a blank is a missing value; a survey's blank is a year without one. */
  isModel: boolean;
}

/** The six sheets that are the World Bank's own work, in the workbook's order. */
export const SERIES: Series[] = [
  {
    sheet: 'DGE_p',
    id: 'dge',
    label: 'Informal output, dynamic general equilibrium model',
    unit: '% of official GDP',
    says: /\(DGE\) estimates of informal output \(% of official GDP\)/i,
    isModel: true,
  },
  {
    sheet: 'MIMIC_p',
    id: 'mimic',
    label: 'Informal output, multiple indicators multiple causes model',
    unit: '% of official GDP',
    says: /\(MIMIC\) estimates of informal output \(% of official GDP\)/i,
    isModel: true,
  },
  {
    sheet: 'WBentp1',
    id: 'wbentp1',
    label: 'Firms competing against unregistered or informal firms',
    unit: 'Percent of firms',
    says: /^percent of firms competing against unregistered or informal firms/i,
    isModel: false,
  },
  {
    sheet: 'WBentp2',
    id: 'wbentp2',
    label: 'Firms formally registered when they started operations',
    unit: 'Percent of firms',
    says: /^percent of firms formally registered when they started operations/i,
    isModel: false,
  },
  {
    sheet: 'WBentp3',
    id: 'wbentp3',
    label: 'Years a firm operated without formal registration',
    unit: 'Number of years',
    says: /^number of years firm operated without formal registration/i,
    isModel: false,
  },
  {
    sheet: 'WBentp4',
    id: 'wbentp4',
    label: 'Firms that name practices of informal competitors as a constraint',
    unit: 'Percent of firms',
    says: /^percent of firms identifying practices of competitors in the informal sector/i,
    isModel: false,
  },
];
