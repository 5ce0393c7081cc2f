import { expect, test } from 'vitest';
import { MarketHub } from '../../../src/bot/account/market-hub.ts';
import { eventColumns, LAST, TRADE } from '../../../src/model/events.ts';
import { micros } from '../../../src/platform/time.ts';
import { instrumentOf } from '../../kit/instruments.ts';

function hubOfTwo() {
  const hub = new MarketHub([instrumentOf({}), instrumentOf({ symbol: 'ETHUSDT' })], {
    feedDelay: () => undefined,
    hearing: () => undefined,
  });
  hub.release();
  const trade = (index: number, at: number): void => {
    const columns = eventColumns(1);
    columns.kind[0] = TRADE;
    columns.flags[0] = LAST;
    columns.receivedAt[0] = at;
    columns.stampedAt[0] = at;
    columns.price[0] = 100;
    columns.size[0] = 1;
    hub.rows(index, { ...columns, length: 1 });
  };
  return { hub, trade };
}

test('a quiet symbol is known as long as its connection brings data of another', () => {
  const { hub, trade } = hubOfTwo();
  hub.hearing(0, 'live');
  hub.hearing(1, 'live');
  expect(hub.knownAt('ETHUSDT')).toBeUndefined();
  trade(1, 5);
  trade(0, 90);
  expect(hub.knownAt('ETHUSDT')).toBe(micros(90));
  expect(hub.pulse('ETHUSDT')?.lastAt).toBe(micros(5));
});

test('a symbol that is not heard of is known until it was last heard', () => {
  const { hub, trade } = hubOfTwo();
  hub.hearing(0, 'live');
  hub.hearing(1, 'live');
  trade(1, 5);
  hub.hearing(1, 'lost', 'its book has a gap');
  trade(0, 90);
  expect(hub.knownAt('ETHUSDT')).toBe(micros(5));
});
