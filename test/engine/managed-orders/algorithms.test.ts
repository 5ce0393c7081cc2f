import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NOTHING_FILLED,
  type Filled,
  type Plan,
  type Present,
  type Progress,
} from '../../../src/engine/managed-orders/algorithm.ts';
import { dca } from '../../../src/engine/managed-orders/algorithms/dca.ts';
import { grid } from '../../../src/engine/managed-orders/algorithms/grid.ts';
import { iceberg } from '../../../src/engine/managed-orders/algorithms/iceberg.ts';
import { schedule } from '../../../src/engine/managed-orders/algorithms/schedule.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { Lots } from '../../../src/model/units.ts';
import { TERMS } from '../rig.ts';

const instrument = new Instrument(TERMS);
const bought = (lots: number, ticks: number): Filled => ({
  lots,
  value: BigInt(lots) * BigInt(ticks),
});
const progress = (fields: Partial<Omit<Progress, 'filled'>>, fills: Record<string, Filled> = {}) =>
  ({
    startedAt: 0,
    step: -1,
    volume: 0,
    volumes: { count: 0, total: 0 },
    ...fields,
    filled: (slot: string) => fills[slot] ?? NOTHING_FILLED,
  }) satisfies Progress;
const now = (at: number, bidTicks = 99, askTicks = 101): Present => ({ at, bidTicks, askTicks });

const algo = { id: 'algo-0001', symbol: 'BTCUSDT' } as const;
const BUYING = { ...algo, kind: 'dca', side: 'buy', value: '1', max: 3 } as const;

describe('slices', () => {
  const sliced = { ...algo, side: 'buy', jitter: 0, atEnd: 'leave' } as const;
  const slices = fc.record({
    lots: fc.integer({ min: 1, max: 1_000_000 }),
    slices: fc.integer({ min: 1, max: 12 }),
    jitter: fc.constantFrom(0, 0.3, 1),
    weights: fc.option(
      fc.oneof(fc.constant('recent' as const), fc.array(fc.nat(9), { minLength: 12 })),
      { nil: undefined },
    ),
    volumes: fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 }),
    shares: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 12 }),
  });

  test('are never more than what is left, and the last takes all of it', () => {
    fc.assert(
      fc.property(slices, ({ lots, slices: count, jitter, weights, volumes, shares }) => {
        const kept = Array.isArray(weights) ? weights.slice(0, count) : weights;
        const terms = {
          ...sliced,
          kind: kept === undefined ? 'twap' : 'vwap',
          ...{ jitter, lots: lots as Lots, slices: count, overUs: count * 1_000 },
          weights: kept,
        } as const;
        let [filled, step, traded, intervals, volume] = [0, -1, 0, 0, 0];
        let at: number | undefined = 0;
        let last: Plan | undefined;
        while (at !== undefined) {
          const fields = { step, volume, volumes: { count: intervals, total: traded } };
          last = schedule.plan(terms, progress(fields, { slice: bought(filled, 1) }), now(at), instrument); // prettier-ignore
          const [wanted] = last.orders;
          if (last.step !== undefined) {
            if (step >= 0) [traded, intervals] = [traded + volume, intervals + 1];
            step = last.step;
            volume = volumes[step];
          }
          if (wanted !== undefined) {
            expect(wanted.lots).toBeGreaterThan(0);
            expect(wanted.lots).toBeLessThanOrEqual(lots - filled);
            if (step === count - 1) expect(wanted.lots).toBe(lots - filled);
            filled += Math.floor((wanted.lots * shares[step]) / 4);
          }
          at = last.ended === undefined ? last.wakeAt : undefined;
        }
        expect(last?.ended).toBe(filled === lots ? 'filled' : 'expired');
      }),
    );
  });

  const three = { ...sliced, kind: 'vwap', lots: 9 as Lots, slices: 3, overUs: 3_000 } as const;
  test.each<[string, object, Partial<Progress>, number]>([
    ['follow a profile', { weights: [1, 1, 1] }, { step: 0 }, 4],
    ['send nothing where the profile has nothing left', { weights: [1, 0, 0] }, { step: 0 }, 0],
    [
      'are twice as large after twice the mean volume',
      { weights: 'recent' },
      { step: 0, volume: 20, volumes: { count: 1, total: 20 } },
      4,
    ],
    [
      'take all at the most, however large the volume was',
      { weights: 'recent' },
      { step: 0, volume: 1_000, volumes: { count: 2, total: 20 } },
      9,
    ],
    [
      'are those of a twap before any volume is known',
      { weights: 'recent' },
      { step: 0, volume: 5 },
      4,
    ],
    ['take a part of the volume at the most', { participation: '0.1' }, { step: 0, volume: 25 }, 2],
  ])('%s', (_, terms, fields, lots) => {
    const { orders: wanted } = schedule.plan({ ...three, ...terms }, progress(fields), now(1_500), instrument); // prettier-ignore
    expect(wanted.map((one) => one.lots)).toEqual(lots === 0 ? [] : [lots]);
  });

  test.each([
    ['a worst price off the grid', { price: new Decimal('0.001') }, 'price-off-tick'],
    ['a time that is no number', { over: Number.NaN }, 'request-invalid'],
    ['a time shorter than its slices in microseconds', { over: 0.001 }, 'request-invalid'],
  ])('are refused with %s', (_, terms, code) => {
    const asked = { ...algo, kind: 'twap', side: 'buy', lots: 9, over: 60, slices: 3, ...terms };
    expect(schedule.terms(asked as never, instrument)).toMatchObject({ code });
  });
});

