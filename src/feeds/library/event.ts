import { parseDecimal, type Decimal } from '../../model/decimal.ts';
import { joinRate, joinSteps, splitRate, splitSteps } from '../../model/derivative.ts';
import { MillraceError } from '../../model/errors.ts';
import * as kinds from '../../model/events.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { RowSink } from '../row-sink.ts';

/** When an event came, in microseconds since 1970. */
export interface EventTimes {
  readonly receivedAt: number;
  /**
   * When the venue stamped it; the time of receipt if nothing is said. Of a candle the start of its period.
   */
  readonly exchangeAt?: number;
}

/** What is one of several rows of one message of the venue. */
export interface EventInMessage extends EventTimes {
  /** Whether the message ends with it, as if nothing is said. A book is whole after such a row only. */
  readonly isLast?: boolean;
}

export interface TradeEvent extends EventInMessage {
  readonly kind: 'trade';
  /** The venue's id as a whole number, 0 if there is none. */
  readonly id?: number;
  /** The side of the order that took liquidity. */
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
}

/** A level of the book has this size now; 0 removes it. */
export interface LevelEvent extends EventInMessage {
  readonly kind: 'level';
  readonly side: 'bid' | 'ask';
  readonly price: string;
  readonly size: string;
  /** The venue's update id, 0 if there is none. */
  readonly id?: number;
}

/** Best bid and ask; a size of 0 is an empty side. */
export interface QuoteEvent extends EventInMessage {
  readonly kind: 'quote';
  readonly bid: string;
  readonly bidSize: string;
  readonly ask: string;
  readonly askSize: string;
  readonly id?: number;
}

/** `reset` empties the book, and the levels of a snapshot follow; after a `gap` something was missed. */
export interface BookEvent extends EventInMessage {
  readonly kind: 'reset' | 'gap';
  readonly id?: number;
}

/** A finished candle, received when its period ends. */
export interface CandleEvent extends EventTimes {
  readonly kind: 'candle';
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** Of a derivative; prices and quantities may lie off the grid. */
export interface ReadingEvent extends EventInMessage {
  readonly kind: 'mark' | 'index' | 'open-interest';
  readonly value: string;
  readonly id?: number;
}

export interface FundingEvent extends EventInMessage {
  readonly kind: 'funding';
  readonly rate: string;
  /** When it is paid, and the payment after it, in microseconds; 0 where not known. */
  readonly paidAt?: number;
  readonly nextPaidAt?: number;
  readonly id?: number;
}

/** One row of a recording, with exact decimal text for every price and size. */
export type FeedEvent =
  | TradeEvent
  | LevelEvent
  | QuoteEvent
  | BookEvent
  | CandleEvent
  | ReadingEvent
  | FundingEvent;

const READINGS = { mark: kinds.MARK, index: kinds.INDEX, 'open-interest': kinds.OPEN_INTEREST };

/** The event of a row. */
export function eventOf(columns: EventColumns, row: number, instrument: Instrument): FeedEvent {
  const price = (column: Float64Array): string => instrument.price(column[row] as Ticks).toFixed();
  const size = (column: Float64Array): string => instrument.size(column[row] as Lots).toFixed();
  const isLast = (columns.flags[row] & kinds.LAST) !== 0;
  const sells = (columns.flags[row] & kinds.SELL) !== 0;
  const times = { receivedAt: columns.receivedAt[row], exchangeAt: columns.stampedAt[row] };
  const base = { ...times, isLast, id: columns.sequence[row] };
  const split = (whole: Float64Array, rest: Float64Array) => ({
    whole: whole[row],
    rest: rest[row],
  });
  switch (columns.kind[row]) {
    case kinds.TRADE:
      return {
        kind: 'trade',
        ...base,
        side: sells ? 'sell' : 'buy',
        price: price(columns.price),
        size: size(columns.size),
      };
    case kinds.LEVEL:
      return {
        kind: 'level',
        ...base,
        side: sells ? 'ask' : 'bid',
        price: price(columns.price),
        size: size(columns.size),
      };
    case kinds.QUOTE:
      return {
        kind: 'quote',
        ...base,
        bid: price(columns.price),
        bidSize: size(columns.size),
        ask: price(columns.askPrice),
        askSize: size(columns.askSize),
      };
    case kinds.RESET:
      return { kind: 'reset', ...base };
    case kinds.GAP:
      return { kind: 'gap', ...base };
    case kinds.CANDLE:
      return {
        kind: 'candle',
        ...times,
        open: price(columns.open),
        high: price(columns.askPrice),
        low: price(columns.askSize),
        close: price(columns.price),
        volume: size(columns.size),
      };
    case kinds.FUNDING:
      return {
        kind: 'funding',
        ...base,
        rate: joinRate(split(columns.price, columns.size)).toFixed(),
        paidAt: columns.askPrice[row],
        nextPaidAt: columns.askSize[row],
      };
    case kinds.OPEN_INTEREST: {
      const lots = split(columns.size, columns.price);
      const value = joinSteps(lots, instrument.quantityIncrement).toFixed();
      return { kind: 'open-interest', ...base, value };
    }
    default: {
      const kind = columns.kind[row] === kinds.MARK ? 'mark' : 'index';
      const ticks = split(columns.price, columns.size);
      return { kind, ...base, value: joinSteps(ticks, instrument.tickSize).toFixed() };
    }
  }
}

/** Writes events as rows, exactly. Throws `event-invalid` for what is none, `off-grid` beside the grid. */
export class EventWriter {
  readonly #sink: RowSink;
  readonly #instrument: Instrument;
  readonly #layout: 'events' | 'candles';

