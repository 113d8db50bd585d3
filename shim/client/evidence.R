# Client of the public evidence service: R 4.0 or later, base R and jsonlite.
#
#   source("evidence.R")
#   evidence <- open_evidence("https://<service or copy of its files>/")
#   rows <- observations(evidence, indicator = "opium-cultivation", geo = "AFG")
#   rows[c("period", "value", "unit", "status")]
#
# On the command line, as CSV:
#
#   Rscript evidence.R https://<service or copy>/ indicator=opium-cultivation geo=AFG
#
# A row is one cell of a publisher's file. `value` is NA exactly when `status` is "unavailable", and `unavailableReason` says why;
# NA is never zero, and 0 is an observed zero. Units are as printed. Every row carries its edition, its cell (`sourceLocator`), and of
# its source `sourceName`, `sourceSha256` and `license`.
#
# Where a service answers, it is asked page by page. Where there are only files, the packaged records of the datasets that a query
# needs are downloaded, checked against their sha256, and filtered here; both give the same rows.

evidence_record_fields <- c("id", "datasetId", "edition", "indicatorId", "geoCode", "geoName", "geoLevel", "period", "category",
  "subgroup", "group", "value", "lower", "upper", "unit", "status", "unavailableReason", "sourceId", "sourceLocator")
evidence_fields <- c(evidence_record_fields, "sourceName", "sourceSha256", "license")
evidence_numbers <- c("value", "lower", "upper")
evidence_filters <- c("dataset", "indicator", "geo", "category", "subgroup", "from", "to", "as_of", "id")
# The most bytes of one body. Set it to take more.
evidence_most_bytes <- 256 * 1024 * 1024

# Opens the service or the copy of its files at an address. `$source` is "service" or "files".
open_evidence <- function(address) {
  if (!grepl("^https?://", address)) stop(sprintf("%s is not an http or https address", address), call. = FALSE)
  evidence <- new.env()
  evidence$address <- sub("/*$", "/", address)
  evidence$records <- list()
  answer <- tryCatch(evidence_json(evidence_get(evidence, "api/v1/series?limit=1", retries = 0)$body), error = function(e) NULL)
  # A host of files that ignores queries gives a longer page.
  is_service <- tryCatch(isTRUE(answer$ok) && isTRUE(answer$data$page$limit == 1), error = function(e) FALSE)
  evidence$source <- if (is_service) "service" else "files"
  if (evidence$source == "files") evidence_manifest(evidence)
  evidence
}

# Rows that match, as a data frame with the columns of evidence_fields.
observations <- function(evidence, ...) {
  wanted <- list(...)
  wanted <- lapply(wanted[!vapply(wanted, is.null, NA)], as.character)
  given <- if (is.null(names(wanted))) rep("", length(wanted)) else names(wanted)
  unknown <- setdiff(given, evidence_filters)
  if (length(unknown) > 0)
    stop(sprintf("unknown filter '%s'; the filters are %s", unknown[1], paste(evidence_filters, collapse = ", ")), call. = FALSE)
  several <- given[duplicated(given) | vapply(wanted, function(value) length(value) != 1 || anyNA(value), NA)]
  if (length(several) > 0) stop(sprintf("filter '%s' takes one value", several[1]), call. = FALSE)
  if (evidence$source == "service") evidence_pages(evidence, wanted) else evidence_filtered(evidence, wanted)
}

# The citation of each row, in one paragraph, with the address of the row in its edition.
cite <- function(evidence, rows) {
  page <- paste0(evidence$address, if (evidence$source == "service") "r/" else "r/#")
  sprintf("%s. Edition %s, %s of the publisher's file (sha256 %s). Dataset %s, record %s%s@%s. Licence: %s.",
    rows$sourceName, rows$edition, rows$sourceLocator, rows$sourceSha256, rows$datasetId,
    rep(page, nrow(rows)), rows$id, rows$edition, rows$license)
}

# The service.

