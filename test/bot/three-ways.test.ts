import { join } from 'node:path';
import { distinctUntilChanged, filter, map, mergeMap, timer, type Observable } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run.ts';
import { Bot } from '../../src/bot/bot.ts';
import { connectPaper } from '../../src/bot/connection/paper.ts';
import type { VenueConnection } from '../../src/bot/connection/venue-connection.ts';
import type { Journal } from '../../src/bot/journal/journal.ts';
import type { AccountSettings } from '../../src/bot/settings/settings.ts';
import { TradingAccount } from '../../src/gateways/trading/account/account.ts';
import { TradingClient } from '../../src/gateways/trading/client/client.ts';
import { TradingMarket } from '../../src/gateways/trading/market/market.ts';
import { bracket, cancelAll, cross, defineStrategy, flat, isolated, place, setMargin, target, z, type Command, type Context, type MarginEvent, type Strategy } from '../../src/index.ts'; // prettier-ignore
import { decimal } from '../../src/model/decimal.ts';
import { splitRate, splitSteps } from '../../src/model/derivative.ts';
import { FUNDING, INDEX, LAST, MARK, QUOTE, SELL, TRADE } from '../../src/model/events.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { Random } from '../../src/platform/random.ts';
import { micros, US_PER_HOUR, US_PER_MS, US_PER_SECOND } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { Simulation } from '../../src/server/simulation/simulation.ts';
import { onMargin } from '../exchange/margin/kit.ts';
import { openRelay, type Relay } from '../gateways/trading/kit/relay.ts';
import { openSocketRelay, type SocketRelay } from '../gateways/trading/kit/socket-relay.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { sizeOf } from '../kit/size.ts';
import { pause } from './kill/sure.ts';
import { emptyMeter } from './meter.ts';
import { folder, NO_LIMITS, settle } from './rig.ts';
import { venueSettings } from './venue-settings.ts';

// One strategy over one recording in a backtest, on paper and live, where the venue of this machine plays the
// recording. All three see the same orders, fills, positions, payments and balances at the same microsecond.
//
// Nothing is compared that cannot be the same:
// - Requests and reports take no time, as the clock stands still while they are on their way. Over a network they
//   take some, and latencies in a backtest are a model of it.
// - The venue tells mark prices each second, and a recording as they come: the recording has them some seconds
//   before the strategy acts, which then knows the same one everywhere. What follows from the mark price of each
//   moment (equity, unrealized results, what is available) is left out.
// - The book of a venue has the strategy's own orders in it and lacks what they took, and its trades are those of the
//   strategy too: the strategy takes prices from the mark price and time from the clock, and the book bears all that
//   it trades in a cycle. Beyond that, a target that the book did not bear is tried again with the next change of the
//   book, which is the strategy's own there.
// - Rate and price of a payment are told by the histories of the service alone.
// - Times that the service writes are whole milliseconds; when the strategy hears of something is not.
// - Numbers of orders and trades, and names of orders, are each side's own: orders are numbered as they come.

/** Minutes of the recording. */
const MINUTES = sizeOf('MILLRACE_THREE_WAYS_MINUTES', 3, 60);
const LEAD_US = 30 * US_PER_SECOND;
/** A funding is at 8:00, once there are positions. */
const FROM = Date.UTC(2026, 0, 5, 7, 58, 0) * 1_000;
const CYCLE_US = 10 * US_PER_SECOND;
const CYCLES = Math.max(12, MINUTES * 6);
const UNTIL = FROM + LEAD_US + CYCLES * CYCLE_US;
/** In each cycle prices of contracts come first, then the market; then the strategy acts, and the market moves on. */
const ACTS_US = 8 * US_PER_SECOND;

const TERMS = {
  tickSize: '1',
  quantityIncrement: '0.01',
  takeRate: '0.001',
  makeRate: '0.0002',
  margin: onMargin(),
} as const;
const SPOT = instrumentOf(TERMS).terms;
const PERPETUAL = instrumentOf({
  ...TERMS,
  symbol: 'BTCUSDT_PERP',
  type: 'futures',
  contractType: 'perpetual',
}).terms;
const [S, P] = [SPOT.symbol, PERPETUAL.symbol];
const USDT = '40000';
/** What lies in wallet and derivatives, which no setting takes while spot has enough. */
const [WALLET, DERIVATIVES] = ['300', '70'] as const;
const OTHER = {
  wallet: new Map([['USDT', decimal(WALLET)]]),
  derivatives: new Map([['USDT', decimal(DERIVATIVES)]]),
};
const RATES = { USDT: '0.0003', BTC: '0.0001' };