describe('a grid', () => {
  const asked = { ...algo, kind: 'grid', lots: 1, lowTicks: 100, highTicks: 200, levels: 5 };

  test.each([
    ['a lowest price off the grid', { lowTicks: undefined, low: new Decimal('0.001') }],
    ['a highest price off the grid', { highTicks: undefined, high: new Decimal('0.001') }],
    ['no lowest price', { lowTicks: undefined }],
    ['no quantity', { lots: undefined }],
  ])('is refused with %s', (_, fields) => {
    expect(grid.terms({ ...asked, ...fields } as never, instrument)).toHaveProperty('code');
  });

  test('has prices at one ratio, as logarithms of many digits find them', () => {
    const far = fc.record({
      low: fc.integer({ min: 1, max: 5_000 }),
      times: fc.integer({ min: 3, max: 50 }),
      levels: fc.integer({ min: 2, max: 5 }),
    });
    fc.assert(
      fc.property(far, ({ low, times, levels }) => {
        const command = { ...asked, levels, spacing: 'geometric', lowTicks: 100 * low };
        const made = grid.terms({ ...command, highTicks: 100 * low * times } as never, instrument);
        const expected = Array.from({ length: levels }, (_, index) =>
          new Decimal(times)
            .pow(new Decimal(index).div(levels - 1))
            .times(100 * low)
            .toDecimalPlaces(0, Decimal.ROUND_HALF_DOWN)
            .toNumber(),
        );
        expect(made).toMatchObject({ levels: expected });
      }),
      { numRuns: 20 },
    );
  });

  const five = 5 as Lots;
  const three = {
    ...algo,
    kind: 'grid',
    levels: [90, 100, 110],
    buyLots: five,
    sellLots: five,
  } as const;
  const wanted = (fills: Record<string, Filled>, present: Present) =>
    grid
      .plan(three, progress({}, fills), present, instrument)
      .orders.map(({ slot, lots, ticks }) => [slot, lots, ticks]);

  test('buys at the levels below the market alone, and none that is not known', () => {
    expect(wanted({}, now(0, 99, 100))).toEqual([['buy 0', 5, 90]]);
    expect(wanted({}, now(0, Number.NaN, Number.NaN))).toEqual([]);
  });

  test('sells what a level bought at the next one, for the rest of what is not sold', () => {
    const fills = { 'buy 0': bought(5, 90), 'sell 0': bought(2, 100) };
    expect(wanted(fills, now(0, 95, 99))).toEqual([['sell 0', 3, 100]]);
    // At or through its price it would take: it waits.
    expect(wanted(fills, now(0, 100, 101))).toEqual([['buy 1', 5, 100]]);
    // With the bid below again, a whole grid step is done, and the level buys once more.
    expect(wanted({ ...fills, 'sell 0': bought(5, 100) }, now(0, 95, 99))).toEqual([
      ['buy 0', 5, 90],
    ]);
  });
});

