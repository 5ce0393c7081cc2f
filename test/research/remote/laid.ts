import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SweepOptions } from '../../../src/backtest.ts';
import { LAST, TRADE } from '../../../src/model/events.ts';
import { runWorker, type WorkerSettings } from '../../../src/research/remote/worker.ts';
import { temporaryFolder, writeRecording, type Row } from '../../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;

/** Trades a second apart, on a price that swings. */
export const rows = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, second) => {
    const at = START + second * 1_000_000;
    const price = 6_000_000 + Math.round(500 * Math.sin(second / 9));
    return [at, at, TRADE, LAST, second + 1, price, 1_000, 0, 0, 0];
  });

/** Buys at the trade `at`, sells `hold` trades later; it needs a module of its own folder. */
const strategy = (then: string): string => `
import { map, filter } from 'rxjs';
import { defineStrategy, target, z } from 'millrace';
import { half } from './shares/half.mts';
export default defineStrategy({
  name: 'swing',
  summary: 'Holds half of its equity between two trades.',
  parameters: z.object({
    at: z.int().min(1).max(200).default(5),
    hold: z.int().min(1).max(100).default(10),
  }),
  run: ({ market, parameters: p }) => {
    let seen = 0;
    return market.trades('BTCUSDT').pipe(
      map(() => (seen += 1)),
      filter((n) => n === p.at || n === p.at + p.hold),
      map((n) => { ${then} return target('BTCUSDT', n === p.at ? half : 0); }),
    );
  },
});
`;

export interface Laid {
  readonly folder: string;
  readonly file: string;
  readonly recording: string;
  readonly options: SweepOptions;
}

/** A strategy, a recording and a sweep of them, in a folder that goes with the test. */
export function laid(then = '', count = 240): Laid {
  const folder = temporaryFolder();
  const file = join(folder, 'swing.mts');
  // As in a project that depends on Millrace.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/millrace'));
  writeFileSync(file, strategy(then));
  mkdirSync(join(folder, 'shares'));
  writeFileSync(join(folder, 'shares/half.mts'), 'export const half = 0.5;\n');
  const recording = writeRecording(join(folder, 'BTCUSDT.arrow'), rows(count));
  return {
    folder,
    file,
    recording,
    options: {
      backtest: {
        strategy: file,
        recordings: [recording],
        balances: { USDT: '10000' },
        sampleEvery: '1s',
      },
      vary: { at: '5..45 step 20', hold: [10, 20] },
      objective: 'profit',
      workers: 1,
    },
  };
}

export interface WorkerHere {
  readonly troubles: string[];
  /** How many runs it has done when it ended. */
  stop(): Promise<number>;
}

/** A worker in this process, which ends with the test. */
export function startWorker(url: string, given: Partial<WorkerSettings> = {}): WorkerHere {
  const controller = new AbortController();
  const troubles: string[] = [];
  let runs = 0;
  const ended = runWorker({
    url,
    env: {},
    threads: 1,
    recordings: [],
    cache: temporaryFolder(),
    acceptsStrategies: true,
    signal: controller.signal,
    listener: {
      ready: () => undefined,
      began: () => undefined,
      finished: (count) => (runs += count),
      trouble: (code, message) => troubles.push(`${code}: ${message}`),
    },
    ...given,
  });
  const stop = async (): Promise<number> => {
    controller.abort();
    await ended;
    return runs;
  };
  onTestFinished(async () => {
    await stop();
  });
  return { troubles, stop };
}