/** Recordings of both, of which the first row is at `FROM`. */
function recordings(seed: number): readonly string[] {
  const random = new Random(seed);
  const rows: [Row[], Row[]] = [[], []];
  let price = 1_000;
  let at = FROM;
  const add = (of: 0 | 1, kind: number, flags: number, ...numbers: readonly number[]): void => {
    // The first is at a whole millisecond, from which timers count.
    if (rows[0].length > 0) at += random.integer(20_001, 90_003);
    const [a = 0, b = 0, c = 0, d = 0] = numbers;
    rows[of].push([at, at, kind, flags, 0, a, b, c, d, 0]);
  };
  const quote = (of: 0 | 1): void => {
    const middle = price + (of === 0 ? 0 : random.integer(-1, 2));
    const size = (): number => random.integer(4_000, 9_000);
    add(of, QUOTE, LAST, middle - 1, size(), middle + 1, size());
  };
  const trade = (of: 0 | 1): void => {
    const isSell = random.chance(0.5);
    add(of, TRADE, LAST | (isSell ? SELL : 0), price + (isSell ? -2 : 2), random.integer(1, 900));
  };
  const near = (kind: number): void => {
    const split = splitSteps(decimal(`${price}.${random.integer(0, 999)}`), decimal('1'));
    add(1, kind, LAST, split?.whole ?? 0, split?.rest ?? 0);
  };
  for (const of of [0, 1] as const) quote(of);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    at = FROM + LEAD_US + cycle * CYCLE_US;
    const jump = random.chance(0.1) ? random.integer(-60, 60) : 0;
    price = Math.max(700, price + random.integer(-6, 6) + jump);
    near(INDEX);
    near(MARK);
    if (cycle % 3 === 0) {
      const sign = random.chance(0.4) ? '-' : '';
      const rate = splitRate(decimal(`${sign}0.000${random.integer(1, 9)}`));
      const next = (Math.floor(at / US_PER_HOUR) + 1) * US_PER_HOUR;
      add(1, FUNDING, LAST, rate?.whole ?? 0, rate?.rest ?? 0, next, next + US_PER_HOUR);
    }
    for (const moveUs of [4 * US_PER_SECOND, ACTS_US + US_PER_SECOND / 4]) {
      at = FROM + LEAD_US + cycle * CYCLE_US + moveUs;
      price += random.integer(-2, 2);
      for (const of of [0, 1] as const) {
        quote(of);
        trade(of);
      }
    }
  }
  const files = temporaryFolder();
  return [
    writeRecording(join(files, 's.arrow'), rows[0], eventsMeta({ instrument: SPOT })),
    writeRecording(join(files, 'p.arrow'), rows[1], derivativesMeta({ instrument: PERPETUAL })),
  ];
}

/** Losses and fees are made good from spot. */
const replenish = { floor: decimal('4999'), target: decimal('5000'), maxPerDay: decimal('2500') };

/** The same of one account, by the configuration. */
const REPLENISHED = [{ symbol: S, mode: 'cross', replenish }] as const;

