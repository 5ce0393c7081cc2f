import { argv, resourceUsage, stdout } from 'node:process';
import { EMPTY, filter, map, merge as mergeStreams, mergeMap } from 'rxjs';
import { runBacktest } from '../src/backtest/run.ts';
import { openRecording } from '../src/feeds/reader.ts';
import { TRADE } from '../src/model/events.ts';
import { inlineMore } from '../src/platform/compiler.ts';
import { micros, US_PER_SECOND } from '../src/platform/time.ts';
import { SystemScheduler } from '../src/platform/system-scheduler.ts';
import { defineStrategy } from '../src/strategy/define.ts';
import { z } from 'zod';

/** What one process measured. */
export interface ReplayFigures {
  readonly rows: number;
  readonly eventsPerSecond: number;
  readonly nsPerEvent: number;
  /** Reading the same file and adding up its trades, with nothing else. */
  readonly scanNsPerEvent: number;
  /** How many bare scans one replay costs. */
  readonly scanRatio: number;
  /** Peak resident memory of the process. */
  readonly peakBytes: number;
}

/** Looks at every message of the book and every trade, and never finds a reason to trade. */
const watcher = defineStrategy({
  name: 'watcher',
  summary: 'Listens to book and trades and asks for nothing.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, parameters: { symbol } }) =>
    mergeStreams(
      market.book(symbol).pipe(map((book) => book.lotsAt('buy', 0) - book.lotsAt('sell', 0))),
      market.trades(symbol).pipe(map((trade) => trade.lots)),
    ).pipe(
      filter((lots) => lots === Number.MAX_SAFE_INTEGER),
      mergeMap(() => EMPTY),
    ),
});

// As the command does.
inlineMore();

const [path] = argv.slice(2);
stdout.write(JSON.stringify(await measure(path)));

async function measure(from: string): Promise<ReplayFigures> {
  const clock = new SystemScheduler();
  const scanUs = scan(from, clock);
  const startAt = clock.now();
  const { metrics } = await runBacktest({
    strategy: watcher,
    parameters: {},
    recordings: [from],
    balances: { USDT: '100000' },
    seed: 1,
    from: micros(0),
  });
  const replayUs = clock.now() - startAt;
  const { events } = metrics;
  return {
    rows: events,
    eventsPerSecond: (events / replayUs) * US_PER_SECOND,
    nsPerEvent: (1_000 * replayUs) / events,
    scanNsPerEvent: (1_000 * scanUs) / events,
    scanRatio: replayUs / scanUs,
    peakBytes: resourceUsage().maxRSS * 1_024,
  };
}

function scan(from: string, clock: SystemScheduler): number {
  const startAt = clock.now();
  const recording = openRecording(from);
  let traded = 0;
  for (const { length, kind, size } of recording.batches()) {
    for (let row = 0; row < length; row += 1) if (kind[row] === TRADE) traded += size[row];
  }
  recording.close();
  if (traded <= 0) throw new RangeError('the recording has no trades');
  return clock.now() - startAt;
}
