import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../src/engine/gateway.ts';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { lots } from '../../src/model/units.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { place } from '../../src/strategy/orders.ts';
import { flat, quote, target } from '../../src/strategy/wishes.ts';
import { rig, TERMS, type Rig } from './rig.ts';

interface Wishing extends Rig {
  give(command: Command): void;
  /** Requests since the last call, the essentials of each. */
  sent(): readonly unknown[];
}

function wishing(
  balances: Readonly<Record<string, string>> = { USDT: '1000' },
  terms: Partial<InstrumentTerms> = {},
): Wishing {
  const commands = new Subject<Command>();
  const parts = rig(() => commands, { terms: [{ ...TERMS, ...terms }] });
  for (const [currency, amount] of Object.entries(balances)) parts.wire.balance(currency, amount);
  parts.engine.start();
  let read = 0;
  return {
    ...parts,
    give: (command) => commands.next(command),
    sent: () => {
      const fresh = parts.wire.requests.slice(read);
      read = parts.wire.requests.length;
      return fresh.map(essence);
    },
  };
}

function essence(request: OrderRequest): unknown {
  if (request.kind === 'cancel') return ['cancel', numberOf(request.clientOrderId)];
  if (request.kind === 'replace') {
    return ['replace', numberOf(request.clientOrderId), request.lots, request.ticks];
  }
  const { side, type, lots: count, ticks } = request;
  return ticks === undefined ? [side, type, count] : [side, count, ticks];
}

const numberOf = (clientOrderId: string): number => Number(clientOrderId.slice(-7));
const id = (count: number): string => `test-${String(count).padStart(7, '0')}`;
const TEN: TestEvent = { at: '00:00', trade: 10 };
const trade = (at: string, price = 10): TestEvent => ({ at, trade: price });
const hold = (count: number): Command => target('BTCUSDT', { lots: count });

