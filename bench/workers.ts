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

const RECORDING = resolve('config/sample/BTCUSDT.arrow');
const MAIN = resolve('bin/millrace.js');

/** Milliseconds from one run to the next, from the first that ended to the last. */
interface Rate {
  readonly msPerRun: number;
}

/**
 * Sweeps the sample on one thread of this process, then on one and on two workers of a NATS server on this
 * machine, one thread each: what a job costs more over NATS, and what a second worker is worth.
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
    const local = await measure(sets);
    const args = ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)];
    children.push(spawn('nats-server', args, { stdio: 'ignore' }));
    await pause(new SystemScheduler(), 1_000 * US_PER_MS);
    children.push(worker(url, folder));
    const one = await measure(sets, { url, env: {} });
    children.push(worker(url, folder));
    await pause(new SystemScheduler(), 3_000 * US_PER_MS);
    const two = await measure(sets, { url, env: {} });
    const overheadMs = one.msPerRun - local.msPerRun;
    const times = one.msPerRun / two.msPerRun;
    stdout.write(
      `${sets} sets: one thread ${local.msPerRun.toFixed(1)} ms a run, one worker ${one.msPerRun.toFixed(1)} ms (${overheadMs.toFixed(1)} ms more), two workers ${two.msPerRun.toFixed(1)} ms (${times.toFixed(2)} times as fast)\n`,
    );
    if (values.json) {
      stdout.write(`${JSON.stringify({ bench: 'workers', sets, overheadMs, times })}\n`);
    }
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Other sets each time, so that no worker has seen any. */
let turn = 0;

async function measure(sets: number, nats?: SweepNats): Promise<Rate> {
  turn += 1;
  let first = 0;
  let last = 0;
  await sweep({
    backtest: {
      ...{ strategy: 'ema-cross', recordings: [RECORDING], balances: { USDT: '10000' } },
      seed: turn,
    },
    vary: { fast: `2..${sets + 1}`, slow: [200] },
    workers: 1,
    onProgress: () => {
      last = elapsedNs();
      if (first === 0) first = last;
    },
    ...(nats === undefined ? {} : { nats: { ...nats, sharedRecordings: true } }),
  });
  return { msPerRun: (last - first) / 1e6 / (sets - 1) };
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
