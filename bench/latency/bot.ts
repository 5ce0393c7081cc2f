import process, { exit, memoryUsage } from 'node:process';
import { filter, map } from 'rxjs';
import { connect } from '../../src/bot/connection/connect.ts';
import { Bot } from '../../src/bot/bot.ts';
import type { Meter } from '../../src/bot/api/bot-api.ts';
import type { BotSettings, RiskSettings } from '../../src/bot/settings/settings.ts';
import type { MarketListener, MarketSource } from '../../src/gateways/market-source.ts';
import type { VenueAccount } from '../../src/gateways/venue-account.ts';
import { busyNs, elapsedNs } from '../../src/platform/stopwatch.ts';
import { systemRandom } from '../../src/platform/system-random.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { defineStrategy, place, z } from '../../src/index.ts';
import { ASKING_LOTS, BELOW_TICKS } from './market.ts';

/** Where the time of an order goes within the process, in microseconds. */
export interface Stations {
  /** From the receipt of the frame until its rows are read. */
  readonly read: number;
  /** Until the strategy has given its command. */
  readonly strategy: number;
  /** Rules and limits, until the journal is written to. */
  readonly limits: number;
  readonly journal: number;
  /** Handing the order over to the socket. */
  readonly send: number;
}

export interface BotUsage {
  readonly rows: number;
  readonly busyNs: number;
  readonly elapsedNs: number;
  readonly rssBytes: number;
  readonly heldBytes: number;
  /** The longest time between a frame's receipt and the end of what it led to, since the last question. */
  readonly worstUs: number;
}

export type BotQuestion = 'stations' | 'usage';
export type BotAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'stations'; readonly stations: readonly Stations[] }
  | ({ readonly kind: 'usage' } & BotUsage);

const scheduler = new SystemScheduler();
const stations: Stations[] = [];
let rows = 0;
let worstUs = 0;
let readAt = 0;
let receivedAt = 0;
let commandAt = 0;
let journalUs = 0;

const trivial = defineStrategy({
  name: 'trivial',
  summary: 'Orders below each bid that asks for it.',
  parameters: z.object({}),
  run: ({ market }) =>
    market.bbo('BTCUSDT').pipe(
      filter(({ bidLots }) => bidLots === ASKING_LOTS),
      map(({ bidTicks }) => {
        commandAt = elapsedNs();
        const ticks = bidTicks - BELOW_TICKS;
        return place('BTCUSDT', {
          type: 'limit',
          side: 'buy',
          lots: 10,
          ticks,
          timeInForce: 'IOC',
        });
      }),
    ),
});

/** The same market, with the time noted at which rows are read and done with. */
const timed = (market: MarketSource): MarketSource => ({
  contents: (symbol) => market.contents?.(symbol),
  history: (instrument, period, from, till) => market.history(instrument, period, from, till),
  close: () => market.close(),
  open: (wanted, listener) => {
    const noted: MarketListener = {
      connectionState: (index, connectionState, why) =>
        listener.connectionState(index, connectionState, why),
      rows: (index, columns) => {
        readAt = elapsedNs();
        receivedAt = columns.receivedAt[columns.length - 1];
        rows += columns.length;
        listener.rows(index, columns);
        worstUs = Math.max(worstUs, scheduler.now() - receivedAt);
      },
    };
    return market.open(wanted, noted);
  },
});

/** The same account, with the time noted that sending takes. */
function watched(venue: VenueAccount): VenueAccount {
  const send = venue.send.bind(venue);
  venue.send = (request) => {
    const from = elapsedNs();
    send(request);
    const till = elapsedNs();
    if (request.kind !== 'place') return;
    const now = scheduler.now();
    const read = Math.max(0, readAt / 1_000 - (receivedAt - now + till / 1_000));
    const pending = { read, strategy: (commandAt - readAt) / 1_000, send: (till - from) / 1_000 };
    // The journal reports its share right after.
    afterSend = () => {
      const limits = (from - commandAt) / 1_000 - journalUs;
      stations.push({ ...pending, limits, journal: journalUs });
    };
  };
  return venue;
}
let afterSend: () => void = () => undefined;

const meter: Meter = {
  feedDelay: () => undefined,
  decision: (_, __, us) => {
    journalUs = us;
    afterSend();
    afterSend = () => undefined;
  },
  acknowledged: () => undefined,
  sent: () => undefined,
  rejected: () => undefined,
  filled: () => undefined,
  reconnected: () => undefined,
  found: () => undefined,
  marginEvent: () => undefined,
};

const NO_LIMITS: RiskSettings = {
  maxQuantity: new Map(),
  maxNotional: new Map(),
  maxPosition: new Map(),
  maxExposure: new Map(),
  maxDailyLoss: new Map(),
  preventOwnCross: true,
  onBreach: 'halted',
};

const settingsOf = (port: string, data: string): BotSettings => ({
  name: 'bench',
  mode: 'live',
  data,
  accounts: [
    {
      name: 'main',
      service: {
        url: `http://127.0.0.1:${port}`,
        version: 3,
        credentials: { key: 'bot', secret: 'bot-secret' },
      },
      market: { kind: 'service' },
      paper: { balances: new Map(), orderUs: 0, reportUs: 0 },
      risk: NO_LIMITS,
    },
  ],
  strategies: [
    {
      name: 'trivial',
      strategy: trivial,
      parameters: {},
      account: 'main',
      symbols: ['BTCUSDT'],
      warmUpUs: 0,
      onFailure: 'cancel',
      risk: NO_LIMITS,
    },
  ],
  reconciliation: { everyUs: 30_000_000, foreignOrders: 'report', lostAfterUs: 15_000_000 },
  shutdown: { orders: 'cancel', withinUs: 1_000_000 },
});

const emit = (answer: BotAnswer): void => void process.send?.(answer);

function usage(): BotUsage {
  const figures = { rows, busyNs: busyNs(), elapsedNs: elapsedNs(), worstUs };
  worstUs = 0;
  const { rss } = memoryUsage();
  // What is garbage is not held; how much of it there is depends on when V8 looked last.
  globalThis.gc?.();
  const { heapUsed, external } = memoryUsage();
  return { ...figures, rssBytes: rss, heldBytes: heapUsed + external };
}

async function run(port: string, data: string): Promise<void> {
  const random = systemRandom();
  const warn = (message: string): void => void process.stderr.write(`${message}\n`);
  const log = { debug: () => undefined, info: () => undefined, warn };
  const bot = await Bot.open(settingsOf(port, data), {
    scheduler,
    random,
    log,
    meter,
    connect: async (account, { mode }, journal) => {
      const behind = await connect(account, mode, journal, { scheduler, random, log });
      return { ...behind, market: timed(behind.market), venue: watched(behind.venue) };
    },
  });
  process.on('message', (question: BotQuestion) => {
    if (question === 'usage') emit({ kind: 'usage', ...usage() });
    else emit({ kind: 'stations', stations: stations.splice(0) });
  });
  process.on('disconnect', () => void bot.close().finally(() => exit(0)));
  emit({ kind: 'ready' });
}

const [, , what, port = '', data = ''] = process.argv;
if (what === 'bot') await run(port, data);
