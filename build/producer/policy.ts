/** The words the infrastructure-context artifact is published with: scope, use policy and limitations. */

export const SCOPE =
  'Sources about five target areas (CPEC, Gwadar, CMEC, Kyaukpyu, Balochistan) with what each may be cited for, and the coverage of national economic series for China, Myanmar and Pakistan. Parallel context only: it holds no project, place, person or event record.';

export const USE_POLICY = {
  lane: 'parallel_context_only',
  allowedUse:
    'Reading which public sources exist about a target area, how ready each is, and which years of which national series are published or unavailable.',
  crossLaneJoinPolicy: 'prohibited',
  displayRelationship:
    'Shown beside other lanes under its own heading, with its own clocks and sources; never on one axis, map or score with drug-market, designation or conflict evidence.',
  prohibitions: {
    drugConflictInfrastructureCausalJoin: 'prohibited',
    actorClassification: 'prohibited',
    bilateralRouteInference: 'prohibited',
    guiltInference: 'prohibited',
    politicalMovementClassification: 'prohibited',
    projectAttributionFromNationalSeries: 'prohibited',
    tacticalOrNavigableUse: 'prohibited',
  },
} as const;

/** One sentence each; the counts of the release stand in the artifact itself. */
export const LIMITATIONS = [
  'A source listed for an area is a place to look, not evidence that anything happened there.',
  'What a project owner, operator, provincial body or state portal announces is an official claim by an interested party, never an observation.',
  'Independent compilations and instruments support "observed or compiled", not "official"; modelled figures are neither.',
  'National series describe a whole country: nothing in them can be attributed to a corridor, port, province, project or actor.',
  'A year without a published value is unavailable and never zero; nothing is filled, carried forward, interpolated or forecast.',
  'Years of a series run from the first to the last that any of the three countries has; outside them the series says nothing about these countries.',
  'Coverage counts say which years are published, not whether a value is accurate; publishers revise past years.',
  'The series copies print no date of their own: datasetLastUpdated is the day of retrieval, the latest their release can be.',
  'Reuse terms are as generally known unless the register says where they were read; some source addresses were not checked (URL not checked).',
  'A source blocked by its terms is listed by name only and supports no claim here.',
  'Night-light or surface change is not activity and not a cause; a mapped feature is not its status.',
  'Reference releases are made by this project; they are not the publication of a real producer (release.verificationSemantics).',
  'The artifact cannot be joined to drug-market evidence, in either direction.',
];
