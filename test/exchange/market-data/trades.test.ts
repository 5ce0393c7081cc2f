import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PublicTrades } from '../../../src/exchange/market-data/public-trades.ts';
import { BUY, SELL } from '../../../src/exchange/orders/side.ts';
import { Floor, instrumentOf } from '../kit.ts';

const market = (floor: Floor): string[] =>
  (floor.exchange.marketData?.trades(0, { by: 'id', sort: 'ASC', limit: 100 }) ?? []).map(
    (t) => `${t.id} ${t.side} ${t.lots}@${t.ticks}`,
  );

describe('which trades everybody sees', () => {
  test('one of two orders has the side of the taker and the number in both reports', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    const account = floor.account({ USDT: '5000', BTC: '10' });
    floor.place(account, 'maker', { side: 'buy', ticks: 100, lots: 5 });
    floor.place(account, 'taker', { side: 'sell', ticks: 99, lots: 2 });
    expect(market(floor)).toEqual(['1 sell 2@100']);
    expect(floor.events().filter((line) => line.startsWith('trade 1'))).toHaveLength(2);
  });

  test('a print that fills an order has all its lots once: those of the order, then the rest as its own', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    const account = floor.account({ USDT: '5000' });
    floor.snapshot([
      ['bid', 98, 5],
      ['ask', 103, 5],
    ]);
    floor.place(account, 'better', { side: 'buy', ticks: 100, lots: 3 });
    floor.trade('sell', 98, 7);
    expect(market(floor)).toEqual(['1 sell 3@100', '2 sell 4@98']);
  });

  test('an order that takes from the tape makes a trade of its side', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    const account = floor.account({ USDT: '5000' });
    floor.snapshot([['ask', 100, 5]]);
    floor.place(account, 'taker', { side: 'buy', ticks: 100, lots: 4 });
    expect(market(floor)).toEqual(['1 buy 4@100']);
  });

  test('an order that the other side of the tape comes to is hit by it', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    const account = floor.account({ USDT: '5000' });
    floor.place(account, 'maker', { side: 'buy', ticks: 100, lots: 4 });
    floor.quote([98, 1], [99, 3]);
    expect(market(floor)).toEqual(['1 sell 3@100']);
    expect(floor.exchange.marketData?.books[0].top()).toEqual({
      bid: { ticks: 100, lots: 1 },
      ask: undefined,
    });
  });

  test('without a book a print fills orders of both sides for no more than it has', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    const account = floor.account({ USDT: '5000', BTC: '10' });
    floor.place(account, 'bid', { side: 'buy', ticks: 90, lots: 2 });
    floor.place(account, 'ask', { side: 'sell', ticks: 95, lots: 3 });
    floor.trade('buy', 97, 9);
    expect(market(floor)).toEqual(['1 buy 3@95', '2 buy 6@97']);
  });

  test('a candle of a feed of candles is shown as trades at its four prices', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    floor.candle(100, 105, 98, 103, 11);
    expect(market(floor)).toEqual(['1 buy 2@100', '2 buy 2@98', '3 buy 2@105', '4 buy 5@103']);
    floor.candle(103, 104, 90, 91, 6);
    expect(market(floor).slice(4)).toEqual([
      '5 sell 1@103',
      '6 sell 1@104',
      '7 sell 1@90',
      '8 sell 3@91',
    ]);
  });

  test('a candle of few lots shows the last of its prices', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    floor.candle(100, 105, 98, 103, 2);
    expect(market(floor)).toEqual(['1 buy 1@105', '2 buy 1@103']);
    floor.candle(100, 105, 98, 103, 0);
    expect(market(floor)).toHaveLength(2);
  });

  test('orders have their part of a candle first', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    const account = floor.account({ USDT: '5000' });
    floor.place(account, 'bid', { side: 'buy', ticks: 99, lots: 5 });
    floor.candle(100, 105, 98, 103, 9);
    const trades = market(floor);
    expect(trades[0]).toBe('1 sell 5@99');
    expect(trades.slice(1)).toEqual(['2 buy 1@100', '3 buy 1@98', '4 buy 1@105', '5 buy 1@103']);
  });

  test('a candle beside trades repeats them and is not shown', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    floor.trade('buy', 100, 3);
    floor.candle(100, 100, 100, 100, 3);
    expect(market(floor)).toEqual(['1 buy 3@100']);
  });
});

describe('asking for trades', () => {
  const trade = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 9 }), fc.nat({ max: 9 }));
  const bound = fc.option(fc.integer({ min: -5, max: 120 }), { nil: undefined });

  test('gives what a filter of the list of the latest gives', () => {
    fc.assert(
      fc.property(
        fc.array(trade, { maxLength: 40, size: 'max' }),
        fc.record({
          by: fc.constantFrom('id', 'timestamp'),
          from: bound,
          till: bound,
          sort: fc.constantFrom('ASC', 'DESC'),
          limit: fc.nat({ max: 12 }),
          offset: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
        }),
        fc.integer({ min: 1, max: 25 }),
        (steps, { by, from, till, sort, limit, offset }, capacity) => {
          const trades = new PublicTrades(capacity);
          const list: { id: number; ticks: number; lots: number; side: string; at: number }[] = [];
          let [id, at] = [0, 0];
          for (const [skip, ticks, lots] of steps) {
            id += 1 + skip;
            at += skip;
            trades.add(id, ticks, lots, lots % 2 === 0 ? BUY : SELL, at);
            list.push({ id, ticks, lots, side: lots % 2 === 0 ? 'buy' : 'sell', at });
          }
          const kept = list.slice(-capacity).filter((t) => {
            const key = by === 'id' ? t.id : t.at;
            return key >= (from ?? -Infinity) && key <= (till ?? Infinity);
          });
          if (sort === 'DESC') kept.reverse();
          const page = {
            by,
            sort,
            limit,
            from,
            till,
            offset,
          };
          const first = offset ?? 0;
          expect(trades.query(page)).toEqual(kept.slice(first, first + limit));
          expect(trades.last()).toEqual(list.at(-1));
          expect(trades.count).toBe(Math.min(list.length, capacity));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('100,000 trades of a symbol are kept, and the oldest goes for one more', () => {
    const floor = new Floor([instrumentOf()], { marketData: {} });
    for (let i = 0; i < 100_001; i += 1) floor.trade('buy', 100, 1);
    const oldest = { by: 'id', sort: 'ASC', limit: 1 } as const;
    expect(floor.exchange.marketData?.trades(0, oldest).map((t) => t.id)).toEqual([2]);
    expect(
      floor.exchange.marketData?.trades(0, { ...oldest, offset: 99_999 }).map((t) => t.id),
    ).toEqual([100_001]);
    expect(floor.exchange.marketData?.lastTrade(0)?.id).toBe(100_001);
  });
});
