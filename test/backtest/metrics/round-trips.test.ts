import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Amount, NOTHING } from '../../../src/model/amount.ts';
import { Mark } from '../../../src/backtest/metrics/mark.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import { RoundTrips, type RoundTrip } from '../../../src/backtest/metrics/round-trips.ts';
import { ZERO } from '../../../src/model/decimal.ts';
import { eventColumns, TRADE } from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { Fill } from '../../../src/model/report.ts';
import { lots, ticks, type Lots } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';

const instrument = new Instrument({
  symbol: 'AB',
  type: 'spot',
  baseCurrency: 'A',
  quoteCurrency: 'B',
  tickSize: '0.5',
  quantityIncrement: '0.1',
  takeRate: '0.001',
  makeRate: '0.001',
  feeCurrency: 'B',
});

/** A market where trades and fills happen in turn. */
function market(): {
  mark: Mark;
  trips: RoundTrips;
  closed: RoundTrip[];
  trade(price: number): void;
  fill(
    order: string,
    side: 'buy' | 'sell',
    price: number,
    size: number,
    feeCurrency?: string,
  ): Fill;
} {
  const columns = eventColumns(1);
  columns.kind[0] = TRADE;
  const mark = new Mark(new InstrumentState(instrument));
  const closed: RoundTrip[] = [];
  const trips = new RoundTrips(mark, {
    nextIndex: () => 0,
    rate: () => Amount.count(1),
    closed: (trip) => closed.push(trip),
  });
  let id = 0;
  return {
    mark,
    trips,
    closed,
    trade(price) {
      columns.price[0] = price;
      mark.observe(columns, 0);
    },
    fill(order, side, price, size, feeCurrency = 'B') {
      id += 1;
      const value = instrument.value(ticks(price), lots(size));
      const inBase = instrument.size(lots(size));
      const fill: Fill = {
        id,
        clientOrderId: order,
        symbol: 'AB',
        side,
        ticks: ticks(price),
        lots: lots(size),
        fee: Amount.of((feeCurrency === 'B' ? value : inBase).times('0.001')),
        feeCurrency,
        taker: true,
        at: micros(id),
      };
      trips.fill(fill);
      return fill;
    },
  };
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('trade' as const), price: fc.integer({ min: 80, max: 120 }) }),
  fc.record({
    kind: fc.constant('fill' as const),
    order: fc.constantFrom('p', 'q', 'r', 's'),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.integer({ min: 80, max: 120 }),
    size: fc.integer({ min: 1, max: 9 }),
    feeCurrency: fc.constantFrom('A', 'B'),
  }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 40 });

