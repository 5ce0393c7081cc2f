import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execPath, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { sweep, type SweepNats } from '../src/backtest.ts';
import { pause } from '../src/platform/pause.ts';
import { elapsedNs } from '../src/platform/stopwatch.ts';
import { SystemScheduler } from '../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../src/platform/time.ts';
import { mean, processorTime, type ProcessorTime } from './processor-time.ts';

const RECORDING = resolve('config/sample/BTCUSDT.arrow');
const MAIN = resolve('bin/millrace.js');

/** What runs cost from one to the next, from the one that a quarter of them came before to the last. */
interface Rate {
  readonly msPerRun: number;
  /** Processor time of the thread that runs a job, and of all that takes part: workers, server, sweep. */
  readonly ownMs: number;
  readonly allMs: number;
}

/**
 * Sweeps the sample on one thread of this process, and on one and two workers of a NATS server on this
 * machine, one thread each: what a job costs more over NATS, and what a second worker is worth. One worker is
 * measured before the second and after it, as others on the machine come and go.
 */
export async function workersBench(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: { sets: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
  });
  const sets = Number(values.sets);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  const port = await freePort();
  const children: ChildProcess[] = [];
  const url = `nats://127.0.0.1:${port}`;
  try {
    const args = ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)];
    children.push(spawn('nats-server', args, { stdio: 'ignore' }));
    await pause(new SystemScheduler(), 1_000 * US_PER_MS);
    children.push(worker(url, folder));
    const nats = { url, env: {} };
    const [locals, ones, twos]: Rate[][] = [[], [], []];
    const measured = async (rates: Rate[], isOver: boolean): Promise<void> => {
      const pids = children.flatMap(({ pid }) => (isOver && pid !== undefined ? [pid] : []));
      rates.push(await measure(sets, pids, isOver ? nats : undefined));
    };
    // Who runs a job has compiled its code when it is counted.
    await measure(sets, [], nats);
    await measured(locals, false);
    await measured(ones, true);
    const second = worker(url, folder);
    children.push(second);
    await pause(new SystemScheduler(), 3_000 * US_PER_MS);
    await measure(2 * sets, [], nats);
    await measured(twos, true);
    await measured(twos, true);
    second.kill('SIGKILL');
    children.pop();
    await measured(ones, true);
    await measured(locals, false);
    const least = (rates: readonly Rate[], by: keyof Rate): number =>
      Math.min(...rates.map((rate) => rate[by]));
    const overheadMs = mean(ones.map((one, at) => one.msPerRun - locals[at].msPerRun));
    const busyOverheadMs = least(ones, 'allMs') - least(locals, 'allMs');
    const times = mean(ones.map((one, at) => one.msPerRun / twos[at].msPerRun));
    const freeTimes = mean(twos.map(({ ownMs, allMs }) => (2 * ownMs) / allMs));
    for (const [name, rates] of [
      ['one thread', locals],
      ['one worker', ones],
      ['two workers', twos],
    ] as const) {
      stdout.write(
        `${sets} sets, ${name}: ${least(rates, 'msPerRun').toFixed(1)} ms a run, ${least(rates, 'allMs').toFixed(1)} ms of processor time, ${least(rates, 'ownMs').toFixed(1)} of it the thread itself\n`,
      );
    }
    stdout.write(
      `over NATS: ${overheadMs.toFixed(1)} ms more a run, ${busyOverheadMs.toFixed(1)} ms of processor time\n`,
    );
    stdout.write(
      `two workers against one: ${times.toFixed(2)} times, by processor time ${freeTimes.toFixed(2)} where nothing else runs\n`,
    );
    if (values.json) {
      const figures = { overheadMs, busyOverheadMs, times, freeTimes };
      stdout.write(`${JSON.stringify({ bench: 'workers', sets, ...figures })}\n`);
    }
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Other sets each time, so that no worker has seen any. */
let turn = 0;

async function measure(sets: number, pids: readonly number[], nats?: SweepNats): Promise<Rate> {
  turn += 1;
  const points: { readonly at: number; readonly taken: ProcessorTime }[] = [];
  const skipped = Math.ceil(sets / 4);
  await sweep({
    backtest: {
      strategy: 'ema-cross',
      recordings: [RECORDING],
      balances: { USDT: '10000' },
      seed: turn,
    },
    vary: { fast: `2..${sets + 1}`, slow: [200] },
    workers: 1,
    onProgress: ({ done }) => {
      if (done === skipped || done === sets) {
        points.push({ at: elapsedNs(), taken: takenBy(['self', ...pids]) });
      }
    },
    ...(nats === undefined ? {} : { nats: { ...nats, sharedRecordings: true } }),
  });
  const [from, to] = points;
  const runs = sets - skipped;
  return {
    msPerRun: (to.at - from.at) / 1e6 / runs,
    ownMs: (to.taken.ownMs - from.taken.ownMs) / runs,
    allMs: (to.taken.allMs - from.taken.allMs) / runs,
  };
}

/** What processes took together. */
function takenBy(pids: readonly (number | 'self')[]): ProcessorTime {
  const each = pids.map((pid) => processorTime(pid) ?? { ownMs: Number.NaN, allMs: Number.NaN });
  return {
    ownMs: each.reduce((sum, { ownMs }) => sum + ownMs, 0),
    allMs: each.reduce((sum, { allMs }) => sum + allMs, 0),
  };
}

const worker = (url: string, cwd: string): ChildProcess =>
  spawn(
    execPath,
    ['--conditions=millrace-source', MAIN, 'worker', '--nats', url, '--threads', '1'],
    { cwd, stdio: 'ignore' },
  );

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
