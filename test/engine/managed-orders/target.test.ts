import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { lots } from '../../../src/model/units.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import { place } from '../../../src/strategy/orders.ts';
import { flat, target } from '../../../src/strategy/managed-orders.ts';
import { rig, TERMS } from '../rig.ts';
import { bid, hold, id, TEN, trade, wishing } from './kit.ts';

describe('target', () => {
  test('a share of the equity is judged once, by the last price, and rounded down', () => {
    const { give, sent, play, wire, received } = wishing();
    play([trade('00:00', 30)]);
    give(target('BTCUSDT', 0.5));
    expect(sent()).toEqual([['buy', 'market', 16_666]]);
    wire.accept();
    wire.fill(id(1), 16_666, 3_000);
    wire.balance('USDT', '500.02');
    expect(received('target-reached')).toMatchObject([{ symbol: 'BTCUSDT', lots: 16_666 }]);
    play([trade('00:01', 60), trade('00:02', 15)]);
    expect(sent()).toEqual([]);
    give(target('BTCUSDT', 0.5));
    expect(sent()).toEqual([['buy', 'market', 8_334]]);
  });

  test('market orders are IOC and of the managed order', () => {
    const { give, play, wire, received } = wishing();
    play([TEN]);
    give(hold(5));
    expect(wire.last).toMatchObject({ timeInForce: 'IOC', postOnly: false });
    expect(received('request')).toMatchObject([{ managed: true }]);
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

  test('where no ask is shown a buy is reckoned by the last price, the higher tick of a middle', () => {
    const { give, sent, play } = wishing();
    play([
      { at: '00:00', bid: 10, ask: 10.01 },
      { at: '00:01', bid: 10 },
    ]);
    give(target('BTCUSDT', 1));
    // 1,000 USDT ÷ 10.01 is 99.900099… BTC; at 10.00 it would be all but a lot of 100.
    expect(sent()).toEqual([['buy', 'market', 99_900]]);
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
      order: { ...order, status: 'expired', filledLots: lots(4) },
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
      order: { ...order, status: 'expired', filledLots: lots(4) },
    });
    wire.balance('BTC', '0.004');
    sent();
    play([trade('00:01')]);
    expect(sent()).toEqual([['buy', 'market', 6]]);
  });

  test('flat sells all, and a negative target is refused and sells nothing', () => {
    const { give, sent, play, wire, received } = wishing({ USDT: '0', BTC: '0.0075' });
    play([TEN]);
    give(hold(-5));
    expect(sent()).toEqual([]);
    expect(received('refused')).toMatchObject([
      { rejection: { message: expect.stringContaining('a spot market has no short positions') } },
    ]);
    give(flat('BTCUSDT'));
    expect(sent()).toEqual([['sell', 'market', 7]]);
    wire.accept();
    wire.fill(id(1), 7, 1_000);
  });

  test('it is kept true when other orders change the holding', () => {
    const { give, sent, play, wire } = wishing();
    play([TEN]);
    give(hold(0));
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
    ['a fraction of a lot', { lots: 0.5 }, 'quantity-invalid', 'lots is 0.5'],
    ['more lots than can be counted', { lots: 2 ** 53 }, 'number-out-of-range', '2^53'],
    ['a share above all', 50, 'number-out-of-range', 'a number of lots is { lots: 50 }'],
    [
      'a share below nothing',
      -0.1,
      'number-out-of-range',
      'a spot market has no short positions, so a share',
    ],
    ['a share that is no number', Number.NaN, 'number-out-of-range', 'a share of NaN'],
  ])('%s is refused, and the strategy goes on', (_, asked, code, message) => {
    const { give, received, wire, engine } = wishing();
    give(target('BTCUSDT', asked));
    expect(received('refused')).toMatchObject([{ rejection: { code } }]);
    expect(received('refused')[0].rejection.message).toContain(message);
    expect(engine.state).toBe('running');
    expect(wire.requests).toEqual([]);
  });

  test('an unknown symbol is refused', () => {
    const { give, received } = wishing();
    give(target('ETHUSDT', 1));
    expect(received('refused')).toMatchObject([{ rejection: { code: 'symbol-unknown' } }]);
  });
});

describe('one managed order a symbol', () => {
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
