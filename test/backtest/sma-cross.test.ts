import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatMap } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../src/backtest/run.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { micros } from '../../src/platform/time.ts';
import { above } from '../../src/strategy/cross.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { derive } from '../../src/strategy/derive.ts';
import { sma } from '../../src/strategy/indicators/sma.ts';
import { place } from '../../src/strategy/orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { readRecording } from '../kit/recordings.ts';

const BARS = 100_000;
const LOTS = 1;
const START = micros(Date.UTC(2022, 0, 1) * 1_000);

const instrument = instrumentOf({
  symbol: 'TIES',
  tickSize: '0.01',
  quantityIncrement: '0.001',
  takeRate: '0.0007',
  makeRate: '0.0002',
});

const cross = defineStrategy({
  name: 'sma-cross',
  summary: 'Holds while the average of 10 closes is above that of 30.',
  parameters: z.object({ lots: z.int().default(LOTS) }),
  run: ({ market, parameters: { lots } }) => {
    let held = false;
    return market.candles('TIES', 'M1').pipe(
      derive({ fast: sma(10), slow: sma(30) }),
      above('fast', 'slow'),
      concatMap((up) => {
        if (up === held) return [];
        held = up;
        return [place('TIES', { type: 'market', side: up ? 'buy' : 'sell', lots })];
      }),
    );
  },
});

/** The same rule in whole numbers, from the rows of the file, with no part of the road. */
function independent(rows: ReturnType<typeof readRecording>): {
  fills: string[];
  ties: number;
  cashIn1e8: bigint;
} {
  const closes = rows.map(([, , , , , close]) => close);
  const volumes = rows.map(([, , , , , , volume]) => volume);
  const fills: string[] = [];
  let ties = 0;
  let held = false;
  // A tick is 0.01 and a lot 0.001, so their product is 1e-5 and a fee of 0.0007 of it 7e-9.
  let cash = 100_000n * 1_000_000_000n;
  for (let i = 29; i < closes.length; i += 1) {
    let fast = 0;
    let slow = 0;
    for (let j = 0; j < 30; j += 1) {
      slow += closes[i - j];
      if (j < 10) fast += closes[i - j];
    }
    // Averages of 10 and 30 closes compare as three times one sum and the other.
    if (3 * fast === slow) ties += 1;
    if (3 * fast === slow || 3 * fast > slow === held) continue;
    // A fill needs the volume of the candle; the order is all or nothing.
    const up = 3 * fast > slow;
    held = up;
    expect(volumes[i]).toBeGreaterThanOrEqual(LOTS);
    const value = BigInt(closes[i]) * BigInt(LOTS) * 10_000n;
    const fee = (value * 7n) / 10_000n;
    cash += (up ? -value : value) - fee;
    const price = (closes[i] / 100).toFixed(2).replace(/\.?0+$/, '');
    fills.push(`${new Date(rows[i][0] / 1_000).toISOString()} ${up ? 'buy' : 'sell'} ${price}`);
  }
  return { fills, ties, cashIn1e8: cash };
}

const folder = mkdtempSync(join(tmpdir(), 'millrace-ties-'));
const path = join(folder, 'ties.arrow');
let result: BacktestResult;

beforeAll(async () => {
  generateRecording(path, {
    seed: 30_10,
    instrument: instrument.terms,
    startAt: START,
    period: 'M1',
    count: BARS,
    bars: { startPrice: '100', reachTicks: 500, volumeLots: 1_000 },
  });
  result = await runBacktest({
    strategy: cross,
    parameters: {},
    recordings: [path],
    balances: { USDT: '100000' },
    latency: { orderUs: 0, reportUs: 0 },
  });
}, 30_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('an SMA 10/30 cross on bars full of exact ties trades as whole numbers say', () => {
  const rows = readRecording(path);
  expect(rows.length).toBe(BARS);
  const { fills, ties, cashIn1e8 } = independent(rows);
  expect(ties, 'the bars are of use only when averages often meet exactly').toBeGreaterThan(500);
  expect(fills.length).toBeGreaterThan(1_000);
  const reported = result.fills.rows.map(({ at, side, price }) => `${at} ${side} ${price}`);
  expect(reported).toEqual(fills);
  const cash = result.balances.find(({ currency }) => currency === 'USDT');
  const whole = cashIn1e8 / 1_000_000_000n;
  const rest = String(cashIn1e8 % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  expect(cash?.end).toBe(rest === '' ? String(whole) : `${whole}.${rest}`);
  expect(result.orders.rejected + result.orders.refused + result.orders.expired).toBe(0);
});
