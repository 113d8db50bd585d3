/** Places finer than any story may name, and ways there: patterns over the text as written, and what each would be. */
export const PLACES: [pattern: RegExp, what: string][] = [
  [/[-+]?\d{1,3}[.,]\d{3,}\s*°?\s*[NSEW]?\s*[,;/ ]\s*[-+]?\d{1,3}[.,]\d{3,}/iu, 'coordinates'],
  [/\d{1,3}\s*[°º]\s*(\d|[NSEW]\b)|\b\d{1,3}\s*(degrees|deg)\b/iu, 'coordinates'],
  [/\b(degrees|minutes) (north|south|east|west)\b|\b(north|south) of the equator\b/iu, 'coordinates'],
  [/\bmgrs\b|\butm\b|\bplus code\b|\bwhat3words\b/iu, 'coordinates'],
  [
    /\b(?!(?:The|An?|This|That|These|Those|Each|No|In|On|Of|By|At|To|From|Across|Along|Per)\b)\p{Lu}[\p{L}.'’]* (?:[Ss]treet|[Aa]venue|[Rr]oad|[Bb]oulevard|[Ll]ane|[Dd]rive|[Ss]quare|[Hh]ighway|[Aa]lley|Terrace|Crescent|Plaza)s?\b/u,
    'an address',
  ],
  [/\b(?:Plaza|Paseo|Piazza|Place|Platz|Ulica|Ul\.|ul\.) \p{Lu}/u, 'an address'],
  // "Main St", not "St Lucia": the abbreviation ends a name, and no name follows it.
  [/\b\p{Lu}[\p{L}.'’]* (St|Str|Dr|Sq|Ln|Pl|Ct)\b(?!\.? \p{Lu})/u, 'an address'],
  [/\b(av|ave|avda|blvd|bvd|boul|hwy|rd|pza|p\.? ?o\.? box)\b/iu, 'an address'],
  [/\b(calle|carrera|avenida|bulevar|rua|rue|via|strasse|straße)\s+\S/iu, 'an address'],
  [
    /\b(corners?|intersections?|junctions?|crossroads?|house numbers?|apartments?|zip ?codes?|post ?codes?)\b/iu,
    'an address',
  ],
  [
    /\b(points?|places?|spots?) of (sale|supply|delivery)\b|\bsales? points?\b|\bopen[- ]air market|\bborder crossing/iu,
    'a point of sale',
  ],
  [/\b(routes?|routing|waypoints?|hideouts?|stash(es)?|safe ?houses?)\b/iu, 'a route or a place of hiding'],
  [/[\w.%+-]+@[\w.-]+\.\w{2,}|\b(https?:\/\/|www\.)/iu, 'an electronic address'],
];
