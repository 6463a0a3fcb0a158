-- Lists of sanctions. They belong to the platform and to no tenant. An entry is stored once for all versions that have it
-- unchanged, so that a daily version costs its difference, and the list of any day can be shown.
CREATE TABLE watchlist_version (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('ofac_sdn', 'ofac_consolidated', 'eu', 'un', 'uk', 'own')),
  -- A load that was killed stays as loading, and changes nothing. One with the bytes of the version in use is the same.
  status text NOT NULL DEFAULT 'loading' CHECK (status IN ('loading', 'current', 'replaced', 'refused', 'same')),
  -- Counted from 1 within a kind; of versions that were in use.
  sequence integer,
  sha256 text,
  -- The day that the list states of itself.
  listed_on date,
  entries integer,
  names integer,
  passed integer,
  added integer,
  ended integer,
  problem_code text,
  problem text,
  loaded_by text NOT NULL,
  -- Why an operator took a version that is much smaller than the one before.
  accepted_because text,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  CHECK ((status IN ('current', 'replaced')) = (sequence IS NOT NULL)),
  CHECK (status <> 'refused' OR problem_code IS NOT NULL),
  CHECK (sequence IS NULL OR num_nulls(sha256, listed_on, entries, names, passed, added, ended, ended_at) = 0)
);
CREATE UNIQUE INDEX watchlist_version_sequence_key ON watchlist_version (kind, sequence);
CREATE INDEX watchlist_version_kind_idx ON watchlist_version (kind, id);
CREATE UNIQUE INDEX watchlist_version_current_key ON watchlist_version (kind) WHERE status = 'current';

CREATE TABLE watchlist_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- The publisher's own id.
  ref text NOT NULL,
  -- SHA-256 of the content: the entry as it was.
  digest text NOT NULL,
  content jsonb NOT NULL,
  -- The versions that have it; no last one while it is current.
  first_version integer NOT NULL,
  last_version integer,
  CHECK (last_version >= first_version)
);
CREATE UNIQUE INDEX watchlist_entry_version_key ON watchlist_entry (kind, ref, first_version);
CREATE UNIQUE INDEX watchlist_entry_current_key ON watchlist_entry (kind, ref) WHERE last_version IS NULL;
CREATE INDEX watchlist_entry_first_idx ON watchlist_entry (kind, first_version);

-- The names of current entries, and where to find them.
CREATE TABLE watchlist_name (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entry_id bigint NOT NULL REFERENCES watchlist_entry (id),
  type text NOT NULL,
  name text NOT NULL,
  weak boolean NOT NULL
);
CREATE INDEX watchlist_name_entry_idx ON watchlist_name (entry_id);

CREATE TABLE watchlist_posting (
  -- The consonants of a word, two words, three letters, a number: src/screening/match/keys.ts.
  key text COLLATE "C" PRIMARY KEY,
  uses integer NOT NULL,
  -- Ids of watchlist_name that have the key.
  names integer[] NOT NULL
);