describe('an iceberg is refused with', () => {
  const asked = { ...algo, kind: 'iceberg', side: 'buy', lots: 5, ticks: 100, visibleLots: 1 };
  test.each([
    ['no quantity', { lots: undefined }, 'quantity-missing'],
    ['a price off the grid', { ticks: undefined, price: new Decimal('0.001') }, 'price-off-tick'],
    ['nothing to show', { visibleLots: undefined }, 'quantity-missing'],
  ])('%s', (_, fields, code) => {
    expect(iceberg.terms({ ...asked, ...fields } as never, instrument)).toMatchObject({ code });
  });
});

describe('a dca', () => {
  const plan = (terms: object, made: Progress, present: Present): Plan =>
    dca.plan({ ...BUYING, ...terms }, made, present, instrument);
  const held = { buy: bought(10, 100) };

  test('is refused with a time that no clock has', () => {
    const asked = { ...algo, kind: 'dca', value: new Decimal(1), max: 1, every: Number.NaN };
    expect(dca.terms(asked as never, instrument)).toMatchObject({ field: 'every' });
  });

  test('waits for a price where none is known', () => {
    expect(plan({ everyUs: 1_000 }, progress({}), now(0, Number.NaN, Number.NaN))).toEqual({
      orders: [],
      wakeAt: undefined,
      watch: 'prices',
    });
  });

  test('ends where its value buys no lot', () => {
    expect(plan({ everyUs: 1_000 }, progress({}), now(0, 99, 200_000))).toMatchObject({
      ended: 'expired',
      why: '1 buys less than a lot at 2000',
    });
  });

  test('ends without a fill where nothing was bought, and filled where something was', () => {
    expect(plan({ everyUs: 1_000 }, progress({ step: 2 }), now(5_000)).ended).toBe('expired');
    expect(plan({ everyUs: 1_000 }, progress({ step: 2 }, held), now(5_000)).ended).toBe('filled');
  });

  test('buys on a drop below its mean price and not above', () => {
    const dropping = { drop: '0.1' };
    const made = progress({ step: 0 }, held);
    expect(plan(dropping, made, now(0, 90, 91)).orders).toEqual([]);
    expect(plan(dropping, made, now(0, 89, 90)).orders).toMatchObject([{ slot: 'buy' }]);
    expect(plan(dropping, progress({ step: 0 }), now(0, 150, 151)).orders).toHaveLength(1);
  });

  test('sells all of it at its profit, buys no more then, and ends when all is sold', () => {
    const exiting = { everyUs: 1_000, takeProfit: '0.1', margin: 'isolated' };
    const exit = { slot: 'exit', side: 'sell', ticks: 110 };
    expect(plan(exiting, progress({ step: 0 }, held), now(500)).orders).toEqual([
      { ...exit, lots: 10 },
    ]);
    const selling = progress({ step: 0 }, { ...held, exit: bought(4, 110) });
    expect(plan(exiting, selling, now(5_000)).orders).toEqual([{ ...exit, lots: 6 }]);
    expect(plan(exiting, progress({ step: 2 }, held), now(5_000)).orders).toHaveLength(1);
    const sold = progress({ step: 0 }, { ...held, exit: bought(10, 110) });
    expect(plan(exiting, sold, now(5_000))).toEqual({ orders: [], ended: 'filled' });
  });
});
