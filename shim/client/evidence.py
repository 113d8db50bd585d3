#!/usr/bin/env python3
"""Client of the public evidence service: Python 3.8 or later, standard library only.

    from evidence import open_evidence
    evidence = open_evidence("https://<service or copy of its files>/")
    for row in evidence.observations(indicator="opium-cultivation", geo="AFG"):
        print(row["period"], row["value"], row["unit"], row["status"])

On the command line, as CSV:

    python3 evidence.py https://<service or copy>/ indicator=opium-cultivation geo=AFG

A row is one cell of a publisher's file. `value` is None exactly when `status` is "unavailable", and `unavailableReason` says why;
None is never zero, and 0 is an observed zero. Units are as printed. Every row carries its edition, its cell (`sourceLocator`), and of
its source `sourceName`, `sourceSha256` and `license`.

Where a service answers, it is asked page by page. Where there are only files, the packaged records of the datasets that a query
needs are downloaded, checked against their sha256, and filtered here; both give the same rows.
"""

import csv
import datetime
import hashlib
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

RECORD_FIELDS = (
    "id datasetId edition indicatorId geoCode geoName geoLevel period category subgroup group value lower upper unit status "
    "unavailableReason sourceId sourceLocator"
).split()
SOURCE_FIELDS = "sourceName sourceSha256 license".split()
FIELDS = RECORD_FIELDS + SOURCE_FIELDS
FILTERS = "dataset indicator geo category subgroup from to as_of id".split()
CONTRACT = "svc.api.market-observations.v1"
PACKS = "svc.packs.v1"
# How a service names a dataset that a page lacks because its files are damaged.
LACKING = "is currently unavailable"
PAGE = 500
RETRIES = 4
LONGEST_WAIT = 60
TIMEOUT = 60
# The most bytes of one body. Set it to take more.
MOST_BYTES = 256 * 1024 * 1024


class EvidenceError(Exception):
    """A request that was refused, or evidence that cannot be given; the message says what to do."""


def open_evidence(address):
    """Opens the service or the copy of its files at an address."""
    return Evidence(address)


