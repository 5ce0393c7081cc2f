import { argv, exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { US_PER_DAY } from '../../src/platform/time.ts';
import type { Outcome, Share } from './worker.ts';

// Plays many random histories on the exchange and on a naive one: of orders and the market, or with
// `--game banking` of wallets and sub-accounts. They come in shares of one seed each, and it ends
// with 1 at the first that fails. Without a seed those of today are played.

/** Histories in one share; a failure is found again by playing its share alone. */
const SHARE = 500;

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    sequences: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    game: { type: 'string', default: 'orders' },
  },
});
const { game } = values;
if (game !== 'orders' && game !== 'banking') {
  stderr.write(`--game is ${game} and must be orders or banking.\n`);
  exit(2);
}
const clock = new SystemScheduler();
const startedAt = clock.now();
const sequences = whole('sequences', values.sequences);
const first =
  values.seed === undefined
    ? Math.floor(startedAt / US_PER_DAY) * 1_000
    : whole('seed', values.seed);
const shares: Share[] = [];
for (let left = sequences; left > 0; left -= SHARE) {
  shares.push({ game, seed: first + shares.length, runs: Math.min(SHARE, left) });
}
stdout.write(`${sequences} sequences, seeds ${first} to ${first + shares.length - 1}\n`);

let next = 0;
let done = 0;
let reported = 0;
const workers = Array.from({ length: whole('workers', values.workers) }, () => {
  const worker = new Worker(new URL('worker.ts', import.meta.url));
  worker.on('message', (outcome: Outcome) => {
    read(outcome);
    give(worker);
  });
  worker.on('error', (error) => {
    stderr.write(`A worker failed: ${String(error)}\n`);
    exit(1);
  });
  return worker;
});
for (const worker of workers) give(worker);

/** Gives a worker its next share, or lets it go. */
function give(worker: Worker): void {
  const share = shares.at(next);
  next += 1;
  if (share === undefined) void worker.terminate();
  else worker.postMessage(share);
}

function read({ game, seed, runs, failure }: Outcome): void {
  if (failure !== undefined) {
    stderr.write(`${failure}\n\nSeed ${seed} fails. Again:\n`);
    stderr.write(
      `  npm run nightly -- --game ${game} --seed ${seed} --sequences ${runs} --workers 1\n`,
    );
    exit(1);
  }
  done += runs;
  const seconds = (clock.now() - startedAt) / 1e6;
  if (done < sequences && done - reported < sequences / 20) return;
  reported = done;
  stdout.write(`${done} of ${sequences} clean, ${(done / seconds).toFixed(0)} a second\n`);
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  stderr.write(`--${name} is ${text} and must be a whole number, 1 or more.\n`);
  exit(2);
}
