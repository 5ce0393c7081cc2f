import { PERIODS, type Period } from '../../../../model/period.ts';
import { suggest } from '../../../../model/suggest.ts';
import { fault, decoded, undecoded, type Decoded } from '../../faults.ts';

const TICKER_SPEEDS = ['1s', '3s'] as const;
const BOOK_SPEEDS = ['100ms', '500ms', '1000ms'] as const;
const DEPTHS = ['D5', 'D10', 'D20'] as const;

export type TickerSpeed = (typeof TICKER_SPEEDS)[number];
export type BookSpeed = (typeof BOOK_SPEEDS)[number];
export type DepthLevels = (typeof DEPTHS)[number];

/** A channel of the market data socket, by what it carries. */
export type Channel =
  | { readonly feed: 'trades' }
  | { readonly feed: 'candles'; readonly period: Period }
  | { readonly feed: 'converted-candles'; readonly period: Period }
  | { readonly feed: 'ticker'; readonly speed: TickerSpeed; readonly batch: boolean }
  | { readonly feed: 'mini-ticker'; readonly speed: TickerSpeed; readonly batch: boolean }
  | { readonly feed: 'book' }
  | {
      readonly feed: 'partial-book';
      readonly depth: DepthLevels;
      readonly speed: BookSpeed;
      readonly batch: boolean;
    }
  | { readonly feed: 'top'; readonly speed: BookSpeed; readonly batch: boolean }
  | { readonly feed: 'price-rate'; readonly speed: TickerSpeed; readonly batch: boolean }
  | { readonly feed: 'futures-info' };

export type Feed = Channel['feed'];

/** Interval between two frames of a speed, in milliseconds. */
export const SPEED_MS = {
  '1s': 1_000,
  '3s': 3_000,
  '100ms': 100,
  '500ms': 500,
  '1000ms': 1_000,
} as const;

const BATCHES = [false, true] as const;
const batched = (name: string, batch: boolean): string => (batch ? `${name}/batch` : name);

function* channels(): Generator<readonly [string, Channel]> {
  yield ['trades', { feed: 'trades' }];
  yield ['orderbook/full', { feed: 'book' }];
  yield ['futures/info', { feed: 'futures-info' }];
  for (const period of PERIODS) {
    yield [`candles/${period}`, { feed: 'candles', period }];
    yield [`converted/candles/${period}`, { feed: 'converted-candles', period }];
  }
  for (const batch of BATCHES) {
    for (const speed of TICKER_SPEEDS) {
      yield [batched(`ticker/${speed}`, batch), { feed: 'ticker', speed, batch }];
      yield [batched(`ticker/price/${speed}`, batch), { feed: 'mini-ticker', speed, batch }];
      yield [batched(`price/rate/${speed}`, batch), { feed: 'price-rate', speed, batch }];
    }
    for (const speed of BOOK_SPEEDS) {
      yield [batched(`orderbook/top/${speed}`, batch), { feed: 'top', speed, batch }];
      for (const depth of DEPTHS) {
        const name = batched(`orderbook/${depth}/${speed}`, batch);
        yield [name, { feed: 'partial-book', depth, speed, batch }];
      }
    }
  }
}

/** Every channel by its name on the wire. */
export const CHANNELS: ReadonlyMap<string, Channel> = new Map(channels());

/** The channel that a name means. */
export function readChannel(name: string | undefined): Decoded<Channel> {
  const channel = name === undefined ? undefined : CHANNELS.get(name);
  if (channel !== undefined) return decoded(channel);
  const why = name === undefined ? 'ch is required' : noChannel(name);
  return undecoded(fault(10001, why, 'ch'));
}

/** The error for an unknown channel, with a similar one if there is one. */
function noChannel(name: string): string {
  const near =
    suggest(name, [...CHANNELS.keys()]) ??
    [...CHANNELS.keys()].find((known) => known.startsWith(`${name}/`));
  const meant = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
  return `ch ${JSON.stringify(name)} is no channel${meant}`;
}

/** Feeds that begin with a snapshot; the others send what they have, each time whole. */
const FEEDS_WITH_SNAPSHOT: ReadonlySet<Feed> = new Set<Feed>([
  'trades',
  'candles',
  'converted-candles',
  'book',
]);

export const hasSnapshot = (feed: Feed): boolean => FEEDS_WITH_SNAPSHOT.has(feed);

/** Feeds that allow every symbol at once, with `*`. */
const FEEDS_FOR_ALL: ReadonlySet<Feed> = new Set<Feed>([
  'ticker',
  'mini-ticker',
  'partial-book',
  'top',
  'price-rate',
  'futures-info',
]);

export const takesAll = (feed: Feed): boolean => FEEDS_FOR_ALL.has(feed);