evidence_pages <- function(evidence, wanted) {
  pages <- list()
  cursor <- NULL
  repeat {
    query <- c(wanted, list(limit = "500"), if (!is.null(cursor)) list(cursor = cursor))
    texts <- vapply(query, function(text) utils::URLencode(enc2utf8(text), reserved = TRUE, repeated = TRUE), "")
    path <- paste0("api/v1/market-observations?", paste(names(query), texts, sep = "=", collapse = "&"))
    reply <- evidence_get(evidence, path)
    answer <- tryCatch(evidence_json(reply$body, tables = TRUE), error = function(error) NULL)
    if (!is.list(answer)) stop(sprintf("%s%s: the host answers with something other than a JSON object", evidence$address, path), call. = FALSE)
    if (!isTRUE(answer$ok)) stop(sprintf("%s (%s): %s", answer$error, reply$status, answer$message), call. = FALSE)
    data <- answer$data
    if (data$schema != "svc.api.market-observations.v1")
      stop(sprintf("the service answers %s, which this client does not know: get a newer client", data$schema), call. = FALSE)
    lacking <- grep("is currently unavailable", unlist(data$limitations), fixed = TRUE, value = TRUE)
    if (length(lacking) > 0)
      stop(paste(c(lacking, "Try again later, or ask for other datasets."), collapse = " "), call. = FALSE)
    pages[[length(pages) + 1]] <- evidence_rows(data$observations, data$sources)
    cursor <- data$page$next_cursor
    if (is.null(cursor)) return(do.call(rbind, pages))
  }
}

# The files.

evidence_manifest <- function(evidence) {
  if (is.null(evidence$packs)) {
    manifest <- evidence_json(evidence_file(evidence, "data/packs.json"))
    if (!identical(manifest$schema, "svc.packs.v1"))
      stop("data/packs.json has a form that this client does not know: get a newer client", call. = FALSE)
    if (!tryCatch(evidence_is_manifest(manifest), error = function(error) FALSE))
      stop("data/packs.json is not the list of packs that its schema describes", call. = FALSE)
    evidence$packs <- manifest
  }
  evidence$packs
}

# Whether a list of packs has every text that is read from it.
evidence_is_manifest <- function(manifest) {
  are_texts <- function(values) all(vapply(values, function(value) is.character(value) && length(value) == 1, NA))
  is_pack <- function(pack) {
    if (!are_texts(lapply(c("id", "kind", "edition", "path", "sha256"), function(name) pack[[name]]))) return(FALSE)
    if (pack$kind != "observations") return(TRUE)
    named <- c("id", "datasetId", "edition", "name", "sha256", "license")
    texts <- lapply(pack$meta$sources, function(source) are_texts(lapply(named, function(name) source[[name]])))
    all(unlist(texts)) && are_texts(pack$meta$indicators)
  }
  missing <- unlist(lapply(manifest$unavailable, function(each) list(each$id, each$reason)), recursive = FALSE)
  is.list(manifest$packs) && is.list(manifest$editions) && are_texts(c(list(manifest$generatedAt), missing)) &&
    all(vapply(c(manifest$editions, manifest$packs), is_pack, NA))
}

# The packs of a dataset, oldest edition first.
evidence_editions <- function(evidence, dataset) {
  manifest <- evidence_manifest(evidence)
  Filter(function(pack) sub("@.*", "", pack$id) == dataset, c(manifest$editions, manifest$packs))
}