describe('round trips', () => {
  test('net results and what is still open add up to what the cash and the holding are worth', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { mark, trips, closed, trade, fill } = market();
        trade(100);
        let worth = ZERO;
        let held = 0;
        for (const one of taken) {
          if (one.kind === 'trade') {
            trade(one.price);
            continue;
          }
          const done = fill(one.order, one.side, one.price, one.size, one.feeCurrency);
          const value = instrument.value(done.ticks, done.lots);
          const fee =
            one.feeCurrency === 'B'
              ? done.fee.toDecimal()
              : done.fee.toDecimal().times(instrument.price(done.ticks));
          worth = (one.side === 'buy' ? worth.minus(value) : worth.plus(value)).minus(fee);
          held += one.side === 'buy' ? one.size : -one.size;
        }
        trips.finish();
        expect(trips.openLots()).toBe(held);
        const last = mark.price() ?? ZERO;
        const expected = worth.plus(last.times(instrument.size(held as Lots)));
        const net = closed.reduce((sum, trip) => sum.plus(trip.net), NOTHING);
        expect(net.plus(trips.unrealized()).toFixed()).toBe(expected.toFixed());
      }),
    );
  });

  test('agree with a naive pairing lot by lot, excursions included', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { trips, closed, trade, fill } = market();
        trade(100);
        const open: { order: string; side: string; price: number; shown: number }[] = [];
        const shown: number[] = [];
        const pairs: { key: string; gross: number; lots: number; worst: number; best: number }[] =
          [];
        for (const one of taken) {
          shown.push(one.price);
          if (one.kind === 'trade') {
            trade(one.price);
            continue;
          }
          fill(one.order, one.side, one.price, one.size);
          for (let lot = 0; lot < one.size; lot += 1) {
            const entry = open.at(0);
            if (entry === undefined || entry.side === one.side) {
              open.push({ ...one, shown: shown.length - 1 });
              continue;
            }
            open.shift();
            const sign = entry.side === 'buy' ? 1 : -1;
            const seen = shown.slice(entry.shown).map((price) => sign * (price - entry.price));
            pairs.push({
              key: `${entry.order} ${one.order}`,
              gross: sign * (one.price - entry.price),
              lots: 1,
              worst: Math.min(...seen),
              best: Math.max(...seen),
            });
          }
        }
        trips.finish();
        expect(closed.reduce((sum, trip) => sum + trip.lots, 0)).toBe(pairs.length);
        let index = 0;
        for (const trip of closed) {
          const own = pairs.slice(index, index + trip.lots);
          index += trip.lots;
          const key = `${trip.entryOrder} ${trip.exitOrder}`;
          expect(new Set(own.map((pair) => pair.key))).toEqual(new Set([key]));
          const sum = own.reduce((total, pair) => total + pair.gross, 0);
          expect(trip.gross.toFixed()).toBe(instrument.tickValue.times(sum).toFixed());
          expect(!trip.mae.greaterThan(trip.gross)).toBe(true);
          expect(!trip.mfe.lessThan(trip.gross)).toBe(true);
          const entries = new Set(own.map((pair) => `${pair.worst} ${pair.best}`));
          // Lots that were opened by one fill have one life, and its range is that of the trip.
          if (entries.size === 1) {
            const { worst, best } = own[0];
            expect(trip.mae.toFixed()).toBe(
              instrument.tickValue.times(trip.lots).times(Math.min(0, worst)).toFixed(),
            );
            expect(trip.mfe.toFixed()).toBe(
              instrument.tickValue.times(trip.lots).times(Math.max(0, best)).toFixed(),
            );
          }
        }
      }),
    );
  });

  test('the fills of one entry order and one exit order make one trip', () => {
    const { trips, closed, trade, fill } = market();
    trade(100);
    fill('in', 'buy', 100, 3);
    fill('in', 'buy', 102, 1);
    trade(96);
    trade(110);
    fill('out', 'sell', 108, 2);
    fill('out', 'sell', 107, 2);
    expect(closed, 'further fills may still come').toEqual([]);
    trips.finish();
    expect(closed.length).toBe(1);
    const [trip] = closed;
    expect(trip.lots).toBe(4);
    // A tick and a lot are worth 0.05: (108·2 + 107·2 − 100·3 − 102) · 0.05 = 28 · 0.05
    expect(trip.gross.toFixed()).toBe('1.4');
    // (100·3 + 102 + 108·2 + 107·2) · 0.05 · 0.001 = 832 · 0.00005
    expect(trip.fees.toFixed()).toBe('0.0416');
    expect(trip.net.toFixed()).toBe('1.3584');
    // At 96: (96·4 − 402) · 0.05; at 110: (110·4 − 402) · 0.05
    expect(trip.mae.toFixed()).toBe('-0.9');
    expect(trip.mfe.toFixed()).toBe('1.9');
  });

  test('a sale of what was held at the start opens a short trip', () => {
    const { trips, closed, trade, fill } = market();
    trade(100);
    fill('s', 'sell', 100, 5);
    trade(120);
    fill('b', 'buy', 90, 5);
    trips.finish();
    expect(closed.map(({ side, gross, mae, mfe }) => [side, [gross, mae, mfe].join(' ')])).toEqual([
      ['short', '2.5 -5 2.5'],
    ]);
  });

  test('a long queue of open lots is paired in order to its end', () => {
    const { trips, closed, trade, fill } = market();
    trade(100);
    for (let i = 0; i < 5_000; i += 1) fill(`in-${i}`, 'buy', 100, 1);
    for (let i = 0; i < 5_000; i += 1) fill(`out-${i}`, 'sell', 101, 1);
    trips.finish();
    expect(closed.length).toBe(5_000);
    expect(
      closed.every((trip, i) => trip.entryOrder === `in-${i}` && trip.exitOrder === `out-${i}`),
    ).toBe(true);
    expect(trips.openLots()).toBe(0);
    expect(trips.unrealized().isZero).toBe(true);
  });
});
