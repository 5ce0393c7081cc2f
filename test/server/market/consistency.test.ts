import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { US_PER_MS, US_PER_SECOND } from '../../../src/platform/time.ts';
import { parseTime } from '../../../src/wire/time.ts';
import { openVenue, type Frame, type TestSocket } from '../kit.ts';
import { MarketHarness } from './harness.ts';

const SYMBOLS = ['BTCUSDT', 'ETHBTC', 'ETHUSDT'] as const;
type Sym = (typeof SYMBOLS)[number];

/** Prices around which orders are placed, and steps between them. */
const GRID: Readonly<Record<Sym, readonly [from: string, step: string]>> = {
  BTCUSDT: ['40000', '0.5'],
  ETHBTC: ['0.05', '0.0001'],
  ETHUSDT: ['2000', '0.25'],
};

type Step =
  | {
      readonly kind: 'order';
      readonly who: 'demo' | 'other';
      readonly symbol: Sym;
      readonly side: 'buy' | 'sell';
      readonly rank: number;
      readonly tenths: number;
    }
  | { readonly kind: 'cancel'; readonly index: number }
  | { readonly kind: 'pass'; readonly ms: number };

const order = fc.record({
  kind: fc.constant('order' as const),
  who: fc.constantFrom('demo' as const, 'other' as const),
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  rank: fc.nat(8),
  tenths: fc.integer({ min: 1, max: 9 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: order },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.integer({ min: 1, max: 9_000 }),
    }),
  },
);

type Levels = readonly (readonly [string, string])[];
interface Book {
  readonly s: number;
  readonly a: Levels;
  readonly b: Levels;
}

/** What a reader makes of the frames of a socket, and of nothing else. */
class Mirror {
  readonly books = new Map<string, { s: number; a: Map<string, string>; b: Map<string, string> }>();
  readonly trades = new Map<string, unknown[]>();
  /** By channel and symbol, then by the start of the period. */
  readonly candles = new Map<string, Map<number, unknown>>();
  #read = 0;

  read(socket: TestSocket): void {
    for (const frame of socket.frames.slice(this.#read)) this.#take(frame);
    this.#read = socket.frames.length;
  }

  side(symbol: string, side: 'a' | 'b'): Levels {
    const levels = [...(this.books.get(symbol)?.[side] ?? [])];
    const sign = side === 'a' ? 1 : -1;
    return levels.sort(([one], [other]) => sign * new Decimal(one).comparedTo(other));
  }

  #take({ ch, snapshot, update }: Frame): void {
    const part = (snapshot ?? update) as Readonly<Record<string, unknown>> | undefined;
    for (const [symbol, payload] of Object.entries(part ?? {})) {
      if (ch === 'orderbook/full') this.#book(symbol, payload as Book, snapshot !== undefined);
      else if (ch === 'trades') this.#trades(symbol, payload as readonly unknown[]);
      else this.#candles(`${String(ch)} ${symbol}`, payload as readonly { t: number }[]);
    }
  }

  #book(symbol: string, { s, a, b }: Book, isNew: boolean): void {
    const before = isNew ? undefined : this.books.get(symbol);
    if (!isNew) expect(s).toBe((before?.s ?? Number.NaN) + 1);
    const book = before ?? { s, a: new Map(), b: new Map() };
    book.s = s;
    for (const [levels, side] of [
      [a, book.a],
      [b, book.b],
    ] as const) {
      for (const [price, quantity] of levels) {
        if (new Decimal(quantity).isZero()) side.delete(price);
        else side.set(price, quantity);
      }
    }
    this.books.set(symbol, book);
  }

  #trades(symbol: string, trades: readonly unknown[]): void {
    this.trades.set(symbol, [...(this.trades.get(symbol) ?? []), ...trades]);
  }

  #candles(key: string, candles: readonly { t: number }[]): void {
    const known = this.candles.get(key) ?? new Map<number, unknown>();
    for (const candle of candles) known.set(candle.t, candle);
    this.candles.set(key, known);
  }
}

interface RestCandle {
  readonly timestamp: string;
  readonly open: string;
  readonly close: string;
  readonly max: string;
  readonly min: string;
  readonly volume: string;
  readonly volume_quote: string;
}

const msOf = (timestamp: string): number => (parseTime(timestamp) ?? Number.NaN) / US_PER_MS;

