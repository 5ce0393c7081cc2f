import type { Feed } from '../../../../../wire/trading/v3/streams/channels.ts';
import {
  marketFrame,
  marketFrameOf,
  PAYLOADS,
  type Part,
  type Payload,
} from '../../../../../wire/trading/v3/streams/market.ts';
import type { Printable } from '../../../../../wire/trading/decoding.ts';
import { writerOf } from '../../../../../wire/trading/writer.ts';
import { reading, type Reading } from '../../market/timed-channel.ts';

const WRITERS = new Map(
  Object.entries(PAYLOADS).map(([feed, schema]) => [feed, writerOf(schema)] as const),
) as unknown as { get<F extends Feed>(feed: F): (payload: Printable<Payload<F>>) => object };

/** Writes what a feed has for a symbol. */
export const written = <F extends Feed>(feed: F, payload: Printable<Payload<F>>): object =>
  WRITERS.get(feed)(payload);

/** The frame of a symbol. */
export const frameOf = <F extends Feed>(
  ch: string,
  feed: F,
  part: Part,
  symbol: string,
  payload: Printable<Payload<F>>,
): string => marketFrame(ch, part, { [symbol]: written(feed, payload) });

/**
 * A record of a channel that sends its whole state each time; a changed time or sequence alone is not sent.
 */
export const readingOf = <F extends Feed>(feed: F, payload: Printable<Payload<F>>): Reading =>
  reading(written(feed, payload) as Readonly<Record<string, unknown>>, 't', 's', 'timestamp');

/** Writes frames of such a channel. */
export const dataFrames =
  (ch: string) =>
  (records: readonly (readonly [string, string])[]): string =>
    marketFrameOf(ch, 'data', records);
