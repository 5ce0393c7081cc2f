import { describe, expect, test } from 'vitest';
import type { Order } from '../../../src/model/order.ts';
import { positionStateOf, shortestDistance } from '../../../src/risk/margin/distance.ts';
import { at, position, REDUCE_ONLY, viewAt } from '../limits/view.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { limitsOf, marketOf, open, type ViewTexts } from '../view.ts';
import { accountOf, BTC, ETH, type Funds } from './view.ts';

/** The shortest distance of an account: where which position is liquidated, and from which price. */
function shortest(
  funds: Funds,
  orders: readonly Order[],
  more: ViewTexts = {},
  marks?: Record<string, string>,
) {
  const found = shortestDistance(accountOf(funds), {
    view: viewAt([funds], more, marks),
    limits: limitsOf(),
    orders,
  });
  if (found === undefined || found === 'unknown') return found;
  const { position, liquidationPrice, price, way, share } = found;
  return [position.instrument.symbol, ...[liquidationPrice, price, way].map((one) => one.toFixed()), share.toFixed(6)]; // prettier-ignore
}

describe('without a position and orders that open one', () => {
  test('there is no distance', () => {
    expect(shortest({ balance: '10' }, [])).toBeUndefined();
    const others = [
      open(at('buy', 1_000)),
      open(at('buy', 1_000, 'cross')),
      open({ ...at('buy', 1_000, 'isolated'), symbol: 'ETHUSDT' }),
      open(at('buy', 1_000, REDUCE_ONLY)),
    ];
    expect(shortest({ balance: '10' }, others)).toBeUndefined();
  });
});

describe('of an order that opens a position the distance is from', () => {
  // 1 at 100 with 10: (100 − 10) ÷ 0.9495 is 94.79, (100 + 10) ÷ 1.0505 is 104.71.
  test.each([
    ['buy', 10_000, ['BTCUSDT', '94.79', '100', '5.21', '0.052100']],
    ['sell', 10_000, ['BTCUSDT', '104.71', '100', '4.71', '0.047100']],
    // At 90: 80 ÷ 0.9495 is 84.26. The market is at 90 then.
    ['buy', 9_000, ['BTCUSDT', '84.26', '90', '5.74', '0.063778']],
    // At 110: 120 ÷ 1.0505 is 114.23. The market is at 110 then.
    ['sell', 11_000, ['BTCUSDT', '114.23', '110', '4.23', '0.038455']],
    // It executes at once: 100 ÷ 0.9495 is 105.32, and the market is at 100.
    ['buy', 11_000, ['BTCUSDT', '105.32', '100', '-5.32', '-0.053200']],
    ['sell', 9_000, ['BTCUSDT', '95.19', '100', '-4.81', '-0.048100']],
  ] as const)('a %s at %i cents: %s', (side, ticks, distance) => {
    const order = open(at(side, 1_000, 'isolated', ticks));
    expect(shortest({ balance: '10' }, [order])).toEqual(distance);
  });

  test('a market order from what it takes first, else from the mark price', () => {
    const order = open({ type: 'market', lots: 1_000, margin: { mode: 'isolated' } });
    const markets = { BTCUSDT: marketOf(9_900, 10_100) };
    // (101 − 10) ÷ 0.9495 is 95.84.
    expect(shortest({ balance: '10' }, [order], { markets })).toEqual([
      ...['BTCUSDT', '95.84', '100', '4.16', '0.041600'],
    ]);
    expect(shortest({ balance: '10' }, [order], { markets: {} })).toEqual([
      ...['BTCUSDT', '94.79', '100', '5.21', '0.052100'],
    ]);
  });

  test('a stop market order from its stop price, whatever is left of it', () => {
    const order = open({
      ...{ side: 'sell', type: 'stopMarket', lots: 1_500, filledLots: 500 },
      ...{ stopTicks: 9_000, margin: { mode: 'isolated' } as const, suspended: true },
    });
    expect(shortest({ balance: '10' }, [order])).toEqual([
      ...['BTCUSDT', '95.19', '100', '-4.81', '-0.048100'],
    ]);
  });
});

describe('a position', () => {
  test('is compared with its mark price, and is 0 where nothing liquidates it', () => {
    expect(shortest(position('1', 'isolated', BTC, '100'), [])).toEqual([
      ...['BTCUSDT', '0', '100', '100', '1.000000'],
    ]);
  });

  test('counts as it is where orders that are open would bring it farther', () => {
    const near = ['BTCUSDT', '94.79', '100', '5.21', '0.052100'];
    // What closes counts for nothing, at whichever price.
    for (const ticks of [10_000, 8_000]) {
      const order = open(at('sell', 500, 'isolated', ticks));
      expect(shortest(position('1', 'isolated', BTC, '10'), [order])).toEqual(near);
    }
  });

  test('counts as what it turns to where that is nearer', () => {
    // Sold 3: short 2, (200 + 10) ÷ (2 × 1.0505) is 99.95.
    const order = open(at('sell', 3_000, 'isolated'));
    expect(shortest(position('1', 'isolated', BTC, '10'), [order])).toEqual([
      ...['BTCUSDT', '99.95', '100', '-0.05', '-0.000500'],
    ]);
  });
});

describe('in a cross account', () => {
  /** Short 100 ETH at 10, and what else there is. */
  const cross = (...held: NonNullable<Funds['held']>): Funds => ({
    mode: 'cross',
    balance: '200',
    held: [{ instrument: ETH, size: '-100', entry: '10' }, ...held],
  });

  test('a position has what the others leave, less what they must keep', () => {
    // BTC leaves −10, less 90 × 0.0505: (200 + 1,000 − 14.545) ÷ (100 × 1.0505) is 11.28.
    const funds = cross({ instrument: BTC, size: '1', entry: '100' });
    const marks = { BTCUSDT: '90', ETHUSDT: '10' };
    expect(shortest(funds, [], {}, marks)).toEqual(['ETHUSDT', '11.28', '10', '1.28', '0.128000']);
    const state = positionStateOf(accountOf(funds), 'ETHUSDT', viewAt([funds], {}, marks));
    expect(state?.funds.toFixed()).toBe('185.455');
  });

  test.each([
    ['buy', 9_000, 12_000],
    ['sell', 11_000, 8_000],
  ] as const)(
    'of what %ss can fill elsewhere the worst counts, whichever was sent first',
    (side, good, bad) => {
      // The bad one alone leaves −20 − 5.05, both together −10 − 10.10: (1,200 − 25.05) ÷ 105.05 is 11.18.
      const orders = [good, bad].map((ticks) => open(at(side, 1_000, 'cross', ticks)));
      for (const all of [orders, orders.toReversed()]) {
        expect(shortest(cross(), all)).toEqual(['ETHUSDT', '11.18', '10', '1.18', '0.118000']);
      }
    },
  );

  test('an unknown price of any place with a position or an order makes it unknown', () => {
    const order = open(at('buy', 1, 'cross'));
    expect(shortest(cross(), [order], {}, { ETHUSDT: '10' })).toBe('unknown');
    expect(shortest(cross(), [order], {}, { BTCUSDT: '100' })).toBe('unknown');
    expect(shortest(cross(), [], {}, { ETHUSDT: '10' })).not.toBe('unknown');
  });

  test('a symbol that is not traded so makes it unknown', () => {
    const { margin: _, ...terms } = BTC.terms;
    const instruments = [instrumentOf(terms), ETH];
    expect(shortest(cross(), [open(at('buy', 1, 'cross'))], { instruments })).toBe('unknown');
  });
});
