import { createHash } from 'node:crypto';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { micros, US_PER_SECOND } from '../../../platform/time.ts';
import type { MoveChange, MoveRecord, Step } from '../../../swaps/execution/carrier.ts';
import { decimalIn, numberIn, textIn } from '../data.ts';
import { buyOrder, sellOrder, type MarketableOrder, type TradeTerms } from './depth.ts';
import { Funds, type Balance } from './funds.ts';
import { FinalLeg } from './final-leg.ts';
import { limitRejection, type TradeLimits } from './limits.ts';
import type { Route, RouteOffer } from './route.ts';
import {
  noOffer,
  rejectionIn,
  type AccountService,
  type OrderRow,
  type TradeRow,
} from './service.ts';

/** A market of the account and what is exchanged there. */
export interface AccountMarket {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Codes of what leaves and what comes, at the trading service. */
  readonly pays: string;
  readonly gets: string;
  /** How much worse than the book the limit may be, as a fraction. */
  readonly bound: Decimal;
  /** How large one order may be. */
  readonly limits: TradeLimits;
}

/** A book is out of date soon; the limit of the order holds all the same. */
const VALID_US = 10 * US_PER_SECOND;
const DURATION_US = 2 * US_PER_SECOND;
const ID_DIGITS = 30;

/**
 * Trades one asset of the account for another by a limit order that fills whole and at once or not
 * at all. Its client order id is made of the id of the move: the service takes it once, so that
 * sending it again can buy nothing twice.
 */
export class TradeRoute implements Route {
  readonly from: Slot;
  readonly to: Slot;
  readonly #rest: AccountService;
  readonly #market: AccountMarket;
  readonly #funds: Funds;
  readonly #finalLeg: FinalLeg;

  constructor(from: Slot, to: Slot, rest: AccountService, market: AccountMarket, home: Balance) {
    this.from = from;
    this.to = to;
    this.#rest = rest;
    this.#market = market;
    this.#funds = new Funds(rest);
    this.#finalLeg = new FinalLeg(this.#funds, market.gets, 'spot', home);
  }

  async offer(send: Decimal): Promise<RouteOffer | Rejection> {
    const { symbol, side, pays, limits } = this.#market;
    try {
      const [terms, book] = await Promise.all([
        this.#terms(),
        this.#rest.getOrderBook({ symbol, depth: 0 }),
      ]);
      if (terms === undefined) return { code: 'symbol-suspended', message: `${symbol} is closed.` };
      const levels = side === 'sell' ? book.bid : book.ask;
      const order = (side === 'sell' ? sellOrder : buyOrder)(levels, send, terms);
      if (order === 'small') return small(send, pays, symbol);
      if (order === 'thin') return thin(send, pays, symbol);
      const price = side === 'buy' ? order.price : (levels[0]?.[0] ?? order.price);
      const { increment, quoteCurrency, feeInQuote } = terms;
      const limited = { symbol, side, quantity: order.quantity, price, quoteCurrency, increment };
      return limitRejection(limited, limits) ?? offerOf(order, send, feeInQuote);
    } catch (error) {
      return noOffer(error);
    }
  }

  next(move: MoveRecord): Step | undefined {
    const home = this.#finalLeg.next(move);
    if (home !== undefined) return home;
    const { id, data } = move;
    if (data['ordered'] === true) return undefined;
    const { symbol, side, pays } = this.#market;
    if (data['gathered'] !== true) {
      const wanted = { currency: pays, amount: textIn(data, 'most') };
      return { name: 'gather', data: wanted, pays: false };
    }
    const order = {
      clientOrderId: clientOrderId(id),
      symbol,
      side,
      quantity: textIn(data, 'quantity'),
      price: textIn(data, 'price'),
    };
    return { name: 'placeOrder', data: order, pays: true };
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    switch (step.name) {
      case 'gather': {
        const amount = decimalIn(step.data, 'amount');
        const rejection = await this.#funds.gather('spot', this.#market.pays, amount);
        if (rejection !== undefined) return { state: 'failed', reason: rejection.message };
        return { state: move.state, data: { gathered: true } };
      }
      case 'placeOrder':
        return this.#place(move, step);
      default:
        return this.#finalLeg.perform(move);
    }
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    switch (step.name) {
      case 'gather': {
        const amount = decimalIn(step.data, 'amount');
        const there = await this.#funds.has('spot', this.#market.pays, amount);
        return there ? { state: move.state, data: { gathered: true } } : 'undone';
      }
      case 'placeOrder':
        return (await this.#find(move, textIn(step.data, 'clientOrderId'))) ?? 'undone';
      default:
        return this.#finalLeg.recall(move);
    }
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    if (move.data['ordered'] !== true || this.#finalLeg.next(move) !== undefined) {
      return undefined;
    }
    return this.#outcome(move, numberIn(move.data, 'order'));
  }

  async #terms(): Promise<(TradeTerms & { readonly quoteCurrency: string }) | undefined> {
    const { symbol, bound } = this.#market;
    const [terms, fee] = await Promise.all([
      this.#rest.getSymbol({ symbol }),
      this.#rest.getSpotFee({ symbol }),
    ]);
    if (terms.status !== 'working') return undefined;
    return {
      tick: terms.tick_size,
      increment: terms.quantity_increment,
      takeRate: fee.take_rate,
      feeInQuote: terms.fee_currency === terms.quote_currency,
      bound,
      quoteCurrency: terms.quote_currency,
    };
  }

