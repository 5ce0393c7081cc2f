import { createHash } from 'node:crypto';
import { Amount, NOTHING } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import { MillraceError, type Warn } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { OrderMargin } from '../../model/margin-terms.ts';
import type { OrderStatus, OrderType, Side, TimeInForce, VenueOrder } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import { lots, type Lots, type Ticks } from '../../model/units.ts';
import { micros, parseIsoTime, US_PER_MS, type Micros } from '../../platform/time.ts';
import type { ClientOrderIdForm } from './client-order-ids.ts';
import type { Given } from './exchange.ts';
import { decimalOf } from './terms.ts';
import type { VenueRules } from './venues.ts';

/** An order as the venue shows it, and its id there. */
export interface OrderView {
  readonly venueId: string;
  readonly order: VenueOrder;
  /** True if the client order id is one of a strategy's. */
  readonly isOwn: boolean;
}

/** A fill, and the venue's id of its order. */
export interface TradeView {
  readonly venueId: string;
  /** With the client order id of the trade, if it has one. */
  readonly fill: Fill;
  /** The trade as the venue reports it. */
  readonly info: unknown;
}

export interface RecordSetup {
  readonly rules: VenueRules;
  readonly form: ClientOrderIdForm;
  readonly instrument: (symbol: string) => Instrument | undefined;
  /** The client order id of an order of the venue, if known. */
  readonly nameOf: (venueId: string) => string | undefined;
  readonly now: () => Micros;
  readonly warn: Warn;
}

/** Numbers above it are hashes of non-numeric ids, so that the two never collide. */
const HASHED = 2 ** 52;
const HASH_DIGITS = 13;

/**
 * A whole number for an id of the venue: the id itself if it is one below 2^52, else 52 bits of its hash,
 * the same after each start.
 */
export function numberOf(id: string): number {
  const number = Number(id);
  if (/^[1-9]\d*$/.test(id) && number < HASHED) return number;
  const digits = createHash('sha256').update(id).digest('hex').slice(0, HASH_DIGITS);
  return HASHED + Number.parseInt(digits, 16);
}

export const textOf = (given: unknown): string | undefined =>
  (typeof given === 'string' && given !== '') || typeof given === 'number'
    ? String(given)
    : undefined;

/** A time in microseconds: milliseconds, or ISO 8601 as some streams leave it; 0 if there is none. */
const timeOf = (given: unknown): number => {
  if (typeof given === 'string') return parseIsoTime(given) ?? 0;
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0
    ? given * US_PER_MS
    : 0;
};

/** Converts unified orders and trades of ccxt, whose numbers are text, into whole ticks and lots. */
export class CcxtRecords {
  readonly #setup: RecordSetup;
  readonly #warned = new Set<string>();

  constructor(setup: RecordSetup) {
    this.#setup = setup;
  }