evidence_filtered <- function(evidence, wanted) {
  market <- Filter(function(pack) pack$kind == "observations", evidence_manifest(evidence)$packs)
  ids <- vapply(market, function(pack) pack$id, "")
  parts <- strsplit(if (is.null(wanted$id)) "" else wanted$id, "@", fixed = TRUE)[[1]]
  key <- if (length(parts) > 0) parts[1] else ""
  edition <- if (length(parts) > 1) parts[2] else NULL
  indicator <- if (!is.null(wanted$indicator)) wanted$indicator else if (key != "") sub("\\..*", "", key)
  for (each in evidence_manifest(evidence)$unavailable)
    if (any(c(each$id == wanted$dataset, indicator %in% unlist(each$indicators))))
      stop(sprintf("unavailable: Dataset %s is unavailable in this release. %s No substitute values are returned.", each$id, each$reason), call. = FALSE)
  if (!is.null(wanted$dataset) && !wanted$dataset %in% ids)
    evidence_refused("dataset", wanted$dataset, paste("one of", paste(ids, collapse = ", ")))
  everywhere <- unique(unlist(lapply(ids, function(id)
    lapply(evidence_editions(evidence, id), function(pack) pack$meta$indicators))))
  if (!is.null(wanted$indicator) && !wanted$indicator %in% everywhere)
    evidence_refused("indicator", wanted$indicator, paste("one of", paste(sort(everywhere), collapse = ", ")))
  days <- vapply(evidence_manifest(evidence)$packs, function(pack) evidence_last_day(pack$edition), "")
  evidence_check_dates(wanted, max(substr(evidence_manifest(evidence)$generatedAt, 1, 10), days))
  evidence_check_names(wanted)
  is_asked <- function(id) (is.null(wanted$dataset) || id == wanted$dataset) && (is.null(indicator) ||
    indicator %in% unlist(lapply(evidence_editions(evidence, id), function(pack) pack$meta$indicators)))
  is_published <- function(pack) is.null(wanted$as_of) || evidence_last_day(pack$edition) <= wanted$as_of
  asked <- Filter(is_asked, ids)
  all <- unlist(lapply(if (length(asked) > 0) asked else ids, function(id) evidence_editions(evidence, id)), recursive = FALSE)
  if (!is.null(wanted$as_of) && length(Filter(is_published, all)) == 0)
    evidence_refused("as_of", wanted$as_of, "a day by which what is requested had been published")
  # Several packs may have files of the date of an id, but only the earlier ones all of them.
  selected <- lapply(asked, function(id) if (is.null(edition)) utils::tail(Filter(is_published, evidence_editions(evidence, id)), 1)
    else rev(Filter(function(pack) edition %in% vapply(pack$meta$sources, function(s) s$edition, ""), evidence_editions(evidence, id))))
  pages <- list(evidence_rows(list(), list()))
  for (pack in unlist(selected, recursive = FALSE)) {
    if (!is.null(indicator) && !indicator %in% unlist(pack$meta$indicators)) next
    rows <- evidence_read(evidence, pack)
    matched <- evidence_matches(rows, wanted, key, edition)
    pages[[length(pages) + 1]] <- rows[matched, , drop = FALSE]
    if (!is.null(edition) && any(matched)) break
  }
  rows <- do.call(rbind, pages)
  rownames(rows) <- NULL
  rows
}

