import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import type { MarginView } from '../../../src/risk/view.ts';
import { orderRejection } from '../../../src/risk/order-rejection.ts';
import { marginFundsRejection } from '../../../src/risk/limits/margin-funds.ts';
import { shortestDistance } from '../../../src/risk/margin/distance.ts';
import { riskPosition } from '../../../src/risk/margin/risk-position.ts';
import { heldForOrders } from '../../../src/risk/margin/reserves.ts';
import { worstValue } from '../../../src/risk/margin/worst-value.ts';
import { worstSizes } from '../../../src/risk/margin/worst.ts';
import { runs, seed } from '../../kit/size.ts';
import { limitsOf, marketOf, open, place, viewOf } from '../view.ts';
import { accountOf, BTC, ETH, marginOf } from './view.ts';

/** An order as a naive history has it. */
interface Plain {
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  readonly ticks: number;
  readonly reduces: boolean;
}

const ORDER: fc.Arbitrary<Plain> = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  lots: fc.integer({ min: 1, max: 5 }),
  ticks: fc.integer({ min: 90, max: 110 }),
  reduces: fc.boolean(),
});
/** Of a margin account, in parts of what a position of a lot is worth; a hundred are that. */
const FUNDS = fc.integer({ min: 1, max: 1_000 });
const HELD = fc.integer({ min: -5, max: 5 });

const openOf = ({ side, lots, ticks, reduces }: Plain) =>
  open({
    side,
    lots,
    ticks,
    margin: { mode: 'isolated', ...(reduces ? { reduceOnly: true } : {}) },
  });

const viewWith = (lots: number, balance = '1000') => {
  const size = decimal(String(lots)).div(1_000).toFixed();
  const held = lots === 0 ? [] : [{ instrument: BTC, size, entry: '1' }];
  const account = accountOf({ balance, held });
  return viewOf({
    instruments: [BTC, ETH],
    markets: { BTCUSDT: marketOf(100, 100) },
    margin: marginOf([account], { BTCUSDT: '1' }),
  });
};

/** Every position on every way that orders can execute, one whole order after the other. */
function* positions(lots: number, orders: readonly Plain[]): Generator<number> {
  yield lots;
  for (const [index, { side, lots: most, reduces }] of orders.entries()) {
    const sign = side === 'buy' ? 1 : -1;
    const room = reduces ? Math.max(0, -sign * lots) : most;
    const rest = orders.filter((_, other) => other !== index);
    yield* positions(lots + sign * Math.min(most, room), rest);
  }
}

test('the worst long and short are those of the worst of all ways to execute', () => {
  fc.assert(
    fc.property(HELD, fc.array(ORDER, { maxLength: 5 }), (lots, orders) => {
      const worst = worstSizes(
        riskPosition(viewWith(lots), 'BTCUSDT', 'isolated'),
        orders.map(openOf),
      );
      const all = [...positions(lots, orders)];
      const naive = [Math.max(0, ...all), Math.max(0, ...all.map((one) => -one))];
      expect([worst.long, worst.short].map((one) => one.times(1_000).toNumber())).toEqual(naive);
    }),
    { numRuns: runs(1_000), seed: seed(41) },
  );
});

/** What each way to execute comes to, valued as the limit does: what was held at 1, what is opened at its price. */
function* values(lots: number, value: number, orders: readonly Plain[]): Generator<number> {
  yield value;
  for (const [index, { side, lots: most, ticks, reduces }] of orders.entries()) {
    const sign = side === 'buy' ? 1 : -1;
    const closable = Math.max(0, -sign * lots);
    const executed = reduces ? Math.min(most, closable) : most;
    const closed = Math.min(executed, closable);
    const rest = orders.filter((_, other) => other !== index);
    const kept = closable === 0 ? value : (value * (closable - closed)) / closable;
    const price = side === 'sell' ? Math.max(ticks, 100) : ticks;
    yield* values(lots + sign * executed, kept + (executed - closed) * price, rest);
  }
}

test('the worst value is never less than that of any way to fill', () => {
  fc.assert(
    fc.property(HELD, fc.array(ORDER, { maxLength: 4 }), (lots, orders) => {
      const at = riskPosition(viewWith(lots), 'BTCUSDT', 'isolated');
      const all = orders.map(openOf);
      const prices = new Map(
        all.map((order) => {
          const ticks = order.side === 'sell' ? Math.max(order.ticks ?? 0, 100) : order.ticks;
          return [order, decimal(String(ticks ?? 0)).div(100)] as const;
        }),
      );
      const worst = worstValue(at, all, prices) ?? ZERO;
      const naive = Math.max(...values(lots, Math.abs(lots) * 100, orders));
      expect(worst.times(100_000).toNumber()).toBeGreaterThanOrEqual(naive - 1e-6);
    }),
    { numRuns: runs(1_000), seed: seed(42) },
  );
});

