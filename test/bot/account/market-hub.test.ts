import { expect, test } from 'vitest';
import { MarketHub, type HubHost } from '../../../src/bot/account/market-hub.ts';
import { UNUSED } from '../../../src/engine/market/use.ts';
import { CANDLE, eventColumns, LAST, TRADE } from '../../../src/model/events.ts';
import { micros, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';

const host = (): HubHost => ({
  scheduler: new VirtualScheduler(micros(0)),
  market: { open: () => Promise.resolve() },
  needs: () => UNUSED,
  unsubscribed: () => undefined,
  feedDelay: () => undefined,
  hearing: () => undefined,
});

function hubOfTwo() {
  const hub = new MarketHub([instrumentOf({}), instrumentOf({ symbol: 'ETHUSDT' })], host());
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

test('a symbol is valued at its last candle until it has a trade, and at its last trade then', () => {
  const hub = new MarketHub([instrumentOf()], host());
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

test('a symbol is known as long as its connection is alive, whatever rows come of it', () => {
  const { hub, trade } = hubOfTwo();
  hub.hearing(0, 'live');
  hub.hearing(1, 'live');
  trade(0, 5);
  hub.alive(micros(90));
  expect(hub.knownAt('ETHUSDT')).toBe(micros(90));
  hub.hearing(0, 'lost');
  expect(hub.knownAt('BTCUSDT')).toBe(micros(5));
});
