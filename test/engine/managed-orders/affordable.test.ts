import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { target } from '../../../src/strategy/managed-orders.ts';
import { hold, id, TEN, trade, wishing } from './kit.ts';

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
    const { give, sent, play, received } = wishing({ USDT: '0', ETH: '1' });
    play([TEN]);
    give(target('BTCUSDT', 1));
    expect(sent()).toEqual([]);
    expect(received('target-reached')).toMatchObject([{ lots: 0 }]);
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
