import { join } from 'node:path';
import { concat, filter, ignoreElements, of, take, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../src/backtest/run.ts';
import { decimal } from '../../src/model/decimal.ts';
import { LAST, QUOTE } from '../../src/model/events.ts';
import { US_PER_SECOND } from '../../src/platform/time.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { setMargin } from '../../src/strategy/margin.ts';
import { isolated } from '../../src/strategy/where.ts';
import { target } from '../../src/strategy/managed-orders.ts';
import { SPOT } from '../exchange/margin/kit.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

/** A quote of a tick and a lot of 1, with 100 lots on each side. */
const quote = (second: number, bid: number, ask: number): Row => {
  const at = second * US_PER_SECOND;
  return [...([at, at, QUOTE, LAST, 0] as const), ...([bid, 100, ask, 100, 0] as const)];
};

test('a short is opened, called and liquidated as worked out by hand', async () => {
  const reported: string[] = [];
  const where = isolated('BTCUSDT');
  const strategy = defineStrategy({
    name: 'short',
    summary: 'Sells short once and looks on.',
    parameters: z.object({}),
    run: ({ account }) => {
      account.marginEvents().subscribe(({ kind }) => reported.push(kind));
      return concat(
        of(setMargin(where, { balance: decimal('110'), leverage: 10 })),
        account.margin(where).pipe(
          filter(({ state }) => state === 'normal'),
          take(1),
          ignoreElements(),
        ),
        of(target(where, { lots: -10 })),
        account.position(where).pipe(
          tap(({ lots, unrealizedPnl }) =>
            reported.push(`${lots} ${unrealizedPnl?.toFixed() ?? ''}`),
          ),
          ignoreElements(),
        ),
      );
    },
  });
  const rows = [
    quote(1, 99, 101),
    // Sold 10 at 99, for 990; the fee of 0.1% leaves 110 - 0.99 = 109.01 of the funds.
    quote(2, 99, 101),
    // Called at (109.01 + 990) / (10 × (1 + 0.001 + 1/15)) = 102.92: the middle is 103.
    quote(3, 102, 104),
    // Liquidated at 1099.01 / (10 × (1 + 0.001 + 1/20)) = 104.56: the middle is 105. What is bought costs
    // 10 × 106 = 1060, a fee of 1.06 and 0.5% of it for the close by force, 5.30.
    quote(4, 104, 106),
    // Back again: nothing is sold short any more.
    quote(5, 99, 101),
    quote(60, 99, 101),
  ];
  const path = writeRecording(
    join(temporaryFolder(), 'a.arrow'),
    rows,
    eventsMeta({ instrument: SPOT }),
  );
  const result = await runBacktest({
    strategy,
    parameters: {},
    recordings: [path],
    balances: { USDT: '1000' },
  });
  const { metrics, margin, trades, fills } = result;
  // 990 - 1060 - 0.99 - 1.06 - 5.30
  expect(metrics.profit).toBe('-77.35');
  expect(metrics.equity).toMatchObject({ start: '1000', end: '922.65' });
  expect(metrics.fees).toEqual({ byCurrency: { USDT: '7.35' }, value: '7.35' });
  expect(result.balances).toMatchObject([{ currency: 'USDT', end: '890' }]);
  expect(margin).toMatchObject({
    // 109.01 - 70 - 6.36
    accounts: [{ mode: 'isolated', symbol: 'BTCUSDT', balance: '32.65', equity: '32.65' }],
    short: { count: 1, wins: 0, net: '-77.35', fees: '7.35' },
    long: { count: 0 },
    liquidations: 1,
    marginCalls: 1,
    deleveraged: 0,
    settled: 0,
    funding: '0',
    interest: '0',
  });
  expect(trades.rows).toMatchObject([
    { side: 'short', size: '10', entryPrice: '99', exitPrice: '106', net: '-77.35', fees: '7.35' },
  ]);
  const own = { side: 'sell', price: '99', size: '10', margin: 'isolated' };
  const bought = { side: 'buy', price: '106', size: '10', fee: '6.36', taker: true };
  expect(fills.rows).toMatchObject([own, { ...bought, margin: 'isolated', forced: 'liquidated' }]);
  expect(fills.rows[0]).not.toHaveProperty('forced');
  expect(trades.rows[0]).toMatchObject({ margin: 'isolated', forced: 'liquidated' });
  // 990 and 1,060.
  expect(metrics.turnover.amount).toBe('2050');
  expect(result.orders).toMatchObject({ sent: 1, touched: 1, fills: 2, takerFills: 2 });
  expect(margin).toMatchObject({ forcedFills: 1, insurance: '0', unrealized: '0' });
  expect(reported).toEqual([
    ...['0 ', 'marginChanged', 'leverageChanged'],
    ...['-10 -10', '-10 -40', 'marginCall', '-10 -60', '0 ', 'liquidated'],
  ]);
  expect(
    await runBacktest({ strategy, parameters: {}, recordings: [path], balances: { USDT: '1000' } }),
  ).toMatchObject({ hash: result.hash });
});
