import { expect } from 'vitest';
import type { TradingClient } from '../../../../src/clients.ts';
import type { TestVenue } from '../../../server/kit.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { at, shown } from '../kit/values.ts';

type Rest = TradingClient['rest'];

/** A call of market data, what of it goes over the wire, and what is read. */
export interface Case {
  /** Rows of the checklist. */
  readonly rows: readonly string[];
  readonly ask: (rest: Rest) => Promise<unknown>;
  /** Behind `GET /api/3/public`. */
  readonly line: string;
  readonly read: unknown;
}

export const caseOf = (
  rows: string,
  ask: (rest: Rest) => Promise<unknown>,
  line: string,
  read: unknown,
): Case => ({ rows: rows.split(' '), ask, line, read });

/** For `eachRow`: the rows of a case, its line, and itself. */
export const titled = (cases: readonly Case[]): readonly (readonly [string, string, Case])[] =>
  cases.map((one) => [
    one.rows.map((row) => `client:trading-v3.public.${row}`).join(' '),
    one.line,
    one,
  ]);

/** Makes the call against the venue and compares both. */
export async function check(venue: TestVenue, { ask, line, read }: Case): Promise<void> {
  const { rest, relay } = await openSubscriptions(venue);
  expect(shown(await ask(rest))).toEqual(read);
  expect(relay.sent).toEqual([`GET /api/3/public${line}`]);
}

/** The time at the end of `openMarket`. */
export const NOW = at('2026-01-05T16:00:01Z');

/** A candle whose value did not move. */
export const flat = (timestamp: string, value: string) => ({
  timestamp: at(timestamp),
  open: value,
  close: value,
  min: value,
  max: value,
});
