import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/strategy/commands.ts';
import { quote, target } from '../../../src/strategy/managed-orders.ts';
import { bid, id, trade, wishing } from './kit.ts';

describe('quote', () => {
  test('one post-only order a side; an unchanged side sends nothing', () => {
    const { give, sent, wire } = wishing();
    const both = quote('BTCUSDT', { bid: { ticks: 99, lots: 10 }, ask: { ticks: 101, lots: 5 } });
    give(both);
    expect(wire.requests).toMatchObject([
      { timeInForce: 'GTC', postOnly: true, type: 'limit' },
      { timeInForce: 'GTC', postOnly: true, type: 'limit' },
    ]);
    expect(sent()).toHaveLength(2);
    for (const request of wire.requests) wire.accept(request);
    give(both);
    give(quote('BTCUSDT', { bid: { ticks: 99, lots: 10 }, ask: { ticks: 102, lots: 5 } }));
    expect(sent()).toEqual([['replace', 1, 5, 102]]);
  });

  test('a side that is gone is canceled, and is placed again when it is back', () => {
    const { give, sent, wire } = wishing();
    give(bid(99));
    wire.accept();
    give(quote('BTCUSDT', {}));
    wire.end(id(1), 'canceled');
    give(bid(99));
    expect(sent()).toEqual([
      ['buy', 10, 99],
      ['cancel', 1],
      ['buy', 10, 99],
    ]);
  });

  test('one request at a time, then the newest managed order', () => {
    const { give, sent, wire } = wishing();
    give(bid(99));
    give(bid(98));
    give(bid(97));
    expect(sent()).toEqual([['buy', 10, 99]]);
    wire.accept();
    expect(sent()).toEqual([['replace', 1, 10, 97]]);
    give(bid(96));
    give(bid(97));
    wire.accept();
    expect(sent()).toEqual([]);
  });

  test('what is filled is placed again with the next quote only', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.accept();
    wire.fill(id(1), 4, 99);
    play([trade('00:10')]);
    expect(sent()).toEqual([['buy', 10, 99]]);
    give(bid(99));
    expect(sent()).toEqual([['replace', 1, 14, 99]]);
    wire.accept();
    wire.fill(id(2), 10, 99);
    play([trade('00:20')]);
    expect(sent()).toEqual([]);
    give(bid(99));
    expect(sent()).toEqual([['buy', 10, 99]]);
  });

  test('a fill seen after the quote takes from it, also one of the order before', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.accept();
    give(bid(98));
    wire.fill(id(1), 10, 99);
    wire.reject(wire.last, 'order-unknown');
    play([trade('00:10')]);
    expect(sent()).toEqual([
      ['buy', 10, 99],
      ['replace', 1, 10, 98],
    ]);
  });

  test('a smaller quote after fills leaves what it says', () => {
    const { give, sent, wire } = wishing();
    give(bid(99));
    wire.accept();
    wire.fill(id(1), 4, 99);
    give(bid(99, 6));
    expect(sent()).toEqual([['buy', 10, 99]]);
    give(bid(99, 1));
    wire.fill(id(1), 1, 99);
    wire.accept();
    expect(sent()).toEqual([
      ['replace', 1, 5, 99],
      ['cancel', 2],
    ]);
  });

  test('the side that retreats goes first, the other waits until they cannot meet', () => {
    const { give, sent, wire } = wishing();
    give(quote('BTCUSDT', { bid: { ticks: 99, lots: 1 }, ask: { ticks: 101, lots: 1 } }));
    for (const request of wire.requests) wire.accept(request);
    sent();
    give(quote('BTCUSDT', { bid: { ticks: 101, lots: 1 }, ask: { ticks: 103, lots: 1 } }));
    expect(sent()).toHaveLength(1);
    expect(wire.last).toMatchObject({ kind: 'replace', ticks: 103 });
    wire.accept();
    expect(wire.last).toMatchObject({ kind: 'replace', ticks: 101 });
    wire.accept();
    sent();
    give(quote('BTCUSDT', { bid: { ticks: 95, lots: 1 }, ask: { ticks: 97, lots: 1 } }));
    expect(sent()).toHaveLength(1);
    expect(wire.last).toMatchObject({ kind: 'replace', ticks: 95 });
    wire.accept();
    expect(wire.last).toMatchObject({ kind: 'replace', ticks: 97 });
  });

  test('a new side waits while the other is in its way', () => {
    const { give, sent, wire } = wishing();
    give(quote('BTCUSDT', { ask: { ticks: 101, lots: 1 } }));
    wire.accept();
    sent();
    give(bid(102));
    expect(sent()).toEqual([['cancel', 1]]);
    wire.end(id(1), 'canceled');
    expect(sent()).toEqual([['buy', 10, 102]]);
  });

  test('an expiry pauses the side until the market changes, a changed quote does not wait', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.arrived(wire.last);
    wire.end(id(1), 'expired');
    give(bid(99));
    play([trade('00:00:00.5')]);
    expect(sent()).toEqual([['buy', 10, 99]]);
    play([trade('00:00:01')]);
    expect(sent()).toEqual([['buy', 10, 99]]);
    wire.arrived(wire.last);
    wire.end(id(2), 'expired');
    give(bid(98));
    expect(sent()).toEqual([['buy', 10, 98]]);
  });

  test('a failure of an older quote does not hold up the newer', () => {
    const { give, sent, wire } = wishing();
    give(bid(99));
    give(bid(98));
    wire.reject();
    expect(sent()).toEqual([
      ['buy', 10, 99],
      ['buy', 10, 98],
    ]);
  });

  test('a cancel from outside is made good after a pause', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.accept();
    wire.fill(id(1), 3, 99);
    wire.end(id(1), 'canceled');
    sent();
    play([trade('00:00:02')]);
    expect(sent()).toEqual([['buy', 7, 99]]);
  });

  test('a refused replacement is tried again after a pause', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.accept();
    give(bid(98));
    wire.reject();
    sent();
    play([trade('00:00:02')]);
    expect(sent()).toEqual([['replace', 1, 10, 98]]);
  });

  test('where a venue replaces no orders, they are canceled and placed again', () => {
    const { give, sent, wire } = wishing();
    give(bid(99));
    wire.accept();
    give(bid(98));
    wire.reject(wire.last, 'replace-unavailable');
    wire.end(id(1), 'canceled');
    wire.accept();
    give(bid(97));
    expect(sent()).toEqual([
      ['buy', 10, 99],
      ['replace', 1, 10, 98],
      ['cancel', 1],
      ['buy', 10, 98],
      ['cancel', 3],
    ]);
  });

  test('a refused cancel is tried again after a pause, unless the order is gone', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.accept();
    give(quote('BTCUSDT', {}));
    wire.reject(wire.last, 'order-limit-reached');
    sent();
    play([trade('00:00:02')]);
    expect(sent()).toEqual([['cancel', 1]]);
    wire.fill(id(1), 10, 99);
    wire.reject(wire.last, 'order-unknown');
    play([trade('00:00:09')]);
    expect(sent()).toEqual([]);
  });

  test('an order whose outcome is unknown stops its side until it is known', () => {
    const { give, sent, wire, play } = wishing();
    give(bid(99));
    wire.accept();
    give(bid(98));
    wire.reject(wire.last, 'order-unknown');
    sent();
    play([trade('00:00:09')]);
    give(bid(97));
    expect(sent()).toEqual([]);
    wire.end(id(1), 'expired');
    expect(sent()).toEqual([['buy', 10, 97]]);
  });

  test('a replacement that is over at once', () => {
    const { give, sent, wire, clock } = wishing();
    give(bid(99));
    wire.accept();
    give(bid(98));
    const order = wire.arrived(wire.last);
    wire.report({ kind: 'expired', at: clock.now(), order: { ...order, status: 'expired' } });
    give(bid(97));
    expect(sent().at(-1)).toEqual(['buy', 10, 97]);
  });

  test('while a replacement is on its way, the end of the old order does not end the side', () => {
    const { give, sent, wire } = wishing();
    give(bid(99));
    wire.accept();
    give(bid(98, 20));
    wire.fill(id(1), 10, 99);
    give(target('BTCUSDT', { lots: 0 }));
    expect(sent()).toEqual([
      ['buy', 10, 99],
      ['replace', 1, 20, 98],
    ]);
    wire.balance('BTC', '0.01');
    expect(sent()).toEqual([]);
    wire.reject(wire.last, 'order-unknown');
    expect(sent()).toEqual([['sell', 'market', 10]]);
  });

  test.each([
    [
      'a bid at its ask',
      { bid: { ticks: 100, lots: 1 }, ask: { ticks: 100, lots: 1 } },
      'price-invalid',
    ],
    ['a price of nothing', { bid: { ticks: 0, lots: 1 } }, 'price-invalid'],
    ['a size of nothing', { ask: { ticks: 5, lots: 0 } }, 'quantity-below-minimum'],
  ])('%s is refused, and the quote before it stays', (_, sides, code) => {
    const { give, received, sent, wire } = wishing();
    give(bid(99));
    wire.accept();
    give({ kind: 'quote', symbol: 'BTCUSDT', ...sides } as Command);
    expect(received('refused')).toMatchObject([{ rejection: { code } }]);
    expect(sent()).toHaveLength(1);
  });
});
