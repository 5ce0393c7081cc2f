import { join } from 'node:path';
import {
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  type Observable,
  take,
  tap,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { decimal } from '../../src/model/decimal.ts';
import { LAST, QUOTE } from '../../src/model/events.ts';
import type { Order, Side } from '../../src/model/order.ts';
import { US_PER_SECOND } from '../../src/platform/time.ts';
import type { RiskSettings } from '../../src/risk/settings.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { setMargin } from '../../src/strategy/margin.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import { place } from '../../src/strategy/orders.ts';
import { isolated } from '../../src/strategy/where.ts';
import { SPOT } from '../exchange/margin/kit.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { limitsOf } from '../risk/view.ts';

const where = isolated('BTCUSDT');

/** A quote of a tick and a lot of 1 around a price, with 1,000 lots and some on each side, or other ones to sell. */
const quote = (second: number, price: number, asked = 1_000 + Math.floor(second)): Row => {
  const at = Math.round(second * US_PER_SECOND);
  return [at, at, QUOTE, LAST, 0, price - 1, 1_000 + Math.floor(second), price + 1, asked, 0];
};

interface Run {
  readonly result: BacktestResult;
  /** Kinds of margin events, and codes of rejections. */
  readonly reported: readonly string[];
  /** When orders were canceled, in seconds, and which. */
  readonly canceled: readonly string[];
}

/** Market quotes at these prices, two seconds apart; the strategy opens its account and then answers some. */
async function run(
  prices: readonly (number | readonly [price: number, asked: number, second?: number])[],
  answers: Readonly<Record<number, readonly Command[]>>,
  risk: RiskSettings,
  funds = '500',
): Promise<Run> {
  const told: string[] = [];
  const canceled: string[] = [];
  const strategy = defineStrategy({
    name: 'limited',
    summary: 'Trades on margin within limits.',
    parameters: z.object({}),
    run: ({ account, market, clock }): Observable<Command> => {
      let count = 0;
      const ended = account.orders().pipe(
        filter(({ status }) => status === 'canceled'),
        tap((order) => canceled.push(`${Math.floor(clock.now() / US_PER_SECOND)}: ${said(order)}`)),
        ignoreElements(),
      );
      const events = account.marginEvents().pipe(
        tap((event) => told.push(event.kind === 'rejected' ? event.rejection.code : event.kind)),
        ignoreElements(),
      );
      const answered = market
        .bbo('BTCUSDT')
        .pipe(mergeMap(() => from(answers[(count += 1)] ?? [])));
      const opened = of(setMargin(where, { balance: decimal(funds), leverage: 10 }));
      return merge(events, ended, opened, answered);
    },
  });
  const path = writeRecording(
    join(temporaryFolder(), 'quotes.arrow'),
    prices.map((given, index) => {
      const [price, asked, second] = typeof given === 'number' ? [given] : given;
      return quote(second ?? 2 * (index + 1), price, asked);
    }),
    eventsMeta({ instrument: SPOT }),
  );
  const result = await runBacktest({
    strategy,
    parameters: {},
    recordings: [path],
    balances: { USDT: '10000' },
    risk,
    latency: { orderUs: 1_000, reportUs: 1_000 },
  });
  return { result, reported: told, canceled };
}

const said = ({ side, lots, ticks, margin }: Order): string =>
  `${margin === undefined ? 'spot ' : ''}${side} ${lots} at ${ticks ?? 'market'}`;

const sell = (lots: number): Command => place(where, { type: 'market', side: 'sell', lots });
const filled = ({ result }: Run): readonly string[] =>
  result.fills.rows.map(({ side, size }) => `${side} ${size}`);

describe('a backtest with limits trades on margin', () => {
  const prices = [100, 100, 100, 100, 100];

  test('and rejects a short beyond its limit with its code', async () => {
    const limits = limitsOf({ maxShort: { BTCUSDT: '6' } });
    const done = await run(prices, { 2: [sell(4)], 3: [sell(3)], 4: [sell(2)] }, limits);
    expect(filled(done)).toEqual(['sell 4', 'sell 2']);
    expect(done.result.orders.rejections).toEqual({ 'risk-short': 1 });
  });

  test('and counts what was sent before in the same turn', async () => {
    const limits = limitsOf({ maxShort: { BTCUSDT: '6' } });
    const done = await run(prices, { 2: [sell(4), sell(3), sell(2)] }, limits);
    expect(filled(done)).toEqual(['sell 4', 'sell 2']);
  });

  test('and rejects what the funds of its margin account do not bear', async () => {
    const done = await run(prices, { 2: [sell(60)], 3: [sell(10)] }, limitsOf());
    expect(filled(done)).toEqual(['sell 10']);
    expect(done.result.orders.rejections).toEqual({ 'funds-insufficient': 1 });
  });

  test('and rejects what would come too near to liquidation', async () => {
    const limits = limitsOf({ minLiquidationDistance: '0.15' });
    const done = await run(prices, { 2: [sell(30)], 3: [sell(10)] }, limits);
    expect(filled(done)).toEqual(['sell 10']);
    expect(done.result.orders.rejections).toEqual({ 'risk-liquidation-distance': 1 });
  });

  test('and rejects an order before its margin account is reported', async () => {
    const now = { 1: [setMargin(where, { balance: decimal('400') }), sell(1)] };
    const done = await run(prices, now, limitsOf());
    expect(filled(done)).toEqual([]);
    expect(done.result.orders.rejections).toEqual({ 'margin-account-unknown': 1 });
  });

  test('and reports to a strategy a leverage that is not set', async () => {
    const limits = limitsOf({ maxLeverage: '5' });
    const higher = { 2: [setMargin(where, { balance: decimal('500'), leverage: 5 })] };
    const done = await run(prices, higher, limits);
    expect(done.reported).toEqual(['risk-leverage', 'marginChanged', 'leverageChanged']);
  });
});

describe('losses of a backtest', () => {
  const limits = limitsOf({ maxDailyLoss: { USDT: '100' } });

  test('do not count funds that move to a margin account and back', async () => {
    const back = { 3: [setMargin(where, { balance: decimal('0') })] };
    const { result, reported: told } = await run([100, 100, 100, 100, 100, 100], back, limits);
    expect(told).toEqual(['marginChanged', 'leverageChanged', 'marginChanged']);
    expect(result.warnings.join()).not.toContain('Limits were broken');
  });

  test('count open positions on margin at their mark price', async () => {
    // 20 sold at 99: a price of 104 loses 100 and the fee of 1.98.
    const answers = { 2: [sell(20)], 5: [sell(1)] };
    const done = await run([100, 100, 100, 104, 104, 104], answers, limits);
    expect(filled(done)).toEqual(['sell 20']);
    expect(done.result.orders.rejections).toEqual({ 'trading-halted': 1 });
    expect(done.result.warnings).toContain(
      'Limits were broken once, the first time: 101.98 USDT were lost since midnight UTC, and 100 may be. From then on less was allowed, or nothing.',
    );
  });
});

describe('a position that comes near to its liquidation', () => {
  // 20 sold at 99 for 1,980; 498.02 is left of the funds: liquidated at 2,478.02 / (20 × 1.051) = 117.88.
  const prices = [100, 100, 100, 103, 103, 103, 103];
  const answers = { 2: [sell(20)], 5: [sell(1)] };
  const why =
    'The position in BTCUSDT is liquidated at 117 and its mark price is 103, nearer than 15 %.';

  test('is warned of in the result, and trading goes on', async () => {
    const limits = limitsOf({ minLiquidationDistance: '0.15' });
    const { result } = await run(prices, answers, limits);
    expect(result.warnings).toContain(why);
  });

  test('is made smaller by one order, of the fewest lots that bring it back to twice the limit', async () => {
    // x closed at 104: (2,478.02 - 104.104 x) / ((20 - x) × 1.051) is 134 or more from 9.22 on, 30 % above 103.
    const limits = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
    const done = await run(
      [100, 100, 100, 103, 103, 104, 103, 104, 103],
      { 2: [sell(20)] },
      limits,
    );
    expect(filled(done)).toEqual(['sell 20', 'buy 10']);
  });

  test('is closed again after 10 s where the market took nothing of the first order', async () => {
    const limits = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
    // The quote of 8 s is gone before the order comes, and nobody sells until 18 s.
    const rows = [100, 100, 100, 103, [103, 0, 8.0005], [103, 0], [103, 0], [103, 0]] as const;
    const done = await run([...rows, 103, 103, 103, 103], { 2: [sell(20)] }, limits);
    expect(filled(done)).toEqual(['sell 20', 'buy 10']);
    // Let go at 18 s, and found at the next look.
    const [, closedAt = ''] = done.result.fills.rows.map(({ at }) => at);
    expect(Math.floor(Date.parse(closedAt) / 1_000)).toBe(20);
  });

  test('is closed further where the market took a part, once it is smaller and too near all the same', async () => {
    const limits = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
    const done = await run(
      [100, 100, 100, [103, 1], 103, 103, 103, 103, 103, 103, 103],
      { 2: [sell(20)] },
      limits,
    );
    expect(filled(done)).toEqual(['sell 20', 'buy 1', 'buy 9']);
  });

  test('brings the strategy to reducing where it is to', async () => {
    const limits = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
    const close = place(where, { type: 'market', side: 'buy', lots: 5, reduceOnly: true });
    const done = await run(prices, { ...answers, 6: [close] }, limits);
    expect(filled(done)).toEqual(['sell 20', 'buy 10', 'buy 5']);
    expect(done.result.orders.rejections).toEqual({ 'trading-reducing': 1 });
    expect(done.result.warnings).toContain(
      `Limits were broken once, the first time: ${why} From then on less was allowed, or nothing.`,
    );
  });
});

describe('a backtest that comes to reducing', () => {
  const limits = limitsOf({ minLiquidationDistance: '0.15', onLiquidationDistance: 'reduce' });
  const limit = (side: Side, lots: number, ticks: number): Command =>
    place(where, { type: 'limit', side, lots, ticks });
  const prices = [100, 100, 100, 103, 103, 103, 103, 103];

  test('cancels what leads away from zero, and leaves what leads to it', async () => {
    const spot = place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 90 });
    const exit = place(where, {
      ...({ type: 'stopMarket', side: 'buy', stopTicks: 115, lots: 2, reduceOnly: true } as const),
    });
    const more = bracket(where, {
      entry: { side: 'sell', type: 'limit', ticks: 120 },
      lots: 1,
      takeProfit: { ticks: 90 },
      stopLoss: { stopTicks: 125 },
    });
    // Short 20: the exit of 2 and the buy of 4 are within it, and with the buy of 15 they are not.
    const open = [limit('sell', 5, 111), limit('buy', 4, 95), limit('buy', 15, 94), spot, exit];
    const loss = limitsOf({ maxDailyLoss: { USDT: '50' }, onBreach: 'reducing' });
    const done = await run(prices, { 2: [sell(20)], 3: [...open, more] }, loss);
    expect(filled(done)).toEqual(['sell 20']);
    expect(done.canceled).toEqual([
      ...['8: sell 5 at 111', '8: buy 15 at 94', '8: spot buy 1 at 90'],
      ...['8: sell 1 at 120', '8: buy 1 at 90', '8: buy 1 at market'],
    ]);
  });

  test('cancels what comes to lead beyond zero as the position becomes smaller', async () => {
    const close = place(where, { type: 'market', side: 'buy', lots: 7, reduceOnly: true });
    const answers = { 2: [sell(20)], 3: [limit('buy', 4, 95), limit('buy', 1, 94)], 5: [close] };
    const done = await run(prices, answers, limits);
    expect(filled(done)).toEqual(['sell 20', 'buy 10', 'buy 7']);
    // 3 are left: the buy of 4 could turn the position around, the buy of 1 cannot.
    expect(done.canceled).toEqual(['12: buy 4 at 95']);
  });

  test('lets the strategy go where a loss kills it, as a bot does', async () => {
    const loss = (onBreach: 'halted' | 'killed') =>
      limitsOf({ maxDailyLoss: { USDT: '50' }, onBreach });
    const answers = { 2: [sell(20)], 3: [limit('buy', 4, 95)], 6: [sell(1)] };
    const halted = await run(prices, answers, loss('halted'));
    expect(halted.result.orders.rejections).toEqual({ 'trading-halted': 1 });
    const killed = await run(prices, answers, loss('killed'));
    expect(killed.result.orders.rejections).toEqual({});
    expect(killed.result.orders).toMatchObject({ sent: 2, filled: 1, canceled: 1, refused: 0 });
    expect(killed.result.failure).toBeUndefined();
    expect(killed.result.warnings).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Limits were broken once/)]),
    );
  });

  test('cancels all where a loss halts it', async () => {
    const loss = limitsOf({ maxDailyLoss: { USDT: '50' } });
    const answers = { 2: [sell(20)], 3: [limit('buy', 4, 95), limit('sell', 1, 120)] };
    const done = await run(prices, answers, loss);
    expect(done.canceled).toEqual(['8: buy 4 at 95', '8: sell 1 at 120']);
  });
});