test('what orders hold is v × (1/L + f + f × (1 + 1/L)) of the larger side beyond what it closes', () => {
  fc.assert(
    fc.property(HELD, fc.array(ORDER, { maxLength: 6 }), (lots, orders) => {
      const view = viewWith(lots);
      const [account] = view.margin?.accounts ?? [];
      const side = (of: 'buy' | 'sell'): number => {
        let closable = Math.max(0, of === 'buy' ? -lots : lots);
        let sum = 0;
        for (const one of orders.filter((order) => order.side === of && !order.reduces)) {
          const closed = Math.min(closable, one.lots);
          closable -= closed;
          sum += (one.lots - closed) * one.ticks;
        }
        return sum;
      };
      // A tick × lot is 0.00001; 1/10 + 0.0005 + 0.0005 × 1.1 = 0.10105.
      const value = Math.max(side('buy'), side('sell'));
      const naive = new Decimal(value).times('0.00001').times('0.10105');
      const held = heldForOrders(account, orders.map(openOf), view, limitsOf());
      expect(held.toFixed()).toBe(naive.toFixed());
    }),
    { numRuns: runs(1_000), seed: seed(43) },
  );
});

test('the shortest distance is that of the worst number of orders, by the plain formula', () => {
  fc.assert(
    fc.property(HELD, fc.array(ORDER, { maxLength: 5 }), FUNDS, (lots, orders, funds) => {
      const view = viewWith(lots, decimal(String(funds)).div(100_000).toFixed());
      const [account] = view.margin?.accounts ?? [];
      const all = orders.map(openOf);
      const distance = shortestDistance(account, { view, limits: limitsOf(), orders: all });
      const naive = distances(lots, funds / 100_000, orders);
      if (naive.length === 0) {
        expect(distance).toBeUndefined();
        return;
      }
      if (distance === undefined || distance === 'unknown') throw new Error('no distance');
      // The price is at the tick size of 0.01, of a price of about 1.
      expect(Math.abs(distance.share.toNumber() - Math.min(...naive))).toBeLessThan(0.012);
    }),
    { numRuns: runs(1_000), seed: seed(44) },
  );
});

/** Distances as floats: P = (M + N) ÷ (a (1 + f + 1/20)) of a short, (N − M) ÷ (a (1 − f − 1/20)) of a long. */
function distances(held: number, funds: number, orders: readonly Plain[]): number[] {
  const found: number[] = [];
  const look = (lots: number, cash: number, price: number): void => {
    if (lots === 0) return;
    const size = Math.abs(lots) / 1_000;
    const liquidation =
      lots < 0
        ? (funds + cash) / (size * (1 + 0.0005 + 0.05))
        : Math.max(0, (-cash - funds) / (size * (1 - 0.0005 - 0.05)));
    found.push(lots < 0 ? (liquidation - price) / price : (price - liquidation) / price);
  };
  look(held, -held / 1_000, 1);
  for (const sign of [1, -1]) {
    const side = orders
      .filter((one) => !one.reduces && one.side === (sign > 0 ? 'buy' : 'sell'))
      .sort((a, b) => sign * (b.ticks - a.ticks));
    let [lots, cash, price] = [held, -held / 1_000, 1];
    for (const { lots: more, ticks } of side) {
      lots += sign * more;
      cash -= (sign * more * ticks) / 100_000;
      price = sign > 0 ? Math.min(price, ticks / 100) : Math.max(price, ticks / 100);
      if (sign * lots > 0) look(lots, cash, price);
    }
  }
  return found;
}

const UNKNOWN: readonly (readonly [string, (lots: number) => MarginView | undefined])[] = [
  ['no margin', () => undefined],
  ['no account', () => marginOf([], { BTCUSDT: '1' })],
  ['no mark price', (lots) => marginOf(viewWith(lots).margin?.accounts ?? [], {})],
];

test.each(UNKNOWN)('with %s nothing is opened, and what only reduces passes', (_, marginWith) => {
  fc.assert(
    fc.property(HELD, ORDER, fc.boolean(), (lots, order, isMarket) => {
      const view = { ...viewWith(lots), margin: marginWith(lots) };
      const { side, reduces, ticks } = order;
      const request = place({
        side,
        ...(isMarket ? { type: 'market' } : { ticks }),
        // More than anything that is held: it opens unless it only reduces.
        lots: order.lots + 5,
        margin: { mode: 'isolated', ...(reduces ? { reduceOnly: true } : {}) },
      });
      const limits = limitsOf({
        maxPosition: { BTCUSDT: '1000' },
        maxShort: { BTCUSDT: '1000' },
        maxExposure: { USDT: '1000000' },
        maxNetExposure: { USDT: '1000000' },
        maxLeverage: '1000',
        maxMarginUse: '1',
        minLiquidationDistance: '0.000001',
      });
      for (const limited of [limitsOf(), limits]) {
        const rejection =
          orderRejection(request, view, limited) ?? marginFundsRejection(request, view, limited);
        const code = rejection?.code;
        if (reduces) expect(code).toBeUndefined();
        else expect(['margin-account-unknown', 'risk-market-unknown']).toContain(code);
      }
    }),
    { numRuns: runs(500), seed: seed(45) },
  );
});

test('with no market what only reduces passes the collar and the largest value', () => {
  const view = { ...viewWith(-2), market: () => undefined };
  const limits = limitsOf({ priceCollar: '0.05', maxNotional: { USDT: '1' } });
  const order = { side: 'buy', type: 'market', lots: 2 } as const;
  const closing = place({ ...order, margin: { mode: 'isolated', reduceOnly: true } });
  expect(orderRejection(closing, view, limits)).toBeUndefined();
  const opening = place({ ...order, side: 'sell', margin: { mode: 'isolated' } });
  expect(orderRejection(opening, view, limits)?.code).toBe('risk-market-unknown');
});
