import { Exchange, type ExchangeOptions } from '../../src/exchange/exchange.ts';
import type { ExchangeListener } from '../../src/exchange/state/listener.ts';
import { sideName } from '../../src/exchange/orders/side.ts';
import { decimal } from '../../src/model/decimal.ts';
import {
  CANDLE,
  eventColumns,
  GAP,
  LAST,
  LEVEL,
  QUOTE,
  RESET,
  SELL,
  TRADE,
} from '../../src/model/events.ts';
import { InstrumentState } from '../../src/model/instrument-state.ts';
import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';
import type {
  ContingencyType,
  OrderType,
  Side,
  TimeInForce,
  NewOrder,
} from '../../src/model/order.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { lots as asLots, ticks as asTicks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { defaultTimeInForce } from '../../src/rules/order-shape.ts';

export const TERMS: InstrumentTerms = {
  symbol: 'BTCUSDT',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '1',
  quantityIncrement: '1',
  takeRate: '0.002',
  makeRate: '0.001',
  feeCurrency: 'USDT',
};

export const instrumentOf = (change: Partial<InstrumentTerms> = {}): Instrument =>
  new Instrument({ ...TERMS, ...change });

export interface Order {
  readonly symbol?: string;
  readonly side: Side;
  readonly lots: number;
  /** A market order where absent. */
  readonly ticks?: number;
  readonly timeInForce?: TimeInForce;
  readonly type?: OrderType;
  /** For the types that wait for a trigger. */
  readonly stop?: number;
  readonly postOnly?: boolean;
  readonly expireAt?: number;
  /** Fee rates that it asks for itself. */
  readonly takeRate?: string;
  readonly makeRate?: string;
}

/** An exchange with a log of all that it tells, as lines, and short ways to feed it. */
export class Floor {
  readonly exchange: Exchange;
  readonly log: string[] = [];
  readonly #columns = eventColumns(1);
  /** What others know of the markets, where the exchange shares their books. */
  readonly #states: readonly InstrumentState[];
  at = 0;

