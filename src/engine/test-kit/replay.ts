import type { z } from 'zod';
import type { EventColumns } from '../../model/events.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import { MillraceError } from '../../model/errors.ts';
import { knownMembers, membersOf, unknownName } from '../../model/members.ts';
import { periodEnd, periodOf, type Period, type PeriodName } from '../../model/period.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import { VirtualScheduler } from '../../platform/virtual-scheduler.ts';
import type { Command } from '../../strategy/commands.ts';
import type { Log } from '../../strategy/context.ts';
import { strategyFault, type StrategyDefinition } from '../../strategy/define.ts';
import { parseParameters } from '../../strategy/parameters.ts';
import { AccountGateway } from '../account-gateway.ts';
import type { AuditEvent } from '../audit.ts';
import { Engine } from '../engine.ts';
import { takeRxjsTime } from '../event-time.ts';
import { TestPortfolio, type TestPortfolioNews } from './portfolio.ts';
import { testFeed, type TestEvent, type TestLevel, type TestNumber } from './feed.ts';
import { readTime, writeTime, type TestTime } from './time.ts';
import type { TestGateway } from './venue.ts';

/** A command and its time. */
export interface TimedCommand {
  readonly at: TestTime;
  readonly command: Command;
}

/** An expected command: `at('00:20', target('BTCUSDT', 0.5))`. */
export const at = (time: TestTime, command: Command): TimedCommand => ({
  at: writeTime(readTime(time)),
  command: commandOf(command),
});

/** Rejects a missing command, which would expect nothing. */
function commandOf(command: Command): Command {
  if (typeof command === 'object' && (command as unknown) !== null) return command;
  const sentence = "at takes a time and a command, such as at('00:20', flat('BTCUSDT')).";
  throw new MillraceError('usage', sentence, { field: 'command' });
}

export interface ReplayOptions {
  /** Terms that differ from BTCUSDT with ticks of 0.01, lots of 0.00001 and no fees. */
  readonly instrument?: Partial<InstrumentTerms>;
  /** Balances at the start; 10,000 of the quote currency if absent. */
  readonly balances?: Readonly<Record<string, string>>;
  /**
   * How orders fill. By default they stay open; `true` fills market orders whole at the last price;
   * `'exchange'` replays the events to the simulated exchange, without latency, for all types of
   * orders and lists as in a backtest.
   */
  readonly fills?: boolean | 'exchange';
  /** End of the replay; the last event if absent. */
  readonly until?: TestTime;
  /** Commands before this time are held back. */
  readonly warmUpUntil?: TestTime;
  /** A portfolio's events by time; without them `rebalance` is rejected. */
  readonly portfolio?: readonly TestPortfolioNews[];
  /** Period of the candles in `events`. */
  readonly period?: PeriodName;
  readonly log?: Log;
  /** Receives everything that the engine receives, decides and sends. */
  readonly audit?: (event: AuditEvent) => void;
}

const OPTIONS = membersOf<ReplayOptions>({
  instrument: true,
  balances: true,
  fills: true,
  until: true,
  warmUpUntil: true,
  portfolio: true,
  period: true,
  log: true,
  audit: true,
});

/** Rejects unknown members, which would make a test that proves something else. */
function checkGiven(strategy: unknown, parameters: unknown, options: ReplayOptions): void {
  const fault = strategyFault(strategy);
  if (fault !== undefined) {
    throw new MillraceError('strategy-invalid', fault.sentence, { field: fault.field });
  }
  for (const [field, given] of Object.entries({ parameters, options })) {
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) continue;
    throw new MillraceError('request-invalid', `replay takes its ${field} as an object.`, {
      field,
    });
  }
  const stray = unknownName(options, OPTIONS);
  if (stray === undefined) return;
  const sentence = `replay has no option ${stray}; ${knownMembers(stray, OPTIONS)}`;
  throw new MillraceError('request-invalid', sentence, { field: stray });
}

const TERMS: InstrumentTerms = {
  symbol: 'BTCUSDT',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.00001',
  takeRate: '0',
  makeRate: '0',
  feeCurrency: 'USDT',
};