const candleOf = (one: RestCandle) => ({
  t: msOf(one.timestamp),
  o: one.open,
  c: one.close,
  h: one.max,
  l: one.min,
  v: one.volume,
  q: one.volume_quote,
});

/** Compares what a reader knows with what REST says at the same moment. */
async function compare(floor: MarketHarness, mirror: Mirror): Promise<void> {
  const books = (await floor.get('/api/3/public/orderbook?depth=0')) as Record<
    string,
    { ask: Levels; bid: Levels }
  >;
  const all = 'sort=ASC&limit=1000';
  const trades = (await floor.get(`/api/3/public/trades?${all}`)) as Record<
    string,
    { id: number; price: string; qty: string; side: string; timestamp: string }[]
  >;
  for (const symbol of SYMBOLS) {
    expect(mirror.side(symbol, 'a')).toEqual(books[symbol]?.ask);
    expect(mirror.side(symbol, 'b')).toEqual(books[symbol]?.bid);
    expect(mirror.trades.get(symbol) ?? []).toEqual(
      trades[symbol]?.map(({ id, price, qty, side, timestamp }) => ({
        t: msOf(timestamp),
        i: id,
        p: price,
        q: qty,
        s: side,
      })),
    );
  }
  for (const period of ['M1', 'M3', 'H1']) {
    const candles = await floor.get(`/api/3/public/candles?period=${period}&${all}`);
    const { data } = (await floor.get(
      `/api/3/public/converted/candles?target_currency=USDT&period=${period}&${all}`,
    )) as { data: Record<string, RestCandle[]> };
    for (const symbol of SYMBOLS) {
      for (const [ch, rest] of [
        ['candles', candles as Record<string, RestCandle[]>],
        ['converted/candles', data],
      ] as const) {
        const known = mirror.candles.get(`${ch}/${period} ${symbol}`);
        expect([...(known?.values() ?? [])]).toEqual(rest[symbol]?.map(candleOf));
      }
    }
  }
}

async function follow(floor: MarketHarness): Promise<TestSocket> {
  const socket = await floor.venue.socket('/api/3/ws/public');
  const params = { symbols: [...SYMBOLS], limit: 1_000, target_currency: 'USDT' };
  const channels = ['orderbook/full', 'trades'];
  for (const period of ['M1', 'M3', 'H1']) {
    channels.push(`candles/${period}`, `converted/candles/${period}`);
  }
  for (const ch of channels) await socket.request('subscribe', params, { ch });
  return socket;
}

/** Takes a step; gives the order that it placed. */
async function take(
  floor: MarketHarness,
  placed: readonly (readonly [who: string, id: string])[],
  sockets: readonly TestSocket[],
  one: Step,
): Promise<readonly [string, string] | undefined> {
  if (one.kind === 'pass') {
    floor.venue.pass(one.ms * US_PER_MS);
    // Live readers answer the pings that have come meanwhile.
    for (const socket of sockets) await socket.settle();
    return undefined;
  }
  if (one.kind === 'cancel') {
    const [who, id] = placed[one.index % Math.max(1, placed.length)] ?? ['demo', 'nothing'];
    floor.cancel(who, id);
    return undefined;
  }
  const [from, by] = GRID[one.symbol];
  const price = new Decimal(by).times(one.rank).plus(from).toFixed();
  return [one.who, floor.order(one.who, one.symbol, one.side, price, `0.${one.tenths}`)];
}

test(
  'a book rebuilt from the stream is that of REST, and so are trades and candles, whoever joins when',
  { tags: ['server:trading-v3.stream-public.book-consistency'] },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
        fc.nat(20),
        async (steps, joinAt) => {
          const floor = new MarketHarness(await openVenue());
          const sockets = [await follow(floor)];
          const placed: (readonly [string, string])[] = [];
          for (const [index, one] of steps.entries()) {
            if (index === joinAt) sockets.push(await follow(floor));
            const done = await take(floor, placed, sockets, one);
            if (done !== undefined) placed.push(done);
          }
          // Converted candles are told at whole seconds.
          floor.venue.pass(US_PER_SECOND - (floor.now % US_PER_SECOND));
          for (const socket of sockets) {
            await socket.settle();
            const mirror = new Mirror();
            mirror.read(socket);
            await compare(floor, mirror);
          }
        },
      ),
      { numRuns: 8, seed: 20260105 },
    );
  },
);