/** Gives commands of all kinds by chance, once in a cycle, at prices around the mark price. */
const chancer = (seed: number, seen: Seen): Strategy =>
  defineStrategy({
    name: 'chancer',
    summary: 'Does anything.',
    parameters: z.object({}),
    run: (context) => {
      const random = new Random(seed);
      seen.watch(context);
      let mark = 0;
      context.market.mark(P).subscribe(({ price }) => {
        mark = Math.round(price.toNumber());
      });
      const places = [isolated(P), cross(P), isolated(S), cross(S)] as const;
      let count = 0;
      const dueMs = (FROM + LEAD_US + ACTS_US - context.clock.now()) / US_PER_MS;
      return timer(dueMs, CYCLE_US / US_PER_MS).pipe(
        filter(() => context.clock.now() < UNTIL - CYCLE_US),
        mergeMap((): Command[] => {
          count += 1;
          if (count <= 4) {
            return [
              setMargin(places[count - 1], {
                balance: decimal('5000'),
                leverage: 5,
                ...(count === 4 ? {} : { replenish }),
              }),
            ];
          }
          const side = random.chance(0.5) ? 'buy' : 'sell';
          const sign = side === 'buy' ? 1 : -1;
          const size = lots(random.integer(1, 300));
          const limit = (away: number) => ticks(mark - away * sign);
          if (random.chance(0.3)) {
            const kind = random.integer(0, 2);
            if (kind === 0) return [target(S, { lots: random.integer(0, 400) })];
            if (kind === 1) return [place(S, { side, type: 'limit', ticks: limit(2), lots: size })];
            return [cancelAll(S), place(S, { side: 'buy', type: 'market', lots: size })];
          }
          const where = places[random.integer(0, 3)];
          switch (random.integer(0, 7)) {
            case 0:
              return [flat(where)];
            case 1:
              return [cancelAll(where)];
            case 2:
              return [setMargin(where, { balance: decimal(String(random.integer(3_000, 6_000))) })];
            case 3:
              return [place(where, { side, type: 'limit', ticks: limit(3), lots: size })];
            case 4:
              return [place(where, { side, type: 'market', lots: size, reduceOnly: true })];
            case 5:
              return [
                bracket(where, {
                  entry: { side, type: 'limit', ticks: limit(-4) },
                  takeProfit: { ticks: limit(-9) },
                  stopLoss: { stopTicks: limit(9) },
                  lots: size,
                }),
              ];
            default:
              return [target(where, { lots: sign * random.integer(1, 600) })];
          }
        }),
      );
    },
  });

/** What a strategy is shown, as lines that can be compared: what stands at the end of each moment, and all that happens in it. */
class Seen {
  readonly #lines = new Map<string, string>();
  readonly #orders = new Map<string, number>();
  #count = 0;