describe('target', () => {
  test('a share of the equity is judged once, by the last price, and rounded down', () => {
    const { give, sent, play, wire, heard } = wishing();
    play([trade('00:00', 30)]);
    give(target('BTCUSDT', 0.5));
    expect(sent()).toEqual([['buy', 'market', 16_666]]);
    wire.accept();
    wire.fill(id(1), 16_666, 3_000);
    wire.balance('USDT', '500.02');
    expect(heard('wish-met')).toMatchObject([{ symbol: 'BTCUSDT', lots: 16_666 }]);
    play([trade('00:01', 60), trade('00:02', 15)]);
    expect(sent()).toEqual([]);
    give(target('BTCUSDT', 0.5));
    expect(sent()).toEqual([['buy', 'market', 8_334]]);
  });

  test('market orders are IOC and of the wish', () => {
    const { give, play, wire, heard } = wishing();
    play([TEN]);
    give(hold(5));
    expect(wire.last).toMatchObject({ timeInForce: 'IOC', postOnly: false });
    expect(heard('request')).toMatchObject([{ wished: true }]);
  });

  test('a share waits for a price', () => {
    const { give, sent, play } = wishing();
    give(target('BTCUSDT', 1));
    expect(sent()).toEqual([]);
    play([TEN]);
    expect(sent()).toEqual([['buy', 'market', 99_999]]);
  });

  test('a share waits for the price of everything held', () => {
    const commands = new Subject<Command>();
    const { engine, wire, play } = rig(() => commands, {
      terms: [TERMS, { ...TERMS, symbol: 'ETHUSDT', baseCurrency: 'ETH' }],
    });
    wire.balance('USDT', '100');
    wire.balance('ETH', '1');
    engine.start();
    play([TEN]);
    commands.next(target('BTCUSDT', 0.5));
    play([trade('00:01', 100)], 1);
    expect(wire.requests).toEqual([]);
    play([trade('00:02')]);
    // Half of 200 is 10.000 at 10, but the balance has to exceed the cost.
    expect(wire.last).toMatchObject({ lots: 9_999 });
  });

  test('the rest of a partial execution is tried on the next change of the market', () => {
    const { give, sent, play, wire } = wishing();
    play([TEN]);
    give(hold(10));
    wire.accept();
    wire.fill(id(1), 4, 1_000);
    expect(sent()).toEqual([['buy', 'market', 10]]);
    wire.end(id(1), 'expired');
    expect(sent()).toEqual([]);
    play([trade('00:00')]);
    expect(sent()).toEqual([['buy', 'market', 6]]);
    play([trade('00:01')]);
    expect(sent()).toEqual([]);
  });

  test('after failures it is tried again after one second, two, and so on to 64', () => {
    const { give, sent, play, wire } = wishing();
    play([TEN]);
    give(hold(10));
    sent();
    let second = 0;
    for (const pause of [1, 2, 4, 8, 16, 32, 64, 64]) {
      if (pause < 16) wire.reject();
      else {
        wire.accept();
        wire.end(id(wire.requests.length), 'expired');
      }
      second += pause;
      const time = (s: number): string =>
        `00:${String(Math.floor(s / 60)).padStart(2, '0')}:${String(s % 60).padStart(2, '0')}`;
      play([trade(`${time(second - 1)}.999`)]);
      expect(sent()).toEqual([]);
      play([trade(time(second))]);
      expect(sent()).toEqual([['buy', 'market', 10]]);
    }
  });

  test('changes of the best prices wake it too', () => {
    const { give, sent, play, wire } = wishing();
    play([{ at: '00:00', bid: 9, ask: 10 }]);
    give(hold(10));
    wire.reject();
    sent();
    play([
      { at: '00:00:05', bid: 9, ask: 10 },
      { at: '00:00:06', bid: 9, ask: 10.5 },
    ]);
    expect(sent()).toEqual([['buy', 'market', 10]]);
  });

  test('a newer target takes over, and waits for what is on its way', () => {
    const { give, sent, play, wire } = wishing();
    play([TEN]);
    give(hold(10));
    give(hold(20));
    give(hold(3));
    expect(sent()).toEqual([['buy', 'market', 10]]);
    wire.accept();
    wire.fill(id(1), 10, 1_000);
    wire.balance('BTC', '0.01');
    expect(sent()).toEqual([['sell', 'market', 7]]);
  });

  test('another target is tried at once after a failure, the same one is not', () => {
    const { give, sent, play, wire } = wishing();
    play([TEN]);
    give(hold(10));
    wire.reject();
    give(hold(10));
    expect(sent()).toEqual([['buy', 'market', 10]]);
    give(hold(11));
    expect(sent()).toEqual([['buy', 'market', 11]]);
  });

  test('it waits for the fills of an order that has ended', () => {
    const { give, sent, play, wire, clock } = wishing();
    play([TEN]);
    give(hold(10));
    const order = wire.arrived(wire.last);
    wire.report({
      kind: 'expired',
      at: clock.now(),
      order: { ...order, status: 'expired', executedLots: lots(4) },
    });
    play([trade('00:01')]);
    expect(sent()).toEqual([['buy', 'market', 10]]);
    wire.fill(id(1), 4, 1_000);
    play([trade('00:02')]);
    expect(sent()).toEqual([['buy', 'market', 6]]);
  });

  test('what the venue fetched whole is not waited for', () => {
    const { give, sent, play, wire, clock } = wishing();
    play([TEN]);
    give(hold(10));
    const order = wire.arrived(wire.last);
    wire.report({
      kind: 'status',
      at: clock.now(),
      order: { ...order, status: 'expired', executedLots: lots(4) },
    });
    wire.balance('BTC', '0.004');
    sent();
    play([trade('00:01')]);
    expect(sent()).toEqual([['buy', 'market', 6]]);
  });

  test('flat sells all, a negative target is taken as nothing, with a warning', () => {
    const { give, sent, play, wire, heard } = wishing({ USDT: '0', BTC: '0.0075' });
    play([TEN]);
    give(hold(-5));
    expect(sent()).toEqual([['sell', 'market', 7]]);
    expect(heard('log')).toMatchObject([
      { level: 'warn', message: expect.stringContaining('-5 lots') },
    ]);
    wire.accept();
    wire.fill(id(1), 7, 1_000);
    give(flat('BTCUSDT'));
    expect(sent()).toEqual([]);
  });

  test('it is kept true when other orders change the holding', () => {
    const { give, sent, play, wire } = wishing();
    play([TEN]);
    give(flat('BTCUSDT'));
    give(
      place('BTCUSDT', {
        type: 'limit',
        side: 'buy',
        lots: 4,
        ticks: 900,
        clientOrderId: 'plain-one',
      }),
    );
    wire.accept();
    wire.fill('plain-one', 4, 900);
    expect(sent()).toEqual([
      ['buy', 4, 900],
      ['sell', 'market', 4],
    ]);
  });

  test('only what is available is sold, the rest when it is free', () => {
    const { give, sent, play, wire } = wishing({ USDT: '0' });
    wire.balance('BTC', '0.004', '0.006');
    play([TEN]);
    give(flat('BTCUSDT'));
    expect(sent()).toEqual([['sell', 'market', 4]]);
    wire.accept();
    wire.fill(id(1), 4, 1_000);
    wire.balance('BTC', '0', '0.006');
    play([trade('00:00:10')]);
    expect(sent()).toEqual([]);
    wire.balance('BTC', '0.006');
    play([trade('00:00:20')]);
    expect(sent()).toEqual([['sell', 'market', 6]]);
  });

  test('fees in the base currency come on top of what is sold', () => {
    const { give, sent, play } = wishing(
      { USDT: '0', BTC: '0.1' },
      { takeRate: '0.01', feeCurrency: 'BTC' },
    );
    play([TEN]);
    give(flat('BTCUSDT'));
    expect(sent()).toEqual([['sell', 'market', 99]]);
  });

  test.each([
    ['a fraction of a lot', { lots: 0.5 }],
    ['a share above all', { share: 1.5 }],
    ['a share that is no number', { share: Number.NaN }],
  ])('%s is refused', (_, asked) => {
    const { give, heard, wire } = wishing();
    give({ kind: 'target', symbol: 'BTCUSDT', hold: asked } as Command);
    expect(heard('refused')).toMatchObject([{ refusal: { code: 'number-out-of-range' } }]);
    expect(wire.requests).toEqual([]);
  });

  test('an unknown symbol is refused', () => {
    const { give, heard } = wishing();
    give(target('ETHUSDT', 1));
    expect(heard('refused')).toMatchObject([{ refusal: { code: 'symbol-unknown' } }]);
  });
});

