/** The importers there are, one line each. */
import { coca, opium } from './cultivation.ts';
import type { Family } from './family.ts';
import { prices } from './prices.ts';
import { seizures } from './seizures.ts';

export const FAMILIES: Family[] = [coca, opium, prices, seizures];
