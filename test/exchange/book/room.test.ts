import { expect, test } from 'vitest';
import { Floor, instrumentOf } from '../kit.ts';

const MOST = Number.MAX_SAFE_INTEGER;

test('the lots at a price stay one exact number, however many orders of many lots or of few come', () => {
  const floor = new Floor([instrumentOf()], { limits: { perAccount: 9, perSymbol: 9 } });
  const seller = floor.account({ BTC: '1'.padEnd(20, '0') });
  const other = floor.account({ BTC: '1'.padEnd(12, '0') });
  const sell = (name: string, lots: number, ticks = 7, account = seller): string | undefined =>
    floor.place(account, name, { side: 'sell', lots, ticks })?.limit;
  const few = 2 ** 26 - 1;
  expect(sell('few', few)).toBeUndefined();
  expect(sell('many', MOST - 2 * few)).toBeUndefined();
  expect(sell('one-more', few + 1)).toBe(String(few));
  expect(sell('of-other', few + 1, 7, other)).toBe(String(few));
  expect(sell('the-rest', few)).toBeUndefined();
  expect(sell('too-much', 1)).toBe('0');
  expect(sell('elsewhere', few, 8)).toBeUndefined();
  const [, asks] = floor.exchange.books[0].sides;
  expect(asks.lots(asks.at(7))).toBe(MOST);
  floor.cancel(seller, 'few');
  expect(sell('again', 1)).toBeUndefined();
});
