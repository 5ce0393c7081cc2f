import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { sweep, type SweepOptions } from '../src/backtest.ts';
import { generateRecording } from '../src/feeds/generator.ts';
import { SAMPLE } from '../src/feeds/synthetic/sample.ts';
import { periodOf } from '../src/model/period.ts';
import { elapsedNs } from '../src/platform/stopwatch.ts';

/** The strategy as users write one: a file of its own that threads load. */
const STRATEGY = `import { filter, map, pairwise } from 'rxjs';
import { defineStrategy, derive, place, sma, z } from 'millrace';

export default defineStrategy({
  name: 'sma-cross',
  summary: 'Buys where the fast mean rises above the slow one and sells where it falls below.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    fast: z.int().min(1).default(10).describe('candles'),
    slow: z.int().min(2).default(30).describe('candles'),
  }),
  run: ({ market, parameters: { symbol, fast, slow } }) =>
    market.candles(symbol, 'M1').pipe(
      derive({ fast: sma(fast), slow: sma(slow) }),
      map((means) => means.fast > means.slow),
      pairwise(),
      filter(([before, now]) => before !== now),
      map(([, above]) =>
        place(symbol, { type: 'market', side: above ? 'buy' : 'sell', lots: 100 }),
      ),
    ),
});
`;

/** What one sweep cost. */
interface SweepCost {
  readonly workers: number;
  readonly sets: number;
  readonly seconds: number;
  /** Processor time of all threads for each set; who else is busy counts less in it. */
  readonly busyMsPerSet: number;
}

/**
 * Sweeps of a mean cross on bars of a minute: with one thread and with two, and on so few bars that only
 * the way of a job to a thread and back is left. Each is run twice, and the better counts.
 */
export async function sweepBench(options: readonly string[]): Promise<void> {
  const { bars, sets, json } = read(options);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    writeFileSync(join(folder, 'sma-cross.mts'), STRATEGY);
    const long = recorded(folder, bars);
    const short = recorded(folder, 400);
    const one = await best(long, sets, 1);
    const two = await best(long, sets, 2);
    const few = await best(short, 2, 1);
    const many = await best(short, 2 + sets, 1);
    const gain = one.seconds / two.seconds;
    const jobMs = (1_000 * (many.seconds - few.seconds)) / sets;
    for (const each of [one, two]) {
      stdout.write(
        `${sets} sets on ${bars} bars with ${each.workers === 1 ? 'one thread' : 'two threads'}: ${each.seconds.toFixed(2)} s, ${each.busyMsPerSet.toFixed(0)} ms of processor time a set\n`,
      );
    }
    stdout.write(`two threads against one: ${gain.toFixed(2)} times\n`);
    stdout.write(`a job of 400 bars, there and back: ${jobMs.toFixed(2)} ms\n`);
    if (json) {
      stdout.write(`${JSON.stringify({ bench: 'sweep', bars, one, two, gain, jobMs })}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(options: readonly string[]): { bars: number; sets: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { bars: { type: 'string' }, sets: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const number = (name: 'bars' | 'sets', usual: number, least: number): number => {
    const value = Number(values[name] ?? usual);
    if (Number.isSafeInteger(value) && value >= least) return value;
    stderr.write(`--${name} is ${String(values[name])}; give a whole number from ${least}.\n`);
    exit(2);
  };
  return {
    bars: number('bars', 100_000, 1_000),
    sets: number('sets', 100, 4),
    json: values.json === true,
  };
}

function recorded(folder: string, count: number): string {
  const path = join(folder, `${count}.arrow`);
  const bars = { stepTicks: 2_000, reachTicks: 2_000_000, volumeLots: 100_000 };
  const { instrument, startAt } = SAMPLE;
  generateRecording(path, { seed: 5, instrument, startAt, period: periodOf('M1'), count, bars });
  return path;
}

async function best(recording: string, sets: number, workers: number): Promise<SweepCost> {
  const costs: SweepCost[] = [];
  for (let round = 0; round < 2; round += 1) costs.push(await cost(recording, sets, workers));
  return costs.reduce((least, each) => (each.seconds < least.seconds ? each : least));
}

async function cost(recording: string, sets: number, workers: number): Promise<SweepCost> {
  const options: SweepOptions = {
    backtest: {
      ...{ strategy: join(dirname(recording), 'sma-cross.mts'), recordings: [recording] },
      balances: { [SAMPLE.instrument.quoteCurrency]: '1000000' },
    },
    vary: { fast: { from: 2, to: 1 + sets }, slow: [200] },
    ...{ objective: 'profit', workers },
  };
  const began = elapsedNs();
  const { user, system } = process.cpuUsage();
  const { counts } = await sweep(options);
  const used = process.cpuUsage();
  const seconds = (elapsedNs() - began) / 1e9;
  if (counts.done !== sets) throw new RangeError(`${counts.done} of ${sets} sets ran`);
  const busyUs = used.user - user + used.system - system;
  return { workers, sets, seconds, busyMsPerSet: busyUs / 1_000 / sets };
}
