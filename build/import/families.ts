/** The importers there are, one line each. */
import { coca, opium } from './cultivation.ts';
import type { Family } from './family.ts';
import { firearms } from './firearms.ts';
import { informalEconomy } from './informal-economy.ts';
import { informalEmployment } from './informal-employment.ts';
import { nationalIndicators } from './national-indicators.ts';
import { ocIndex } from './oc-index.ts';
import { ofac } from './ofac.ts';
import { prevalence } from './prevalence.ts';
import { prices } from './prices.ts';
import { seizures } from './seizures.ts';

export const FAMILIES: Family[] = [
  coca,
  firearms,
  informalEconomy,
  informalEmployment,
  nationalIndicators,
  ocIndex,
  ofac,
  opium,
  prevalence,
  prices,
  seizures,
];
