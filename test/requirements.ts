/**
 * The requirements as data: an id and the sentence of the specification it stands for. A test cites an id in square brackets
 * at the head of its name or in the head comment of its file; rows of test/contract/cases.ts cite theirs in the first column.
 */
export const REQUIREMENTS: Record<string, string> = {
  // REST
  RESOURCES: 'Eight REST resources and seven tools, and no others.',
  DOORS: 'Every door (call, REST, port, function, CDN) answers one contract with the same bytes.',
  'REST-PARAM':
    'Unknown, repeated, empty, wrongly typed and out-of-range parameters are 400 `invalid_request`; nothing is ignored, clamped or coerced.',
  RANDOM:
    'No request ends in an untyped 5xx or a body that is not JSON; every 200 is valid against its schema.',
  OPENAPI: 'Every answer is one that openapi.json describes, refusals included.',
  METHODS: 'Methods are GET, HEAD and OPTIONS (204); others are 405 with `Allow`.',
  CORS: '`Access-Control-Allow-Origin: *` stands on every answer, errors included.',
  CACHE:
    'Strong ETag from the content, 304 on `If-None-Match`, and the cache headers of each kind of answer.',
  LINK: 'Every API answer links to catalog and description, a page with a further one to it.',
  CODING: 'A compressed answer carries the same bytes under an ETag of its own.',
  URI: 'A URL over 8,192 bytes is 414 `uri_too_long`.',
  STATIC:
    'The bytes of every published file are served as published, and never where they fail their checksum.',
  UNAVAILABLE:
    'Missing or malformed evidence is the typed 503 of its resource and leaves every other resource alone.',
  PARTIAL: 'Where a part of the evidence is missing the answer is `partial` and names the part.',
  INTERNAL:
    'An unexpected failure is 500 `internal_error`, never a stack, a path or its text, and is not stored.',
  LISTENER: 'A request too broken to reach the service is a JSON error too, and the server goes on.',
  DRAIN: 'SIGTERM drains: answers under way are whole, then the process ends with 0.',
  RUNTIME: 'Damage and repair of published data are noticed while serving.',

  // Paging and cursors
  PAGING: 'Walking all pages yields each record exactly once, and `matched` is their number.',
  ORDER: 'Records stand in the fixed order of their resource.',
  FILTERS: 'Any combination of filters selects exactly the records that match all of them.',
  CURSOR:
    'A cursor is base64url of at most 2,048 characters that binds resource, filters and data hashes: altered 400 `invalid_request`, of other data 400 `stale_cursor`.',

  // Resources
  CAPABILITIES: 'Capabilities give version 1.6.0, resources, limits, data and the release.',
  'MARKETS-CATALOG': 'The market catalog is `svc.global-market-catalog.v1`.',
  'CATALOG-SIZE': 'The whole catalog stays under 150 kB.',
  'CATALOG-HASHES': 'Catalog hashes and sizes are those of the packaged bytes served at `path`.',
  CLOCKS: '`generatedAt` is the latest retrieval of the data, never the clock of the machine that builds.',
  'MARKETS-PAGE':
    'Market observations page by 200, up to 500; what matches nothing is an empty page with 200.',
  'MARKETS-IDS': '`dataset` and `indicator` must be ids of the catalog, else 400 naming the catalog.',
  'MARKETS-PERIOD':
    '`from` and `to` accept `YYYY` or `YYYY-MM`; an annual record never answers a request for a month.',
  'MARKETS-EMPTY': 'An empty `category` or `subgroup` matches records whose value is empty.',
  'MARKETS-NULL': '`value` is null exactly when `status` is `unavailable`, and only then there is a reason.',
  ATLAS:
    'The atlas returns source-native country-year records by domain, country and year, 50 a page by default.',
  'ATLAS-QUERY': 'The atlas echoes its filters with null where absent.',
  'ATLAS-NULLS':
    '`unavailable_fields` are exactly the dotted paths of the nulls of a record, and `availability` follows from them.',
  ENTITIES: 'Entities answer their four filters and echo them with null where absent.',
  'ENTITIES-COUNTRY': 'A country is the exact official name in any case or an ISO 3166 code that maps to it.',
  'ENTITIES-PROGRAMS': 'Only designations of the four programs are published, programs compared whole.',
  'ENTITIES-PRIVACY': 'Aliases, addresses, birth data, documents and allegation text are never packaged.',
  'ENTITIES-WITHDRAWN': 'Who has left the list is withheld and only counted.',
  'ENTITIES-RECORD':
    'A designation has the official fields only, is no adjudication, and its source says how many are withheld.',
  CORRIDORS: 'Corridors are official-only country aggregates for China, Myanmar and Pakistan.',
  'CORRIDORS-RECORDS':
    'Corridors carry records as packaged in native units, none of another country, and count what is not shown.',
  BRI: 'The infrastructure context is the envelope `svc.api.producerp-bri-envelope.v1`.',
  'BRI-ARTIFACT': 'The artifact has five target areas and three countries and names what it was made from.',
  'BRI-SCHEMA':
    'The artifact schema refuses what departs from the constants, counts and bounds of the specification.',
  'BRI-VERIFY':
    'Every hash, byte count and tree hash of the pinned release is verified before the artifact is written.',
  'BRI-UNAVAILABLE': 'Without its artifact the endpoint is unavailable.',
  'BRI-NULL': 'A year without a value is unavailable, an observed zero is observed, and forecasts are none.',

  // Federation
  'FED-STATUS':
    'Every lane without error is `available`, none is `unavailable` (503), anything else `partial` (200).',
  'FED-INDEPENDENT': 'Each lane is independent: one that fails leaves the others as they are.',
  'FED-UNSET':
    'Without `PRODUCERS_BASE_URL` its four lanes are `upstream_not_configured` under https://producers.invalid/.',
  'FED-ORIGIN': '`PRODUCERS_BASE_URL` is an https origin; anything else is refused at start.',
  'FED-ONE-GET': 'A lane sends exactly one GET, follows no redirect and retries nothing.',
  'FED-BOUNDS': 'A lane has 15 seconds for the whole response and 2,000,000 bytes of decoded body.',
  'FED-DEADLINE': 'A slow upstream never delays the answer past the deadline, and no other request at all.',
  'FED-FAULTS':
    'Every misbehaviour of the upstream ends in its own error code and a schema-valid lane without evidence.',
  'FED-JSON': 'Malformed UTF-8 or JSON and duplicate keys are refused.',
  'FED-FORBIDDEN': 'A payload with a composite, causal or culpability key at any depth is refused.',
  'FED-PASS': 'A live lane keeps upstream scope, status, clocks, citation and caveats untouched.',
  'FED-NULL': 'Null and zero of the upstream stay apart.',
  'FED-RESTRICTED': 'A `restricted` lane has no error.',
  'FED-NEWSWIRE': 'The newswire lane gives the bounded pinned receipt and nothing more.',
  'FED-CACHE': 'Federation answers are `public, max-age=60`, its 503 `no-store`.',

  // Packaged evidence
  'IMPORT-ZERO': 'A blank is unavailable and never zero; a printed zero is an observed zero.',
  'IMPORT-LOCATOR': 'A record names the cell or row that holds its value.',
  'IMPORT-UNIT': 'Units are as printed by the source, never converted.',
  'IMPORT-LAYOUT': 'Moved columns and added title rows give the same records.',
  'IMPORT-REFUSES': 'What is not understood is refused with file, sheet, cell and expectation.',
  'IMPORT-SAME': 'The same files give the same bytes.',
  'IMPORT-AUDIT': 'The audit of an import accounts for every row and column.',
  'IMPORT-CONFLICT':
    'Rows with one key and different values are `conflicting_source_rows`, never one of them.',
  'IMPORT-TOTALS': 'Totals of a source stay apart from their parts.',
  'IMPORT-BROKEN': 'A formula that lost its workbook is `broken_formula_in_source`, a mark is no number.',
  'IMPORT-PLACEHOLDER': 'A zero that stands for nothing known is `placeholder_in_source`.',
  'IMPORT-EDITIONS': 'What an edition did not assess stays null and nothing is carried between editions.',
  'IMPORT-GEOGRAPHY':
    'A name has the code and level it is known by and stays as printed; an unknown one is refused, never guessed.',
  'SAFETY-WITHHELD': 'Purity, yield and production figures are not packaged.',
  'SAFETY-GATES':
    'Purity, yield, synthesis routes, coordinates and composite or causal scores never pass the build.',

  // Build, gates, commands
  GATES: 'The build stops on forbidden or malformed content and names file, row and rule of every finding.',
  REPRODUCIBLE:
    'Building twice gives the same tree byte for byte, whatever the directory, time zone, locale or clock.',
  ATOMIC: 'A build that fails leaves the previous tree untouched.',
  SUMS: 'SHA256SUMS and every sidecar pass `sha256sum -c`.',
  SETTINGS: 'A bad setting stops the start with one line that names it.',
  COMMANDS: 'An unknown command or flag exits 2 and says what there is.',
  README: 'The README names every command and setting, and its requests are answered.',

  // Bulk forms
  'BULK-CSV': 'CSV is RFC 4180 and no cell of it runs as a formula, reversibly.',
  'BULK-PARQUET': 'Parquet gives every row back with types, the same bytes every time.',
  'BULK-ROUND-TRIP': 'JSON, CSV, Parquet and NDJSON hold the same records.',
  'BULK-NULL': 'A missing value and a zero are told apart in every form.',
  'BULK-METADATA':
    'Data Package, Croissant and DCAT documents keep the rules of their specifications and are true of every file.',

  // Discovery and pages
  'DISC-CATALOG': 'The API catalog is an RFC 9727 linkset of REST and MCP whose targets answer.',
  'DISC-OPENAPI': 'openapi.json is valid OpenAPI 3.1, version 1.6.0, complete and true of the service.',
  'DISC-LINKS': 'Every link of llms.txt, site map, schema list and pages leads somewhere.',
  'DISC-SECURITY': 'security.txt has a contact that answers and expires a year after the data clock.',
  'DISC-DOCS': 'Every parameter, fault, header, resource and tool is documented, and the reverse.',
  'DISC-PAGES': 'Pages for people load nothing from elsewhere and are fit for everyone.',

  // Newsroom
  'NEWS-GATE':
    'Every number of a story is a citation token; what breaks a rule stops the build with story and sentence.',
  'NEWS-SYNTHESIS': 'A synthesis rests on at least two independent publishers.',
  'NEWS-JOIN': 'Lanes that must not meet are not joined in a story.',
  'NEWS-PERSON': 'A designated individual is never cited.',
  'NEWS-CHANGED': 'Changed cited data reaches the page at once and flags the story.',
  'NEWS-CORRECTIONS': 'Corrections stand on the page, in the brief and in the feed.',
  'NEWS-FEEDS': 'JSON Feed 1.1 and RSS 2.0 carry the same items with stable `urn:` ids and exact story URLs.',
  'NEWS-DOCUMENTS': 'Every story has a valid machine brief and a cited dossier.',
  'NEWS-VERIFY':
    'A story can be checked offline from a mirror alone; one changed digit, locator or hash fails.',

  // MCP
  'MCP-TOOLS': 'The seven tools have the REST parameters as input schema and read-only annotations.',
  'MCP-SAME': '`structuredContent` is the REST `data`, the text block the same JSON.',
  'MCP-REFUSES': 'Bad arguments are `isError` true with the message of REST.',
  'MCP-UNAVAILABLE': 'Unavailable evidence is a schema-valid result with `isError` false.',
  'MCP-MASKED': 'Internal failures never leak their text.',
  'MCP-ROUTING':
    'Missing or mismatched routing metadata, foreign origins and bodies over 64 KiB are rejected.',
  'MCP-LEGACY': 'Legacy clients negotiate 2025-06-18 with `initialize`; no session is opened.',
  'MCP-DISCOVER': 'Clients of 2026-07-28 call `server/discover`.',
  'MCP-RESOURCES':
    'Catalog, capabilities, artifact and licence of each dataset are resources, linked from results.',
  'MCP-PROMPT': 'One prompt cites evidence with its licence and caveats.',
  'MCP-LISTEN': 'A listen stream ends and promises nothing.',
  'MCP-DOCS': 'docs/mcp.md is true of the door: tools, resources, limits and a conversation.',

  // Releases and mirrors
  'RELEASE-LEDGER': 'Serial, predecessor and expiry come from the ledger and a rebuild changes nothing.',
  'RELEASE-SIGNED': 'A key signs the manifest with Ed25519; without one the release says it is unsigned.',
  'RELEASE-TAMPER': 'Every way to tamper with a published tree is found and named.',
  'RELEASE-TIME': 'An expired, replayed or two-faced release is rejected.',
  'RELEASE-KEY': 'A pinned key catches a forgery and a stripped signature.',
  'RELEASE-PAGES':
    'The published pages of a resource are one chain through `next_cursor`, checked by verify.',
  'RELEASE-SWITCH': 'Replacing a tree is whole or not at all, one writer at a time.',
  'RELEASE-DELTA': 'A release and a delta give the next release byte for byte, each change with its reason.',
  MIRROR: 'A mirror is copied verified, resumed after a break, and refused where the origin misbehaves.',
  'MIRROR-SERVERS':
    'The web server configurations of docs/mirrors.md serve a whole release and refuse filters with 404.',

  // CDN
  'CDN-ROUTES': 'Published pages are files, filtered and live requests the function; headers stand once.',
  'CDN-FUNCTION': 'The bundled function answers the contract with nothing beside it but the included files.',
};
