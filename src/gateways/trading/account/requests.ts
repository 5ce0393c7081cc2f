import type { NewOrder } from '../../../model/order.ts';
import type { OrderRequest, PlaceListRequest } from '../../../model/order-request.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { RejectReport } from '../../../model/report.ts';
import { gridText } from '../../../wire/trading/printing.ts';
import type { TradingSocket } from '../socket/trading.ts';
import { marketOf, type AccountMarketApi } from './market.ts';

/** A request for the trading socket. */
export interface WireRequest {
  /** By which a late answer names the request. */
  readonly params: object;
  readonly send: (socket: TradingSocket) => Promise<unknown>;
}

/** Text that needs no escape in JSON, and is a valid client order id of the service. */
const SAFE_ID = /^[A-Za-z0-9_-]{8,32}$/;

/** Writes numbers of an instrument. */
interface InstrumentFormat {
  readonly isContract: boolean;
  /** The symbol as JSON. */
  readonly symbol: string;
  readonly price: (ticks: number) => string;
  readonly quantity: (lots: number) => string;
}

/**
 * Writes the engine's requests in the service's form. Prices and quantities are exact, so strict validation
 * is requested: nothing may be rounded on the way. Times are truncated to milliseconds.
 */
export class RequestWriter {
  readonly #texts = new Map<string, InstrumentFormat>();

