/** Which lanes no story may bring together, as rows. Lanes are the markets of indicators, the domains of the atlas, and `designations`. */

/** A pair no story may join, and why. */
export const PROHIBITED_JOINS: [lane: string, other: string, why: string][] = [
  ['context', 'drugs', 'infrastructure and national context is never joined to drug-market evidence'],
  ['context', 'arms', 'infrastructure and national context is never joined to evidence on arms'],
  ['context', 'organized_crime', 'infrastructure and national context is never joined to crime scores'],
  ['context', 'firearms_tracing', 'infrastructure and national context is never joined to tracing results'],
  ['context', 'designations', 'infrastructure and national context says nothing about designated persons'],
  ['designations', 'drugs', 'designations are never joined to observations'],
  ['designations', 'arms', 'designations are never joined to observations'],
  ['designations', 'informal_economy', 'designations are never joined to observations'],
  ['designations', 'organized_crime', 'designations are never joined to scores'],
  ['designations', 'firearms_tracing', 'designations are never joined to tracing results'],
];

/** Why these lanes must not meet, or null. */
export function prohibitedJoin(lanes: ReadonlySet<string>): string | null {
  const [one, other, why] = PROHIBITED_JOINS.find(([a, b]) => lanes.has(a) && lanes.has(b)) ?? [];
  return one === undefined ? null : `lanes ${one} and ${other} must not meet in a story: ${why}`;
}
