import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import type { MarginAccountState } from '../../../src/model/margin-account.ts';
import type { Side } from '../../../src/model/order.ts';
import type { Fill } from '../../../src/model/report.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { UnreportedFills } from '../../../src/risk/margin/unreported-fills.ts';
import { accountOf, BTC, ETH } from './view.ts';
import { runs } from '../../kit/size.ts';

/** A fill of thousandths of a BTC at a price in cents. */
const fillOf = (side: Side, lots: number, ticks: number, at = 1): Fill => ({
  id: at,
  clientOrderId: 'order',
  symbol: 'BTCUSDT',
  side,
  ticks: ticks as Ticks,
  lots: lots as Lots,
  fee: Amount.of(ZERO),
  feeCurrency: 'USDT',
  taker: true,
  margin: 'isolated',
  at: micros(at),
});

/** What is held once an account is counted with fills: lots, entry price and entry value. */
function heldAfter(account: MarginAccountState, ...fills: readonly Fill[]) {
  const unreported = new UnreportedFills();
  for (const fill of fills) unreported.fill(BTC, 'isolated', fill);
  return unreported
    .counted(account)
    .positions.map(({ lots, entryPrice, entryValue }) => [
      lots,
      entryPrice.toFixed(),
      entryValue.toFixed(),
    ]);
}

const EMPTY = accountOf({ balance: '1000' });
const LONG = accountOf({
  balance: '1000',
  held: [{ instrument: BTC, size: '2', entry: '100', liquidation: '80' }],
});
const SHORT = accountOf({ balance: '1000', held: [{ instrument: BTC, size: '-2', entry: '100' }] });

test('a fill opens a position at its price', () => {
  expect(heldAfter(EMPTY, fillOf('buy', 500, 11_000))).toEqual([[500, '110', '55']]);
  expect(heldAfter(EMPTY, fillOf('sell', 500, 11_000))).toEqual([[-500, '110', '55']]);
});

test('a fill the same way adds its worth and leaves the rest as it was', () => {
  expect(heldAfter(LONG, fillOf('buy', 500, 11_000))).toEqual([[2_500, '100', '255']]);
  expect(heldAfter(SHORT, fillOf('sell', 500, 11_000))).toEqual([[-2_500, '100', '255']]);
});

test('what is left of a position keeps its entry price', () => {
  expect(heldAfter(LONG, fillOf('sell', 500, 11_000))).toEqual([[1_500, '100', '150']]);
  expect(heldAfter(SHORT, fillOf('buy', 500, 11_000))).toEqual([[-1_500, '100', '150']]);
});

test('nothing is left where all of it is closed, and what turns around has the price of the fill', () => {
  expect(heldAfter(LONG, fillOf('sell', 2_000, 11_000))).toEqual([]);
  expect(heldAfter(LONG, fillOf('sell', 2_500, 11_000))).toEqual([[-500, '110', '55']]);
  expect(heldAfter(SHORT, fillOf('buy', 2_500, 11_000))).toEqual([[500, '110', '55']]);
});

test('what its lots cost stays exact, though its entry price is that of a tick', () => {
  const [position] = LONG.positions;
  const exact = { ...LONG, positions: [{ ...position, entryValue: decimal('200.001') }] };
  expect(heldAfter(exact, fillOf('buy', 500, 11_000))).toEqual([[2_500, '100', '255.001']]);
  // Of what is left no more is known than the entry price.
  expect(heldAfter(exact, fillOf('sell', 500, 11_000))).toEqual([[1_500, '100', '150']]);
});

test('the price of its liquidation is not known any more', () => {
  const unreported = new UnreportedFills();
  unreported.fill(BTC, 'isolated', fillOf('buy', 1, 11_000, 7));
  const [position] = unreported.counted(LONG).positions;
  expect(position).not.toHaveProperty('liquidationPrice');
  expect(position?.updatedAt).toBe(7);
});

test('other positions of a cross account stay as they are', () => {
  const account = accountOf({
    mode: 'cross',
    balance: '1000',
    held: [
      { instrument: ETH, size: '3', entry: '10' },
      { instrument: BTC, size: '2', entry: '100' },
    ],
  });
  const unreported = new UnreportedFills();
  unreported.fill(BTC, 'cross', fillOf('buy', 500, 11_000));
  const { positions } = unreported.counted(account);
  expect(positions[0]).toBe(account.positions[0]);
  expect(positions.map(({ symbol, lots }) => [symbol, lots])).toEqual([
    ['ETHUSDT', 300],
    ['BTCUSDT', 2_500],
  ]);
});

test('a report of the account has all fills before it, and those of other accounts wait on', () => {
  const unreported = new UnreportedFills();
  expect(unreported.has(LONG)).toBe(false);
  unreported.fill(BTC, 'isolated', fillOf('buy', 500, 11_000));
  unreported.fill(BTC, 'isolated', fillOf('buy', 500, 11_000));
  unreported.reported(accountOf({ mode: 'cross', balance: '1' }));
  expect(unreported.has(LONG)).toBe(true);
  expect(unreported.counted(LONG).positions[0]?.lots).toBe(3_000);
  unreported.reported(LONG);
  expect(unreported.has(LONG)).toBe(false);
  expect(unreported.counted(LONG)).toBe(LONG);
});

test('accounts known until a time have its fills, and later ones wait on', () => {
  const unreported = new UnreportedFills();
  for (const at of [1, 2, 3]) unreported.fill(BTC, 'isolated', fillOf('buy', at, 10_000, at));
  unreported.known(micros(2));
  expect(unreported.counted(EMPTY).positions[0]?.lots).toBe(3);
  unreported.known(micros(3));
  expect(unreported.has(EMPTY)).toBe(false);
});

test('whatever fills come, the lots are their sum, and each lot that is held has a price that was paid', () => {
  const drawn = fc.tuple(
    fc.constantFrom<Side>('buy', 'sell'),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 50 }),
  );
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 12 }), (all) => {
      const found = heldAfter(EMPTY, ...all.map((one) => fillOf(...one)));
      const sum = all.reduce((total, [side, lots]) => total + (side === 'buy' ? lots : -lots), 0);
      expect(found.map(([lots]) => lots)).toEqual(sum === 0 ? [] : [sum]);
      if (sum === 0) return;
      const prices = all.map(([, , ticks]) => ticks);
      // In hundredths of thousandths: lots × cents.
      const value = Math.round(Number(found[0]?.[2]) * 100_000);
      expect(value).toBeGreaterThanOrEqual(Math.abs(sum) * Math.min(...prices));
      expect(value).toBeLessThanOrEqual(Math.abs(sum) * Math.max(...prices));
    }),
    { numRuns: runs(500) },
  );
});
