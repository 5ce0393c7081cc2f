import { describe, expect, test } from 'vitest';
import { Mark } from '../../../src/backtest/metrics/mark.ts';
import {
  CANDLE,
  eventColumns,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  SELL,
  TRADE,
} from '../../../src/model/events.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import { instrumentOf } from '../../kit/instruments.ts';

type Fields = Partial<
  Record<'kind' | 'flags' | 'price' | 'size' | 'askPrice' | 'askSize' | 'open', number>
>;

/** A mark that is shown rows one by one. */
function shown(): { mark: Mark; show(...rows: Fields[]): void } {
  const mark = new Mark(new InstrumentState(instrumentOf()));
  return {
    mark,
    show(...rows) {
      for (const { kind = TRADE, flags = 0, price = 0, size = 1, ...rest } of rows) {
        const columns = eventColumns(1);
        columns.kind[0] = kind;
        columns.flags[0] = flags;
        columns.price[0] = price;
        columns.size[0] = size;
        columns.askPrice[0] = rest.askPrice ?? 0;
        columns.askSize[0] = rest.askSize ?? 0;
        columns.open[0] = rest.open ?? 0;
        mark.observe(columns, 0);
      }
    },
  };
}

describe('the price by which holdings are valued', () => {
  test('is not known before the market shows one', () => {
    const { mark, show } = shown();
    expect(mark.price()).toBeUndefined();
    show({ kind: LEVEL, price: 100, flags: LAST });
    show({ kind: QUOTE, price: 100, size: 0, askPrice: 103, askSize: 5 });
    show({ kind: QUOTE, price: 100, size: 5, askPrice: 103, askSize: 0 });
    expect(mark.price()).toBeUndefined();
  });

  test('is the exact middle of the quote until there is a trade, and then the last trade', () => {
    const { mark, show } = shown();
    show({ kind: QUOTE, price: 100, size: 5, askPrice: 103, askSize: 5 });
    expect(mark.price()?.toFixed()).toBe('1.015');
    show({ price: 110 });
    expect(mark.price()?.toFixed()).toBe('1.1');
    show({ kind: QUOTE, price: 100, size: 5, askPrice: 103, askSize: 5 });
    expect(mark.price()?.toFixed()).toBe('1.1');
    expect(mark.decimalOf(mark.firstHalfTicks).toFixed()).toBe('1.015');
  });

  test('is the close of a candle, whose high and low count for the range', () => {
    const { mark, show } = shown();
    show({ kind: CANDLE, open: 100, askPrice: 120, askSize: 90, price: 105 });
    expect([
      mark.openHalfTicks,
      mark.highHalfTicks,
      mark.lowHalfTicks,
      mark.halfTicks,
      mark.excursionHigh,
      mark.excursionLow,
    ]).toEqual([200, 240, 180, 210, 240, 180]);
  });

  test('is the middle of the book where the feed has nothing but levels', () => {
    const { mark, show } = shown();
    show({ kind: RESET }, { kind: LEVEL, price: 100 }, { kind: LEVEL, price: 99 });
    expect(mark.price()).toBeUndefined();
    show({ kind: LEVEL, price: 105, flags: SELL | LAST });
    expect(mark.halfTicks).toBe(205);
    show({ kind: LEVEL, price: 101, flags: LAST });
    expect(mark.halfTicks).toBe(206);
    show({ kind: LEVEL, price: 105, size: 0, flags: SELL | LAST });
    expect(mark.halfTicks).toBe(206);
  });
});

test('candles follow each other without a hole, and measuring starts again', () => {
  const { mark, show } = shown();
  show({ price: 100 }, { price: 110 });
  mark.startCandle();
  show({ price: 108 });
  expect([mark.openHalfTicks, mark.highHalfTicks, mark.lowHalfTicks]).toEqual([220, 220, 216]);
  mark.begin();
  expect(mark.firstHalfTicks).toBe(216);
  expect([mark.openHalfTicks, mark.highHalfTicks, mark.lowHalfTicks]).toEqual([216, 216, 216]);
  expect(mark.excursionHigh).toBe(Number.NEGATIVE_INFINITY);
});