  /**
   * Converts an order; `undefined` for one of another symbol, and, with a warning, for an unreadable one.
   */
  order(given: Given): OrderView | undefined {
    const { rules, form, now, nameOf } = this.#setup;
    const venueId = textOf(given.id);
    const instrument = this.#setup.instrument(textOf(given.symbol) ?? '');
    if (venueId === undefined || instrument === undefined) return undefined;
    const side = sideOf(given.side);
    const size = this.#lots(instrument, given.amount);
    const type = typeOf(given);
    if (side === undefined || size === undefined) {
      this.#unreadable('order', venueId);
      return undefined;
    }
    const info = given.info as Given | undefined;
    const filled =
      rules.filled === undefined ? given.filled : (info?.[rules.filled] ?? given.filled);
    // A closed order without a reported filled quantity is filled.
    const unreported = given.status === 'closed' ? size : 0;
    const filledLots = Math.min(size, this.#lots(instrument, filled) ?? unreported);
    const status = statusOf(textOf(given.status), filledLots, size);
    const written = textOf(given.clientOrderId);
    // The streams of some venues leave the client order id out.
    const own = (written === undefined ? undefined : form.read(written)) ?? nameOf(venueId);
    const original = rules.original === undefined ? undefined : textOf(info?.[rules.original]);
    const number = rules.orderNumber === undefined ? undefined : info?.[rules.orderNumber];
    const createdAt = timeOf(given.timestamp) || now();
    const changed = rules.updated === undefined ? undefined : info?.[rules.updated];
    const changedAt = timeOf(changed ?? given.lastUpdateTimestamp);
    // An ended order without a time ended now: an older time would make its end look outdated.
    const isTimeless = changedAt === 0 && !isOpenStatus(status);
    const updatedAt = isTimeless
      ? now()
      : Math.max(createdAt, changedAt, timeOf(given.lastTradeTimestamp));
    const ticks = type.hasPrice ? this.#ticks(instrument, given.price) : undefined;
    const stopTicks = type.hasStop ? this.#ticks(instrument, given.triggerPrice) : undefined;
    return {
      venueId,
      isOwn: own !== undefined,
      order: {
        id: numberOf(textOf(number) ?? venueId),
        clientOrderId: own ?? venueId,
        symbol: instrument.symbol,
        side,
        type: type.name,
        lots: size,
        timeInForce: timeInForceOf(given, type.name),
        postOnly: isPostOnly(given),
        status,
        filledLots: lots(filledLots),
        ticks,
        stopTicks,
        ...(instrument.isContract ? { margin: marginOf(given) } : {}),
        ...(original === undefined
          ? {}
          : { originalClientOrderId: form.read(original) ?? original }),
        createdAt: micros(createdAt),
        updatedAt: micros(updatedAt),
      },
    };
  }

  /**
   * Converts a trade of an order; `undefined` if members are missing, as in the streams of some venues.
   * `nameOf` returns the client order id of an order of the venue.
   */
  trade(
    given: Given,
    nameOf: (venueId: string) => string | undefined,
    source: 'stream' | 'history',
  ): TradeView | undefined {
    const id = textOf(given.id);
    const venueId = textOf(given.order);
    const instrument = this.#setup.instrument(textOf(given.symbol) ?? '');
    const side = sideOf(given.side);
    const at = timeOf(given.timestamp);
    const hasLiquiditySide = given.takerOrMaker === 'taker' || given.takerOrMaker === 'maker';
    if (id === undefined || venueId === undefined || instrument === undefined) return undefined;
    const fee = this.#fee(given);
    if (side === undefined || at === 0) return undefined;
    if (source === 'stream' && (!hasLiquiditySide || fee === undefined)) return undefined;
    const size = this.#lots(instrument, given.amount);
    const ticks = this.#ticks(instrument, given.price);
    if (size === undefined || size === 0 || ticks === undefined) {
      this.#unreadable('trade', id);
      return undefined;
    }
    if (fee === undefined) {
      this.#warnOnce('fee', `The venue does not give the fee of trade ${id}: it counts as 0.`);
    }
    return {
      venueId,
      info: given.info,
      fill: {
        id: numberOf(id),
        clientOrderId: nameOf(venueId) ?? venueId,
        symbol: instrument.symbol,
        side,
        ticks,
        lots: size,
        fee: fee?.cost ?? NOTHING,
        feeCurrency: fee?.currency ?? instrument.quoteCurrency,
        taker: given.takerOrMaker !== 'maker',
        ...(instrument.isContract ? { margin: 'cross' } : {}),
        at: micros(at),
      },
    };
  }

  #fee(given: Given): { readonly cost: Amount; readonly currency: string } | undefined {
    const all = Array.isArray(given.fees) && given.fees.length > 0 ? given.fees : [given.fee];
    const [first, second] = (all as readonly (Given | null | undefined)[]).filter(
      (fee) => fee !== undefined && fee !== null,
    );
    const cost = decimalOf(first?.cost);
    const currency = textOf(first?.currency);
    if (second !== undefined) {
      this.#warnOnce('fees', 'The venue gives fees in several currencies for a trade: the first counts.'); // prettier-ignore
    }
    return cost === undefined || currency === undefined
      ? undefined
      : { cost: Amount.of(cost), currency };
  }

