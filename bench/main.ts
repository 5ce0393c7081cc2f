import { argv, exit, stderr } from 'node:process';

/** A measurement that can be run by name; it is loaded when it is. */
interface Bench {
  readonly name: string;
  readonly summary: string;
  readonly run: (options: readonly string[]) => Promise<void>;
}

const BENCHES: readonly Bench[] = [
  {
    name: 'start',
    summary:
      'processor time and peak memory of commands that do next to nothing, from the sources and the package [--runs N] [--json]',
    run: async (options) => (await import('./start.ts')).startBench(options),
  },
  {
    name: 'replay',
    summary:
      'events per second and peak memory of a backtest that listens to book and trades [--rows N] [--json]',
    run: async (options) => (await import('./replay.ts')).replayBench(options),
  },
  {
    name: 'import',
    summary:
      'rows per second of the importers, beside a bare split and parse of the same files [--rows N] [--json]',
    run: async (options) => (await import('./import.ts')).importBench(options),
  },
  {
    name: 'orders',
    summary:
      'what an order costs from the strategy to the results, beside the exchange alone and a bare scan, and peak memory [--size N] [--memory-rows N] [--json]',
    run: async (options) => (await import('./orders.ts')).ordersBench(options),
  },
  {
    name: 'sweep',
    summary:
      'sets of parameters per second with one thread and with two, and what a job costs on its way [--bars N] [--sets N] [--json]',
    run: async (options) => (await import('./sweep.ts')).sweepBench(options),
  },
  {
    name: 'matching',
    summary:
      'operations per second of the exchange and of its book beside nodejs-order-book, peak memory, latency and growth [--operations N] [--json]',
    run: async (options) => (await import('./matching.ts')).matchingBench(options),
  },
  {
    name: 'workers',
    summary:
      'what a run of a sweep costs more over NATS, and what a second worker is worth; needs nats-server [--sets N] [--json]',
    run: async (options) => (await import('./workers.ts')).workersBench(options),
  },
  {
    name: 'wire',
    summary:
      "what messages of the trading service's protocol cost to read and write [--rounds N] [--json]",
    run: async (options) => (await import('./wire.ts')).wireBench(options),
  },
  {
    name: 'venue',
    summary:
      'orders per second, latency, market data and memory of the venue over real sockets, beside a bare ws echo [--orders N] [--json]',
    run: async (options) => (await import('./venue.ts')).venueBench(options),
  },
  {
    name: 'latency',
    summary:
      'how long a live bot takes from a message of the market to its order, by stations, and how many messages it bears [--orders N] [--seconds N] [--json]',
    run: async (options) => (await import('./latency.ts')).latencyBench(options),
  },
];

const [name, ...options] = argv.slice(2);
const wanted = name === undefined || name.startsWith('--') ? undefined : name;
const chosen = wanted === undefined ? BENCHES : BENCHES.filter((bench) => bench.name === wanted);

if (chosen.length === 0) {
  stderr.write(`There is no bench "${String(wanted)}". There is:\n`);
  for (const bench of BENCHES) stderr.write(`  ${bench.name}  ${bench.summary}\n`);
  exit(2);
}
for (const bench of chosen) {
  stderr.write(`${bench.name}: ${bench.summary}\n`);
  await bench.run(wanted === undefined ? argv.slice(2) : options);
}
