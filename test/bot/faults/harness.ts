import { join } from 'node:path';
import { EMPTY, ignoreElements, merge, Subject, type Observable } from 'rxjs';
import { expect, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { VenueConnection } from '../../../src/bot/connection/venue-connection.ts';
import { connect } from '../../../src/bot/connection/connect.ts';
import { Bot } from '../../../src/bot/bot.ts';
import type { BotSettings, RiskSettings } from '../../../src/bot/settings/settings.ts';
import { TradingAccount } from '../../../src/gateways/trading/account/account.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { TradingMarket } from '../../../src/gateways/trading/market/market.ts';
import type { SocketOptions } from '../../../src/gateways/trading/socket/options.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import type { faultPlan } from '../../../src/server/faults/plan.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import type { Context } from '../../../src/strategy/context.ts';
import type { Order } from '../../../src/model/order.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import { place } from '../../../src/strategy/orders.ts';
import { journalBooks, venueBooks } from '../kill/books.ts';
import { emptyMeter } from '../meter.ts';
import { folder, NO_LIMITS } from '../rig.ts';
import { MONEY, venueSettings } from '../venue-settings.ts';
import { Hop } from './hop.ts';

const ADMIN = 'admin-token-of-the-trial';

/** A live bot on a venue over a hop, all by the real clock, and somebody to trade with. */
export interface FaultHarness {
  readonly bot: Bot;
  readonly hop: Hop;
  readonly data: string;
  readonly logs: string[];
  readonly commands: Subject<Command>;
  readonly context: Context<unknown>;
  /** Every state of an order that the strategy was shown. */
  readonly seen: Order[];
  /** The bot's own account, past the hop. */
  readonly own: TradingClient;
  /** Somebody else, with money. */
  readonly other: TradingClient;
  readonly settings: BotSettings;
  /** Lets something go wrong at the venue, or nothing any more. */
  faults(plan?: z.input<typeof faultPlan>): Promise<void>;
  /** Waits until something is true, for nearly as long as a test may take. */
  until(condition: () => void | Promise<void>): Promise<void>;
  /** Waits until bot, journal and venue say the same; the journal has no orders of others. */
  prove(foreign?: readonly string[]): Promise<void>;
}

export interface FaultHarnessOptions {
  /** What goes wrong from before the bot opens on. */
  readonly faults?: z.input<typeof faultPlan>;
  readonly settings?: Partial<BotSettings>;
  readonly risk?: Partial<RiskSettings>;
  readonly accountRisk?: Partial<RiskSettings>;
  readonly data?: string;
  /** What the strategy listens to from its start to its end. */
  readonly listen?: (context: Context<unknown>) => Observable<unknown>;
  /** What the venue is beside what it is for all. */
  readonly venue?: Partial<SimulationSettings>;
  /** Of the connections to the venue. */
  readonly socket?: Partial<SocketOptions>;
}

export const buy = (lots: number, ticks: number): Command =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots, ticks });

export const sell = (lots: number, ticks: number): Command =>
  place('BTCUSDT', { type: 'limit', side: 'sell', lots, ticks });

const scheduler = new SystemScheduler();
const UNTIL_MS = 100_000;

async function playFaults(port: number, plan: z.input<typeof faultPlan>): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/admin/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    body: JSON.stringify(plan),
  });
  if (!answer.ok) throw new Error(`the plan was refused: ${await answer.text()}`);
}

const clientOf = (port: number, name: string): TradingClient =>
  new TradingClient({
    url: `http://127.0.0.1:${port}`,
    credentials: { key: name, secret: `${name}-secret`, scheme: 'hs256' },
  });

/** The venue and its market over connections that are looked after in another way than usual. */
function overSockets(port: number, socket: Partial<SocketOptions>): VenueConnection {
  const setup = { client: clientOf(port, 'bot'), scheduler, random: new Random(6), socket };
  return {
    venue: new TradingAccount(setup),
    market: new TradingMarket(setup),
    close: () => setup.client.close(),
  };
}

function settingsOf(
  port: number,
  data: string,
  options: FaultHarnessOptions,
  strategy: BotSettings['strategies'][number]['strategy'],
): BotSettings {
  const risk = { ...NO_LIMITS, ...options.risk };
  return {
    name: 'staged',
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
        risk: { ...NO_LIMITS, ...options.accountRisk },
      },
    ],
    strategies: [
      {
        name: 'puppet',
        strategy,
        parameters: {},
        account: 'main',
        symbols: ['BTCUSDT'],
        warmUpUs: 0,
        onFailure: 'cancel',
        risk,
      },
    ],
    reconciliation: { everyUs: 200_000, foreignOrders: 'report', lostAfterUs: 700_000 },
    shutdown: { orders: 'cancel', withinUs: 5_000_000 },
    ...options.settings,
  };
}

