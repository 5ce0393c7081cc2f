import { expect, test } from 'vitest';
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
  floor.told();
  floor.at = 2 * PERIOD_US;
  return floor;
}

test('an order that came in the first hundredth of a candle meets its whole range', () => {
  const floor = floorWith(PERIOD_US / 100);
  floor.candle(100, 101, 80, 94, 1_000, PERIOD_US);
  expect(floor.events()).toEqual([
    'trade 1 high---- buy 5@95 maker filled 5/5',
    'trade 2 low----- buy 5@90 maker filled 5/5',
  ]);
});

test('one that came later meets its close only, and the whole range of the next', () => {
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
  floor.told();
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
  floor.told();
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
