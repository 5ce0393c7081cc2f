import { expect, test } from 'vitest';
import { micros } from '../../src/platform/time.ts';
import { Floor } from './kit.ts';

const PERIOD_US = 60_000_000;

/** A floor after a first candle, with bids of 5 at 90 and at 95 that come so long after it. */
function floorWith(afterUs: number): Floor {
  const floor = new Floor();
  const account = floor.account({ USDT: '100000' });
  floor.at = PERIOD_US;
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  floor.at += afterUs;
  floor.place(account, 'low', { side: 'buy', lots: 5, ticks: 90 });
  floor.place(account, 'high', { side: 'buy', lots: 5, ticks: 95 });
  floor.reported();
  floor.at = 2 * PERIOD_US;
  return floor;
}

test('an order that came in the first hundredth of a candle can fill in its whole range', () => {
  const floor = floorWith(PERIOD_US / 100);
  floor.candle(100, 101, 80, 94, 1_000, PERIOD_US);
  expect(floor.events()).toEqual([
    'trade 1 high---- buy 5@95 maker filled 5/5',
    'trade 2 low----- buy 5@90 maker filled 5/5',
  ]);
});

test('one that came later can fill at its close only, and in the whole range of the next', () => {
  const floor = floorWith(PERIOD_US / 100 + 1);
  floor.candle(100, 101, 80, 94, 1_000, PERIOD_US);
  expect(floor.events()).toEqual(['trade 1 high---- buy 5@95 maker filled 5/5']);
  floor.at = 3 * PERIOD_US;
  floor.candle(94, 101, 89, 100, 3, PERIOD_US);
  expect(floor.events()).toEqual(['trade 2 low----- buy 3@90 maker partiallyFilled 3/5']);
});

test('late orders come after early ones of any price, as the close comes last', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '100000' });
  floor.place(account, 'early', { side: 'buy', lots: 5, ticks: 90 });
  floor.at = PERIOD_US / 2;
  floor.place(account, 'late', { side: 'buy', lots: 5, ticks: 95 });
  floor.reported();
  floor.at = PERIOD_US;
  floor.candle(100, 101, 80, 85, 7, PERIOD_US);
  expect(floor.events()).toEqual([
    'trade 1 early--- buy 5@90 maker filled 5/5',
    'trade 2 late---- buy 2@95 maker partiallyFilled 2/5',
  ]);
});

test('an order that a candle triggers executes on its way, though one that came late stands before it', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000' });
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  const tp = { side: 'buy', type: 'takeProfitLimit', lots: 5, stop: 97, ticks: 95 } as const;
  floor.place(account, 'early', tp);
  floor.pass(PERIOD_US / 2);
  floor.place(account, 'late', { side: 'buy', lots: 5, ticks: 95 });
  floor.pass(PERIOD_US / 2);
  floor.reported();
  floor.candle(100, 101, 90, 98, 1_000, PERIOD_US);
  expect(floor.events()).toEqual([
    'new early--- new 0/5',
    'trade 1 early--- buy 5@95 maker filled 5/5',
  ]);
});

test('the close of a candle can be taken until the next candle is due, and not later', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000' });
  floor.at = PERIOD_US;
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  floor.at = 2 * PERIOD_US;
  floor.place(account, 'due', { side: 'buy', lots: 5 });
  floor.at += 1;
  floor.place(account, 'old', { side: 'buy', lots: 5 });
  expect(floor.events()).toEqual([
    'new due----- new 0/5',
    'trade 1 due----- buy 5@100 taker filled 5/5',
    'expired old----- expired 0/5',
  ]);
});

test('a limit order that comes after a hole waits, and the next candle fills it', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000' });
  floor.at = PERIOD_US;
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  floor.at = 9 * PERIOD_US;
  floor.place(account, 'limit', { side: 'buy', lots: 5, ticks: 120 });
  floor.at = 10 * PERIOD_US;
  floor.candle(150, 151, 110, 150, 1_000, PERIOD_US);
  expect(floor.events()).toEqual([
    'new limit--- new 0/5',
    'trade 1 limit--- buy 5@120 maker filled 5/5',
  ]);
});

test('a quote that comes after a close lasts until the next quote', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000' });
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  floor.quote([99, 5], [101, 5]);
  floor.pass(9 * PERIOD_US);
  floor.place(account, 'late', { side: 'buy', lots: 5 });
  expect(floor.events()).toEqual([
    'new late---- new 0/5',
    'trade 1 late---- buy 5@101 taker filled 5/5',
  ]);
});

test('replayed faster than its stamps, a close can be taken for as long as candles are apart', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000' });
  // Ten times as fast: the fourth candle opens by its stamp when it comes.
  for (let candle = 0; candle < 4; candle += 1) {
    floor.at = PERIOD_US + (candle * PERIOD_US) / 10;
    const openedAt = candle * PERIOD_US;
    floor.candle(100, 101, 99, 100, 1_000, floor.at - openedAt);
  }
  floor.at += PERIOD_US / 10;
  floor.place(account, 'soon', { side: 'buy', lots: 5 });
  floor.at += PERIOD_US;
  floor.place(account, 'late', { side: 'buy', lots: 5 });
  expect(floor.events()).toEqual([
    'new soon---- new 0/5',
    'trade 1 soon---- buy 5@100 taker filled 5/5',
    'expired late---- expired 0/5',
  ]);
});