  async #place(move: MoveRecord, step: Step): Promise<MoveChange> {
    const { data } = step;
    try {
      const order = await this.#rest.createSpotOrder({
        client_order_id: textIn(data, 'clientOrderId'),
        symbol: textIn(data, 'symbol'),
        side: this.#market.side,
        type: 'limit',
        time_in_force: 'FOK',
        quantity: textIn(data, 'quantity'),
        price: textIn(data, 'price'),
        strict_validate: true,
      });
      return await this.#settled(move, order);
    } catch (error) {
      const rejection = rejectionIn(error);
      if (rejection.code === 'client-order-id-taken') {
        // It came after all when its outcome was asked for, or a moment later.
        const found = await this.#find(move, textIn(data, 'clientOrderId'));
        if (found !== undefined) return found;
        throw error;
      }
      return { state: 'failed', reason: rejection.message };
    }
  }

  /** What became of the order of that id, nothing where the service has never seen it. */
  async #find(move: MoveRecord, client_order_id: string): Promise<MoveChange | undefined> {
    const [order] = await this.#rest.getSpotOrderHistory({ client_order_id });
    return order === undefined ? undefined : this.#settled(move, order);
  }

  async #settled(move: MoveRecord, order: OrderRow): Promise<MoveChange> {
    const { id, status, quantity_cumulative: filled, trades = [] } = order;
    const reported = sum(trades.map(({ quantity }) => quantity));
    if (filled.isZero() && (status === 'expired' || status === 'canceled')) {
      return { state: 'expired', data: { ordered: true }, reason: 'The book had moved away.' };
    }
    if (!filled.isZero() && reported.equals(filled)) return this.#arrived(move, id, trades);
    return this.#outcome(move, id);
  }

  /** What an order has brought, by the history of trades; without all of them it is too early to say. */
  async #outcome(move: MoveRecord, id: number): Promise<MoveChange> {
    const { symbol } = this.#market;
    const trades = await this.#rest.getSpotTradeHistory({ order_id: id, symbol: [symbol] });
    const reported = sum(trades.map(({ quantity }) => quantity));
    if (reported.equals(decimalIn(move.data, 'quantity'))) return this.#arrived(move, id, trades);
    return { state: 'deposited', data: { ordered: true, order: id } };
  }

  #arrived(move: MoveRecord, order: number, fills: readonly TradeRow[]): MoveChange {
    const value = sum(fills.map(({ price, quantity }) => price.times(quantity)));
    const quantity = sum(fills.map((fill) => fill.quantity));
    const fee = sum(fills.map((fill) => fill.fee));
    const isSale = this.#market.side === 'sell';
    const [left, gross] = isSale ? [quantity, value] : [value, quantity];
    const feeOnIt = (move.data['feeInQuote'] === true) === isSale;
    const arrived = feeOnIt ? gross.minus(fee) : gross;
    const sent = feeOnIt ? left : left.plus(fee);
    const at = micros(Math.max(...fills.map(({ timestamp }) => timestamp)));
    const change = this.#finalLeg.arrived(arrived, { ordered: true, order }, at);
    return sent.equals(move.send) ? change : { ...change, sent };
  }
}

const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount), ZERO);

function offerOf(order: MarketableOrder, most: Decimal, feeInQuote: boolean): RouteOffer {
  const { quantity, price, send, expected, least } = order;
  return {
    send,
    least,
    expected,
    validUs: VALID_US,
    durationUs: DURATION_US,
    terms: {
      quantity: quantity.toFixed(),
      price: price.toFixed(),
      // What an order at its limit holds; no more than was asked to be sent.
      most: most.toFixed(),
      feeInQuote,
    },
  };
}

/** The name of the order of a move: 32 characters that the service takes, the same every time. */
const clientOrderId = (move: string): string =>
  `mv${createHash('sha256').update(move).digest('hex').slice(0, ID_DIGITS)}`;

const small = (amount: Decimal, currency: string, symbol: string): Rejection => ({
  code: 'amount-below-minimum',
  message: `${amount.toFixed()} ${currency} is less than one increment of ${symbol}.`,
});

const thin = (amount: Decimal, currency: string, symbol: string): Rejection => ({
  code: 'liquidity-insufficient',
  message: `The book of ${symbol} has not enough for ${amount.toFixed()} ${currency}.`,
});
