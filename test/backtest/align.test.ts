import { ignoreElements, map, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../src/backtest/run.ts';
import { CANDLE, LAST } from '../../src/model/events.ts';
import { isoTime, US_PER_MINUTE } from '../../src/platform/time.ts';
import { align, type AlignOptions } from '../../src/strategy/align.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { candlesMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;

/** A candle of a minute for each of these minutes. */
const rows = (minutes: readonly number[]): Row[] =>
  minutes.map((minute) => {
    const at = START + minute * US_PER_MINUTE;
    return [at + US_PER_MINUTE, at, CANDLE, LAST, 0, 100 + minute, 10, 200, 50, 100];
  });

async function moments(options: AlignOptions): Promise<readonly string[]> {
  const strategy = defineStrategy({
    name: 'pair',
    summary: 'Logs pairs of candles.',
    parameters: z.object({}),
    run: ({ market, log, clock }) =>
      align([market.candles('AUSDT', 'M1'), market.candles('BUSDT', 'M1')], options).pipe(
        map(([a, b]) => `${a.closeTicks} ${b.closeTicks} at ${isoTime(clock.now()).slice(14, 23)}`),
        tap((line) => log.info(line)),
        ignoreElements(),
      ),
  });
  const recordings = [
    ['A', [0, 1, 2, 3, 4]],
    ['B', [0, 1, 3, 4]],
  ] as const;
  const folder = temporaryFolder();
  const paths = recordings.map(([base, minutes]) => {
    const terms = { symbol: `${base}USDT`, baseCurrency: base, tickSize: '1' };
    const meta = { ...candlesMeta(), instrument: instrumentOf(terms).terms };
    return writeRecording(`${folder}/${base}.arrow`, rows(minutes), meta);
  });
  const balances = { USDT: '1000' };
  const result = await runBacktest({ strategy, parameters: {}, recordings: paths, balances });
  return result.logs.rows.map(({ message }) => message);
}

test('candles of two symbols are joined at one moment, and in step after a hole', async () => {
  expect(await moments({})).toEqual([
    '100 100 at 01:00.000',
    '101 101 at 02:00.000',
    '103 103 at 04:00.000',
    '104 104 at 05:00.000',
  ]);
});

test('a hole is carried over in the time of the events', async () => {
  expect(await moments({ missing: 'carry', wait: 1_000 })).toEqual([
    '100 100 at 01:00.000',
    '101 101 at 02:00.000',
    '102 101 at 03:01.000',
    '103 103 at 04:00.000',
    '104 104 at 05:00.000',
  ]);
});