/** Each method runs the strategy on its events and returns its commands. */
export interface Replay {
  /** Closing prices, one a period from 00:00 on; each candle opens at the close before. */
  candles(period: PeriodName, closes: readonly TestNumber[]): readonly TimedCommand[];
  trades(
    trades: readonly (readonly [
      at: TestTime,
      price: TestNumber,
      size?: TestNumber,
      aggressor?: 'buy' | 'sell',
    ])[],
  ): readonly TimedCommand[];
  /** Best bid and ask, each a price or a price with its size. */
  top(
    quotes: readonly (readonly [
      at: TestTime,
      bid: TestNumber | TestLevel,
      ask: TestNumber | TestLevel,
    ])[],
  ): readonly TimedCommand[];
  /** Whole books. */
  book(
    books: readonly (readonly [
      at: TestTime,
      bids: readonly TestLevel[],
      asks: readonly TestLevel[],
    ])[],
  ): readonly TimedCommand[];
  /** Events of all kinds, in the order of their times. */
  events(events: readonly TestEvent[]): readonly TimedCommand[];
}

/** Makes the venue of a run; the account starts with the balances. */
export type TestVenueOf = (
  instrument: Instrument,
  scheduler: Scheduler,
  balances: Readonly<Record<string, string>>,
) => TestGateway;

/** Runs a strategy on the real engine, on test events, against a venue. */
export function replayBefore<S extends z.ZodObject>(
  venueOf: TestVenueOf,
  strategy: StrategyDefinition<S>,
  parameters: z.input<S>,
  options: ReplayOptions,
): Replay {
  checkGiven(strategy, parameters, options);
  const events = (
    list: readonly TestEvent[],
    period: PeriodName | undefined = options.period,
  ): readonly TimedCommand[] =>
    run(
      venueOf,
      strategy,
      parameters,
      options,
      list,
      period === undefined ? undefined : periodOf(period),
    );
  return {
    events: (list) => events(list),
    candles: (period, closes) => events(candleEvents(periodOf(period), closes), period),
    trades: (trades) =>
      events(
        trades.map(([time, trade, size, aggressor]) => ({
          at: time,
          trade,
          size,
          aggressor,
        })),
      ),
    top: (quotes) => events(quotes.map(([time, bid, ask]) => ({ at: time, bid, ask }))),
    book: (books) => events(books.map(([time, bids, asks]) => ({ at: time, bids, asks }))),
  };
}

function candleEvents(period: Period, closes: readonly TestNumber[]): TestEvent[] {
  let end = micros(0);
  let open = closes.at(0) ?? 0;
  return closes.map((close) => {
    end = periodEnd(period, end);
    const [low, high] = Number(open) < Number(close) ? [open, close] : [close, open];
    const candle = { open, high, low, close };
    open = close;
    return { at: writeTime(end), candle };
  });
}

function run<S extends z.ZodObject>(
  venueOf: TestVenueOf,
  strategy: StrategyDefinition<S>,
  parameters: z.input<S>,
  options: ReplayOptions,
  events: readonly TestEvent[],
  period: Period | undefined,
): readonly TimedCommand[] {
  const instrument = new Instrument({ ...TERMS, ...options.instrument });
  const columns = testFeed(instrument, events, period);
  const scheduler = new VirtualScheduler(micros(0));
  const balances = options.balances ?? { [instrument.quoteCurrency]: '10000' };
  const venue = venueOf(instrument, scheduler, balances);
  const commands: TimedCommand[] = [];
  const engine = new Engine({
    scheduler,
    gateway: new AccountGateway({ venue, scheduler, strategy: strategy.name }),
    portfolio: options.portfolio && new TestPortfolio(scheduler, options.portfolio),
    strategy,
    parameters: parseParameters(strategy, parameters as Readonly<Record<string, unknown>>),
    feeds: new Map([
      [instrument.symbol, { trades: true, levels: true, quotes: true, candlePeriod: period }],
    ]),
    warmUpUntil: options.warmUpUntil === undefined ? undefined : readTime(options.warmUpUntil),
    clientOrderIdPrefix: 'test',
    log: options.log,
    audit: (event) => {
      if (event.kind === 'command' && !event.held) {
        commands.push({ at: writeTime(event.at), command: event.command });
      }
      options.audit?.(event);
    },
  });
  const handBack = takeRxjsTime(scheduler, (error) => engine.fail(error));
  try {
    engine.start();
    playAll(engine, scheduler, venue, columns);
    if (options.until !== undefined) scheduler.advanceTo(readTime(options.until));
    else scheduler.advanceTo(scheduler.now());
    engine.stop();
  } finally {
    handBack();
  }
  if (engine.state === 'failed') throw engine.failure;
  return commands;
}

function playAll(
  engine: Engine,
  scheduler: VirtualScheduler,
  venue: TestGateway,
  columns: EventColumns,
): void {
  for (let row = 0; row < columns.length; row += 1) {
    scheduler.advanceTo(micros(columns.receivedAt[row]));
    venue.market(0, columns, row);
    engine.market(0, columns, row);
  }
}