# Stops for periods and days that the service refuses.
evidence_check_dates <- function(wanted, newest) {
  for (name in intersect(c("from", "to"), names(wanted)))
    if (!grepl("^[0-9]{4}(-(0[1-9]|1[0-2]))?$", wanted[[name]]))
      evidence_refused(name, wanted[[name]], "a year YYYY or a month YYYY-MM")
  if (!is.null(wanted$from) && !is.null(wanted$to)) {
    shared <- min(nchar(c(wanted$from, wanted$to)))
    if (substr(wanted$from, 1, shared) > substr(wanted$to, 1, shared))
      evidence_refused("from", wanted$from, sprintf("a period not later than \"to\" (%s)", wanted$to))
  }
  day <- wanted$as_of
  if (!is.null(day) && (!grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", day) || is.na(as.Date(day, "%Y-%m-%d"))))
    evidence_refused("as_of", day, "a day YYYY-MM-DD")
  if (!is.null(day) && day > newest)
    evidence_refused("as_of", day, sprintf("a day up to %s, the date of the data", newest))
  if (!is.null(day) && any(grepl("@", wanted$id, fixed = TRUE)))
    evidence_refused("as_of", day, "none with an edition in \"id\"")
}

# Stops for codes and ids that the service refuses.
evidence_check_names <- function(wanted) {
  if (identical(wanted$geo, "")) evidence_refused("geo", "", "a geography code")
  if (!is.null(wanted$id) && !grepl("^[A-Za-z0-9.~_-]{1,96}(@[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$", wanted$id))
    evidence_refused("id", wanted$id, "a record id, or a record id, @ and an edition (YYYY-MM or YYYY-MM-DD)")
}

# Whether each row is what a query wants, by the rules of the service.
evidence_matches <- function(rows, wanted, key, edition) {
  matched <- rep(TRUE, nrow(rows))
  names <- c(indicator = "indicatorId", geo = "geoCode", category = "category", subgroup = "subgroup")
  for (name in intersect(names(names), names(wanted))) matched <- matched & rows[[names[[name]]]] == wanted[[name]]
  if (key != "") matched <- matched & rows$id == key
  if (!is.null(edition)) matched <- matched & rows$edition == edition
  # A month selects monthly records only; a year selects its months too.
  if (7 %in% nchar(c(wanted$from, wanted$to))) matched <- matched & nchar(rows$period) == 7
  if (!is.null(wanted$from)) matched <- matched & substr(rows$period, 1, nchar(wanted$from)) >= wanted$from
  if (!is.null(wanted$to)) matched <- matched & substr(rows$period, 1, nchar(wanted$to)) <= wanted$to
  matched
}

# The records of a pack, checked; kept, as another query often needs them.
evidence_read <- function(evidence, pack) {
  if (is.null(evidence$records[[pack$path]])) {
    text <- rawToChar(evidence_file(evidence, pack$path, pack$sha256))
    Encoding(text) <- "UTF-8"
    lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
    records <- evidence_json(paste0("[", paste(lines, collapse = ","), "]"), tables = TRUE)
    evidence$records[[pack$path]] <- evidence_rows(records, evidence_sources(pack))
  }
  evidence$records[[pack$path]]
}

evidence_file <- function(evidence, path, sha256 = NULL) {
  if (is.null(sha256)) sha256 <- substr(rawToChar(evidence_whole(evidence, paste0(path, ".sha256"))), 1, 64)
  body <- evidence_whole(evidence, path)
  if (evidence_sha256(body) != sha256)
    stop(sprintf("%s%s does not match its sha256: it was changed, or is of another release", evidence$address, path), call. = FALSE)
  body
}

evidence_whole <- function(evidence, path) {
  reply <- evidence_get(evidence, path)
  if (reply$status != 200) stop(sprintf("%s%s: the host answers %s", evidence$address, path, reply$status), call. = FALSE)
  reply$body
}

# By R itself since 4.5, else by a command of the system.
evidence_sha256 <- function(body) {
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(body, file)
  if (exists("sha256sum", asNamespace("tools"))) return(unname(getExportedValue("tools", "sha256sum")(file)))
  command <- Filter(nzchar, Sys.which(c("sha256sum", "shasum")))
  if (length(command) == 0)
    stop("files cannot be checked: R before 4.5 needs the command sha256sum or shasum for it", call. = FALSE)
  options <- if (names(command)[1] == "shasum") c("-a", "256")
  substr(system2(command[[1]], c(options, shQuote(file)), stdout = TRUE), 1, 64)
}

# Rows from a table of records, with what is said of their sources. Numbers keep their value, and null is NA.
evidence_rows <- function(records, sources) {
  count <- if (is.data.frame(records)) nrow(records) else 0
  rows <- lapply(evidence_record_fields, function(field) {
    as <- if (field %in% evidence_numbers) as.numeric else as.character
    if (count == 0) as(character()) else as(records[[field]])
  })
  names(rows) <- evidence_record_fields
  at <- match(paste(rows$datasetId, rows$sourceId), paste(sources$datasetId, sources$id))
  rows$sourceName <- as.character(sources$name[at])
  rows$sourceSha256 <- as.character(sources$sha256[at])
  rows$license <- as.character(sources$license[at])
  as.data.frame(rows, stringsAsFactors = FALSE)
}

# The sources of a pack as a table.
evidence_sources <- function(pack) {
  of <- function(field) vapply(pack$meta$sources, function(source) source[[field]], "")
  fields <- c("id", "datasetId", "name", "sha256", "license")
  as.data.frame(stats::setNames(lapply(fields, of), fields), stringsAsFactors = FALSE)
}

# The day from which an edition counts as published: of a month its last.
evidence_last_day <- function(edition) {
  if (nchar(edition) != 7) return(edition)
  first <- as.Date(paste0(edition, "-01"))
  format(seq(first, by = "month", length.out = 2)[2] - 1)
}

# Numbers as texts with as many digits as they need: R itself writes 15, which are those of another number for some.
evidence_digits <- function(numbers) {
  texts <- rep(NA_character_, length(numbers))
  for (digits in 15:17) {
    open <- which(!is.na(numbers) & (is.na(texts) | suppressWarnings(as.numeric(texts)) != numbers))
    texts[open] <- sprintf("%.*g", digits, numbers[open])
  }
  texts
}

evidence_refused <- function(name, given, expected) {
  stop(sprintf("invalid_request: Invalid value '%s' for \"%s\": expected %s", given, name, expected), call. = FALSE)
}

# JSON as lists, or with lists of records as tables.
evidence_json <- function(text, tables = FALSE) {
  if (is.raw(text)) {
    text <- rawToChar(text)
    Encoding(text) <- "UTF-8"
  }
  jsonlite::fromJSON(text, simplifyVector = tables)
}

# Status and body; a busy or unreachable host is tried again, later each time.
evidence_get <- function(evidence, path, retries = 4) {
  address <- paste0(evidence$address, path)
  for (attempt in 0:retries) {
    reply <- evidence_request(address)
    isBusy <- reply$status %in% c(0, 429, 502, 503, 504)
    if (!isBusy) return(reply)
    if (attempt == retries) stop(sprintf("%s: %s", address, reply$message), call. = FALSE)
    Sys.sleep(min(max(2^attempt, reply$wait), 60))
  }
}

# One request. Base R does not give the body of an error: its status and message are made of what is known.
evidence_request <- function(address) {
  file <- tempfile()
  on.exit(unlink(file))
  failure <- tryCatch(suppressWarnings({
    utils::download.file(address, file, quiet = TRUE, mode = "wb", method = "libcurl")
    NULL
  }), error = conditionMessage)
  if (is.null(failure) && file.size(file) > evidence_most_bytes)
    stop(sprintf("%s: the host sends more than %.0f bytes; set evidence_most_bytes to take more", address, evidence_most_bytes), call. = FALSE)
  if (is.null(failure)) return(list(status = 200, body = readBin(file, "raw", file.size(file))))
  headers <- tryCatch(curlGetHeaders(address), error = function(error) NULL)
  status <- attr(headers, "status")
  # A body that broke off is no answer either.
  if (is.null(headers) || status < 400) return(list(status = 0, wait = 0, message = failure))
  after <- grep("^retry-after: *[0-9]+", headers, ignore.case = TRUE, value = TRUE)
  wait <- if (length(after) > 0) as.numeric(gsub("[^0-9]", "", after[1])) else 0
  message <- sprintf("the host answers %s; open the address to read why", status)
  error <- list(ok = FALSE, error = if (status == 400) "invalid_request" else "unavailable", message = paste(message, address))
  list(status = status, wait = wait, message = message, body = jsonlite::toJSON(error, auto_unbox = TRUE))
}

if (sys.nframe() == 0 && !interactive()) {
  # Elsewhere R would write signs that the locale lacks as <U+201C>, and filters with them would match nothing.
  for (locale in c("C.UTF-8", "en_US.UTF-8", "UTF-8"))
    if (!l10n_info()[["UTF-8"]]) suppressWarnings(Sys.setlocale("LC_CTYPE", locale))
  arguments <- commandArgs(trailingOnly = TRUE)
  if (length(arguments) == 0 || startsWith(arguments[1], "-") || !all(grepl("=", arguments[-1], fixed = TRUE))) {
    message("usage: Rscript evidence.R <address> [filter=value ...]; filters: ", paste(evidence_filters, collapse = ", "))
    quit(status = if (length(arguments) > 0 && arguments[1] %in% c("-h", "--help")) 0 else 2)
  }
  values <- as.list(sub("^[^=]*=", "", arguments[-1]))
  names(values) <- sub("=.*", "", arguments[-1])
  tryCatch({
    evidence <- open_evidence(arguments[1])
    rows <- do.call(observations, c(list(evidence), values))
    rows[evidence_numbers] <- lapply(rows[evidence_numbers], evidence_digits)
    quoted <- which(!names(rows) %in% evidence_numbers)
    utils::write.csv(rows, stdout(), row.names = FALSE, na = "", fileEncoding = "UTF-8", quote = quoted)
    if (nrow(rows) > 0)
      message(nrow(rows), " rows from ", evidence$source, ". Cite the first: ", cite(evidence, rows[1, ]))
  }, error = function(error) {
    message(conditionMessage(error))
    quit(status = 1)
  })
}
