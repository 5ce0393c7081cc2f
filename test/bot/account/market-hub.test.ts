import { EMPTY, mergeMap, tap } from 'rxjs';
import { expect, test, vi } from 'vitest';
import { MarketHub, type HubHost } from '../../../src/bot/account/market-hub.ts';
import { UNUSED } from '../../../src/engine/market/use.ts';
import { CANDLE, eventColumns, LAST, QUOTE, TRADE } from '../../../src/model/events.ts';
import { micros, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { testFeed } from '../../../src/engine/test-kit/feed.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { rig } from '../../engine/rig.ts';

const host = (): HubHost => ({
  scheduler: new VirtualScheduler(micros(0)),
  market: { open: () => Promise.resolve() },
  needs: () => UNUSED,
  unsubscribed: () => undefined,
  feedDelay: () => undefined,
  connectionState: () => undefined,
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
  hub.connectionState(0, 'live');
  hub.connectionState(1, 'live');
  expect(hub.knownAt('ETHUSDT')).toBeUndefined();
  trade(1, 5);
  trade(0, 90);
  expect(hub.knownAt('ETHUSDT')).toBe(micros(90));
  expect(hub.pulse('ETHUSDT')?.lastAt).toBe(micros(5));
});

test('a symbol without data is known until its last data', () => {
  const { hub, trade } = hubOfTwo();
  hub.connectionState(0, 'live');
  hub.connectionState(1, 'live');
  trade(1, 5);
  hub.connectionState(1, 'lost', 'its book has a gap');
  trade(0, 90);
  expect(hub.knownAt('ETHUSDT')).toBe(micros(5));
});

test('a symbol is valued by its quotes, then by its last candle, and from a trade on by its last trade', () => {
  const hub = new MarketHub([instrumentOf()], host());
  hub.release();
  const after = (kind: number, minute: number, price: number): string | undefined => {
    const columns = eventColumns(1);
    columns.length = 1;
    columns.kind[0] = kind;
    columns.flags[0] = LAST;
    columns.stampedAt[0] = minute * US_PER_MINUTE;
    columns.receivedAt[0] = (minute + 1) * US_PER_MINUTE;
    columns.price[0] = price;
    columns.size[0] = 1;
    columns.askPrice[0] = price + 1;
    columns.askSize[0] = 1;
    hub.rows(0, columns);
    return hub.price('BTCUSDT')?.toFixed();
  };
  expect(hub.price('BTCUSDT')).toBeUndefined();
  expect(after(QUOTE, 0, 90)).toBe('0.905');
  expect(after(CANDLE, 0, 100)).toBe('1');
  expect(after(QUOTE, 1, 90)).toBe('1');
  expect(after(CANDLE, 1, 110)).toBe('1.1');
  expect(after(TRADE, 2, 120)).toBe('1.2');
  expect(after(CANDLE, 2, 115)).toBe('1.2');
});

test('a symbol is known as long as its connection is alive, whatever rows come of it', () => {
  const { hub, trade } = hubOfTwo();
  hub.connectionState(0, 'live');
  hub.connectionState(1, 'live');
  trade(0, 5);
  hub.alive(micros(90));
  expect(hub.knownAt('ETHUSDT')).toBe(micros(90));
  hub.connectionState(0, 'lost');
  expect(hub.knownAt('BTCUSDT')).toBe(micros(5));
});

test('a row is taken in once, and every strategy sees by one book what it changed', () => {
  const instrument = instrumentOf();
  const hub = new MarketHub([instrument], host());
  const books: unknown[] = [];
  const seen = [0, 1, 2].map((index) => {
    const bids: number[] = [];
    const { engine } = rig(
      ({ market }) =>
        market.book('BTCUSDT').pipe(
          tap((book) => bids.push(book.ticksAt('buy', 0), book.lotsAt('buy', 0))),
          mergeMap(() => EMPTY),
        ),
      { states: hub.states },
    );
    engine.start();
    books.push(engine.marketOf('BTCUSDT')?.depth);
    hub.listen('BTCUSDT', engine, 0);
    return { place: index, bids };
  });
  hub.release();
  const state = hub.states.get('BTCUSDT');
  const take = vi.spyOn(state ?? expect.fail('no state'), 'take');
  const { tickSize } = instrument;
  const price = (ticks: number): string => tickSize.times(ticks).toFixed();
  const columns = testFeed(
    instrument,
    [
      { at: '00:00:01', bids: [[price(99), '0.1']], asks: [[price(101), '0.1']] },
      { at: '00:00:02', bids: [[price(100), '0.2']], asks: [[price(101), '0.1']] },
      { at: '00:00:03', bids: [[price(98), '0.3']], asks: [[price(101), '0.1']] },
    ],
    undefined,
  );
  hub.rows(0, columns);
  expect(take).toHaveBeenCalledTimes(columns.length);
  expect(new Set(books)).toEqual(new Set([state?.depth]));
  for (const { bids } of seen) {
    expect(bids.filter((_, index) => index % 2 === 0)).toEqual([99, 100, 98]);
  }
});