/** Sets the stage for a test; everything is closed with it. */
export async function openHarness(options: FaultHarnessOptions = {}): Promise<FaultHarness> {
  const simulation = await Simulation.open(
    venueSettings(['bot', 'other'], { adminToken: ADMIN, ...options.venue }),
    scheduler,
  );
  // What was opened last is closed first.
  onTestFinished(() => simulation.close());
  const { port } = simulation.venue;
  const hop = await Hop.open(port);
  const [own, other] = [clientOf(port, 'bot'), clientOf(port, 'other')];
  onTestFinished(async () => {
    hop.close();
    await Promise.all([own.close(), other.close()]);
  });
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'buy',
    price: '49990',
    quantity: '0.5',
  });
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'sell',
    price: '50010',
    quantity: '0.5',
  });
  if (options.faults !== undefined) await playFaults(port, options.faults);
  const data = options.data ?? folder();
  const commands = new Subject<Command>();
  const seen: Order[] = [];
  const logs: string[] = [];
  let context: Context<unknown> | undefined;
  const strategy = defineStrategy({
    name: 'puppet',
    summary: 'Does what a test says.',
    parameters: z.object({}),
    run: (given) => {
      context = given;
      given.account.orders().subscribe((order) => seen.push(order));
      const listened$ = options.listen?.(given) ?? EMPTY;
      return merge(commands, listened$.pipe(ignoreElements()));
    },
  });
  const settings = settingsOf(hop.port, data, options, strategy);
  const log = (message: string): void => void logs.push(message);
  const random = new Random(5);
  const means = { scheduler, random, log: { debug: log, info: log, warn: log } };
  const bot = await Bot.open(settings, {
    ...means,
    meter: emptyMeter(),
    connect: (account, { mode }, journal) =>
      options.socket === undefined
        ? connect(account, mode, journal, means)
        : overSockets(hop.port, options.socket),
  });
  onTestFinished(() => bot.close());
  if (context === undefined) throw new Error('the strategy did not run');
  const until: FaultHarness['until'] = (condition) =>
    vi.waitFor(condition, { timeout: UNTIL_MS, interval: 20 });
  return {
    bot,
    hop,
    data,
    logs,
    commands,
    context,
    seen,
    own,
    other,
    settings,
    until,
    faults: (plan = {}) => playFaults(port, plan),
    prove: (foreign = []) => prove({ bot, own, data, until }, foreign),
  };
}

/** What bot, journal and venue say of orders, fills, balances and position, to the last digit. */
async function prove(
  { bot, own, data, until }: Pick<FaultHarness, 'bot' | 'own' | 'data' | 'until'>,
  foreign: readonly string[],
): Promise<void> {
  await until(async () => {
    const { unknownOrders } = bot.status().strategies[0] ?? {};
    expect(unknownOrders).toBe(0);
    const venue = await venueBooks(own);
    const journal = journalBooks(join(data, 'main.sqlite'));
    const orders = [...venue.orders].filter(([id]) => !foreign.includes(id));
    expect(new Map([...journal.orders].sort())).toEqual(new Map(orders.sort()));
    expect(new Map([...journal.fills].sort())).toEqual(new Map([...venue.fills].sort()));
    const held = Object.fromEntries(
      bot
        .balances()
        .filter(({ currency }) => currency in MONEY)
        .map(({ currency, available, reserved }) => [currency, [available, reserved]]),
    );
    const balances = await own.rest.getSpotBalances();
    const true_ = Object.fromEntries(
      balances
        .filter(({ currency }) => currency in MONEY)
        .map(({ currency, available, reserved }) => [
          currency,
          [available.toFixed(), reserved.toFixed()],
        ]),
    );
    expect(held).toEqual(true_);
    expect(bot.positions()[0]?.quantity).toBe(venue.balances['BTC']);
    const open = await own.rest.getSpotOrders();
    expect(
      bot
        .orders()
        .map(({ clientOrderId }) => clientOrderId)
        .sort(),
    ).toEqual(open.map(({ client_order_id }) => client_order_id).sort());
  });
}