describe('funds of a target', () => {
  const book = (asks: readonly (readonly [number, number])[]): TestEvent => ({
    at: '00:00',
    bids: [[9, 1]],
    asks,
  });

  test('the balance must exceed cost and fee', () => {
    const { give, sent, play } = wishing({ USDT: '10.1' }, { takeRate: '0.01' });
    play([TEN]);
    give(hold(1_000));
    // 1.000 at 10 with 1 % is exactly 10.1, which does not exceed it.
    expect(sent()).toEqual([['buy', 'market', 999]]);
  });

  test('the cost runs along the book, its last level without end', () => {
    const { give, sent, play } = wishing({ USDT: '100' });
    play([
      TEN,
      book([
        [10, 5],
        [20, 1],
      ]),
    ]);
    give(target('BTCUSDT', 1));
    // 5 at 10, then 50 for the rest: less than 2.5 at 20.
    expect(sent()).toEqual([['buy', 'market', 7_499]]);
  });

  test('it stops at the level that cannot be paid whole', () => {
    const { give, sent, play } = wishing({ USDT: '100' });
    play([
      TEN,
      book([
        [10, 5],
        [20, 9],
        [30, 9],
      ]),
    ]);
    give(target('BTCUSDT', 1));
    expect(sent()).toEqual([['buy', 'market', 7_499]]);
  });

  test('the best quote goes before the levels behind it', () => {
    const { give, sent, play } = wishing({ USDT: '100' });
    play([
      TEN,
      book([
        [10, 5],
        [12, 5],
        [20, 9],
      ]),
      { at: '00:00', bid: 9, ask: [12, 1] },
    ]);
    give(target('BTCUSDT', 1));
    // 1 at 12, then 88 at 20.
    expect(sent()).toEqual([['buy', 'market', 5_399]]);
  });

  test('a share gives up what it cannot afford, a number of lots waits for funds', () => {
    const share = wishing({ USDT: '100' });
    share.play([TEN, book([[20, 100]])]);
    share.give(target('BTCUSDT', 1));
    expect(share.sent()).toEqual([['buy', 'market', 4_999]]);
    share.wire.accept();
    share.wire.fill(id(1), 4_999, 2_000);
    share.wire.balance('USDT', '500');
    share.play([trade('00:10')]);
    expect(share.sent()).toEqual([]);

    const count = wishing({ USDT: '5' });
    count.play([TEN]);
    count.give(hold(1_000));
    count.wire.accept();
    count.wire.fill(id(1), 499, 1_000);
    count.wire.balance('USDT', '0.01');
    count.wire.balance('BTC', '0.499');
    count.sent();
    count.play([trade('00:10')]);
    count.wire.balance('USDT', '7');
    expect(count.sent()).toEqual([]);
    count.play([trade('00:20')]);
    expect(count.sent()).toEqual([['buy', 'market', 501]]);
  });

  test('a share that can afford nothing more is met', () => {
    const { give, sent, play, heard } = wishing({ USDT: '0', ETH: '1' });
    play([TEN]);
    give(target('BTCUSDT', 1));
    expect(sent()).toEqual([]);
    expect(heard('wish-met')).toMatchObject([{ lots: 0 }]);
  });

  test('no number of lots passes 2^53', () => {
    const { give, sent, play } = wishing({ USDT: '1e25' });
    play([trade('00:00', 0.01)]);
    give(target('BTCUSDT', 1));
    expect(sent()).toEqual([['buy', 'market', Number.MAX_SAFE_INTEGER]]);
  });

  test('without a price and a book a number of lots waits', () => {
    const { give, sent } = wishing();
    give(hold(10));
    expect(sent()).toEqual([]);
  });
});

