import { z } from 'zod';
import { decode } from '../../decoding.ts';
import type { ErrorMember } from '../../error-body.ts';
import { fault, type Fault } from '../../faults.ts';
import {
  choice,
  code,
  codes,
  id,
  numeric,
  optional,
  withDefault,
  text,
  timeMs,
  whole,
} from '../../fields.ts';
import { jsonIn } from '../../../json.ts';
import { serverFrame, type RpcId } from '../../rpc.ts';
import { futuresInfo, level } from '../records/market.ts';
import { readChannel, type Channel, type Feed } from './channels.ts';

/** Time, open, close, high, low and the volumes in base and quote currency. */
const bar = { t: timeMs, o: numeric, c: numeric, h: numeric, l: numeric, v: numeric, q: numeric };

/** Records with the short names of the market data socket. */
export const streamTrade = z.object({
  t: timeMs,
  i: id,
  p: numeric,
  q: numeric,
  /** The side of the taker. */
  s: choice(['sell', 'buy']),
});

export const streamCandle = z.object(bar);

const perhaps = numeric.nullish();

/** Null or absent if nothing is known. */
export const streamTicker = z.object({
  t: timeMs,
  a: perhaps,
  A: perhaps,
  b: perhaps,
  B: perhaps,
  c: perhaps,
  o: perhaps,
  h: perhaps,
  l: perhaps,
  v: perhaps,
  q: perhaps,
  p: perhaps,
  P: perhaps,
  L: id.nullish(),
});

export const streamMiniTicker = z.object({
  t: timeMs,
  o: perhaps,
  c: perhaps,
  h: perhaps,
  l: perhaps,
  v: perhaps,
  q: perhaps,
});

/** Levels of a book; `s` counts its changes, one for each. A quantity of 0 deletes a level. */
export const streamBook = z.object({ t: timeMs, s: whole(), a: z.array(level), b: z.array(level) });

export const streamTop = z.object({ t: timeMs, a: perhaps, A: perhaps, b: perhaps, B: perhaps });

export const streamRate = z.object({ t: timeMs, r: numeric });

/** Payload of each feed for a symbol (for a source currency, of rates). */
export const PAYLOADS = {
  trades: z.array(streamTrade),
  candles: z.array(streamCandle),
  'converted-candles': z.array(streamCandle),
  ticker: streamTicker,
  'mini-ticker': streamMiniTicker,
  book: streamBook,
  'partial-book': streamBook,
  top: streamTop,
  'price-rate': streamRate,
  'futures-info': futuresInfo,
} as const satisfies Record<Feed, z.ZodType>;

export type Payload<F extends Feed> = z.output<(typeof PAYLOADS)[F]>;

/** Relation of a frame to the previous ones: the beginning, a change, or the whole state each time. */
export const PARTS = ['snapshot', 'update', 'data'] as const;
export type Part = (typeof PARTS)[number];

/** A whole frame of each feed, of one symbol or of many. */
const BY_SYMBOL = Object.fromEntries(
  Object.entries(PAYLOADS).map(([feed, payload]) => [feed, z.record(z.string(), payload)]),
) as unknown as { readonly [F in Feed]: z.ZodRecord<z.ZodString, (typeof PAYLOADS)[F]> };

/** Params of a subscription; unused members of a channel are ignored. */
export const subscription = z.object({
  /** `*` for all. */
  symbols: optional(codes),
  /** Of price rates: the source currencies. */
  currencies: optional(codes),
  target_currency: optional(code),
  /** How many past trades or candles the snapshot has. */
  limit: withDefault(whole({ max: 1_000 }), 0),
});

/**
 * Answer to a request for a channel: `subscribe` the accepted symbols, `unsubscribe` and `subscriptions`
 * the present ones.
 */
export const subscriptionResult = z.object({ ch: text, subscriptions: z.array(text) });

export const MARKET_METHODS = ['subscribe', 'unsubscribe', 'subscriptions'] as const;
export type MarketMethod = (typeof MARKET_METHODS)[number];

/** Writes a request of a client; `ch` is beside the params. */
export const marketRequestFrame = (
  methodName: MarketMethod,
  ch: string,
  params: Readonly<Record<string, unknown>>,
  requestId?: string | number,
): string => JSON.stringify({ method: methodName, ch, params, id: requestId });

/**
 * Writes a frame of market data from written records. `ch` comes first and the payload second, which
 * clients rely on.
 */
export const marketFrame = (
  ch: string,
  part: Part,
  bySymbol: Readonly<Record<string, unknown>>,
): string => `{"ch":${JSON.stringify(ch)},"${part}":${JSON.stringify(bySymbol)}}`;

/** The same from records that are JSON text already, each with the symbol that it is of. */
export const marketFrameOf = (
  ch: string,
  part: Part,
  texts: readonly (readonly [symbol: string, text: string])[],
): string => {
  const members = texts.map(([symbol, text]) => `${JSON.stringify(symbol)}:${text}`);
  return `{"ch":${JSON.stringify(ch)},"${part}":{${members.join(',')}}}`;
};

/** Market data of a feed as it came. */
export type MarketDataFrame = {
  readonly [F in Feed]: {
    readonly kind: 'data';
    readonly feed: F;
    readonly ch: string;
    readonly channel: Extract<Channel, { readonly feed: F }>;
    readonly part: Part;
    readonly bySymbol: Readonly<Record<string, Payload<F>>>;
  };
}[Feed];

export type MarketServerFrame =
  | MarketDataFrame
  | {
      readonly kind: 'subscriptions';
      readonly ch: string;
      readonly subscriptions: readonly string[];
      readonly id?: RpcId;
    }
  | { readonly kind: 'error'; readonly error: ErrorMember; readonly id?: RpcId }
  | { readonly kind: 'unknown'; readonly fault: Fault };

const unknownFrame = (why: Fault): MarketServerFrame => ({ kind: 'unknown', fault: why });

/** Reads a frame of the market data socket. */
export function readMarketFrame(frame: string): MarketServerFrame {
  const given = jsonIn(frame);
  if (given === undefined) return unknownFrame(fault(10001, 'the message must be JSON'));
  if (typeof given === 'object' && given !== null && 'ch' in given) return readData(given);
  const frameOfServer = serverFrame(given);
  if (frameOfServer.kind === 'error' || frameOfServer.kind === 'unknown') return frameOfServer;
  if (frameOfServer.kind === 'notification') {
    return unknownFrame(fault(10001, 'market data has a ch and no method', 'ch'));
  }
  const result = decode(subscriptionResult, frameOfServer.result);
  if (result.kind === 'fault') return unknownFrame(result.fault);
  const { id: requestId } = frameOfServer;
  return {
    kind: 'subscriptions',
    ...result.value,
    ...(requestId === undefined ? {} : { id: requestId }),
  };
}

function readData(given: object): MarketServerFrame {
  const { ch, ...rest } = given as Readonly<Record<string, unknown>>;
  const channel = readChannel(typeof ch === 'string' ? ch : undefined);
  if (channel.kind === 'fault') return unknownFrame(channel.fault);
  const part = PARTS.find((name) => name in rest);
  if (part === undefined) {
    return unknownFrame(fault(10001, 'snapshot, update or data is required', 'ch'));
  }
  const { feed } = channel.value;
  const read = decode(BY_SYMBOL[feed], rest[part]);
  if (read.kind === 'fault') return unknownFrame(read.fault);
  // The schema was chosen by the feed, so channel and payload belong together.
  return {
    kind: 'data',
    feed,
    ch: String(ch),
    channel: channel.value,
    part,
    bySymbol: read.value,
  } as MarketDataFrame;
}