class Evidence:
    """A service, or a copy of its files. `source` is "service" or "files"."""

    def __init__(self, address):
        if not re.match(r"https?://", address):
            raise EvidenceError(f"{address!r} is not an http or https address")
        self.address = address.rstrip("/") + "/"
        self._packs = None
        self._records = {}
        self.source = "service" if self._answers() else "files"
        if self.source == "files":
            self._manifest()

    def observations(self, **filters):
        """Rows that match, as dicts with the keys of FIELDS. The filter `from` is written `from_`, a word of Python."""
        wanted = self._filters(filters)
        return self._pages(wanted) if self.source == "service" else self._filtered(wanted)

    def cite(self, row):
        """The citation of a row, in one paragraph, with the address of the row in its edition."""
        page = "r/" if self.source == "service" else "r/#"
        return (
            f'{row["sourceName"]}. Edition {row["edition"]}, {row["sourceLocator"]} of the publisher\'s file '
            f'(sha256 {row["sourceSha256"]}). Dataset {row["datasetId"]}, record '
            f'{self.address}{page}{row["id"]}@{row["edition"]}. Licence: {row["license"]}.'
        )

    def verify(self, row):
        """Downloads the packaged records of the row's edition, checks their sha256, and compares. Raises EvidenceError."""
        for pack in self._editions(row["datasetId"]):
            for record in self._read(pack):
                if record["id"] == row["id"] and record["edition"] == row["edition"]:
                    differing = [field for field in RECORD_FIELDS if record[field] != row[field]]
                    if differing:
                        raise EvidenceError(f'{row["id"]}: {", ".join(differing)} differ from {pack["path"]}')
                    return {"path": pack["path"], "sha256": pack["sha256"]}
        raise EvidenceError(f'no edition of {row["datasetId"]} here has {row["id"]}@{row["edition"]}')

    # The service.

    def _answers(self):
        try:
            status, body = self._get("api/v1/series?limit=1", retries=0)
            answer = self._json(body, "the answer")
            # A host of files that ignores queries gives a longer page.
            return status == 200 and answer["ok"] is True and answer["data"]["page"]["limit"] == 1
        except (EvidenceError, ValueError, TypeError, KeyError):
            return False

    def _pages(self, wanted):
        cursor = None
        while True:
            query = dict(wanted, limit=PAGE, **({"cursor": cursor} if cursor else {}))
            path = "api/v1/market-observations?" + urllib.parse.urlencode(query)
            status, body = self._get(path)
            answer = self._json(body, path)
            if not answer.get("ok"):
                raise EvidenceError(f'{answer.get("error")} ({status}): {answer.get("message")}')
            data = answer["data"]
            if data["schema"] != CONTRACT:
                raise EvidenceError(f'the service answers {data["schema"]}; this client knows {CONTRACT}: get a newer client')
            lacking = [note for note in data["limitations"] if LACKING in note]
            if lacking:
                raise EvidenceError(f'{" ".join(lacking)} Try again later, or ask for other datasets.')
            sources = {(source["datasetId"], source["id"]): source for source in data["sources"]}
            for record in data["observations"]:
                yield with_source(record, sources)
            cursor = data["page"]["next_cursor"]
            if cursor is None:
                return

    # The files.

    def _manifest(self):
        if self._packs is None:
            manifest = self._json(self._file("data/packs.json"), "data/packs.json")
            if manifest.get("schema") != PACKS:
                raise EvidenceError(f'data/packs.json is {manifest.get("schema")}; this client knows {PACKS}: get a newer client')
            try:
                for pack in manifest["editions"] + manifest["packs"]:
                    texts = [pack[name] for name in ("id", "kind", "edition", "path", "sha256")]
                    if pack["kind"] == "observations":
                        named = ("datasetId", "id", "edition", "name", "sha256", "license")
                        texts += [source[name] for source in pack["meta"]["sources"] for name in named]
                        texts += pack["meta"]["indicators"]
                    "".join(texts + [manifest["generatedAt"]])  # raises where one of them is no text
                "".join(each[name] for each in manifest["unavailable"] for name in ("id", "reason"))
            except (KeyError, TypeError) as error:
                raise EvidenceError("data/packs.json is not the list of packs that its schema describes") from error
            self._packs = manifest
        return self._packs

    def _editions(self, dataset):
        """The packs of a dataset, oldest edition first."""
        manifest = self._manifest()
        return [pack for pack in manifest["editions"] + manifest["packs"] if pack["id"].split("@")[0] == dataset]

    def _filtered(self, wanted):
        market = [pack for pack in self._manifest()["packs"] if pack["kind"] == "observations"]
        key, _, edition = wanted.get("id", "").partition("@")
        indicator = wanted.get("indicator") or key.split(".")[0]
        for each in self._manifest()["unavailable"]:
            if wanted.get("dataset") == each["id"] or indicator in each.get("indicators", []):
                raise EvidenceError(f'unavailable: Dataset {each["id"]} is unavailable in this release. {each["reason"]} No substitute values are returned.')
        if wanted.get("dataset") not in [None] + [pack["id"] for pack in market]:
            raise refused("dataset", wanted["dataset"], one_of(pack["id"] for pack in market))
        everywhere = {name for pack in market for each in self._editions(pack["id"]) for name in each["meta"]["indicators"]}
        if wanted.get("indicator") not in {None} | everywhere:
            raise refused("indicator", wanted["indicator"], one_of(sorted(everywhere)))
        check_dates(wanted, max([self._manifest()["generatedAt"][:10]] + [last_day(pack["edition"]) for pack in self._manifest()["packs"]]))
        check_names(wanted)
        asked = [
            pack
            for pack in market
            if wanted.get("dataset") in (None, pack["id"])
            and (not indicator or any(indicator in each["meta"]["indicators"] for each in self._editions(pack["id"])))
        ]
        published = [last_day(pack["edition"]) for current in asked or market for pack in self._editions(current["id"])]
        if "as_of" in wanted and not any(day <= wanted["as_of"] for day in published):
            raise refused("as_of", wanted["as_of"], "a day by which what is requested had been published")
        selected = []
        for current in asked:
            packs = self._editions(current["id"])
            if edition:
                # Several may have files of this date, but only the earlier ones all of them.
                selected += [pack for pack in packs[::-1] if any(s["edition"] == edition for s in pack["meta"]["sources"])]
            else:
                selected += [pack for pack in packs if last_day(pack["edition"]) <= wanted.get("as_of", "9999")][-1:]
        for pack in selected:
            if indicator and indicator not in pack["meta"]["indicators"]:
                continue
            sources = {(s["datasetId"], s["id"]): s for s in pack["meta"]["sources"]}
            for record in matching(self._read(pack), wanted, key, edition):
                yield with_source(record, sources)
                if edition:
                    return

    def _read(self, pack):
        """The records of a pack, checked; kept, as another query often needs them."""
        if pack["path"] not in self._records:
            text = self._file(pack["path"], pack["sha256"]).decode("utf-8")
            self._records[pack["path"]] = [json.loads(line) for line in text.split("\n") if line]
        return self._records[pack["path"]]

    def _file(self, path, sha256=None):
        if sha256 is None:
            sha256 = self._whole(path + ".sha256")[:64].decode("ascii", "replace")
        body = self._whole(path)
        if hashlib.sha256(body).hexdigest() != sha256:
            raise EvidenceError(f"{self.address}{path} does not match its sha256: it was changed, or is of another release")
        return body

    def _whole(self, path):
        status, body = self._get(path)
        if status != 200:
            raise EvidenceError(f"{self.address}{path}: the host answers {status}")
        return body

    # Requests.

    def _json(self, body, path):
        """The JSON object of a body."""
        try:
            value = json.loads(body)
        except ValueError as error:
            raise EvidenceError(f"{self.address}{path}: the host answers with something other than JSON") from error
        if not isinstance(value, dict):
            raise EvidenceError(f"{self.address}{path}: the host answers with something other than a JSON object")
        return value

    def _filters(self, given):
        wanted = {name.rstrip("_"): value for name, value in given.items() if value is not None}
        unknown = sorted(set(wanted) - set(FILTERS))
        if unknown:
            raise EvidenceError(f'unknown filter {unknown[0]!r}; the filters are {", ".join(FILTERS)}')
        for name, value in wanted.items():
            # A day of datetime and a number of numpy are one value; not a number (NaN) is unlike itself.
            if hasattr(value, "__iter__") and not isinstance(value, str) or value != value:
                raise EvidenceError(f"filter {name!r} takes one value")
            if "\0" in str(value):
                raise EvidenceError(f"filter {name!r} takes text without NUL")
        return {name: str(value) for name, value in wanted.items()}

    def _get(self, path, retries=RETRIES):
        """Status and body; a busy or unreachable host is tried again, later each time."""
        request = urllib.request.Request(self.address + path, headers={"User-Agent": "evidence.py/1"})
        for attempt in range(retries + 1):
            wait = 2**attempt
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                    return response.status, self._body(response, path)
            except urllib.error.HTTPError as error:
                with error:
                    body = self._body(error, path)
                if error.code not in (429, 502, 503, 504) or attempt == retries:
                    return error.code, body
                after = error.headers.get("Retry-After", "")
                wait = int(after) if after.isdigit() else wait
            except (OSError, http.client.HTTPException) as error:
                if attempt == retries:
                    raise EvidenceError(f"{self.address}{path}: {error}") from error
            time.sleep(min(wait, LONGEST_WAIT))

    def _body(self, response, path):
        """The whole body of a response, if it is not too large."""
        body = bytearray()
        for piece in iter(lambda: response.read(2**20), b""):
            body += piece
            if len(body) > MOST_BYTES:
                raise EvidenceError(f"{self.address}{path}: the host sends more than {MOST_BYTES} bytes; set evidence.MOST_BYTES to take more")
        if response.length:
            raise http.client.IncompleteRead(bytes(body), response.length)
        return body


