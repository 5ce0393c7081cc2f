import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sweep, type SweepOptions } from '../src/backtest.ts';
import { runJobs } from '../src/research/sweep/pool.ts';
import { openRecording } from '../src/feeds/reader.ts';
import { generateRecording } from '../src/feeds/generator.ts';
import { SAMPLE } from '../src/feeds/synthetic/sample.ts';
import { periodOf } from '../src/model/period.ts';
import { inlineMore } from '../src/platform/compiler.ts';
import { elapsedNs } from '../src/platform/stopwatch.ts';
import { median, processorTime, type ProcessorTime } from './processor-time.ts';

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
  readonly seconds: number;
  /** Processor time of all threads for each set; who else is busy counts less in it. */
  readonly busyMsPerSet: number;
  /** The same in the second half, when the code is compiled, and of the threads that run sets alone; NaN where it is not counted. */
  readonly warmBusyMs: number;
  readonly warmOwnMs: number;
}

const ROUNDS = 3;

/**
 * Sweeps of a mean cross on bars of a minute, with one thread and with two by turns; how long a job is on its
 * way to a thread and back; and a vectorised numpy loop of the same sweep, where Python has numpy.
 */
export async function sweepBench(options: readonly string[]): Promise<void> {
  const { bars, sets, json } = read(options);
  // As the commands do.
  inlineMore();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    writeFileSync(join(folder, 'sma-cross.mts'), STRATEGY);
    const long = recorded(folder, bars);
    const short = recorded(folder, 400);
    const [ones, twos]: SweepCost[][] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ones.push(await cost(long, sets, 1));
      twos.push(await cost(long, sets, 2));
    }
    const [one, two] = [least(ones), least(twos)];
    const gain = median(ones.map(({ seconds }, round) => seconds / twos[round].seconds));
    // On two cores that nothing else uses, one thread waits for itself alone, and two for all that takes time.
    const { warmOwnMs, warmBusyMs } = least(twos, 'warmBusyMs');
    const freeGain = (2 * warmOwnMs) / warmBusyMs;
    const job = await jobCost(short, 4 * sets);
    for (const [name, each] of [
      ['one thread', one],
      ['two threads', two],
    ] as const) {
      stdout.write(
        `${sets} sets on ${bars} bars with ${name}: ${each.seconds.toFixed(2)} s, ${each.busyMsPerSet.toFixed(0)} ms of processor time a set, ${each.warmBusyMs.toFixed(0)} when compiled, ${each.warmOwnMs.toFixed(0)} of it the thread itself\n`,
      );
    }
    stdout.write(
      `two threads against one: ${gain.toFixed(2)} times, by processor time ${freeGain.toFixed(2)} where nothing else runs\n`,
    );
    stdout.write(
      `a job of 400 bars: ${job.runMs.toFixed(2)} ms, and ${job.wayMs.toFixed(2)} ms on its way to a thread and back (aim: 2)\n`,
    );
    const numpyMs = numpyLoop(long, folder, sets);
    const ratio = numpyMs === undefined ? undefined : one.busyMsPerSet / numpyMs;
    stdout.write(
      numpyMs === undefined || ratio === undefined
        ? 'a vectorised numpy loop: not measured, as python3 has no numpy\n'
        : `a vectorised numpy loop: ${numpyMs.toFixed(1)} ms of processor time a set; a set here takes ${ratio.toFixed(0)} times that (aim: within 3)\n`,
    );
    if (json) {
      const figures = { one, two, gain, freeGain, job, numpyMs, ratio };
      stdout.write(`${JSON.stringify({ bench: 'sweep', bars, sets, ...figures })}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const least = (costs: readonly SweepCost[], by: keyof SweepCost = 'seconds'): SweepCost =>
  costs.reduce((so, each) => (each[by] < so[by] ? each : so));

/**
 * What jobs take on one thread, by the middle one of their second half: the run itself as the thread counts it,
 * and what is left of the time from one result to the next.
 */
async function jobCost(recording: string, jobs: number): Promise<{ runMs: number; wayMs: number }> {
  const [runs, ways]: number[][] = [[], []];
  let last = elapsedNs();
  const list = Array.from({ length: jobs }, (_, index) => ({
    index,
    strategy: 0,
    market: 0,
    parameters: { fast: 2 + (index % 100), slow: 200 },
  }));
  await runJobs(list, {
    setup: {
      settings: { balances: { [SAMPLE.instrument.quoteCurrency]: '1000000' } },
      strategies: [join(dirname(recording), 'sma-cross.mts')],
      markets: [{ paths: [recording] }],
    },
    workers: 1,
    signal: undefined,
    onOutcome: (_, { ms, fault }) => {
      if (fault !== undefined) throw new RangeError(fault.message);
      const now = elapsedNs();
      runs.push(ms);
      ways.push((now - last) / 1e6 - ms);
      last = now;
    },
  });
  const half = Math.floor(jobs / 2);
  return { runMs: median(runs.slice(half)), wayMs: median(ways.slice(half)) };
}

/** Milliseconds of processor time that numpy takes for a set; undefined where there is none. */
function numpyLoop(recording: string, folder: string, sets: number): number | undefined {
  const closes = join(folder, 'closes.f64');
  const open = openRecording(recording);
  const ticks: Float64Array[] = [];
  for (const { price, length } of open.batches()) ticks.push(price.slice(0, length));
  open.close();
  writeFileSync(closes, Buffer.concat(ticks.map(({ buffer }) => Buffer.from(buffer))));
  const script = fileURLToPath(new URL('./sweep/numpy_loop.py', import.meta.url));
  const { status, stdout: text } = spawnSync('python3', [script, closes, String(sets)], {
    encoding: 'utf8',
  });
  return status === 0 ? (JSON.parse(text) as { ms: number }).ms : undefined;
}

function read(options: readonly string[]): { bars: number; sets: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { bars: { type: 'string' }, sets: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const number = (name: 'bars' | 'sets', defaults: number, least: number): number => {
    const value = Number(values[name] ?? defaults);
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

async function cost(recording: string, sets: number, workers: number): Promise<SweepCost> {
  const began = elapsedNs();
  const { user, system } = process.cpuUsage();
  const half = Math.floor(sets / 2);
  const points: (ProcessorTime | undefined)[] = [];
  const options: SweepOptions = {
    backtest: {
      strategy: join(dirname(recording), 'sma-cross.mts'),
      recordings: [recording],
      balances: { [SAMPLE.instrument.quoteCurrency]: '1000000' },
    },
    vary: { fast: { from: 2, to: 1 + sets }, slow: [200] },
    objective: 'profit',
    workers,
    // The threads are alive at each of the two.
    onProgress: ({ done }) => {
      if (done === half || done === sets) {
        points.push(processorTime('self'));
      }
    },
  };
  const { counts } = await sweep(options);
  const used = process.cpuUsage();
  const seconds = (elapsedNs() - began) / 1e9;
  if (counts.done !== sets) throw new RangeError(`${counts.done} of ${sets} sets ran`);
  const busyUs = used.user - user + used.system - system;
  const [middle, end] = points;
  const between = (from = Number.NaN, to = Number.NaN): number => (to - from) / (sets - half);
  return {
    workers,
    seconds,
    busyMsPerSet: busyUs / 1_000 / sets,
    warmBusyMs: between(middle?.allMs, end?.allMs),
    warmOwnMs: between(middle?.ownMs, end?.ownMs),
  };
}
