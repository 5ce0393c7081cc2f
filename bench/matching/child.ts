import { argv, resourceUsage, stdout } from 'node:process';
import { inlineMore } from '../../src/platform/compiler.ts';
import { runBook } from './book-run.ts';
import { ExchangeRun } from './exchange-run.ts';
import { readOperations } from './file.ts';
import { drawOperations, namesOf, type Operations } from './operations.ts';
import type { Outcome } from './outcome.ts';
import { runReference } from './reference-run.ts';

/** What a process measured of a whole file. */
export interface RateFigures extends Outcome {
  /** Peak resident memory of the process, the file and the client order ids included. */
  readonly peakBytes: number;
}

/** How long single operations of the whole exchange took, by quantiles. */
export interface LatencyFigures {
  readonly p50Ns: number;
  readonly p99Ns: number;
  readonly longestNs: number;
  /** The longest by the time that the thread had a processor, which leaves out waiting for one. */
  readonly longestBusyNs: number;
}

/**
 * What every process runs first, so that its code is compiled: files of other seeds, with so many
 * orders resting that tables have grown. The second meets what the first has left behind, as V8 takes
 * code back when what was the same for one book turns out to differ between two; the third has it
 * make again what it took back.
 */
const WARM_UP = { operations: 200_000, resting: 10_000, seeds: [2, 3, 4] };

const [task, path, ...numbers] = argv.slice(2);
// As the command does, whatever is measured.
inlineMore();
stdout.write(JSON.stringify(work(numbers.map(Number))));

function work([first, second]: readonly number[]): RateFigures | LatencyFigures[] {
  switch (task) {
    case 'reference':
      return rate(({ operations, names }) => runReference(operations, names));
    case 'book':
      return rate(({ operations }) => runBook(operations));
    case 'exchange':
      return rate(({ operations, names }) => new ExchangeRun(operations, names, first).run());
    default:
      return latency(first, second);
  }
}

interface Named {
  readonly operations: Operations;
  readonly names: readonly string[];
}

function named(operations: Operations): Named {
  return { operations, names: namesOf(operations) };
}

function rate(run: (file: Named) => Outcome): RateFigures {
  const file = named(readOperations(path));
  warmUp(file, run);
  const outcome = run(file);
  // The clock of a thread may tick so slowly that it has not moved in a short file.
  const busyNs = Math.max(1, outcome.busyNs);
  return { ...outcome, busyNs, peakBytes: resourceUsage().maxRSS * 1_024 };
}

/** Times every operation of the file, in so many passes, each on a new exchange. */
function latency(accounts: number, passes: number): LatencyFigures[] {
  const file = named(readOperations(path));
  warmUp(file, ({ operations, names }) => new ExchangeRun(operations, names, accounts).time());
  return Array.from({ length: passes }, () => {
    const tookNs = new ExchangeRun(file.operations, file.names, accounts).time().sort();
    const at = (share: number): number => tookNs[Math.floor(share * (tookNs.length - 1))];
    const longestBusyNs = new ExchangeRun(file.operations, file.names, accounts).longestBusyNs();
    return { p50Ns: at(0.5), p99Ns: at(0.99), longestNs: at(1), longestBusyNs };
  });
}

/** A file that is short, as in a test, is not worth more than its own length once. */
function warmUp({ operations: { length } }: Named, run: (file: Named) => unknown): void {
  const operations = Math.min(WARM_UP.operations, length);
  const seeds = length < WARM_UP.operations ? WARM_UP.seeds.slice(0, 1) : WARM_UP.seeds;
  const orders = Math.round((WARM_UP.resting * operations) / WARM_UP.operations);
  const filling = { orders, isCanceled: true };
  for (const seed of seeds) run(named(drawOperations(operations, seed, filling)));
}
