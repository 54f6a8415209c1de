/**
 * The schema, as numbered steps. A step is never edited once released; a change is a new step.
 * `PRAGMA user_version` says how many have been applied.
 *
 * url is narrow: it is what the frontier reads and writes for every link (≤ 150 bytes a URL with its indexes).
 * page holds what is learned by fetching. Both are keyed by the same id.
 */

export const migrations: readonly string[] = [
  `
  -- Named facts about this data folder: the crawl's seeds and scope, totals kept as counters.
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE host (
    id              INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE,        -- queue key: host name, with a port that is not the default
    known           INTEGER NOT NULL DEFAULT 0,  -- URLs known
    next_at         INTEGER NOT NULL DEFAULT 0,  -- no request may start earlier
    slots           TEXT NOT NULL DEFAULT '[]',  -- JSON array: lease expiries of the loans out; an expired one is free
    ready_at        INTEGER,                     -- max(next_at, earliest due, earliest free slot); null: nothing queued
    crawl_delay_ms  INTEGER,                     -- from robots.txt
    failures        INTEGER NOT NULL DEFAULT 0,  -- back-off steps (crawl/politeness.ts): widen the delay
    last_request_at INTEGER
  );
  CREATE INDEX host_ready ON host (ready_at) WHERE ready_at IS NOT NULL;

  CREATE TABLE url (
    id          INTEGER PRIMARY KEY,
    host_id     INTEGER NOT NULL,
    hash        INTEGER NOT NULL,            -- 53 bits of a hash of the URL (url/key.ts); unique within its host
    is_secure   INTEGER NOT NULL,            -- 1: https
    path        TEXT NOT NULL,               -- path and query; the URL is scheme + host.name + path
    depth       INTEGER NOT NULL,
    priority    INTEGER NOT NULL,
    due_at      INTEGER,                     -- negative: never fetched, its rank in the queue (frontier/order.ts); null: never
    lease       INTEGER,                     -- expiry of the loan, the fencing token; null: not lent
    redirects   INTEGER NOT NULL,
    referrer_id INTEGER,
    found_at    INTEGER NOT NULL,
    UNIQUE (host_id, hash)
  );
  CREATE INDEX url_due ON url (host_id, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX url_lease ON url (lease) WHERE lease IS NOT NULL;

  CREATE TABLE page (
    id                INTEGER PRIMARY KEY,   -- url.id
    state             TEXT NOT NULL,
    reason            TEXT,
    status            INTEGER,
    etag              TEXT,
    last_modified     TEXT,
    request_url       TEXT,
    redirect_to       TEXT,
    fetched_at        INTEGER,
    changed_at        INTEGER,
    visits            INTEGER NOT NULL,
    changes           INTEGER NOT NULL,
    unchanged         INTEGER NOT NULL,
    failures          INTEGER NOT NULL,
    missing           INTEGER NOT NULL,
    interval_ms       INTEGER NOT NULL,
    content_hash      TEXT,
    extractor_version INTEGER NOT NULL
  );
  CREATE INDEX page_state ON page (state, reason);

  -- Outgoing links of a page: ids, sorted, as little-endian varint differences (frontier/link-list.ts).
  CREATE TABLE page_links (id INTEGER PRIMARY KEY, targets BLOB NOT NULL);

  -- Links found and not taken, counted by reason, with a few samples.
  CREATE TABLE refusal (
    reason  TEXT NOT NULL,
    count   INTEGER NOT NULL,
    samples TEXT NOT NULL,                   -- JSON array of URLs, at most 20
    PRIMARY KEY (reason)
  ) WITHOUT ROWID;

  CREATE TABLE robots (
    origin       TEXT PRIMARY KEY,
    state        TEXT NOT NULL,
    status       INTEGER,
    reason       TEXT,
    body         BLOB,
    headers      TEXT NOT NULL,              -- JSON
    next         TEXT,
    hops         INTEGER NOT NULL,
    fetched_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    confirmed_at INTEGER,
    failures     INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- The index. Text lives in chunks (passages), the full-text table holds tokens only.
  CREATE TABLE document (
    id           INTEGER PRIMARY KEY,        -- url.id
    url          TEXT NOT NULL,
    host         TEXT NOT NULL,              -- queue key
    is_indexed   INTEGER NOT NULL,           -- 0: another page of the host has the same content and stands for it
    title        TEXT NOT NULL,
    headings     TEXT NOT NULL,              -- one per line
    description  TEXT NOT NULL,
    language     TEXT,
    content_hash TEXT NOT NULL,
    canonical    TEXT,                       -- URL of another page this one stands behind, when that one is indexed
    fetched_at   INTEGER NOT NULL,
    changed_at   INTEGER,
    has_snapshot INTEGER NOT NULL,
    has_snippet  INTEGER NOT NULL
  );
  CREATE INDEX document_content ON document (content_hash, host);
  CREATE INDEX document_url ON document (url);
  CREATE INDEX document_canonical ON document (canonical) WHERE canonical IS NOT NULL;
  CREATE TABLE chunk (
    document_id INTEGER NOT NULL,
    ordinal     INTEGER NOT NULL,
    text        TEXT NOT NULL,
    PRIMARY KEY (document_id, ordinal)
  );
  -- Tokens joined by spaces (docs/decisions/0004-tokens.md): all ASCII punctuation belongs to tokens.
  CREATE VIRTUAL TABLE document_fts USING fts5 (
    title, headings, url, body, forms, facets,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~'"
  );
  -- A group of pages fills one segment of the full-text index, not one for every megabyte of tokens; and segments are merged
  -- by eights, which costs a query little and a writer less (bench/RESULTS.md).
  INSERT INTO document_fts (document_fts, rank) VALUES ('hashsize', 16777216);
  INSERT INTO document_fts (document_fts, rank) VALUES ('automerge', 8);

  -- The archive: bodies once per content, captures point to them.
  CREATE TABLE body (
    id     INTEGER PRIMARY KEY,
    hash   BLOB NOT NULL UNIQUE,             -- SHA-256 of the decoded bytes
    coding TEXT NOT NULL,                    -- gzip | br
    bytes  BLOB NOT NULL,
    refs   INTEGER NOT NULL                  -- captures that point here; the last one takes it away
  );
  CREATE TABLE capture (
    url_id         INTEGER NOT NULL,
    at             INTEGER NOT NULL,         -- when the request was started
    url            TEXT NOT NULL,            -- as requested
    status         INTEGER NOT NULL,
    headers        TEXT NOT NULL,            -- JSON
    remote_address TEXT,
    encoding       TEXT NOT NULL,
    body_id        INTEGER NOT NULL,
    PRIMARY KEY (url_id, at)
  ) WITHOUT ROWID;
  `,
  `
  -- Sitemaps and feeds are URLs like pages.
  ALTER TABLE url ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;  -- 0 page, 1 sitemap, 2 feed
  CREATE INDEX url_list ON url (host_id, kind) WHERE kind > 0;
  -- How true the lists of a host have been: SignalCounts (crawl/signals.ts) as JSON.
  ALTER TABLE host ADD COLUMN signals TEXT NOT NULL
    DEFAULT '{"changed":0,"changedAnnounced":0,"unchanged":0,"unchangedAnnounced":0}';
  -- Pages a list says have changed since they were fetched; a visit takes it back.
  CREATE TABLE announcement (id INTEGER PRIMARY KEY, lastmod_at INTEGER NOT NULL);
  `,
  `
  -- Body bytes on the wire of the last complete answer: what a 304 saves.
  ALTER TABLE page ADD COLUMN body_bytes INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Removals held by the mass-loss brake (crawl/brake.ts), and how the page stands when they are applied.
  CREATE TABLE held (
    id          INTEGER PRIMARY KEY,         -- url.id
    host        TEXT NOT NULL,               -- queue key
    held_at     INTEGER NOT NULL,
    state       TEXT NOT NULL,
    reason      TEXT,
    redirect_to TEXT,
    interval_ms INTEGER NOT NULL
  );
  -- Documents removed lately, kept so that it can be undone.
  CREATE TABLE tombstone (
    id         INTEGER PRIMARY KEY,          -- url.id
    url        TEXT NOT NULL,
    host       TEXT NOT NULL,
    removed_at INTEGER NOT NULL,
    is_final   INTEGER NOT NULL,             -- 1: a person removed it
    document   TEXT NOT NULL                 -- Document as JSON
  );
  CREATE INDEX tombstone_removed ON tombstone (removed_at);
  CREATE INDEX document_host ON document (host);
  CREATE INDEX page_doubtful ON page (id) WHERE missing > 0 AND content_hash IS NOT NULL;
  `,
  `
  -- IndexNow: URLs somebody says have changed, until the crawler has looked at the key file. url.kind 3 is a key file.
  CREATE TABLE submission (
    id          INTEGER PRIMARY KEY,
    host        TEXT NOT NULL,               -- queue key
    key_file    TEXT NOT NULL,               -- frontier key of the file (crawl/push.ts)
    key         TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    bytes       INTEGER NOT NULL,            -- what it takes, about
    urls        TEXT NOT NULL                -- one a line
  );
  CREATE INDEX submission_key_file ON submission (key_file);
  CREATE INDEX submission_host ON submission (host, bytes);
  `,
  `
  -- Near duplicates (search/fingerprint.ts); no tokens: the text is too short, or was indexed by an older Freshet.
  ALTER TABLE document ADD COLUMN fingerprint_high INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE document ADD COLUMN fingerprint_low INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE document ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- How often pages change, and what a visit costs (crawl/freshness/; docs/decisions/0007-freshness.md).
  ALTER TABLE page ADD COLUMN looked_at INTEGER;
  ALTER TABLE page ADD COLUMN shown_changes REAL NOT NULL DEFAULT 0;
  ALTER TABLE page ADD COLUMN shown_days REAL NOT NULL DEFAULT 0;
  ALTER TABLE page ADD COLUMN volatility INTEGER NOT NULL DEFAULT 0;  -- 0 unknown, 1 suspect, 2 volatile, 3 steady
  ALTER TABLE page ADD COLUMN changes_in_row INTEGER NOT NULL DEFAULT 0;
  UPDATE page SET looked_at = fetched_at WHERE content_hash IS NOT NULL;
  -- What has been seen so far is worth knowing.
  UPDATE page SET shown_changes = changes,
    shown_days = max(0, fetched_at - (SELECT found_at FROM url WHERE url.id = page.id)) / 86400000.0
    WHERE visits > 1 AND content_hash IS NOT NULL;
  -- Looks at pages of the host, by what they found and whether a signal had come before.
  ALTER TABLE host ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN changed_signalled INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN unchanged_signalled INTEGER NOT NULL DEFAULT 0;
  UPDATE host SET changed = json_extract(signals, '$.changed'), unchanged = json_extract(signals, '$.unchanged'),
    changed_signalled = json_extract(signals, '$.changedAnnounced'),
    unchanged_signalled = json_extract(signals, '$.unchangedAnnounced');
  ALTER TABLE host DROP COLUMN signals;
  ALTER TABLE host ADD COLUMN log_factor REAL NOT NULL DEFAULT 0;
  -- Totals of the pages of which a copy is held; of a host, and of all in the one row of schedule.
  ALTER TABLE host ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN weight REAL NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN demand REAL NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN rate_log_sum REAL NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN rate_count INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE schedule (
    log_price    REAL NOT NULL DEFAULT 0,
    ticked_at    INTEGER NOT NULL DEFAULT 0, -- when the price was steered last
    ticked_pages INTEGER NOT NULL DEFAULT 0, -- how many pages there were then
    swept_id     INTEGER NOT NULL DEFAULT 0, -- page planned anew last
    pages        INTEGER NOT NULL DEFAULT 0,
    weight       REAL NOT NULL DEFAULT 0,
    demand       REAL NOT NULL DEFAULT 0,
    rate_log_sum REAL NOT NULL DEFAULT 0,
    rate_count   INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO schedule DEFAULT VALUES;
  `,
  `
  -- Bodies in the WARC files, by what came over the wire: one that comes again is recorded as a revisit.
  CREATE TABLE warc_payload (
    digest BLOB PRIMARY KEY,                 -- SHA-256
    url    TEXT NOT NULL,                    -- where it came first
    at     INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
];
