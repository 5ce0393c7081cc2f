import { onTestFinished, vi } from 'vitest';
import type { PlaceRequest } from '../../../../src/model/order-request.ts';
import type { MarketListener, Wanted } from '../../../../src/gateways/market-source.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import {
  TradingMarket,
  type TradingMarketSetup,
} from '../../../../src/gateways/trading/market/market.ts';
import { DepthFeed } from '../../../../src/model/depth-feed.ts';
import type { MillraceError } from '../../../../src/model/errors.ts';
import {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from '../../../../src/model/events.ts';
import type { Instrument } from '../../../../src/model/instrument.ts';
import { lots, ticks } from '../../../../src/model/units.ts';
import { Random } from '../../../../src/platform/random.ts';
import type { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { micros } from '../../../../src/platform/time.ts';
import type { TestVenue } from '../../../server/kit.ts';

const NAMES: Readonly<Record<number, string>> = {
  [TRADE]: 'trade',
  [LEVEL]: 'level',
  [QUOTE]: 'quote',
  [RESET]: 'reset',
  [GAP]: 'gap',
  [CANDLE]: 'candle',
  [MARK]: 'mark',
  [INDEX]: 'index',
  [FUNDING]: 'funding',
  [OPEN_INTEREST]: 'open interest',
};

/** A row that was told, with what of it means something. */
export interface ReportedRow {
  readonly kind: string;
  readonly side: 'buy' | 'sell';
  readonly last: boolean;
  readonly receivedAt: number;
  readonly stampedAt: number;
  readonly sequence: number;
  readonly price: number;
  readonly size: number;
  readonly askPrice: number;
  readonly askSize: number;
  readonly open: number;
}

/** Copies rows out of columns. */
export const rowsOf = (columns: EventColumns): readonly ReportedRow[] =>
  Array.from({ length: columns.length }, (_, row) => ({
    kind: NAMES[columns.kind[row]] ?? '',
    side: (columns.flags[row] & SELL) === 0 ? 'buy' : 'sell',
    last: (columns.flags[row] & LAST) !== 0,
    receivedAt: columns.receivedAt[row],
    stampedAt: columns.stampedAt[row],
    sequence: columns.sequence[row],
    price: columns.price[row],
    size: columns.size[row],
    askPrice: columns.askPrice[row],
    askSize: columns.askSize[row],
    open: columns.open[row],
  }));

/** A reader of a market that remembers all that it was told. */
export class Ear implements MarketListener {
  readonly reported: ReportedRow[][] = [];
  /** Rows by call, as they came together. */
  readonly calls: ReportedRow[][] = [];
  readonly hearings: string[] = [];
  readonly whys: (string | undefined)[] = [];
  readonly frames: string[] = [];
  readonly aliveAt: number[] = [];
  /** The books as the rows keep them. */
  readonly books: DepthFeed[] = [];

  rows(index: number, columns: EventColumns): void {
    const rows = rowsOf(columns);
    this.calls.push([...rows]);
    (this.reported[index] ??= []).push(...rows);
    const book = (this.books[index] ??= new DepthFeed());
    for (let row = 0; row < columns.length; row += 1) book.apply(columns, row);
  }

  connectionState(index: number, connectionState: 'live' | 'lost', why?: string): void {
    this.hearings.push(`${index} ${connectionState}`);
    if (connectionState === 'lost') this.whys.push(why);
  }

  alive(at: number): void {
    this.aliveAt.push(at);
  }

  frame(frame: string): void {
    this.frames.push(frame);
  }

  /** Rows of a kind, of the first instrument unless said otherwise. */
  of(kind: string, index = 0): readonly ReportedRow[] {
    return (this.reported[index] ?? []).filter((row) => row.kind === kind);
  }

  /** The kinds of the rows in order, repetitions left out. */
  kinds(index = 0): readonly string[] {
    const kinds = (this.reported[index] ?? []).map(({ kind }) => kind);
    return kinds.filter((kind, at) => kind !== kinds[at - 1]);
  }

  /** Both sides of a book, best first. */
  book(index = 0): { readonly bids: [number, number][]; readonly asks: [number, number][] } {
    const { depth } = this.books[index] ?? new DepthFeed();
    const levels = ({ bids, asks }: typeof depth, side: 'bids' | 'asks'): [number, number][] => {
      const one = side === 'bids' ? bids : asks;
      return Array.from({ length: one.length }, (_, rank) => [one.ticksAt(rank), one.lotsAt(rank)]);
    };
    return { bids: levels(depth, 'bids'), asks: levels(depth, 'asks') };
  }

  isStale(index = 0): boolean {
    return this.books[index]?.depth.stale ?? true;
  }
}

export interface Listening {
  readonly market: TradingMarket;
  readonly ear: Ear;
  readonly warnings: MillraceError[];
}

/** Where a test takes the time from. */
export type Timed = Pick<TestVenue, 'scheduler'>;

const STEP_US = 20_000;

const pass = (scheduler: VirtualScheduler): void => {
  scheduler.advanceTo(micros(scheduler.now() + STEP_US));
};

/** Waits until something holds, while the clock of the test goes on. */
export async function until(
  { scheduler }: Timed,
  holds: () => boolean,
  what: () => unknown = () => 'it',
): Promise<void> {
  await vi.waitFor(
    () => {
      if (holds()) return;
      pass(scheduler);
      throw new Error(`it did not come to be: ${JSON.stringify(what())}`);
    },
    { timeout: 8_000, interval: 1 },
  );
}

/** Waits for a promise, while the clock of the test goes on. */
export async function settled<T>(timed: Timed, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = promise.finally(() => {
    isOver = true;
  });
  watched.catch(() => undefined);
  await until(timed, () => isOver);
  return watched;
}

/** A source of market data at an address, closed when the test is over; not yet open. */
export function marketAt(
  timed: Timed,
  url: string,
  setup: Partial<TradingMarketSetup> = {},
): Listening {
  const { scheduler } = timed;
  const client = new TradingClient({ url, scheduler, random: new Random(1), paced: false });
  const warnings: MillraceError[] = [];
  const market = new TradingMarket({
    client,
    scheduler,
    random: new Random(2),
    socket: { backoffUs: 10_000 },
    warn: (warning) => warnings.push(warning),
    ...setup,
  });
  onTestFinished(async () => {
    await settled(timed, Promise.all([market.close(), client.close()]));
  });
  return { market, ear: new Ear(), warnings };
}

/** The same, opened on a venue. */
export async function listen(
  venue: TestVenue,
  wanted: readonly Wanted[],
  setup: Partial<TradingMarketSetup> = {},
): Promise<Listening> {
  const listening = marketAt(venue, venue.base, setup);
  await settled(venue, listening.market.open(wanted, listening.ear));
  const { ear } = listening;
  await until(venue, () => wanted.every((_, at) => ear.hearings.includes(`${at} live`)));
  return listening;
}

/** What is wanted of an instrument of a venue, nothing unless said. */
export const wantedOf = (
  venue: TestVenue,
  symbol: string,
  of: Partial<Omit<Wanted, 'instrument'>>,
): Wanted => ({
  instrument: instrumentOf(venue, symbol),
  trades: false,
  book: 'none',
  ...of,
});

export function instrumentOf(venue: TestVenue, symbol: string): Instrument {
  const found = venue.trading.exchange.instruments.find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`the venue has no ${symbol}`);
  return found;
}

/** A limit order of BTCUSDT in ticks and lots, for a venue that is asked without the wire. */
export const orderOf = (
  clientOrderId: string,
  side: 'buy' | 'sell',
  price: number,
  size: number,
): PlaceRequest => ({
  kind: 'place',
  clientOrderId,
  symbol: 'BTCUSDT',
  side,
  type: 'limit',
  timeInForce: 'GTC',
  lots: lots(size),
  ticks: ticks(price),
  postOnly: false,
});

let count = 0;

/** Places a limit order on a venue. */
export async function place(
  venue: TestVenue,
  as: string,
  side: 'buy' | 'sell',
  price: string,
  quantity: string,
  symbol = 'BTCUSDT',
): Promise<string> {
  count += 1;
  const name = `market-order-${count}`;
  const order = { client_order_id: name, symbol, side, price, quantity };
  const { status, body } = await venue.call('POST', '/api/3/spot/order', { as, json: order });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return name;
}

/** Lets the two members trade with each other. */
export async function trade(
  venue: TestVenue,
  price: string,
  quantity: string,
  symbol = 'BTCUSDT',
  taker: 'buy' | 'sell' = 'buy',
): Promise<void> {
  await place(venue, 'other', taker === 'buy' ? 'sell' : 'buy', price, quantity, symbol);
  await place(venue, 'demo', taker, price, quantity, symbol);
}