  constructor(sink: RowSink, instrument: Instrument, layout: 'events' | 'candles') {
    this.#sink = sink;
    this.#instrument = instrument;
    this.#layout = layout;
  }

  write(event: FeedEvent): void {
    const given: unknown = event;
    if (typeof given !== 'object' || given === null) throw invalid('an event is an object');
    const isCandle = event.kind === 'candle';
    if (isCandle !== (this.#layout === 'candles')) {
      throw invalid(
        `a recording of ${this.#layout} takes no event of the kind ${word(event.kind)}`,
      );
    }
    switch (event.kind) {
      case 'trade':
        this.#row(event, kinds.TRADE, isOneOf(event.side, 'sell', 'buy') ? kinds.SELL : 0, [
          this.#ticks('price', event.price),
          this.#lots('size', event.size),
        ]);
        return;
      case 'level':
        this.#row(event, kinds.LEVEL, isOneOf(event.side, 'ask', 'bid') ? kinds.SELL : 0, [
          this.#ticks('price', event.price),
          this.#lots('size', event.size),
        ]);
        return;
      case 'quote':
        this.#row(event, kinds.QUOTE, 0, [
          ...[this.#ticks('bid', event.bid), this.#lots('bidSize', event.bidSize)],
          ...[this.#ticks('ask', event.ask), this.#lots('askSize', event.askSize)],
        ]);
        return;
      case 'reset':
      case 'gap':
        this.#row(event, event.kind === 'reset' ? kinds.RESET : kinds.GAP, 0, []);
        return;
      case 'candle':
        this.#candle(event);
        return;
      case 'mark':
      case 'index':
      case 'open-interest':
        this.#reading(event);
        return;
      case 'funding':
        this.#funding(event);
        return;
      default:
        throw invalid(`there is no event of the kind ${word((event as FeedEvent).kind)}`);
    }
  }

  #candle(event: CandleEvent): void {
    const { receivedAt, exchangeAt } = event;
    if (exchangeAt === undefined)
      throw invalid('exchangeAt is the start of the candle and is needed');
    this.#sink.row(
      time('receivedAt', receivedAt),
      time('exchangeAt', exchangeAt),
      ...([kinds.CANDLE, kinds.LAST, 0, this.#ticks('close', event.close)] as const),
      this.#lots('volume', event.volume),
      this.#ticks('high', event.high),
      this.#ticks('low', event.low),
      this.#ticks('open', event.open),
    );
  }

  #reading(event: ReadingEvent): void {
    const isLots = event.kind === 'open-interest';
    const { tickSize, quantityIncrement } = this.#instrument;
    const split = splitSteps(number('value', event.value), isLots ? quantityIncrement : tickSize);
    if (split === undefined) throw offGrid('value', event.value);
    const { whole, rest } = split;
    this.#row(event, READINGS[event.kind], 0, isLots ? [rest, whole] : [whole, rest]);
  }

  #funding(event: FundingEvent): void {
    const split = splitRate(number('rate', event.rate));
    if (split === undefined) throw offGrid('rate', event.rate);
    this.#row(event, kinds.FUNDING, 0, [
      ...[split.whole, split.rest],
      ...[time('paidAt', event.paidAt ?? 0), time('nextPaidAt', event.nextPaidAt ?? 0)],
    ]);
  }

  #row(
    event: EventInMessage & { readonly id?: number },
    kind: number,
    flags: number,
    [price = 0, size = 0, askPrice = 0, askSize = 0]: readonly number[],
  ): void {
    const { receivedAt, exchangeAt = receivedAt, isLast = true, id = 0 } = event;
    this.#sink.row(
      time('receivedAt', receivedAt),
      time('exchangeAt', exchangeAt),
      ...([kind, flags | (isLast ? kinds.LAST : 0), time('id', id), price, size] as const),
      ...([askPrice, askSize, 0] as const),
    );
  }

  #ticks(field: string, text: unknown): number {
    const count = this.#instrument.ticksExactly(number(field, text));
    if (count === undefined || count < 0) throw offGrid(field, text);
    return count;
  }

  #lots(field: string, text: unknown): number {
    const count = this.#instrument.lotsExactly(number(field, text));
    if (count === undefined || count < 0) throw offGrid(field, text);
    return count;
  }
}

function number(field: string, text: unknown): Decimal {
  const value = typeof text === 'string' ? parseDecimal(text) : undefined;
  if (value === undefined) {
    throw invalid(`${field} is ${word(text)} and must be decimal text such as "61837.63"`);
  }
  return value;
}

/** Whole numbers from 0 on: times in microseconds and ids. */
function time(field: string, value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value) + 0;
  throw invalid(`${field} is ${word(value)} and must be a whole number from 0 on`);
}

/** True for the first word, false for the second. */
function isOneOf(value: unknown, yes: string, no: string): boolean {
  if (value === yes || value === no) return value === yes;
  throw invalid(`side is ${word(value)} and must be "${yes}" or "${no}"`);
}

/** A value as a sentence shows it. */
export const word = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 40))
    : `a value of type ${typeof value}`;

export const invalid = (why: string): MillraceError =>
  new MillraceError('event-invalid', `An event cannot be recorded: ${why}.`);

const offGrid = (field: string, value: unknown): MillraceError =>
  new MillraceError(
    'off-grid',
    `An event cannot be recorded: ${field} ${word(value)} is no whole number of steps of the instrument, from 0 to 2^53.`,
    { field },
  );
