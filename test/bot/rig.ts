import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Subject } from 'rxjs';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { Bot } from '../../src/bot/bot.ts';
import type { Notifier } from '../../src/bot/notifications/notifier.ts';
import { PaperAccount } from '../../src/bot/paper/account.ts';
import { continuePaper } from '../../src/bot/paper/continuing.ts';
import type {
  AccountSettings,
  BotSettings,
  RiskSettings,
  StrategySettings,
} from '../../src/bot/settings/settings.ts';
import { testFeed, type TestEvent } from '../../src/engine/test-kit/feed.ts';
import type { MarketListener, MarketSource } from '../../src/gateways/market-source.ts';
import type { VenueAccount } from '../../src/gateways/venue-account.ts';
import { decimal, type Decimal } from '../../src/model/decimal.ts';
import { eventColumns, type EventColumns } from '../../src/model/events.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { Random } from '../../src/platform/random.ts';
import { micros, parseIsoTime, type Micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { TERMS } from '../engine/rig.ts';
import { emptyMeter } from './meter.ts';

export const START = parseIsoTime('2026-03-02T10:00:00Z') ?? micros(0);

export const NO_LIMITS: RiskSettings = {
  maxQuantity: new Map(),
  maxNotional: new Map(),
  maxPosition: new Map(),
  maxExposure: new Map(),
  preventOwnCross: false,
  maxDailyLoss: new Map(),
  onBreach: 'halted',
};

/** A market in the hands of the test. */
export class ScriptedMarket implements MarketSource {
  past: EventColumns = eventColumns(0);
  readonly asked: [Micros, Micros][] = [];
  #listener: MarketListener | undefined;
  readonly #instrument: Instrument;
  readonly #clock: VirtualScheduler;

  constructor(instrument: Instrument, clock: VirtualScheduler) {
    this.#instrument = instrument;
    this.#clock = clock;
  }

  open(_: unknown, listener: MarketListener): Promise<void> {
    this.#listener = listener;
    listener.connectionState(0, 'live');
    return Promise.resolve();
  }

  history(_: unknown, __: unknown, from: Micros, till: Micros): Promise<EventColumns> {
    this.asked.push([from, till]);
    return Promise.resolve(this.past);
  }

  /** Tells events of the only symbol now, whatever time they are written with. */
  emit(...events: TestEvent[]): void {
    const columns = testFeed(this.#instrument, events, undefined);
    columns.receivedAt.fill(this.#clock.now());
    columns.stampedAt.fill(this.#clock.now());
    this.#listener?.rows(0, columns);
  }

  /** Tells rows as they are. */
  rows(columns: EventColumns): void {
    this.#listener?.rows(0, columns);
  }

  connectionState(connectionState: 'live' | 'lost'): void {
    this.#listener?.connectionState(0, connectionState);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export interface TestStrategy extends Partial<Omit<StrategySettings, 'strategy'>> {
  readonly run?: (context: Context<unknown>) => Subject<Command>;
}

export interface BotRig {
  readonly bot: Bot;
  readonly clock: VirtualScheduler;
  readonly market: ScriptedMarket;
  readonly venue: VenueAccount;
  /** What each strategy is asked to command, in their order. */
  readonly commands: readonly Subject<Command>[];
  readonly contexts: readonly Context<unknown>[];
  readonly logs: string[];
  readonly settings: BotSettings;
  /** Lets so much time pass, and what is due in it happen. */
  pass(ms: number): Promise<void>;
}

export interface RigOptions {
  readonly data?: string;
  readonly clock?: VirtualScheduler;
  readonly strategies?: readonly TestStrategy[];
  readonly account?: Partial<AccountSettings>;
  readonly settings?: Partial<BotSettings>;
  /** Another venue than the exchange of this process. */
  readonly venue?: (paper: PaperAccount, clock: VirtualScheduler) => VenueAccount;
  readonly balances?: Readonly<Record<string, string>>;
  /** The only one that is traded; a spot symbol without margin where absent. */
  readonly instrument?: Instrument;
  readonly market?: (market: ScriptedMarket) => void;
  /** What a reload finds, of what there was. */
  readonly reread?: (settings: BotSettings) => BotSettings;
  /** Told what happens. */
  readonly notifier?: Pick<Notifier, 'take' | 'lines'>;
}

export const folder = (): string => mkdtempSync(join(tmpdir(), 'millrace-bot-'));

const amounts = (given: Readonly<Record<string, string>>): ReadonlyMap<string, Decimal> =>
  new Map(Object.entries(given).map(([currency, amount]) => [currency, decimal(amount)]));

/** Lets promises and what they lead to happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

/** A bot on paper, on a clock and a market in the hands of the test. */
export async function botRig(options: RigOptions = {}): Promise<BotRig> {
  const clock = options.clock ?? new VirtualScheduler(START);
  const instrument = options.instrument ?? new Instrument(TERMS);
  const market = new ScriptedMarket(instrument, clock);
  options.market?.(market);
  const logs: string[] = [];
  const contexts: Context<unknown>[] = [];
  const given = options.strategies ?? [{}];
  const commands = given.map(() => new Subject<Command>());
  const settings: BotSettings = {
    name: 'tested',
    mode: 'paper',
    data: options.data ?? folder(),
    accounts: [accountOf(options)],
    strategies: given.map((one, index) => strategyOf(one, index, commands, contexts)),
    reconciliation: { everyUs: 30_000_000, foreignOrders: 'report', lostAfterUs: 5_000_000 },
    shutdown: { orders: 'cancel', withinUs: 5_000_000 },
    ...options.settings,
  };
  const log = (level: string) => (message: string) => logs.push(`${level} ${message}`);
  let venue: VenueAccount | undefined;
  const opening = Bot.open(settings, {
    scheduler: clock,
    random: new Random(7),
    log: { debug: log('debug'), info: log('info'), warn: log('warn') },
    meter: emptyMeter(),
    notifier: options.notifier,
    reread: () => options.reread?.(settings) ?? settings,
    connect: (account, _, journal) => {
      const paper = new PaperAccount({
        venue: 'paper',
        instruments: [instrument],
        scheduler: clock,
        settings: account.paper,
      });
      continuePaper(paper, journal);
      venue = options.venue?.(paper, clock) ?? paper;
      return { venue, market, paper, row: (_, columns, row) => paper.market(0, columns, row) };
    },
  });
  const bot = await driven(opening, clock);
  if (venue === undefined) throw new Error('nothing was opened');
  // A bot holds the clock of RxJS; the next test needs it whatever became of this one.
  onTestFinished(async () => {
    await driven(bot.close(), clock);
  });
  const pass = async (ms: number): Promise<void> => {
    const until = clock.now() + ms * 1_000;
    await settle();
    while (clock.now() < until) {
      clock.advanceTo(micros(Math.min(until, clock.now() + 10_000)));
      await settle();
    }
  };
  return { bot, clock, market, venue, commands, contexts, logs, settings, pass };
}

/** A strategy that commands what the test says, and what its own function says. */
const strategyOf = (
  { run, ...rest }: TestStrategy,
  index: number,
  commands: readonly Subject<Command>[],
  contexts: Context<unknown>[],
): StrategySettings => ({
  name: `s${index}`,
  strategy: defineStrategy({
    name: 'tested',
    summary: 'A test.',
    parameters: z.object({}),
    run: (context) => {
      contexts[index] = context;
      run?.(context).subscribe((command) => commands[index]?.next(command));
      return commands[index] ?? new Subject<Command>();
    },
  }),
  parameters: {},
  account: 'main',
  symbols: ['BTCUSDT'],
  warmUpUs: 0,
  onFailure: 'cancel',
  risk: NO_LIMITS,
  ...rest,
});

const accountOf = ({ balances = { USDT: '1000', BTC: '1' }, account }: RigOptions) => ({
  name: 'main',
  service: { url: 'http://127.0.0.1:1', version: 3 as const },
  market: { kind: 'service' as const },
  paper: { balances: amounts(balances), orderUs: 1_000, reportUs: 1_000 },
  risk: NO_LIMITS,
  ...account,
});

/** Moves the clock until a promise is settled. */
export async function driven<T>(promise: Promise<T>, clock: VirtualScheduler): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  for (let i = 0; i < 10_000; i += 1) {
    await settle();
    if (isOver) break;
    clock.advanceTo(micros(clock.now() + 10_000));
  }
  return await promise;
}
