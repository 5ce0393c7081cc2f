import { expect, test } from 'vitest';
import {
  CANDLE,
  eventColumns,
  FUNDING,
  GAP,
  INDEX,
  isMarket,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  TRADE,
} from '../../src/model/events.ts';
import { hasPrice, hasStopPrice, isActive, ORDER_TYPES } from '../../src/model/order.ts';
import { isRejection } from '../../src/model/rejections.ts';

test('limit types carry a price, stop and take-profit types a stop price', () => {
  expect(ORDER_TYPES.filter(hasPrice)).toEqual(['limit', 'stopLimit', 'takeProfitLimit']);
  expect(ORDER_TYPES.filter(hasStopPrice)).toEqual([
    'stopLimit',
    'stopMarket',
    'takeProfitLimit',
    'takeProfitMarket',
  ]);
});

test('new, suspended and partly filled orders are active, all others are done', () => {
  const statuses = [
    'new',
    'suspended',
    'partiallyFilled',
    'filled',
    'canceled',
    'expired',
  ] as const;
  expect(statuses.filter(isActive)).toEqual(['new', 'suspended', 'partiallyFilled']);
});

test('a rejection is distinguished from everything else that a rule returns', () => {
  expect(isRejection({ code: 'price-missing', message: 'A limit order needs a price.' })).toBe(
    true,
  );
  for (const outcome of [undefined, null, 0, 5, {}, { code: 'price-missing' }, 'no']) {
    expect(isRejection(outcome)).toBe(false);
  }
});

test('event columns have room for as many rows as asked, and none yet', () => {
  const { length, ...columns } = eventColumns(7);
  expect(length).toBe(0);
  for (const column of Object.values(columns)) expect(column).toHaveLength(7);
  expect(Object.keys(columns)).toHaveLength(10);
});

test('rows up to candles make a market, and those of a derivative do not', () => {
  const kinds = [TRADE, LEVEL, QUOTE, RESET, GAP, CANDLE, MARK, INDEX, FUNDING, OPEN_INTEREST];
  expect(kinds.filter(isMarket)).toEqual([TRADE, LEVEL, QUOTE, RESET, GAP, CANDLE]);
});