  get lines(): readonly string[] {
    return [...this.#lines].map(([key, text]) => `${key} ${text}`).sort();
  }

  watch({ account, clock }: Context<unknown>): void {
    /** Of a state the last at each moment counts. */
    const state = (name: string, states$: Observable<unknown>): void => {
      states$
        .pipe(
          map((value) => JSON.stringify(value)),
          distinctUntilChanged(),
        )
        .subscribe((text) => this.#lines.set(`${this.#moment(clock)} ${name}`, text));
    };
    const event = (name: string, events$: Observable<unknown>): void => {
      events$.subscribe((value) => {
        this.#count += 1;
        const number = String(this.#count).padStart(6, '0');
        this.#lines.set(`${this.#moment(clock)} ${name} ${number}`, JSON.stringify(value));
      });
    };
    account.orders().subscribe((order) => {
      const { symbol, margin, side, type, status, lots: size, filledLots } = order;
      const { ticks: price, stopTicks, timeInForce } = order;
      const terms = [symbol, margin, side, type, timeInForce, size, price, stopTicks];
      const key = `${this.#moment(clock)} order ${this.#number(order.clientOrderId)}`;
      this.#lines.set(key, JSON.stringify([...terms, status, filledLots]));
    });
    event(
      'fill',
      account
        .fills()
        .pipe(
          map(({ clientOrderId, symbol, side, ticks: price, lots: size, fee, taker }) => [
            ...[this.#number(clientOrderId), symbol, side, price, size, fee, taker],
          ]),
        ),
    );
    for (const currency of ['USDT', 'BTC']) {
      const balance$ = account.balances(currency);
      state(
        `balance ${currency}`,
        balance$.pipe(map(({ available, reserved }) => [available, reserved])),
      );
    }
    for (const kind of ['wallet', 'derivatives'] as const) {
      const balance$ = account.balances('USDT', kind);
      state(
        `balance ${kind}`,
        balance$.pipe(
          map(({ available, reserved, reservedMargin }) => [available, reserved, reservedMargin]),
        ),
      );
    }
    state('position', account.position(S).pipe(map((held) => held.lots)));
    for (const where of [isolated(P), cross(P), isolated(S), cross(S)]) {
      const name = `${where.margin} ${where.symbol}`;
      state(
        `margin ${name}`,
        account.margin(where).pipe(map((one) => [one.state, one.balance, one.leverage])),
      );
      state(
        `position ${name}`,
        account.position(where).pipe(
          map(({ lots: held, entryPrice, realizedPnl, fees, carry, liquidationPrice }) => [
            ...[held, entryPrice, realizedPnl, fees, carry],
            // On cross margin it is of the mark prices of all positions.
            where.margin === 'isolated' ? liquidationPrice : undefined,
          ]),
        ),
      );
      event(`event ${name}`, account.marginEvents(where).pipe(map(happened)));
    }
  }

  #moment(clock: Context<unknown>['clock']): string {
    return String(clock.now() - FROM).padStart(12, '0');
  }

  #number(id: string): number {
    const number = this.#orders.get(id) ?? this.#orders.size;
    this.#orders.set(id, number);
    return number;
  }
}

/** An event without what is not told everywhere. */
function happened(event: MarginEvent): unknown {
  const { at, ...rest } = event;
  // The service writes whole milliseconds.
  const ms = Math.floor((at - FROM) / US_PER_MS);
  if (rest.kind !== 'funding' && rest.kind !== 'interest') return [ms, rest];
  return [ms, rest.kind, rest.amount];
}

interface Run {
  readonly strategy: Strategy;
  readonly scheduler: VirtualScheduler;
  readonly market: AccountSettings['market'];
  readonly connect: (
    account: AccountSettings,
    journal: Journal,
  ) => VenueConnection | Promise<VenueConnection>;
  /** Kept when nothing is on its way any more. */
  readonly quiet: () => Promise<void>;
}

/** Opens a bot and runs it to the end of the recording. */
async function runBot(mode: 'paper' | 'live', run: Run): Promise<void> {
  const { strategy, scheduler, market, connect, quiet } = run;
  const account: AccountSettings = {
    name: 'main',
    service: { url: 'http://127.0.0.1:1', version: 3 },
    market,
    paper: {
      balances: new Map([['USDT', decimal(USDT)]]),
      orderUs: 0,
      reportUs: 0,
      dailyRates: RATES,
      nonSpotBalances: OTHER,
    },
    risk: NO_LIMITS,
  };
  const everyUs = 24 * US_PER_HOUR;
  const opening = Bot.open(
    {
      name: 'threefold',
      mode,
      data: folder(),
      accounts: [account],
      strategies: [
        {
          name: 'one',
          strategy,
          parameters: {},
          account: 'main',
          symbols: [S, P],
          warmUpUs: 0,
          onFailure: 'cancel',
          risk: NO_LIMITS,
          replenish: REPLENISHED,
        },
      ],
      // A comparison changes nothing, and takes calls.
      reconciliation: { everyUs, foreignOrders: 'report', lostAfterUs: everyUs },
      shutdown: { orders: 'keep', withinUs: US_PER_SECOND },
    },
    {
      scheduler,
      random: new Random(5),
      log: SILENT,
      meter: emptyMeter(),
      connect: (one, _, journal) => connect(one, journal),
    },
  );
  /** Files and sockets take their time, in which the clock moves by a step each time. */
  const done = async <T>(promise: Promise<T>, stepUs: number): Promise<T> => {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    promise.then(over, over);
    while (!isOver) {
      await quiet();
      scheduler.advanceTo(micros(scheduler.now() + stepUs));
    }
    return promise;
  };
  // A recording is played from when the bot opens: no time may pass before.
  const bot = await done(opening, 0);
  while (scheduler.now() < UNTIL) {
    scheduler.advanceTo(micros(Math.min(scheduler.nextAt, UNTIL)));
    await quiet();
  }
  await done(bot.close(), US_PER_MS);
}

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };

async function onPaper(paths: readonly string[], strategy: Strategy): Promise<void> {
  const scheduler = new VirtualScheduler(micros(FROM));
  const means = { scheduler, random: new Random(6), log: SILENT };
  await runBot('paper', {
    strategy,
    scheduler,
    market: { kind: 'recordings', paths, speed: 1 },
    connect: (account, journal) => connectPaper(account, journal, means),
    quiet: async () => {
      await settle();
      await pause(0);
    },
  });
}

async function live(paths: readonly string[], strategy: Strategy): Promise<void> {
  const scheduler = new VirtualScheduler(micros(FROM));
  const [member] = venueSettings(['bot']).members;
  const balances = { spot: { USDT }, wallet: { USDT: WALLET }, derivatives: { USDT: DERIVATIVES } };
  const settings = venueSettings([], {
    members: [{ ...member, balances }],
    symbols: [SPOT, PERPETUAL].map((terms) => ({ terms, status: 'working' as const })),
    market: [{ kind: 'recorded', files: paths, speed: 1, atEnd: 'stop' }],
    rateLimits: false,
    exchange: { margin: { dailyRates: RATES } },
  });
  const simulation = await Simulation.open(settings, scheduler);
  onTestFinished(() => simulation.close());
  const base = `http://127.0.0.1:${simulation.venue.port}`;
  const calls = await openRelay(base);
  const relay = await openSocketRelay(base);
  await runBot('live', {
    strategy,
    scheduler,
    market: { kind: 'service' },
    connect: () => serviceAt(calls, relay, scheduler),
    quiet: async () => {
      const traffic = (): number => relay.frames + calls.received.length;
      const called = calls.received.length;
      // Between two calls nothing is on its way for longer than between two frames.
      const isOver = (still: number): boolean => still >= (calls.received.length > called ? 10 : 3);
      for (let still = 0; !isOver(still);) {
        const before = traffic();
        await relay.settle();
        await pause(0);
        still = traffic() === before && calls.pending === 0 ? still + 1 : 0;
      }
    },
  });
}

/** The service behind an account, which is asked as fast as it is wanted. */
function serviceAt(calls: Relay, relay: SocketRelay, scheduler: VirtualScheduler): VenueConnection {
  const client = new TradingClient({
    baseUrl: `${calls.url}/api/3`,
    wsUrl: `${relay.url.replace('http', 'ws')}/api/3/ws`,
    scheduler,
    random: new Random(7),
    paced: false,
    credentials: { key: 'bot', secret: 'bot-secret', scheme: 'hs256' },
  });
  const setup = { client, scheduler, random: new Random(8) };
  return {
    venue: new TradingAccount(setup),
    market: new TradingMarket(setup),
    close: () => client.close(),
  };
}

/** Lines from the first command on, but for the last moments. */
const compared = ({ lines }: Seen): readonly string[] =>
  lines.filter((line) => {
    const at = FROM + Number(line.split(' ')[0]);
    return at >= FROM + LEAD_US && at < UNTIL - CYCLE_US;
  });

test.each([1])(
  'a strategy does and is shown the same in a backtest, on paper and live, where the venue plays the recording (seed %i)',
  async (seed) => {
    const paths = recordings(seed);
    const [inBacktest, played, lived] = [new Seen(), new Seen(), new Seen()];
    const result = await runBacktest({
      strategy: chancer(seed, inBacktest),
      parameters: {},
      balances: { USDT },
      dailyRates: RATES,
      nonSpotBalances: OTHER,
      replenish: REPLENISHED,
      recordings: paths,
      latency: { orderUs: 0, reportUs: 0 },
    });
    expect(result.failure).toBeUndefined();
    await onPaper(paths, chancer(seed, played));
    const lines = compared(inBacktest);
    expect(compared(played)).toEqual(lines);
    await live(paths, chancer(seed, lived));
    expect(compared(lived)).toEqual(lines);
    const count = (text: string): number => lines.filter((line) => line.includes(text)).length;
    expect(count(` balance derivatives ["${DERIVATIVES}","0","`)).toBeGreaterThan(2);
    expect(count(' fill ')).toBeGreaterThan(CYCLES / 4);
    expect(count('"kind":"marginChanged"')).toBeGreaterThan(3);
    expect(count(',"funding",')).toBeGreaterThan(0);
    expect(count(',"interest",')).toBeGreaterThan(0);
    expect(count(` ["${S}",null,`)).toBeGreaterThan(0);
    const reported = (text: string): number =>
      result.logs.rows.filter(({ message }) => message.includes(text)).length;
    expect(reported(' was replenished by ')).toBeGreaterThan(3);
    expect(reported('The margin account cross spot USDT was replenished by ')).toBeGreaterThan(0);
  },
  120_000 + MINUTES * 60_000,
);
