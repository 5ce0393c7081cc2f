import fc from 'fast-check';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../../src/platform/time.ts';

export const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'BTCUSDT_PERP'] as const;
export type Tradable = (typeof SYMBOLS)[number];

const symbol = fc.constantFrom<Tradable[]>('BTCUSDT', 'ETHUSDT', 'BTCUSDT_PERP', 'BTCUSDT_PERP');
const account = fc.nat({ max: 2 });
const name = fc.nat({ max: 9 }).map((number) => `o${number}`);
const ticks = fc.integer({ min: 80, max: 120 });
const lots = fc.integer({ min: 1, max: 12 });
const side = fc.constantFrom('buy' as const, 'sell' as const);

const order = fc.oneof(
  fc.record({ kind: fc.constant('limit' as const), side, lots, ticks, reduceOnly: fc.boolean() }),
  fc.record({ kind: fc.constant('market' as const), side, lots, reduceOnly: fc.boolean() }),
  fc.record({ kind: fc.constant('stop' as const), side, lots, ticks, closes: fc.boolean() }),
);
const mode = fc.constantFrom<(MarginMode | false)[]>('isolated', 'isolated', 'cross', false);

/** Something that an account or the market does. */
const acts = [
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('place' as const),
      account,
      symbol,
      name,
      order,
      mode,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('quote' as const),
      symbol,
      ticks: fc.integer({ min: 70, max: 130 }),
      lots: fc.integer({ min: 0, max: 30 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('index' as const),
      index: fc.integer({ min: 40, max: 160 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('print' as const), symbol, ticks, lots, side }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel' as const), account, name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('replace' as const),
      account,
      name,
      to: name,
      ticks,
      lots,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('close' as const), account, symbol, mode }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('set' as const),
      account,
      symbol,
      mode,
      balance: fc.integer({ min: 0, max: 250 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('bracket' as const),
      account,
      symbol,
      name,
      side,
      lots,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      us: fc.constantFrom(US_PER_MINUTE, 3 * US_PER_HOUR, 9 * US_PER_HOUR),
    }),
  },
] as const;
export const step = fc.oneof(...acts);

/** The same, and what a venue tells of the contract beside its market. */
export const reportedStep = fc.oneof(
  ...acts,
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      us: fc.constantFrom(US_PER_MINUTE, US_PER_HOUR, 9 * US_PER_HOUR),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('mark' as const),
      // Thousandths of a tick, off the grid of half ticks too.
      thousandths: fc.integer({ min: 40_000, max: 160_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('funding' as const),
      rate: fc.constantFrom('0.0001', '-0.003', '0.012345678901234567', '0'),
      /** How long until it is paid; negative where its time has passed. */
      inUs: fc.constantFrom(-2 * US_PER_MINUTE, US_PER_MINUTE, 2 * US_PER_HOUR, 8 * US_PER_HOUR),
      nextUs: fc.constantFrom(0, US_PER_HOUR, 8 * US_PER_HOUR),
    }),
  },
);
export type Step = typeof reportedStep extends fc.Arbitrary<infer T> ? T : never;
