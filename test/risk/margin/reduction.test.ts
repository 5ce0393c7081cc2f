import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { reducingOrder } from '../../../src/risk/margin/reduction.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { accountOf, BTC, ETH, marginOf, type Held } from './view.ts';

/** The order that brings a position in BTC back to a distance, at a mark price that is the market's too. */
const orderAt = (
  held: readonly Held[],
  balance: string,
  marks: Record<string, string>,
  distance: string,
  touch?: string,
) =>
  reducingOrder(
    {
      symbol: 'BTCUSDT',
      mode: held.length > 1 ? 'cross' : 'isolated',
      distance: decimal(distance),
    },
    {
      instrument: (symbol) => (symbol === 'BTCUSDT' ? BTC : ETH),
      margin: marginOf(
        [accountOf({ mode: held.length > 1 ? 'cross' : 'isolated', balance, held })],
        marks,
      ),
      touch: () => (touch === undefined ? undefined : decimal(touch)),
    },
    'id',
  );

test('a position is closed in part by the fewest lots that bring it back, worked out by hand', () => {
  // Funds 600, short 0.25 at 20,000: (600 + 5,000 - 20,010 x) / ((0.25 - x) × 1.0505) is 24,000 or more from 0.13514.
  const held = [{ instrument: BTC, size: '-0.25', entry: '20000' }];
  const order = orderAt(held, '600', { BTCUSDT: '20000' }, '0.2');
  expect(order).toMatchObject({ side: 'buy', type: 'market', timeInForce: 'IOC', lots: 136 });
  expect(order?.margin).toEqual({ mode: 'isolated', reduceOnly: true });
});

test('nothing is closed of what is not there, or while a price of the account is unknown', () => {
  const held = [{ instrument: BTC, size: '-0.25', entry: '20000' }];
  expect(orderAt(held, '600', {}, '0.2')).toBeUndefined();
  expect(orderAt([], '600', { BTCUSDT: '20000' }, '0.2')).toBeUndefined();
  const both = [...held, { instrument: ETH, size: '2', entry: '1500' }];
  expect(orderAt(both, '600', { BTCUSDT: '20000' }, '0.2')).toBeUndefined();
});

test('the order is one at market that only reduces, and takes what it gets', () => {
  const of = (size: string) =>
    orderAt([{ instrument: BTC, size, entry: '20000' }], '600', { BTCUSDT: '20000' }, '0.2');
  const order = { kind: 'place', clientOrderId: 'id', symbol: 'BTCUSDT', type: 'market' } as const;
  const taker = { postOnly: false, timeInForce: 'IOC' } as const;
  const margin = { mode: 'isolated', reduceOnly: true } as const;
  expect(of('-0.25')).toEqual({ ...order, ...taker, margin, side: 'buy', lots: 136 });
  expect(of('0.25')).toEqual({ ...order, ...taker, margin, side: 'sell', lots: 126 });
});

test.each([
  // Bought at 20,500 the rest has less: (600 + 5,000 − 20,510.25 x) ÷ ((0.25 − x) × 1.0505).
  ['-0.25', '20500', 150],
  ['0.25', '19000', 159],
  // A book that is better than the mark price does not make it less.
  ['-0.25', '19000', 136],
  ['0.25', '20500', 126],
  ['-0.25', undefined, 136],
])(
  'of %s at a mark price of 20,000 with the market at %s %i lots are closed',
  (size, touch, lots) => {
    const held = [{ instrument: BTC, size, entry: '20000' }];
    expect(orderAt(held, '600', { BTCUSDT: '20000' }, '0.2', touch)?.lots).toBe(lots);
  },
);

test('of a position that is far enough a lot is closed, and all where no part does', () => {
  const held = [{ instrument: BTC, size: '-0.1', entry: '20000' }];
  expect(orderAt(held, '600', { BTCUSDT: '20000' }, '0.2')?.lots).toBe(1);
  expect(orderAt(held, '0', { BTCUSDT: '20000' }, '0.2')?.lots).toBe(100);
});

test('in a cross account what the others leave counts, less what they must keep', () => {
  // Of ETH −40, less 3,040 × 0.0505: 806.48 for the long of BTC, to be liquidated at 11,700 or below.
  const held = [
    { instrument: ETH, size: '-2', entry: '1500' },
    { instrument: BTC, size: '0.1', entry: '20000' },
  ];
  const marks = { BTCUSDT: '19500', ETHUSDT: '1520' };
  expect(orderAt(held, '1000', marks, '0.4')?.lots).toBe(10);
});

test('nothing is closed where there is no margin account, or its terms are unknown', () => {
  const spot = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.001' });
  const reduced = { symbol: 'BTCUSDT', mode: 'isolated', distance: decimal('0.2') } as const;
  const account = accountOf({ balance: '1', held: [{ instrument: BTC, size: '1', entry: '1' }] });
  const at = (instrument: typeof BTC, accounts: readonly (typeof account)[]) =>
    reducingOrder(
      reduced,
      {
        instrument: () => instrument,
        margin: marginOf(accounts, { BTCUSDT: '1' }),
        touch: () => undefined,
      },
      'id',
    );
  expect(at(BTC, [account])?.lots).toBe(1);
  expect(at(BTC, [])).toBeUndefined();
  expect(at(spot, [account])).toBeUndefined();
  expect(at(BTC, [{ ...account, isOpen: false }])).toBeUndefined();
});

test('the rest of a position is as far from its liquidation as asked, and one lot more would not be', () => {
  const cases = fc.record({
    lots: fc.integer({ min: 1, max: 400 }),
    sign: fc.constantFrom(1, -1),
    funds: fc.integer({ min: 50, max: 3_000 }),
    mark: fc.integer({ min: 18_500, max: 21_500 }),
    distance: fc.integer({ min: 5, max: 40 }),
  });
  fc.assert(
    fc.property(cases, ({ lots, sign, funds, mark, distance }) => {
      const size = new Decimal(lots).times(sign).div(1_000).toFixed();
      const held = [{ instrument: BTC, size, entry: '20000' }];
      const share = new Decimal(distance).div(100);
      const order = orderAt(held, String(funds), { BTCUSDT: String(mark) }, share.toFixed());
      const naive = (closed: number): boolean => {
        const left = new Decimal(lots - closed).div(1_000);
        if (left.isZero()) return true;
        const paid = new Decimal(closed).div(1_000).times(mark);
        const fee = paid.times('0.0005');
        const entry = new Decimal(lots).div(1_000).times(20_000);
        const money = sign < 0 ? entry.plus(funds).minus(paid).minus(fee) : entry.minus(funds).minus(paid).plus(fee); // prettier-ignore
        const exact = money.div(left.times(sign < 0 ? '1.0505' : '0.9495'));
        const shown = exact.toDecimalPlaces(2, sign < 0 ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);
        const liquidation = money.greaterThan(0) ? shown : new Decimal(0);
        return liquidation.minus(mark).times(-sign).greaterThanOrEqualTo(share.times(mark));
      };
      const closed = order?.lots ?? 0;
      expect(naive(closed)).toBe(true);
      expect(closed === 1 || !naive(closed - 1)).toBe(true);
    }),
  );
});