  setInstruments(instruments: readonly Instrument[]): void {
    this.#texts.clear();
    for (const { symbol, isContract, tickSize, quantityIncrement } of instruments) {
      this.#texts.set(symbol, {
        isContract,
        symbol: JSON.stringify(symbol),
        price: gridText(tickSize),
        quantity: gridText(quantityIncrement),
      });
    }
  }

  /** Throws `symbol-unknown` for a symbol that is no instrument here. */
  write(request: OrderRequest): WireRequest {
    switch (request.kind) {
      case 'place': {
        const text = this.#fastJson(request);
        if (text !== undefined) {
          const options = { about: request };
          const send = (socket: TradingSocket): Promise<unknown> =>
            socket.requestText('spot_new_order', text, options);
          return { params: request, send };
        }
        return this.#place(request);
      }
      case 'placeList':
        return this.#placeList(request);
      case 'replace': {
        const texts = this.#textsOf(request.symbol);
        const { price, quantity } = texts;
        const { ticks, stopTicks } = request;
        const method = `${marketOf(texts, request.margin)}_replace_order` as const;
        const params = {
          client_order_id: request.clientOrderId,
          new_client_order_id: request.newClientOrderId,
          quantity: quantity(request.lots),
          ...(ticks === undefined ? {} : { price: price(ticks) }),
          ...(stopTicks === undefined ? {} : { stop_price: price(stopTicks) }),
          strict_validate: true,
        };
        return { params, send: (socket) => socket.request(method, params) };
      }
      case 'cancel': {
        const params = { client_order_id: request.clientOrderId };
        // A delisted symbol can still be canceled.
        const { isContract = false } = this.#texts.get(request.symbol) ?? {};
        const method = `${marketOf({ isContract }, request.margin)}_cancel_order` as const;
        return { params, send: (socket) => socket.request(method, params) };
      }
    }
  }

  #place(order: NewOrder): WireRequest {
    const market = this.#marketOf(order);
    if (market === 'spot') {
      const params = this.#spotOrder(order);
      return { params, send: (socket) => socket.request('spot_new_order', params) };
    }
    const params = this.#marginOrder(order);
    const method = `${market}_new_order` as const;
    return { params, send: (socket) => socket.request(method, params) };
  }

  /** All orders of a list trade in the first order's market. */
  #placeList({ orderListId, contingencyType, orders }: PlaceListRequest): WireRequest {
    const [first] = orders;
    const market = first === undefined ? 'spot' : this.#marketOf(first);
    const names = { contingency_type: contingencyType, order_list_id: orderListId };
    if (market === 'spot') {
      const params = { ...names, orders: orders.map((order) => this.#spotOrder(order)) };
      return { params, send: (socket) => socket.request('spot_new_order_list', params) };
    }
    const params = { ...names, orders: orders.map((order) => this.#marginOrder(order)) };
    const method = `${market}_new_order_list` as const;
    return { params, send: (socket) => socket.request(method, params) };
  }

  #marketOf({ symbol, margin }: NewOrder): AccountMarketApi {
    return marketOf(this.#textsOf(symbol), margin?.mode);
  }

  #spotOrder(order: NewOrder) {
    const { takeRate, makeRate } = order;
    return {
      ...this.#order(order),
      ...(takeRate === undefined ? {} : { take_rate: takeRate }),
      ...(makeRate === undefined ? {} : { make_rate: makeRate }),
    };
  }

  /** Own fee rates are only for spot. A close-position order has no quantity. */
  #marginOrder(order: NewOrder) {
    const { mode, reduceOnly = false, closePosition = false } = order.margin ?? {};
    const { quantity, ...rest } = this.#order(order);
    return {
      ...rest,
      ...(closePosition ? { close_position: true } : { quantity }),
      ...(reduceOnly ? { reduce_only: true } : {}),
      ...(mode === undefined ? {} : { margin_mode: mode }),
    };
  }

  #order(order: NewOrder) {
    const { price, quantity } = this.#textsOf(order.symbol);
    const { ticks, stopTicks, expireAt } = order;
    return {
      client_order_id: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      type: order.type,
      time_in_force: order.timeInForce,
      quantity: quantity(order.lots),
      ...(ticks === undefined ? {} : { price: price(ticks) }),
      ...(stopTicks === undefined ? {} : { stop_price: price(stopTicks) }),
      ...(expireAt === undefined ? {} : { expire_time: expireAt }),
      ...(order.postOnly ? { post_only: true } : {}),
      strict_validate: true,
    };
  }

  /**
   * The params of a spot order of limit or market as JSON, which is faster than by the schema; the
   * schema would write the same. `undefined` for what only the schema can judge.
   */
  #fastJson(order: NewOrder): string | undefined {
    const { clientOrderId, side, type, timeInForce, lots, ticks } = order;
    const canWriteFast =
      (type === 'limit' || type === 'market') &&
      (order.stopTicks ?? order.expireAt ?? order.takeRate ?? order.makeRate) === undefined &&
      order.margin === undefined &&
      !this.#textsOf(order.symbol).isContract &&
      Number.isSafeInteger(lots) &&
      (ticks === undefined || Number.isSafeInteger(ticks)) &&
      SAFE_ID.test(clientOrderId);
    if (!canWriteFast) return undefined;
    const { symbol, price, quantity } = this.#textsOf(order.symbol);
    const priced = ticks === undefined ? '' : `,"price":"${price(ticks)}"`;
    const posted = order.postOnly ? ',"post_only":true' : '';
    return `{"client_order_id":"${clientOrderId}","symbol":${symbol},"side":"${side}","type":"${type}","time_in_force":"${timeInForce}","quantity":"${quantity(lots)}"${priced}${posted},"strict_validate":true}`;
  }

  #textsOf(symbol: string): InstrumentFormat {
    const texts = this.#texts.get(symbol);
    if (texts !== undefined) return texts;
    throw new MillraceError('symbol-unknown', `The venue has no symbol "${symbol}".`, {
      field: 'symbol',
    });
  }
}

/** The members that identify a rejected or unanswered request in a report. */
export function rejectedRequestFields(
  request: OrderRequest,
): Pick<RejectReport, 'request' | 'clientOrderId' | 'symbol'> {
  const { kind } = request;
  switch (kind) {
    case 'placeList': {
      const symbol = request.orders[0]?.symbol ?? '';
      return { request: kind, clientOrderId: request.orderListId, symbol };
    }
    case 'replace':
      return { request: kind, clientOrderId: request.newClientOrderId, symbol: request.symbol };
    default:
      return { request: kind, clientOrderId: request.clientOrderId, symbol: request.symbol };
  }
}
