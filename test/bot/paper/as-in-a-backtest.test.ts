import { join } from 'node:path';
import { mergeMap, type Observable } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { runBacktest } from '../../../src/backtest/run.ts';
import { PaperAccount } from '../../../src/bot/paper/account.ts';
import { RecordedMarketSource } from '../../../src/bot/paper/recorded-market.ts';
import { openRecording } from '../../../src/feeds/reader.ts';
import { AccountGateway } from '../../../src/engine/account-gateway.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { VenueGateway } from '../../../src/engine/gateway.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { splitRate, splitSteps } from '../../../src/model/derivative.ts';
import {
  FUNDING,
  INDEX,
  LAST,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  SELL,
  TRADE,
} from '../../../src/model/events.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import type { MarginAccountState, MarginReport } from '../../../src/model/margin-account.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import type { Context } from '../../../src/strategy/context.ts';
import type { Strategy } from '../../../src/strategy/define.ts';
import { z, bracket, cancelAll, cross, defineStrategy, flat, isolated, place, setMargin, target } from '../../../src/index.ts'; // prettier-ignore
import { lots, ticks } from '../../../src/model/units.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { derivativesMeta, eventsMeta } from '../../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../../kit/recordings.ts';

const FROM = Date.UTC(2026, 0, 5, 7, 40) * 1_000;
const SPAN_US = US_PER_HOUR / 2;
const LATENCY = { orderUs: 12_347, reportUs: 9_871 };
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
const BALANCES = { USDT: '20000' };

/** Half an hour of a walk with jumps, quotes and trades of both, and what is said of the perpetual. */
function recordings(seed: number): readonly string[] {
  const random = new Random(seed);
  const rows: [Row[], Row[]] = [[], []];
  let price = 1_000;
  let at = FROM;
  const add = (of: 0 | 1, kind: number, flags: number, ...numbers: readonly number[]): void => {
    at += random.integer(40_001, 1_300_003);
    const [a = 0, b = 0, c = 0, d = 0] = numbers;
    rows[of].push([at, at - 1_013, kind, flags, 0, a, b, c, d, 0]);
  };
  const both = (kind: number, base: number): void => {
    const split = splitSteps(decimal(`${base}.${random.integer(0, 999)}`), decimal('1'));
    add(1, kind, LAST, split?.whole ?? 0, split?.rest ?? 0);
  };
  while (at < FROM + SPAN_US) {
    price = Math.max(
      700,
      price + random.integer(-6, 6) + (random.chance(0.01) ? random.integer(-90, 90) : 0),
    );
    for (const of of [0, 1] as const) {
      const middle = price + (of === 0 ? 0 : random.integer(-1, 2));
      add(
        of,
        QUOTE,
        LAST,
        middle - 1,
        random.integer(1, 4_000),
        middle + 1,
        random.integer(1, 4_000),
      );
      const isSell = random.chance(0.5);
      add(
        of,
        TRADE,
        LAST | (isSell ? SELL : 0),
        middle + (isSell ? -1 : 1),
        random.integer(1, 900),
      );
    }
    both(INDEX, price);
    both(MARK, price);
    if (random.chance(0.1)) add(1, OPEN_INTEREST, LAST, 0, random.integer(1_000, 9_000));
    if (!random.chance(0.1)) continue;
    const rate = splitRate(decimal(`${random.chance(0.4) ? '-' : ''}0.000${random.integer(1, 9)}`));
    const next = (Math.floor(at / US_PER_HOUR) + 1) * US_PER_HOUR;
    add(1, FUNDING, LAST, rate?.whole ?? 0, rate?.rest ?? 0, next, next + US_PER_HOUR);
  }
  const folder = temporaryFolder();
  return [
    writeRecording(join(folder, 's.arrow'), rows[0], eventsMeta({ instrument: SPOT })),
    writeRecording(join(folder, 'p.arrow'), rows[1], derivativesMeta({ instrument: PERPETUAL })),
  ];
}

