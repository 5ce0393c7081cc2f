import { describe, expect, test } from 'vitest';
import { MARKED } from '../../src/model/derivative-state.ts';
import {
  CANDLE,
  eventColumns,
  GAP,
  LAST,
  LEVEL,
  MARK,
  QUOTE,
  RESET,
  SELL,
  TRADE,
} from '../../src/model/events.ts';
import {
  BOOK,
  CANDLES,
  InstrumentState,
  MISSED,
  PRICE,
  TOP,
  TRADED,
} from '../../src/model/instrument-state.ts';
import { perpetual } from '../exchange/margin/kit.ts';
import { instrumentOf } from '../kit/instruments.ts';

/** Takes a row: its kind, flags, and [price, size, ask price, ask size]. */
function take(
  state: InstrumentState,
  kind: number,
  flags = 0,
  [price = 0, size = 0, askPrice = 0, askSize = 0]: readonly number[] = [],
): number {
  const columns = eventColumns(2);
  columns.kind[1] = kind;
  columns.flags[1] = flags;
  columns.price[1] = price;
  columns.size[1] = size;
  columns.askPrice[1] = askPrice;
  columns.askSize[1] = askSize;
  return state.take(columns, 1);
}

/** A book of 99 and 101, as a snapshot. */
function snapshot(state: InstrumentState): number[] {
  return [
    take(state, RESET),
    take(state, LEVEL, 0, [99, 5]),
    take(state, LEVEL, SELL | LAST, [101, 5]),
  ];
}

describe('the market of an instrument', () => {
  test('has no price at first', () => {
    const instrument = instrumentOf();
    const state = new InstrumentState(instrument);
    expect([state.price(), state.markPrice()]).toEqual([undefined, undefined]);
    expect(state.instrument).toBe(instrument);
  });

  test('says of each trade whether the price changed', () => {
    const state = new InstrumentState(instrumentOf());
    expect(take(state, TRADE, 0, [120, 1])).toBe(TRADED | PRICE);
    expect(take(state, TRADE, 0, [120, 2])).toBe(TRADED);
    expect(state.price()?.toFixed()).toBe('1.2');
  });

  test('follows candles until there is a trade, and again once trades have ended', () => {
    const state = new InstrumentState(instrumentOf());
    expect(take(state, CANDLE, 0, [110])).toBe(CANDLES | PRICE);
    expect(take(state, CANDLE, 0, [110])).toBe(CANDLES);
    take(state, TRADE, 0, [120, 1]);
    expect(take(state, CANDLE, 0, [115])).toBe(CANDLES);
    state.tradesEnded();
    expect(take(state, CANDLE, 0, [115])).toBe(CANDLES | PRICE);
  });

  test('has a book once its snapshot is whole', () => {
    const state = new InstrumentState(instrumentOf());
    expect(snapshot(state)).toEqual([0, 0, BOOK | TOP | PRICE]);
    expect([state.depth.bids.ticksAt(0), state.depth.asks.ticksAt(0)]).toEqual([99, 101]);
    expect(state.price()?.toFixed()).toBe('1');
    // A level behind the best changes the book alone.
    expect(take(state, LEVEL, LAST, [98, 1])).toBe(BOOK);
    expect(take(state, LEVEL, LAST, [100, 1])).toBe(BOOK | TOP | PRICE);
  });

  test('says of each quote whether the best changed, and the price with it', () => {
    const state = new InstrumentState(instrumentOf());
    expect(take(state, QUOTE, 0, [98, 1, 102, 1])).toBe(TOP | PRICE);
    expect(take(state, QUOTE, 0, [98, 2, 102, 1])).toBe(TOP);
    expect(take(state, QUOTE, 0, [98, 2, 102, 1])).toBe(0);
  });

  test('misses something at a gap, and the best with it where that was known', () => {
    const state = new InstrumentState(instrumentOf());
    expect(take(state, GAP) & TOP).toBe(0);
    snapshot(state);
    const gap = take(state, GAP);
    expect(gap & MISSED).toBe(MISSED);
    expect(gap & TOP).toBe(TOP);
    expect(state.best.stale).toBe(true);
    expect(take(state, GAP) & (MISSED | TOP)).toBe(MISSED);
  });

  test('judges positions by the middle on spot, and by the mark price of a contract', () => {
    const spot = new InstrumentState(instrumentOf());
    take(spot, TRADE, 0, [120, 1]);
    expect(spot.markPrice()?.toFixed()).toBe('1.2');
    snapshot(spot);
    expect([spot.markPrice()?.toFixed(), spot.price()?.toFixed()]).toEqual(['1', '1.2']);

    const contract = new InstrumentState(perpetual());
    take(contract, TRADE, 0, [120, 1]);
    expect(contract.markPrice()).toBeUndefined();
    expect(take(contract, MARK, 0, [121, 5e14])).toBe(MARKED);
    expect([contract.markPrice()?.toFixed(), contract.price()?.toFixed()]).toEqual([
      '121.5',
      '120',
    ]);
  });
});
