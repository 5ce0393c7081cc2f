import { limitRejection, type TradeLimits } from '../account/limits.ts';
import type { RouteOffer } from '../account/route.ts';
import { buyOrder, sellOrder, type TradeTerms } from '../account/depth.ts';
import type { Latency } from '../../simulated.ts';
import { decimal, ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Side } from '../../../model/order.ts';
import type { Slot } from '../../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { Fill } from '../../../model/report.ts';
import { US_PER_SECOND } from '../../../platform/time.ts';
import type { CarrierData, MoveChange, MoveRecord } from '../../../swaps/execution/carrier.ts';
import type { TransfersInFlight } from './transfers-in-flight.ts';
import type { ModelledRoute } from './route.ts';
import type { ModelledVenue } from './venue.ts';

/** As the carrier by a real account has it: a book is out of date soon. */
const VALID_US = 10 * US_PER_SECOND;
/** Levels of the book that an offer looks at. */
const LEVELS = 1_000;

export interface TradeParts {
  readonly venue: ModelledVenue;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly bound: Decimal;
  readonly latency: Latency;
  readonly inFlight: TransfersInFlight;
  readonly limits: TradeLimits;
}

/** A trade on the exchange of the run: a limit order that fills whole and at once or not at all. */
export class ModelledTrade implements ModelledRoute {
  readonly from: Slot;
  readonly to: Slot;
  readonly paying = 'placeOrder';
  readonly #parts: TradeParts;

  constructor(place: string, parts: TradeParts) {
    const base = { asset: parts.instrument.baseCurrency, place };
    const quote = { asset: parts.instrument.quoteCurrency, place };
    this.from = parts.side === 'sell' ? base : quote;
    this.to = parts.side === 'sell' ? quote : base;
    this.#parts = parts;
  }

  offer(send: Decimal): RouteOffer | Rejection {
    const { venue, instrument, side, limits } = this.#parts;
    const { symbol, quoteCurrency, quantityIncrement: increment } = instrument;
    const levels = venue.levels(symbol, side, LEVELS);
    const order = (side === 'sell' ? sellOrder : buyOrder)(levels, send, this.#terms);
    if (order === 'small') return small(send, this.from, symbol);
    if (order === 'thin') return thin(send, this.from, symbol);
    const { quantity, price, least, expected } = order;
    const counted = side === 'sell' ? levels[0][0] : price;
    const limited = { symbol, side, quantity, price: counted, quoteCurrency, increment };
    const rejection = limitRejection(limited, limits);
    if (rejection !== undefined) return rejection;
    const terms = { quantity: quantity.toFixed(), price: price.toFixed() };
    const { orderUs, reportUs } = this.#parts.latency;
    const durationUs = orderUs + reportUs;
    return { send: order.send, least, expected, validUs: VALID_US, durationUs, terms };
  }

  async pay(move: MoveRecord): Promise<MoveChange> {
    const { venue, instrument, side, latency, inFlight } = this.#parts;
    const { symbol } = instrument;
    const clientOrderId = `moved_${String(inFlight.number()).padStart(8, '0')}`;
    const lots = instrument.lotsExactly(amountIn(move.data, 'quantity'));
    const ticks = instrument.ticksExactly(amountIn(move.data, 'price'));
    if (lots === undefined || ticks === undefined) {
      throw new RangeError(`${move.id} trades what is off the grid of ${symbol}`);
    }
    await inFlight.pass(latency.orderUs);
    const traded = venue.trade({ clientOrderId, symbol, side, lots, ticks });
    // Known at once, so that nobody who begins anew trades again; told when it is heard.
    const outcome = inFlight.stand(move.id, this.#outcome(move, traded));
    await inFlight.pass(latency.reportUs);
    return outcome;
  }

  #outcome(move: MoveRecord, traded: readonly Fill[] | Rejection): MoveChange {
    if (isRejection(traded)) return { state: 'failed', reason: traded.message };
    if (traded.length === 0) return { state: 'expired', reason: 'The book had moved away.' };
    const { instrument, side } = this.#parts;
    const value = sum(traded.map(({ ticks, lots }) => instrument.value(ticks, lots)));
    const size = sum(traded.map(({ lots }) => instrument.size(lots)));
    const fee = sum(traded.map((fill) => fill.fee.toDecimal()));
    const { feeInQuote } = this.#terms;
    const quote = feeInQuote ? fee : ZERO;
    const base = feeInQuote ? ZERO : fee;
    const [left, arrived] =
      side === 'sell'
        ? [size.plus(base), value.minus(quote)]
        : [value.plus(quote), size.minus(base)];
    const sent = left.equals(move.send) ? {} : { sent: left };
    return { state: 'fulfilled', data: { paid: true }, arrived, ...sent };
  }

  get #terms(): TradeTerms {
    const { instrument, bound } = this.#parts;
    const { tickSize, quantityIncrement, takeRate, quoteCurrency, terms } = instrument;
    return {
      tick: tickSize,
      increment: quantityIncrement,
      takeRate,
      bound,
      feeInQuote: terms.feeCurrency === quoteCurrency,
    };
  }
}

function amountIn(data: CarrierData, key: string): Decimal {
  const text = data[key];
  if (typeof text === 'string') return decimal(text, key);
  throw new RangeError(`the data of a move has no ${key}`);
}

const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, one) => total.plus(one), ZERO);

const small = (send: Decimal, { asset }: Slot, symbol: string): Rejection => ({
  code: 'quantity-below-minimum',
  message: `${send.toFixed()} ${asset} are less than one quantity increment of ${symbol}.`,
});

const thin = (send: Decimal, { asset }: Slot, symbol: string): Rejection => ({
  code: 'liquidity-insufficient',
  message: `The book of ${symbol} shows too little for ${send.toFixed()} ${asset}.`,
});
