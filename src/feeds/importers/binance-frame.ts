import type { RowPosition } from './row-position.ts';
import { shown } from './malformed.ts';

/** Price and size of a level, both decimal text once `Steps` has read them. */
export type RawLevel = readonly [price: unknown, size: unknown];

export interface RawTrade {
  readonly kind: 'trade';
  readonly symbol: string;
  readonly id: number;
  readonly stampedAt: number;
  readonly price: unknown;
  readonly size: unknown;
  /** Whether the buyer's order rested, so that the seller was the aggressor. */
  readonly buyerMade: boolean;
  /** True if the trade has a kind, like those of the futures markets. */
  readonly futures: true | undefined;
}

export interface RawQuote {
  readonly kind: 'quote';
  readonly symbol: string;
  readonly updateId: number;
  /** `undefined` on the spot market, which does not stamp its book ticker. */
  readonly stampedAt: number | undefined;
  readonly bid: unknown;
  readonly bidSize: unknown;
  readonly ask: unknown;
  readonly askSize: unknown;
  /** True if the quote is stamped, as those of the futures markets are. */
  readonly futures: true | undefined;
}

export interface RawDiff {
  readonly kind: 'diff';
  readonly symbol: string;
  readonly stampedAt: number;
  /** The update id before the first of this message: it holds those after `before` up to `last`. */
  readonly before: number;
  readonly last: number;
  /** Whether the message names its predecessor, as the futures markets do. */
  readonly futures: boolean;
  readonly bids: readonly RawLevel[];
  readonly asks: readonly RawLevel[];
}

export interface RawSnapshot {
  readonly kind: 'snapshot';
  readonly lastUpdateId: number;
  readonly stampedAt: number | undefined;
  readonly bids: readonly RawLevel[];
  readonly asks: readonly RawLevel[];
}

/** Mark price, index price and funding of a contract, every second or three. */
export interface RawMark {
  readonly kind: 'mark';
  readonly symbol: string;
  readonly stampedAt: number;
  readonly mark: string;
  readonly index: string;
  /** Empty for a contract that ends, which has no funding. */
  readonly rate: string;
  /** When it is paid; 0 if there is no funding. */
  readonly fundingAt: number;
  readonly futures: true;
}

export type RawFrame =
  | RawTrade
  | RawQuote
  | RawDiff
  | RawSnapshot
  | RawMark
  | { readonly kind: 'other'; readonly name: string };

type Fields = Readonly<Record<string, unknown>>;

/** Streams that repeat the best few levels; beside the updates of the whole book they add nothing. */
const PARTIAL_DEPTH = /@depth(?:5|10|20)(?:@|$)/;
/** Milliseconds until the year 5138 are below it, microseconds since 1973 above it. */
const MICROS_FROM = 1e14;

/** Reads one frame of Binance's streams, wrapped as in a combined stream or not, or a REST snapshot. */
export function readFrame(json: string, position: RowPosition): RawFrame {
  const frame = fieldsOf(parse(json, position));
  if (frame === undefined) throw position.malformed(`the frame ${shown(json)}`, 'a JSON object');
  const stream = frame['stream'];
  const data = frame['data'] === undefined ? frame : fieldsOf(frame['data']);
  if (data === undefined)
    throw position.malformed('"data" is no object', 'the event of the stream');
  if (typeof stream === 'string' && PARTIAL_DEPTH.test(stream)) return other(stream);
  switch (data['e']) {
    case 'trade':
      return trade(data, position);
    case 'depthUpdate':
      return diff(data, position);
    case 'bookTicker':
      return quote(data, position);
    case 'markPriceUpdate':
      return mark(data, position);
    case undefined:
      if ('lastUpdateId' in data) return snapshot(data, position);
      if ('B' in data && 'A' in data) return quote(data, position);
      return other(typeof stream === 'string' ? stream : 'a message without a type');
    default:
      return other(String(data['e']));
  }
}

const other = (name: string): RawFrame => ({ kind: 'other', name });

function parse(json: string, position: RowPosition): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw position.malformed(`${shown(json)} is not JSON`, 'a frame as the venue sent it', cause);
  }
}

function trade(data: Fields, position: RowPosition): RawTrade {
  const maker = data['m'];
  if (typeof maker !== 'boolean') {
    throw position.malformed(
      `"m" is ${JSON.stringify(maker)}`,
      'true where the buyer is the maker',
    );
  }
  return {
    kind: 'trade',
    symbol: text(data, 's', position),
    id: whole(data, 't', position),
    stampedAt: time(data, 'T', position),
    price: data['p'],
    size: data['q'],
    buyerMade: maker,
    futures: data['X'] === undefined ? undefined : true,
  };
}

function quote(data: Fields, position: RowPosition): RawQuote {
  return {
    kind: 'quote',
    symbol: text(data, 's', position),
    updateId: whole(data, 'u', position),
    stampedAt: data['E'] === undefined ? undefined : time(data, 'E', position),
    bid: data['b'],
    bidSize: data['B'],
    ask: data['a'],
    askSize: data['A'],
    futures: data['E'] === undefined ? undefined : true,
  };
}

function diff(data: Fields, position: RowPosition): RawDiff {
  const futures = data['pu'] !== undefined;
  const first = whole(data, 'U', position);
  return {
    kind: 'diff',
    symbol: text(data, 's', position),
    stampedAt: time(data, 'E', position),
    before: futures ? whole(data, 'pu', position) : first - 1,
    last: whole(data, 'u', position),
    futures,
    bids: levels(data, 'b', position),
    asks: levels(data, 'a', position),
  };
}

/** Its estimated settlement price (P) has a meaning only in a contract's last hour, and is left out. */
function mark(data: Fields, position: RowPosition): RawMark {
  const rate = data['r'] === undefined ? '' : text(data, 'r', position);
  return {
    kind: 'mark',
    symbol: text(data, 's', position),
    stampedAt: time(data, 'E', position),
    mark: text(data, 'p', position),
    index: data['i'] === undefined ? '' : text(data, 'i', position),
    rate,
    fundingAt: rate === '' ? 0 : time(data, 'T', position),
    futures: true,
  };
}

function snapshot(data: Fields, position: RowPosition): RawSnapshot {
  return {
    kind: 'snapshot',
    lastUpdateId: whole(data, 'lastUpdateId', position),
    stampedAt: data['E'] === undefined ? undefined : time(data, 'E', position),
    bids: levels(data, 'bids', position),
    asks: levels(data, 'asks', position),
  };
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function text(data: Fields, field: string, position: RowPosition): string {
  const value = data[field];
  if (typeof value === 'string') return value;
  throw wrong(field, value, 'text', position);
}

function whole(data: Fields, field: string, position: RowPosition): number {
  const value = data[field];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(field, value, 'a whole number', position);
}

/** A timestamp in microseconds; the venue sends milliseconds, or microseconds on request. */
function time(data: Fields, field: string, position: RowPosition): number {
  const value = whole(data, field, position);
  return value < MICROS_FROM ? value * 1_000 : value;
}

function levels(data: Fields, field: string, position: RowPosition): readonly RawLevel[] {
  const value = data[field];
  if (Array.isArray(value) && value.every(isLevel)) return value as readonly RawLevel[];
  throw wrong(field, value, 'a list of ["price","size"] pairs', position);
}

const isLevel = (value: unknown): boolean => Array.isArray(value) && value.length >= 2;

const wrong = (field: string, value: unknown, expected: string, position: RowPosition): Error =>
  position.malformed(`"${field}" is ${shown(JSON.stringify(value) ?? 'missing')}`, expected);
