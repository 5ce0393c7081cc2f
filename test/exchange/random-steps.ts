import fc from 'fast-check';
import { CONTINGENCY_TYPES } from '../../src/model/order.ts';
import type { Level } from './kit.ts';
import { part } from './random-lists.ts';

const ticks = fc.integer({ min: 96, max: 104 });
const lots = fc.integer({ min: 1, max: 9 });
const side = fc.constantFrom('buy', 'sell');
const account = fc.integer({ min: 0, max: 2 });
const pick = fc.nat({ max: 40 });
const sequence = fc.constantFrom(-1, 0, 0, 1, 1, 1, 2);
const levels: fc.Arbitrary<Level[]> = fc.array(
  fc.oneof(
    fc.tuple(fc.constant('bid'), fc.integer({ min: 96, max: 100 }), fc.nat({ max: 9 })),
    fc.tuple(fc.constant('ask'), fc.integer({ min: 100, max: 104 }), fc.nat({ max: 9 })),
  ),
  { minLength: 1, maxLength: 6 },
);

/** Fee rates that an order asks for itself: mostly none, and not always higher ones. */
const NONE = [undefined, undefined, undefined, undefined, undefined] as const;
const rate = fc.constantFrom(...NONE, '-0.001', '0.0015', '0.003', '0.0125');
const rates = { takeRate: rate, makeRate: rate };

const symbol = fc.constantFrom('BTCUSDT', 'BTCUSDT', 'BTCUSDT', 'ETHBTC');

/** What may happen to an exchange of BTCUSDT and ETHBTC: three accounts and the market act at prices near 100. */
export const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('list'),
      account,
      type: fc.constantFrom(...CONTINGENCY_TYPES),
      parts: fc.array(part, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('limit'),
      ...rates,
      symbol,
      account,
      side,
      lots,
      ticks,
      life: fc.constantFrom('GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'postOnly'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('stop'),
      ...rates,
      symbol,
      account,
      side,
      lots,
      ticks,
      stop: ticks,
      type: fc.constantFrom('stopLimit', 'stopMarket', 'takeProfitLimit', 'takeProfitMarket'),
      life: fc.constantFrom('GTC', 'GTC', 'GTD', 'IOC', 'FOK', 'postOnly'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      us: fc.oneof(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(1_000, 50_000, 99_999, 100_000, 100_001, 250_000),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('market'),
      ...rates,
      symbol,
      account,
      side,
      lots,
      life: fc.constantFrom('FOK', 'IOC'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel'), account, pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('replace'),
      pick,
      account,
      ticks: fc.option(ticks, { nil: undefined }),
      lots: fc.option(lots, { nil: undefined }),
      stop: fc.option(ticks, { nil: undefined }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('trade'), symbol, side, ticks, lots }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('depth'), symbol, levels, sequence }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('quote'),
      bid: fc.tuple(fc.integer({ min: 96, max: 101 }), fc.nat({ max: 9 })),
      spread: fc.integer({ min: 1, max: 3 }),
      askLots: fc.nat({ max: 9 }),
      sequence,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('snapshot'), symbol, levels, sequence }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gap') }) },
  // One trade of the market told twice: by the display, which shrinks, and by its print.
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('twice'),
      side,
      lots,
      by: fc.constantFrom('quote', 'level', 'snapshot'),
      displayFirst: fc.boolean(),
      us: fc.constantFrom(0, 0, 1_000, 60_000, 100_000, 100_001),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('candle'),
      prices: fc.tuple(ticks, ticks, ticks, ticks),
      lots: fc.nat({ max: 20 }),
      periodUs: fc.constantFrom(0, 100_000, 1_000_000),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the exchange's owner may do between requests. */
export const ruling = fc.oneof(
  fc.record({
    kind: fc.constant('status'),
    symbol,
    status: fc.constantFrom('working', 'working', 'suspended', 'clearing'),
  }),
  fc.record({
    kind: fc.constant('fees'),
    symbol,
    account,
    rates: fc.constantFrom(
      undefined,
      { take: '0.003', make: '-0.0002' },
      { take: '0.0005', make: '0.0005' },
    ),
  }),
  fc.record({
    kind: fc.constant('selfMatch'),
    account,
    mode: fc.constantFrom(
      undefined,
      'none',
      'expireTaker',
      'expireMaker',
      'expireBoth',
      'decrement',
    ),
  }),
);
export type Ruling = typeof ruling extends fc.Arbitrary<infer T> ? T : never;
