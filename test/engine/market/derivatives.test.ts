import { NEVER } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AccountGateway } from '../../../src/engine/account-gateway.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { FeedContents } from '../../../src/engine/market/feed-contents.ts';
import { UNUSED } from '../../../src/engine/market/use.ts';
import { SimulatedVenue } from '../../../src/gateways/simulated.ts';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { splitRate, splitSteps } from '../../../src/model/derivative.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../../../src/model/derivative-state.ts';
import {
  eventColumns,
  FUNDING,
  INDEX,
  LAST,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  TRADE,
} from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { micros, US_PER_HOUR } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { Context } from '../../../src/strategy/context.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { PERPETUAL, SPOT } from '../../exchange/margin/kit.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;
const PERP = 'BTCUSDT_PERP';
const ONE = new Decimal(1);

/** A spot symbol and a perpetual on the simulated venue; the strategy leaves everything to the test. */
function opened(derivatives?: number, isModelled = true) {
  const scheduler = new VirtualScheduler(micros(START));
  const instruments = [new Instrument(SPOT), new Instrument(PERPETUAL)];
  const latency = { orderUs: 10, reportUs: 10 };
  const balances = new Map([['USDT', decimal('1000')]]);
  const venue = new SimulatedVenue({
    venue: 'simulated',
    instruments,
    scheduler,
    latency,
    balances,
  });
  let given: Context<unknown> | undefined;
  const strategy = defineStrategy({
    name: 'hand',
    summary: 'For tests.',
    parameters: z.object({}),
    run: (context) => {
      given = context;
      return NEVER;
    },
  });
  const contents: FeedContents = { trades: true, levels: false, quotes: true, derivatives };
  const reached = isModelled
    ? venue
    : { venue: 'far', instruments, connect: () => undefined, send: () => undefined };
  const gateway = new AccountGateway({ venue: reached, scheduler, strategy: strategy.name });
  const engine = new Engine({
    strategy,
    parameters: {},
    gateway,
    scheduler,
    clientOrderIdPrefix: 'hand',
    feeds: new Map([[PERP, contents]]),
  });
  engine.start();
  if (given === undefined) throw new Error('the strategy did not run');
  const columns = eventColumns(1);
  const row = (index: number, kind: number, numbers: readonly number[]): void => {
    const [price = 0, size = 0, askPrice = 0, askSize = 0] = numbers;
    scheduler.advanceTo(micros(scheduler.now() + 1_000));
    columns.length = 1;
    columns.kind[0] = kind;
    columns.flags[0] = LAST;
    columns.receivedAt[0] = scheduler.now();
    columns.stampedAt[0] = scheduler.now() - 500;
    columns.price[0] = price;
    columns.size[0] = size;
    columns.askPrice[0] = askPrice;
    columns.askSize[0] = askSize;
    venue.market(index, columns, 0);
    engine.market(index, columns, 0);
  };
  const steps = (text: string) => {
    const { whole, rest } = splitSteps(decimal(text), ONE) ?? { whole: -1, rest: -1 };
    return [whole, rest] as const;
  };
  return {
    engine,
    scheduler,
    context: given,
    market: given.market,
    quote: (bid: number, ask: number, index = 1) => row(index, QUOTE, [bid, 10, ask, 10]),
    print: (price: number, index = 1) => row(index, TRADE, [price, 1]),
    mark: (text: string) => row(1, MARK, steps(text)),
    index: (text: string) => row(1, INDEX, steps(text)),
    open: (text: string) => row(1, OPEN_INTEREST, [...steps(text)].reverse()),
    funding: (text: string, at = 0, next = 0) => {
      const { whole, rest } = splitRate(decimal(text)) ?? { whole: -1, rest: -1 };
      row(1, FUNDING, [whole, rest, at, next]);
    },
  };
}

const ALL = MARKED | INDEXED | FUNDED | OPENED;

