import { expect, test } from 'vitest';
import { MarketHub } from '../../../src/bot/account/market-hub.ts';
import { CANDLE, eventColumns, LAST, TRADE } from '../../../src/model/events.ts';
import { US_PER_MINUTE } from '../../../src/platform/time.ts';
import { instrumentOf } from '../../kit/instruments.ts';

test('a symbol is valued at its last candle until it has a trade, and at its last trade then', () => {
  const hub = new MarketHub([instrumentOf()], {
    feedDelay: () => undefined,
    hearing: () => undefined,
  });
  hub.release();
  const after = (kind: number, minute: number, price: number): number => {
    const columns = eventColumns(1);
    columns.length = 1;
    columns.kind[0] = kind;
    columns.flags[0] = LAST;
    columns.stampedAt[0] = minute * US_PER_MINUTE;
    columns.receivedAt[0] = (minute + 1) * US_PER_MINUTE;
    columns.price[0] = price;
    hub.rows(0, columns);
    return hub.lastTicks('BTCUSDT');
  };
  expect(hub.lastTicks('BTCUSDT')).toBeNaN();
  expect(after(CANDLE, 0, 100)).toBe(100);
  expect(after(CANDLE, 1, 110)).toBe(110);
  expect(after(TRADE, 2, 120)).toBe(120);
  expect(after(CANDLE, 2, 115)).toBe(120);
});