def with_source(record, sources):
    """A row: the record with what is said of its source."""
    source = sources[(record["datasetId"], record["sourceId"])]
    row = {field: record[field] for field in RECORD_FIELDS}
    row.update(sourceName=source["name"], sourceSha256=source["sha256"], license=source["license"])
    return row


def matching(records, wanted, key, edition):
    """The records that a query wants, by the rules of the service."""
    names = {"indicator": "indicatorId", "geo": "geoCode", "category": "category", "subgroup": "subgroup"}
    equal = {field: wanted[name] for name, field in names.items() if name in wanted}
    if key:
        equal["id"] = key
    if edition:
        equal["edition"] = edition
    for field, value in equal.items():
        records = [record for record in records if record[field] == value]
    # A month selects monthly records only; a year selects its months too.
    low, high = wanted.get("from", ""), wanted.get("to")
    if 7 in (len(low), len(high or "")):
        records = [record for record in records if len(record["period"]) == 7]
    if low:
        records = [record for record in records if record["period"][: len(low)] >= low]
    if high is not None:
        records = [record for record in records if record["period"][: len(high)] <= high]
    return records


def last_day(edition):
    """The day from which an edition counts as published: of a month its last."""
    if len(edition) != 7:
        return edition
    year, month = map(int, edition.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return f"{edition}-{[31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]}"


def check_dates(wanted, newest):
    """Raises an EvidenceError for periods and days that the service refuses."""
    for name in ("from", "to"):
        if name in wanted and not re.fullmatch(r"[0-9]{4}(-(0[1-9]|1[0-2]))?", wanted[name]):
            raise refused(name, wanted[name], "a year YYYY or a month YYYY-MM")
    low, high = wanted.get("from", ""), wanted.get("to", "")
    if low[: len(high)] > high[: len(low)]:
        raise refused("from", low, f"a period not later than \"to\" ({high})")
    if "as_of" in wanted:
        try:
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", wanted["as_of"]):
                raise ValueError
            datetime.date(*map(int, wanted["as_of"].split("-")))
        except ValueError:
            raise refused("as_of", wanted["as_of"], "a day YYYY-MM-DD") from None
        if wanted["as_of"] > newest:
            raise refused("as_of", wanted["as_of"], f"a day up to {newest}, the date of the data")
        if "@" in wanted.get("id", ""):
            raise refused("as_of", wanted["as_of"], 'none with an edition in "id"')


def check_names(wanted):
    """Raises an EvidenceError for codes and ids that the service refuses."""
    if wanted.get("geo") == "":
        raise refused("geo", "", "a geography code")
    if not re.fullmatch(r"[A-Za-z0-9.~_-]{1,96}(@[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?", wanted.get("id", "none")):
        raise refused("id", wanted["id"], "a record id, or a record id, @ and an edition (YYYY-MM or YYYY-MM-DD)")


def one_of(accepted):
    return "one of " + ", ".join(accepted)


def refused(name, given, expected):
    return EvidenceError(f'invalid_request: Invalid value {given!r} for "{name}": expected {expected}')


def main(arguments):
    """Prints rows as CSV: an empty cell is unavailable, and `unavailableReason` says why."""
    pairs = [argument.partition("=") for argument in arguments[1:]]
    if not arguments or arguments[0].startswith("-") or not all(equals for _, equals, _ in pairs):
        print("usage: evidence.py <address> [filter=value ...]; filters: " + ", ".join(FILTERS), file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    filters = {}
    for name, _, value in pairs:
        filters[name] = [filters[name], value] if name in filters else value
    try:
        evidence = open_evidence(arguments[0])
        rows = list(evidence.observations(**filters))
    except EvidenceError as error:
        print(error, file=sys.stderr)
        return 1
    writer = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    if rows:
        print(f"{len(rows)} rows from {evidence.source}. Cite the first: {evidence.cite(rows[0])}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # The reader of the output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