describe('what a feed says of a derivative', () => {
  test('is shown exactly, with each row and to nobody else', () => {
    const { market, mark, index, open, quote, engine } = opened(ALL);
    const seen: string[] = [];
    mark('1');
    market.index(PERP).subscribe(({ price }) => seen.push(`index ${price.toFixed()}`));
    market.openInterest(PERP).subscribe(({ size }) => seen.push(`open ${size.toFixed()}`));
    expect(seen).toEqual([]);
    expect(engine.use(1)).toEqual({ ...UNUSED, derivatives: true });
    index('100.123456789012345');
    quote(99, 101);
    mark('77');
    open('12.5');
    index('0');
    expect(seen).toEqual(['index 100.123456789012345', 'open 12.5']);
  });

  test('is known at once by who comes later, with when it came and was stamped', () => {
    const { market, mark, scheduler } = opened(ALL);
    const seen: unknown[] = [];
    market.mark(PERP).subscribe(({ price, at, stampedAt, instrument }) => {
      seen.push([price.toFixed(), at - START, stampedAt - START, instrument.symbol]);
    });
    mark('100.5');
    market.mark(PERP).subscribe(({ price }) => seen.push(price.toFixed()));
    expect(scheduler.now() - START).toBe(1_000);
    expect(seen).toEqual([['100.5', 1_000, 500, PERP], '100.5']);
  });

  test('of a funding is the rate, when it is paid and how long until the next', () => {
    const { market, funding } = opened(ALL);
    const seen: unknown[] = [];
    market.funding(PERP).subscribe(({ rate, paidAt, intervalUs }) => {
      seen.push([rate.toFixed(), paidAt, intervalUs]);
    });
    const at = START + US_PER_HOUR;
    funding('0.000123456789012345');
    funding('0.0001', at);
    funding('-0.0002', at + 4 * US_PER_HOUR);
    funding('0', at + 5 * US_PER_HOUR, at + 6 * US_PER_HOUR);
    expect(seen).toEqual([
      ['0.000123456789012345', undefined, undefined],
      ['0.0001', at, undefined],
      ['-0.0002', at + 4 * US_PER_HOUR, 4 * US_PER_HOUR],
      ['0', at + 5 * US_PER_HOUR, US_PER_HOUR],
    ]);
  });

  test('is refused where the feed has none and nothing makes it', () => {
    const { market } = opened(MARKED, false);
    expect(() => market.mark(PERP)).not.toThrow();
    const lacks = (what: string): unknown =>
      expect.objectContaining({
        code: 'feed-lacks',
        message: `The feed of ${PERP} has ${what}; use another recording or change the strategy's parameters.`,
      });
    expect(() => market.index(PERP)).toThrow(lacks('no index prices'));
    expect(() => market.funding(PERP)).toThrow(lacks('no funding rates'));
    expect(() => market.openInterest(PERP)).toThrow(lacks('no open interest'));
    expect(() => market.mark('BTCUSDT')).toThrow(expect.objectContaining({ code: 'feed-lacks' }));
    // A venue in this process makes all but what others hold.
    const own = opened(0).market;
    expect(() => own.index(PERP)).not.toThrow();
    expect(() => own.funding(PERP)).not.toThrow();
    expect(() => own.openInterest(PERP)).toThrow(lacks('no open interest'));
    expect(() => own.mark('BTCUSDT')).toThrow(expect.objectContaining({ code: 'feed-lacks' }));
  });

  test('may be all of futures and nothing of spot where nobody said what the feed holds', () => {
    const { market } = opened(undefined, false);
    for (const stream of ['mark', 'index', 'funding', 'openInterest'] as const) {
      expect(() => market[stream](PERP)).not.toThrow();
      expect(() => market[stream]('BTCUSDT')).toThrow('has no');
    }
  });
});

describe('what the venue of a backtest makes of a contract', () => {
  test('is shown when it changes, with the market of another symbol too', () => {
    const { market, quote } = opened(0);
    const seen: string[] = [];
    market.mark(PERP).subscribe(({ price }) => seen.push(`mark ${price.toFixed()}`));
    market.index(PERP).subscribe(({ price }) => seen.push(`index ${price.toFixed()}`));
    quote(99, 101);
    expect(seen).toEqual([]);
    // The index is that of the spot symbol.
    quote(199, 202, 0);
    quote(199, 202, 0);
    expect(seen).toEqual(['mark 201', 'index 200.5']);
    quote(10, 11);
    market.mark(PERP).subscribe(({ price }) => seen.push(`later ${price.toFixed()}`));
    expect(seen.at(-1)).toBe('later 201');
  });

  test('is its own rate of funding, and when that is paid', () => {
    const { market, quote } = opened(0);
    quote(99, 101, 0);
    const seen: unknown[] = [];
    market.funding(PERP).subscribe(({ rate, paidAt, intervalUs }) => {
      seen.push([rate.toFixed(), paidAt, intervalUs]);
    });
    quote(99, 102, 0);
    expect(seen).toEqual([['0.0001', START + 8 * US_PER_HOUR, 8 * US_PER_HOUR]]);
  });
});

test('a part of the engine that waits no longer leaves alone what another waits for', () => {
  const { context, engine } = opened(ALL);
  context.account.equity(PERP).subscribe();
  expect(engine.use(1)).toEqual({ ...UNUSED, trades: true });
  const position = context.account.position(isolated(PERP)).subscribe();
  expect(engine.use(1)).toEqual({ ...UNUSED, trades: true, book: 'full' });
  position.unsubscribe();
  expect(engine.use(1)).toEqual({ ...UNUSED, trades: true });
});