const bid = (ticks: number, count = 10): Command =>
  quote('BTCUSDT', { bid: { ticks, lots: count } });

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
    expect(sent()).toEqual([['replace', numberOf(wire.requests[0].clientOrderId), 5, 102]]);
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

  test('one request at a time, then the newest wish', () => {
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

  test('an order whose fate is not known stops its side until it is', () => {
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
    const { give, heard, sent, wire } = wishing();
    give(bid(99));
    wire.accept();
    give({ kind: 'quote', symbol: 'BTCUSDT', ...sides } as Command);
    expect(heard('refused')).toMatchObject([{ refusal: { code } }]);
    expect(sent()).toHaveLength(1);
  });
});

describe('one wish a symbol', () => {
  test('a target waits until the quote before it is gone', () => {
    const { give, sent, wire, play } = wishing();
    play([TEN]);
    give(bid(99));
    wire.accept();
    give(hold(7));
    expect(sent()).toEqual([
      ['buy', 10, 99],
      ['cancel', 1],
    ]);
    wire.fill(id(1), 5, 99);
    wire.end(id(1), 'canceled');
    expect(sent()).toEqual([['buy', 'market', 2]]);
  });

  test('a quote waits until the order of the target before it has ended', () => {
    const { give, sent, wire, play } = wishing();
    play([TEN]);
    give(hold(7));
    give(bid(99));
    expect(sent()).toEqual([['buy', 'market', 7]]);
    wire.accept();
    wire.fill(id(1), 3, 1_000);
    wire.end(id(1), 'expired');
    expect(sent()).toEqual([['buy', 10, 99]]);
  });
});
