/** The importers there are, one line each. */
import type { Family } from './family.ts';

export const FAMILIES: Family[] = [];