/** Gives commands of all kinds by chance with the trades of the perpetual, and writes down what it is shown. */
const chancer = (seed: number, seen: string[]): Strategy =>
  defineStrategy({
    name: 'chancer',
    summary: 'Does anything.',
    parameters: z.object({}),
    run: (context) => {
      const random = new Random(seed);
      watch(context, seen);
      const places = [isolated(P), cross(P), isolated(S), cross(S)] as const;
      let count = 0;
      return context.market.trades(P).pipe(
        mergeMap(({ ticks: last }): Command[] => {
          count += 1;
          if (count <= 4)
            return [setMargin(places[count - 1], { balance: decimal('2000'), leverage: 5 })];
          if (!random.chance(0.4)) return [];
          const where = places[random.integer(0, 3)];
          const side = random.chance(0.5) ? 'buy' : 'sell';
          const sign = side === 'buy' ? 1 : -1;
          const size = lots(random.integer(1, 300));
          switch (random.integer(0, 7)) {
            case 0:
              return [flat(where)];
            case 1:
              return [cancelAll(where)];
            case 2:
              return [setMargin(where, { balance: decimal(String(random.integer(500, 2_500))) })];
            case 3:
              return [
                place(where, { side, type: 'limit', ticks: ticks(last - 3 * sign), lots: size }),
              ];
            case 4:
              return [place(where, { side, type: 'market', lots: size, reduceOnly: true })];
            case 5:
              return [
                bracket(where, {
                  entry: { side, type: 'limit', ticks: ticks(last - sign) },
                  takeProfit: { ticks: ticks(last + 9 * sign) },
                  stopLoss: { stopTicks: ticks(last - 9 * sign) },
                  lots: size,
                }),
              ];
            default:
              return [target(where, sign * random.integer(1, 40) * 0.1)];
          }
        }),
      );
    },
  });

/** All that the streams of an account show, with its time; the numbers that a venue gives aside. */
function watch({ account, clock, market }: Context<unknown>, seen: string[]): void {
  const follow = (name: string, stream: Observable<unknown>): void => {
    stream.subscribe((value) => {
      const text = JSON.stringify(value, (key, member: unknown) =>
        ['instrument', 'id', 'fillIds', 'venueOrder', 'createdAt'].includes(key)
          ? undefined
          : member,
      );
      seen.push(`${clock.now() - FROM} ${name} ${text}`);
    });
  };
  follow('order', account.orders());
  follow('fill', account.fills());
  follow('balance', account.balances('USDT'));
  for (const symbol of [S, P]) {
    for (const where of [isolated(symbol), cross(symbol)]) {
      const name = `${where.margin} ${symbol}`;
      follow(`margin ${name}`, account.margin(where));
      follow(`event ${name}`, account.marginEvents(where));
      account
        .position(where)
        .subscribe(({ lots: held, liquidationPrice, carry, fees, realizedPnl }) => {
          const texts = [liquidationPrice, carry, fees, realizedPnl].map((one) => one?.toFixed());
          seen.push(`${clock.now() - FROM} position ${name} ${held} ${texts.join(' ')}`);
        });
    }
  }
  follow('mark', market.mark(P));
  follow('funding', market.funding(P));
}

/** An account on paper as a venue of an engine, without a bot between them. */
function venueOf(account: PaperAccount): VenueGateway {
  const before: MarginAccountState[] = [];
  let reported: ((report: MarginReport) => void) | undefined;
  const margin = account.margin;
  if (margin === undefined) throw new Error('nothing is traded on margin');
  return {
    venue: 'paper',
    instruments: account.instruments,
    connect: (report) => {
      void account.open({
        report,
        margin: (one) => {
          if (reported !== undefined) reported(one);
          else if (one.kind === 'marginAccount') before.push(one.account);
        },
        connectionState: () => undefined,
      });
    },
    send: (request) => account.send(request),
    margin: {
      connect: (listener) => {
        reported = listener;
        return before;
      },
      set: (request) => margin.set(request),
      ...margin.prices,
    },
  };
}