test('a stop that the liquidation comes before is warned of, or rejected', async () => {
  const stop = place(where, {
    ...({ type: 'stopMarket', side: 'buy', stopTicks: 117 } as const),
    ...({ lots: 20, reduceOnly: true } as const),
  });
  const answers = { 2: [sell(20)], 4: [stop] };
  const prices = [100, 100, 100, 100, 100, 100];
  const warned = await run(prices, answers, limitsOf());
  expect(warned.result.orders.rejections).toEqual({});
  expect(warned.result.warnings).toContain(
    'A stop of BTCUSDT at 117 is beyond 116.1: the position is liquidated at 117, before or as the stop is reached.',
  );
  const rejected = await run(prices, answers, limitsOf({ stopBeyondLiquidation: 'reject' }));
  expect(rejected.result.orders.rejections).toEqual({ 'risk-stop-price': 1 });
});

test('an order that answers a fill finds its position counted', async () => {
  const limits = limitsOf({ maxShort: { BTCUSDT: '4' } });
  const strategy = defineStrategy({
    name: 'follows',
    summary: 'Sells again as soon as it has sold.',
    parameters: z.object({}),
    run: ({ account }) =>
      merge(
        of(setMargin(where, { balance: decimal('500'), leverage: 10 })),
        account.margin(where).pipe(
          filter(({ state }) => state === 'normal'),
          take(1),
          map(() => sell(4)),
        ),
        account.fills('BTCUSDT').pipe(map(() => sell(1))),
      ),
  });
  const path = writeRecording(
    join(temporaryFolder(), 'quotes.arrow'),
    [1, 2, 3, 4, 5].map((second) => quote(second, 100)),
    eventsMeta({ instrument: SPOT }),
  );
  const result = await runBacktest({
    strategy,
    parameters: {},
    recordings: [path],
    balances: { USDT: '10000' },
    risk: limits,
  });
  expect(result.fills.rows.map(({ size }) => size)).toEqual(['4']);
  expect(result.orders.rejections).toEqual({ 'risk-short': 1 });
});