  constructor(
    instruments: readonly Instrument[] = [instrumentOf()],
    options: ExchangeOptions = {},
    sharesBooks = false,
  ) {
    this.#states = sharesBooks ? instruments.map((one) => new InstrumentState(one)) : [];
    const shared = { recordedBooks: this.#states.map(({ book }) => book) };
    const listener: ExchangeListener = {
      order: (event, order) => {
        const o = this.exchange.orders;
        this.log.push(
          `${event} ${o.clientOrderId(order)} ${o.status(order)} ${o.filled(order)}/${o.lots(order)}`,
        );
      },
      fill: (order, id, ticks, lots, taker) => {
        const o = this.exchange.orders;
        this.log.push(
          `trade ${id} ${o.clientOrderId(order)} ${sideName(o.side(order))} ${lots}@${ticks} ${taker ? 'taker' : 'maker'} ${o.status(order)} ${o.filled(order)}/${o.lots(order)}`,
        );
      },
      balance: (account, currency) => {
        const { ledger } = this.exchange;
        this.log.push(
          `balance ${account} ${ledger.balances[currency].currency} ${ledger.available(account, currency).toFixed()} ${ledger.reserved(account, currency).toFixed()}`,
        );
      },
    };
    this.exchange = new Exchange({
      instruments,
      listener,
      options: sharesBooks ? { ...options, ...shared } : options,
    });
  }

  /** Opens an account with these balances. */
  account(balances: Readonly<Record<string, string>>): number {
    const account = this.exchange.openAccount();
    for (const [currency, amount] of Object.entries(balances)) {
      this.exchange.deposit(account, currency, decimal(amount));
    }
    this.log.length = 0;
    return account;
  }

  /** Places a list of named orders. */
  placeList(
    account: number,
    contingencyType: ContingencyType,
    orders: readonly (readonly [name: string, order: Order])[],
    orderListId?: string,
  ): Rejection | undefined {
    const list = {
      contingencyType,
      orders: orders.map(([name, order]) => newOrder(name, order)),
      ...(orderListId === undefined ? {} : { orderListId: idOf(orderListId) }),
    };
    return this.exchange.placeList(account, list, micros(this.at));
  }

  /** Places an order; its client order id is filled up to eight characters. */
  place(account: number, name: string, order: Order): Rejection | undefined {
    return this.exchange.place(account, newOrder(name, order), micros(this.at));
  }

  cancel(account: number, name: string): Rejection | undefined {
    return this.exchange.cancel(account, idOf(name), micros(this.at));
  }

  replace(
    account: number,
    name: string,
    newName: string,
    change: { readonly ticks?: number; readonly lots?: number; readonly stop?: number },
  ): Rejection | undefined {
    const { ticks, lots, stop } = change;
    return this.exchange.replace(
      account,
      {
        clientOrderId: idOf(name),
        newClientOrderId: idOf(newName),
        ...(ticks === undefined ? {} : { ticks: asTicks(ticks) }),
        ...(lots === undefined ? {} : { lots: asLots(lots) }),
        ...(stop === undefined ? {} : { stopTicks: asTicks(stop) }),
      },
      micros(this.at),
    );
  }

  /** Lets time pass. */
  pass(us: number): void {
    this.at += us;
    this.exchange.advance(micros(this.at));
  }

  /** What was told since the last call. */
  reported(): string[] {
    return this.log.splice(0);
  }

  /** What was told since the last call, without balances. */
  events(): string[] {
    return this.reported().filter((line) => !line.startsWith('balance'));
  }

  /** One line per currency: available and reserved. */
  balance(account: number, currency: string): string {
    const { available, reserved } = this.exchange.balance(account, currency);
    return `${available.toFixed()} ${reserved.toFixed()}`;
  }

  trade(aggressor: Side, ticks: number, lots: number, instrument = 0): void {
    this.#row(instrument, TRADE, aggressor === 'sell' ? SELL : 0, ticks, lots);
  }

  /** A depth message of levels `[side, ticks, lots]`. */
  depth(levels: readonly Level[], sequence = 0, instrument = 0): void {
    levels.forEach(([side, ticks, lots], index) => {
      const flags = (side === 'ask' ? SELL : 0) | (index === levels.length - 1 ? LAST : 0);
      this.#row(instrument, LEVEL, flags, ticks, lots, 0, 0, sequence);
    });
  }

  /** A snapshot. */
  snapshot(levels: readonly Level[], sequence = 0, instrument = 0): void {
    this.#row(instrument, RESET, levels.length === 0 ? LAST : 0, 0, 0, 0, 0, sequence);
    this.depth(levels, sequence, instrument);
  }

  quote(
    bid: readonly [number, number],
    ask: readonly [number, number],
    sequence = 0,
    instrument = 0,
  ): void {
    this.#row(instrument, QUOTE, LAST, bid[0], bid[1], ask[0], ask[1], sequence);
  }

  gap(instrument = 0): void {
    this.#row(instrument, GAP, LAST, 0, 0);
  }

  /** A candle by its open, high, low, close and volume, which ends now. */
  candle(
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    periodUs = 0,
  ): void {
    this.#columns.open[0] = open;
    this.#columns.stampedAt[0] = this.at - periodUs;
    this.#row(0, CANDLE, LAST, close, volume, high, low);
  }

  #row(
    instrument: number,
    kind: number,
    flags: number,
    price: number,
    size: number,
    askPrice = 0,
    askSize = 0,
    sequence = 0,
  ): void {
    const c = this.#columns;
    c.length = 1;
    c.kind[0] = kind;
    c.flags[0] = flags;
    c.price[0] = price;
    c.size[0] = size;
    c.askPrice[0] = askPrice;
    c.askSize[0] = askSize;
    c.sequence[0] = sequence;
    this.#states[instrument]?.take(c, 0);
    this.exchange.market(instrument, c, 0, micros(this.at));
  }
}

export type Level = readonly [side: 'bid' | 'ask', ticks: number, lots: number];

/** A client order id of at least eight characters. */
export const idOf = (name: string): string => name.padEnd(8, '-');

function newOrder(name: string, order: Order): NewOrder {
  const { ticks, stop, expireAt, takeRate, makeRate } = order;
  const type = order.type ?? (ticks === undefined ? 'market' : 'limit');
  return {
    clientOrderId: idOf(name),
    symbol: order.symbol ?? 'BTCUSDT',
    side: order.side,
    type,
    timeInForce: order.timeInForce ?? defaultTimeInForce(type),
    lots: asLots(order.lots),
    ...(ticks === undefined ? {} : { ticks: asTicks(ticks) }),
    ...(stop === undefined ? {} : { stopTicks: asTicks(stop) }),
    ...(expireAt === undefined ? {} : { expireAt: micros(expireAt) }),
    postOnly: order.postOnly ?? false,
    ...(takeRate === undefined ? {} : { takeRate: decimal(takeRate) }),
    ...(makeRate === undefined ? {} : { makeRate: decimal(makeRate) }),
  };
}
