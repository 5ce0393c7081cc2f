/**
 * The migrations of a journal of rebalancing, oldest first; a released one never changes. Times are
 * microseconds, amounts exact decimal text, slots holdings such as `USDC@ethereum`.
 */
export const REBALANCING_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO facts VALUES ('identity', 'rebalancing');

  CREATE TABLE rebalances (
    number INTEGER PRIMARY KEY,
    begun_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX one_under_way ON rebalances ((1)) WHERE ended_at IS NULL;

  CREATE TABLE plans (
    id TEXT PRIMARY KEY,
    rebalance INTEGER NOT NULL REFERENCES rebalances (number) ON DELETE CASCADE,
    round INTEGER NOT NULL,
    body TEXT NOT NULL,
    superseded TEXT,
    UNIQUE (rebalance, round)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE moves (
    id TEXT PRIMARY KEY,
    plan TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    carrier TEXT NOT NULL,
    from_slot TEXT NOT NULL,
    to_slot TEXT NOT NULL,
    send TEXT NOT NULL,
    least TEXT NOT NULL,
    expected TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    duration_us INTEGER NOT NULL,
    state TEXT NOT NULL,
    paying INTEGER NOT NULL CHECK (paying IN (0, 1)),
    pay_by INTEGER,
    data TEXT NOT NULL,
    step TEXT,
    arrived TEXT,
    refunded TEXT,
    reason TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    UNIQUE (plan, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    plan TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    move TEXT,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_plan ON events (plan);
  `,
  // What left by a transfer, where that is not what it was to send.
  'ALTER TABLE moves ADD COLUMN sent TEXT',
  // Network fee of the offer of a transfer, and the paid one; JSON.
  'ALTER TABLE moves ADD COLUMN network_fee TEXT; ALTER TABLE moves ADD COLUMN paid_fee TEXT',
];
