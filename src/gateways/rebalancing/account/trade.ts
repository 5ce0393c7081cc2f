import { createHash } from 'node:crypto';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { HoldingKey } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { micros, US_PER_SECOND } from '../../../platform/time.ts';
import type {
  TransferChange,
  TransferRecord,
  Step,
} from '../../../swaps/execution/transfer-route.ts';
import { decimalIn, numberIn, textIn } from '../data.ts';
import { buyOrder, sellOrder, type MarketableOrder, type TradeTerms } from './depth.ts';
import { Funds, type Balance } from './funds.ts';
import { FinalLeg } from './final-leg.ts';
import { limitRejection, type TradeLimits } from './limits.ts';
import type { AccountPath, PathOffer } from './path.ts';
import {
  noOffer,
  rejectionIn,
  type AccountService,
  type OrderRow,
  type TradeRow,
} from './service.ts';

/** A market of the account and the assets exchanged there. */
export interface AccountMarket {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Codes of the sent and the received asset at the trading service. */
  readonly pays: string;
  readonly gets: string;
  /** How far the limit may be from the best price, as a fraction. */
  readonly tolerance: Decimal;
  /** Largest size of one order. */
  readonly limits: TradeLimits;
}

/** A book is soon out of date; the limit of the order applies anyway. */
const VALID_US = 10 * US_PER_SECOND;
const DURATION_US = 2 * US_PER_SECOND;
const ID_DIGITS = 30;

/**
 * Trades one asset of the account for another by a FOK limit order. Its client order id is derived from the
 * id of the transfer: the service takes it once, so sending it again cannot buy twice.
 */
export class TradePath implements AccountPath {
  readonly from: HoldingKey;
  readonly to: HoldingKey;
  readonly #rest: AccountService;
  readonly #market: AccountMarket;
  readonly #funds: Funds;
  readonly #finalLeg: FinalLeg;

  constructor(
    from: HoldingKey,
    to: HoldingKey,
    rest: AccountService,
    market: AccountMarket,
    home: Balance,
  ) {
    this.from = from;
    this.to = to;
    this.#rest = rest;
    this.#market = market;
    this.#funds = new Funds(rest);
    this.#finalLeg = new FinalLeg(this.#funds, market.gets, 'spot', home);
  }

  async offer(send: Decimal): Promise<PathOffer | Rejection> {
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

  next(transfer: TransferRecord): Step | undefined {
    const home = this.#finalLeg.next(transfer);
    if (home !== undefined) return home;
    const { id, data } = transfer;
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

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    switch (step.name) {
      case 'gather': {
        const amount = decimalIn(step.data, 'amount');
        const rejection = await this.#funds.gather('spot', this.#market.pays, amount);
        if (rejection !== undefined) return { state: 'failed', reason: rejection.message };
        return { state: transfer.state, data: { gathered: true } };
      }
      case 'placeOrder':
        return this.#placeOrder(transfer, step);
      default:
        return this.#finalLeg.perform(transfer);
    }
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    switch (step.name) {
      case 'gather': {
        const amount = decimalIn(step.data, 'amount');
        const there = await this.#funds.has('spot', this.#market.pays, amount);
        return there ? { state: transfer.state, data: { gathered: true } } : 'undone';
      }
      case 'placeOrder':
        return (await this.#find(transfer, textIn(step.data, 'clientOrderId'))) ?? 'undone';
      default:
        return this.#finalLeg.recall(transfer);
    }
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    if (transfer.data['ordered'] !== true || this.#finalLeg.next(transfer) !== undefined) {
      return undefined;
    }
    return this.#outcome(transfer, numberIn(transfer.data, 'order'));
  }

  async #terms(): Promise<(TradeTerms & { readonly quoteCurrency: string }) | undefined> {
    const { symbol, tolerance } = this.#market;
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
      tolerance,
      quoteCurrency: terms.quote_currency,
    };
  }

  async #placeOrder(transfer: TransferRecord, step: Step): Promise<TransferChange> {
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
      return await this.#settled(transfer, order);
    } catch (error) {
      const rejection = rejectionIn(error);
      if (rejection.code === 'client-order-id-taken') {
        // It arrived after all, before its outcome was read or a moment later.
        const found = await this.#find(transfer, textIn(data, 'clientOrderId'));
        if (found !== undefined) return found;
        throw error;
      }
      return { state: 'failed', reason: rejection.message };
    }
  }

  /** State of the order of that id, nothing if the service has never seen it. */
  async #find(
    transfer: TransferRecord,
    client_order_id: string,
  ): Promise<TransferChange | undefined> {
    const [order] = await this.#rest.getSpotOrderHistory({ client_order_id });
    return order === undefined ? undefined : this.#settled(transfer, order);
  }

  async #settled(transfer: TransferRecord, order: OrderRow): Promise<TransferChange> {
    const { id, status, quantity_cumulative: filled, trades = [] } = order;
    const reported = sum(trades.map(({ quantity }) => quantity));
    if (filled.isZero() && (status === 'expired' || status === 'canceled')) {
      return { state: 'expired', data: { ordered: true }, reason: 'The book had moved away.' };
    }
    if (!filled.isZero() && reported.equals(filled)) return this.#arrived(transfer, id, trades);
    return this.#outcome(transfer, id);
  }

  /** Proceeds of an order by the trade history; without all trades it is too early to say. */
  async #outcome(transfer: TransferRecord, id: number): Promise<TransferChange> {
    const { symbol } = this.#market;
    const trades = await this.#rest.getSpotTradeHistory({ order_id: id, symbol: [symbol] });
    const reported = sum(trades.map(({ quantity }) => quantity));
    if (reported.equals(decimalIn(transfer.data, 'quantity')))
      return this.#arrived(transfer, id, trades);
    return { state: 'deposited', data: { ordered: true, order: id } };
  }

  #arrived(transfer: TransferRecord, order: number, fills: readonly TradeRow[]): TransferChange {
    const value = sum(fills.map(({ price, quantity }) => price.times(quantity)));
    const quantity = sum(fills.map((fill) => fill.quantity));
    const fee = sum(fills.map((fill) => fill.fee));
    const isSale = this.#market.side === 'sell';
    const [left, gross] = isSale ? [quantity, value] : [value, quantity];
    const feeOnIt = (transfer.data['feeInQuote'] === true) === isSale;
    const arrived = feeOnIt ? gross.minus(fee) : gross;
    const sent = feeOnIt ? left : left.plus(fee);
    const at = micros(Math.max(...fills.map(({ timestamp }) => timestamp)));
    const change = this.#finalLeg.arrived(arrived, { ordered: true, order }, at);
    return sent.equals(transfer.send) ? change : { ...change, sent };
  }
}

const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount), ZERO);

function offerOf(order: MarketableOrder, most: Decimal, feeInQuote: boolean): PathOffer {
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
      // Reserve of an order at its limit; at most the requested amount.
      most: most.toFixed(),
      feeInQuote,
    },
  };
}

/** The client order id of a transfer: 32 characters that the service takes, the same every time. */
const clientOrderId = (transfer: string): string =>
  `mv${createHash('sha256').update(transfer).digest('hex').slice(0, ID_DIGITS)}`;

const small = (amount: Decimal, currency: string, symbol: string): Rejection => ({
  code: 'amount-below-minimum',
  message: `${amount.toFixed()} ${currency} is less than one increment of ${symbol}.`,
});

const thin = (amount: Decimal, currency: string, symbol: string): Rejection => ({
  code: 'liquidity-insufficient',
  message: `The book of ${symbol} has not enough for ${amount.toFixed()} ${currency}.`,
});