  #lots(instrument: Instrument, given: unknown): Lots | undefined {
    const value = decimalOf(given);
    if (value === undefined || value.isNegative()) return undefined;
    const exact = instrument.lotsExactly(value);
    if (exact === undefined) this.#offGrid(instrument, 'quantity', value);
    return exact ?? instrument.lots(value, 'down');
  }

  #ticks(instrument: Instrument, given: unknown): Ticks | undefined {
    const value = decimalOf(given);
    if (value === undefined || value.isZero()) return undefined;
    const exact = instrument.ticksExactly(value);
    if (exact === undefined) this.#offGrid(instrument, 'price', value);
    return exact ?? instrument.ticks(value, 'near');
  }

  #offGrid({ symbol }: Instrument, what: string, value: Decimal): void {
    this.#warnOnce(
      `${what} ${symbol}`,
      `The venue sent a ${what} of ${symbol}, ${value.toFixed()}, that is off the grid of its terms; it was rounded, and others like it will be without a word. Restart where the venue changed its terms.`,
    );
  }

  #unreadable(what: string, id: string): void {
    this.#warnOnce(`${what} ${id}`, `The ${what} ${id} cannot be read as ccxt gives it; left out.`);
  }

  #warnOnce(what: string, sentence: string): void {
    if (this.#warned.has(what)) return;
    this.#warned.add(what);
    this.#setup.warn(new MillraceError('answer-invalid', sentence, { field: what }));
  }
}

const isOpenStatus = (status: OrderStatus): boolean =>
  status === 'new' || status === 'partiallyFilled';

const sideOf = (given: unknown): Side | undefined => {
  const side = textOf(given)?.toLowerCase();
  return side === 'buy' || side === 'sell' ? side : undefined;
};

/**
 * An order that is being canceled is open; a partly filled closed one was canceled; any other end is an
 * expiry.
 */
function statusOf(given: string | undefined, filledLots: number, size: number): OrderStatus {
  if (filledLots >= size && size > 0) return 'filled';
  switch (given) {
    case 'open':
    case 'canceling':
    case undefined:
      return filledLots > 0 ? 'partiallyFilled' : 'new';
    case 'canceled':
    case 'closed':
      return 'canceled';
    default:
      return 'expired';
  }
}

/** The type of an order; one that waits for a price is a stop here, whatever its venue calls it. */
function typeOf(given: Given): {
  readonly name: OrderType;
  readonly hasPrice: boolean;
  readonly hasStop: boolean;
} {
  const type = textOf(given.type) ?? 'limit';
  const hasPrice = !/market/i.test(type) && decimalOf(given.price)?.isZero() === false;
  const hasStop = decimalOf(given.triggerPrice)?.isZero() === false;
  if (hasStop) return { name: hasPrice ? 'stopLimit' : 'stopMarket', hasPrice, hasStop };
  return { name: hasPrice ? 'limit' : 'market', hasPrice, hasStop };
}

function timeInForceOf({ timeInForce }: Given, type: OrderType): TimeInForce {
  if (timeInForce === 'IOC' || timeInForce === 'FOK') return timeInForce;
  return type === 'market' ? 'IOC' : 'GTC';
}

/** Perpetuals are traded on cross margin alone. */
const marginOf = ({ reduceOnly }: Given): OrderMargin => ({
  mode: 'cross',
  ...(reduceOnly === true || reduceOnly === 'true' ? { reduceOnly: true } : {}),
});

const isPostOnly = ({ postOnly, timeInForce }: Given): boolean =>
  postOnly === true || postOnly === 'true' || timeInForce === 'PO';