async function onPaper(paths: readonly string[], strategy: Strategy) {
  const firstAt = Math.min(...paths.map((path) => firstOf(path)));
  const scheduler = new VirtualScheduler(micros(firstAt));
  const market = new RecordedMarketSource({ paths, speed: 1, scheduler });
  onTestFinished(() => market.close());
  const { instruments } = market;
  const states = instruments.map((one) => new InstrumentState(one));
  const account = new PaperAccount({
    venue: 'paper',
    instruments,
    scheduler,
    settings: { balances: new Map([['USDT', decimal(BALANCES.USDT)]]), ...LATENCY },
    exchange: { recordedBooks: states.map(({ book }) => book), margin: { reportedFunding: [P] } },
  });
  const { name } = strategy;
  const engine = new Engine({
    gateway: new AccountGateway({ venue: venueOf(account), scheduler, strategy: name }),
    scheduler,
    strategy,
    parameters: {},
    clientOrderIdPrefix: name,
    states: new Map(states.map((state) => [state.instrument.symbol, state])),
    feeds: new Map(instruments.map(({ symbol }) => [symbol, market.contents(symbol) ?? NOTHING])),
  });
  engine.start();
  let isOver = false;
  const wanted = instruments.map((instrument) => ({
    ...({ instrument, trades: true, book: 'full', derivatives: true } as const),
  }));
  await market.open(wanted, {
    rows: (index, columns) => {
      for (let row = 0; row < columns.length; row += 1) {
        const changed = states[index].take(columns, row);
        account.market(index, columns, row);
        if (changed !== 0) engine.follow(index, changed, columns, row);
      }
    },
    connectionState: (_, connectionState) => {
      isOver ||= connectionState === 'lost';
    },
  });
  while (!isOver) scheduler.advanceTo(micros(scheduler.now() + US_PER_SECOND));
  const snapshot = account.snapshot(micros(0));
  scheduler.advanceTo(micros(scheduler.now() + US_PER_SECOND));
  return { snapshot: await snapshot, state: engine.state, failure: engine.failure };
}

const NOTHING = { trades: false, levels: false, quotes: false };

function firstOf(path: string): number {
  const recording = openRecording(path);
  recording.close();
  return recording.summary.firstAt;
}

/** What a strategy was shown up to a time; what comes with the end of a recording is another story. */
const until = (seen: readonly string[], at: number): readonly string[] =>
  seen.filter((line) => Number(line.split(' ')[0]) < at);

test.each([1, 2])(
  'over a recording a strategy on margin is shown on paper what it is shown in a backtest, to the last digit (%i)',
  async (seed) => {
    const paths = recordings(seed);
    const [backtested, played]: [string[], string[]] = [[], []];
    const result = await runBacktest({
      strategy: chancer(seed, backtested),
      parameters: {},
      balances: BALANCES,
      recordings: paths,
      latency: LATENCY,
    });
    expect(result.failure).toBeUndefined();
    const { state, failure, snapshot } = await onPaper(paths, chancer(seed, played));
    expect([state, failure]).toEqual(['running', undefined]);
    const end = SPAN_US - 5 * US_PER_SECOND;
    const lines = until(played, end);
    expect(lines).toEqual(until(backtested, end));
    const count = (text: string): number => lines.filter((line) => line.includes(text)).length;
    expect(count(' fill ')).toBeGreaterThan(50);
    expect(count(' position ')).toBeGreaterThan(50);
    expect(count('"kind":"marginChanged"')).toBeGreaterThan(5);
    expect(count('"kind":"funding"')).toBeGreaterThan(0);
    expect(snapshot.margin?.accounts.length).toBeGreaterThan(0);
  },
  60_000,
);
