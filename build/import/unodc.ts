/** What every UNODC table has in common: publisher, terms and the World Drug Report 2025's page. */

/** Publisher and reuse terms of the World Drug Report annexes, as stated by UNODC. */
export const UNODC_TERMS = {
  publisher: 'United Nations Office on Drugs and Crime (UNODC)',
  license:
    'UNODC terms: reproduction for educational or non-profit purposes with acknowledgement; no commercial use without UNODC permission',
  licenseUrl: null,
} as const;

/** Landing page of the World Drug Report 2025. */
export const WDR_2025 = 'https://www.unodc.org/unodc/en/data-and-analysis/world-drug-report-2025.html';