const LOTS = { USDT: '10000', BTC: '10' };

test('what a triggered stop left unsold goes on at the open of the next candles', () => {
  const floor = new Floor();
  const account = floor.account(LOTS);
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  const stop = { side: 'sell', type: 'stopMarket', timeInForce: 'IOC', lots: 10 } as const;
  floor.place(account, 'stop', { ...stop, stop: 97 });
  floor.reported();
  floor.pass(PERIOD_US);
  floor.candle(100, 100, 90, 92, 3, PERIOD_US);
  expect(floor.events()).toEqual([
    'new stop---- new 0/10',
    'trade 1 stop---- sell 3@97 taker partiallyFilled 3/10',
  ]);
  // Nobody else may sell what it still has to.
  expect(floor.exchange.balance(account, 'BTC').available.toFixed()).toBe('0');
  floor.pass(PERIOD_US);
  floor.candle(92, 93, 91, 92, 0, PERIOD_US);
  expect(floor.events()).toEqual([]);
  floor.pass(PERIOD_US);
  floor.candle(91, 93, 70, 71, 5, PERIOD_US);
  expect(floor.events()).toEqual(['trade 2 stop---- sell 5@91 taker partiallyFilled 8/10']);
  floor.pass(PERIOD_US);
  floor.candle(71, 72, 50, 51, 1_000, PERIOD_US);
  expect(floor.events()).toEqual(['trade 3 stop---- sell 2@71 taker filled 10/10']);
});

test('the rest of a triggered stop can be canceled, and is free then', () => {
  const floor = new Floor();
  const account = floor.account(LOTS);
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  const stop = { side: 'sell', type: 'stopMarket', timeInForce: 'IOC', lots: 10 } as const;
  floor.place(account, 'stop', { ...stop, stop: 97 });
  floor.pass(PERIOD_US);
  floor.candle(100, 100, 90, 92, 3, PERIOD_US);
  floor.reported();
  expect(floor.exchange.cancel(account, 'stop----', micros(floor.at))).toBeUndefined();
  expect(floor.events()).toEqual(['canceled stop---- canceled 3/10']);
  expect(floor.exchange.balance(account, 'BTC').available.toFixed()).toBe('7');
});

test('on a feed of trades alone it goes on at the next trades', () => {
  const floor = new Floor();
  const account = floor.account(LOTS);
  const stop = { side: 'sell', type: 'stopMarket', timeInForce: 'IOC', lots: 10 } as const;
  floor.place(account, 'stop', { ...stop, stop: 97 });
  floor.reported();
  floor.trade('sell', 97, 4);
  floor.trade('buy', 96, 1);
  floor.trade('sell', 95, 100);
  expect(floor.events()).toEqual([
    'new stop---- new 0/10',
    'trade 1 stop---- sell 4@97 taker partiallyFilled 4/10',
    'trade 2 stop---- sell 1@96 taker partiallyFilled 5/10',
    'trade 3 stop---- sell 5@95 taker filled 10/10',
  ]);
});

test('where a book shows what stands there, a triggered IOC order expires with its rest', () => {
  const floor = new Floor();
  const account = floor.account(LOTS);
  floor.snapshot([['bid', 96, 4]], 1);
  const stop = { side: 'sell', type: 'stopMarket', timeInForce: 'IOC', lots: 10 } as const;
  floor.place(account, 'stop', { ...stop, stop: 97 });
  floor.reported();
  floor.trade('sell', 97, 1);
  expect(floor.events()).toEqual([
    'new stop---- new 0/10',
    'trade 1 stop---- sell 4@96 taker partiallyFilled 4/10',
    'expired stop---- expired 4/10',
  ]);
});

test('a plain IOC market order asks for what one candle had, and expires with its rest', () => {
  const floor = new Floor();
  const account = floor.account(LOTS);
  floor.candle(100, 101, 99, 100, 3, PERIOD_US);
  floor.reported();
  floor.place(account, 'out', { side: 'sell', lots: 10, timeInForce: 'IOC' });
  expect(floor.events()).toEqual([
    'new out----- new 0/10',
    'trade 1 out----- sell 3@100 taker partiallyFilled 3/10',
    'expired out----- expired 3/10',
  ]);
});

test('what a fill on the way of a candle brings about is there when the way goes on', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000' });
  floor.candle(100, 101, 99, 100, 1_000, PERIOD_US);
  floor.placeList(account, 'oneTriggerOneCancelOther', [
    ['entry', { side: 'buy', lots: 5, ticks: 98 }],
    ['profit', { side: 'sell', lots: 5, ticks: 105 }],
    ['stop', { side: 'sell', type: 'stopMarket', timeInForce: 'IOC', lots: 5, stop: 96 }],
  ]);
  floor.reported();
  floor.pass(PERIOD_US);
  // Down to 90 through the entry and the stop behind it; it closes above both.
  floor.candle(100, 101, 90, 100, 1_000, PERIOD_US);
  expect(floor.events()).toEqual([
    'trade 1 entry--- buy 5@98 maker filled 5/5',
    'new profit-- new 0/5',
    'suspended stop---- suspended 0/5',
    'new stop---- new 0/5',
    'trade 2 stop---- sell 5@96 taker filled 5/5',
    'canceled profit-- canceled 0/5',
  ]);
});
