/**
 * The steps that led to the present schema, oldest first: a file of version n has seen the first n of them.
 * A released step never changes; a correction is a new step. Times are microseconds, prices and quantities
 * whole ticks and lots of the row's instrument, amounts exact decimal text.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE instruments (
    id INTEGER PRIMARY KEY,
    symbol TEXT NOT NULL,
    terms TEXT NOT NULL
  ) STRICT;

  CREATE TABLE orders (
    client_order_id TEXT PRIMARY KEY,
    strategy TEXT NOT NULL,
    instrument INTEGER NOT NULL REFERENCES instruments (id),
    side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
    type TEXT NOT NULL,
    time_in_force TEXT NOT NULL,
    wished INTEGER NOT NULL CHECK (wished IN (0, 1)),
    list_id TEXT,
    contingency_type TEXT,
    list_index INTEGER,
    replaces TEXT,
    intended_at INTEGER NOT NULL,
    replaced_by TEXT,
    status TEXT NOT NULL,
    lots INTEGER NOT NULL,
    ticks INTEGER,
    stop_ticks INTEGER,
    executed_lots INTEGER NOT NULL,
    seen_lots INTEGER NOT NULL,
    venue_order TEXT,
    refusal TEXT,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX orders_open ON orders (intended_at) WHERE ended_at IS NULL;
  CREATE INDEX orders_ended ON orders (ended_at) WHERE ended_at IS NOT NULL;
  CREATE INDEX orders_list ON orders (list_id) WHERE list_id IS NOT NULL;
  CREATE INDEX orders_strategy ON orders (strategy, intended_at);

  CREATE TABLE fills (
    client_order_id TEXT NOT NULL REFERENCES orders (client_order_id) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    ticks INTEGER NOT NULL,
    lots INTEGER NOT NULL,
    fee TEXT NOT NULL,
    fee_currency TEXT NOT NULL,
    taker INTEGER NOT NULL CHECK (taker IN (0, 1)),
    at INTEGER NOT NULL,
    PRIMARY KEY (client_order_id, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE holdings (
    strategy TEXT NOT NULL,
    currency TEXT NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (strategy, currency)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE entries (
    strategy TEXT NOT NULL,
    symbol TEXT NOT NULL,
    lots INTEGER NOT NULL,
    ticks REAL NOT NULL,
    PRIMARY KEY (strategy, symbol)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE counters (prefix TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE balances (
    currency TEXT PRIMARY KEY,
    available TEXT NOT NULL,
    reserved TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE states (
    scope TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    strategy TEXT,
    client_order_id TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_order ON events (client_order_id) WHERE client_order_id IS NOT NULL;
  CREATE INDEX events_found ON events (at) WHERE kind = 'found';
  `,
  `
  CREATE TABLE foreign_fills (
    client_order_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    id INTEGER NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
    ticks INTEGER NOT NULL,
    lots INTEGER NOT NULL,
    fee TEXT NOT NULL,
    fee_currency TEXT NOT NULL,
    taker INTEGER NOT NULL CHECK (taker IN (0, 1)),
    at INTEGER NOT NULL,
    PRIMARY KEY (client_order_id, symbol, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX foreign_fills_at ON foreign_fills (at);

  CREATE TABLE foreign_orders (
    client_order_id TEXT PRIMARY KEY,
    symbol TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE day_starts (
    scope TEXT NOT NULL,
    currency TEXT NOT NULL,
    midnight INTEGER NOT NULL,
    equity TEXT NOT NULL,
    highest TEXT NOT NULL,
    PRIMARY KEY (scope, currency)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE intended (sequence INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  `,
  // Rows of before have no checksum until they are written again.
  `
  ALTER TABLE facts ADD COLUMN checksum INTEGER;
  ALTER TABLE instruments ADD COLUMN checksum INTEGER;
  ALTER TABLE orders ADD COLUMN fill_count INTEGER;
  ALTER TABLE orders ADD COLUMN checksum INTEGER;
  ALTER TABLE fills ADD COLUMN checksum INTEGER;
  ALTER TABLE holdings ADD COLUMN checksum INTEGER;
  ALTER TABLE entries ADD COLUMN checksum INTEGER;
  ALTER TABLE counters ADD COLUMN checksum INTEGER;
  ALTER TABLE balances ADD COLUMN checksum INTEGER;
  ALTER TABLE states ADD COLUMN checksum INTEGER;
  ALTER TABLE events ADD COLUMN checksum INTEGER;
  ALTER TABLE foreign_fills ADD COLUMN checksum INTEGER;
  ALTER TABLE foreign_orders ADD COLUMN checksum INTEGER;
  ALTER TABLE day_starts ADD COLUMN checksum INTEGER;
  ALTER TABLE intended ADD COLUMN checksum INTEGER;
  CREATE INDEX foreign_orders_at ON foreign_orders (at);
  `,
  // After the checksum, which includes them if they are set: older rows keep theirs.
  `
  ALTER TABLE orders ADD COLUMN take_rate TEXT;
  ALTER TABLE orders ADD COLUMN make_rate TEXT;
  `,
  // Members of a margin order, and the margin accounts. Also after the checksum.
  `
  ALTER TABLE orders ADD COLUMN margin TEXT;
  ALTER TABLE orders ADD COLUMN reduce_only INTEGER;
  ALTER TABLE orders ADD COLUMN close_position INTEGER;
  ALTER TABLE orders ADD COLUMN post_only INTEGER;
  ALTER TABLE orders ADD COLUMN expire_at INTEGER;
  ALTER TABLE fills ADD COLUMN margin TEXT;
  ALTER TABLE foreign_fills ADD COLUMN margin TEXT;

  CREATE TABLE margin_accounts (
    place TEXT PRIMARY KEY,
    strategy TEXT,
    state TEXT NOT NULL,
    at INTEGER,
    checksum INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE margin_carries (
    symbol TEXT NOT NULL,
    margin TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('interest', 'funding')),
    at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    amount TEXT NOT NULL,
    checksum INTEGER,
    PRIMARY KEY (symbol, margin, kind, at, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX margin_carries_at ON margin_carries (at);
  `,
];
