import { Exchange, type ExchangeOptions } from '../../../src/exchange/exchange.ts';
import {
  FIRST_ACCOUNT,
  FUND,
  HOUSE,
  POOL,
  RECORDED_MARKET,
  type Ledger,
} from '../../../src/exchange/ledger/ledger.ts';
import { AVAILABLE, CROSS, MARGIN, RESERVED } from '../../../src/exchange/ledger/balances.ts';
import type { MarginAccountView, PositionView } from '../../../src/exchange/margin/views.ts';
import type { MarginReport } from '../../../src/exchange/positions/report.ts';
import { sideName } from '../../../src/exchange/orders/side.ts';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { splitRate, splitSteps, type SplitNumber } from '../../../src/model/derivative.ts';
import {
  eventColumns,
  FUNDING,
  INDEX,
  MARK,
  QUOTE,
  TRADE,
  SELL,
} from '../../../src/model/events.ts';
import { Instrument, type InstrumentTerms } from '../../../src/model/instrument.ts';
import type { MarginMode, MarginTerms, OrderMargin } from '../../../src/model/margin-terms.ts';
import type { ContingencyType, OrderType, Side, TimeInForce } from '../../../src/model/order.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { lots as asLots, ticks as asTicks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { idOf } from '../kit.ts';

export const MARGIN_TERMS: MarginTerms = {
  marginMode: 'isolated',
  marginCallLeverageMul: '1.5',
  liquidationLeverageMul: '2',
  maxInitialLeverage: '10',
  forceCloseFee: '0.005',
  enabled: true,
  active: true,
};

export const onMargin = (change: Partial<MarginTerms> = {}): readonly MarginTerms[] => [
  { ...MARGIN_TERMS, ...change },
  { ...MARGIN_TERMS, ...change, marginMode: 'cross' },
];

/** Ticks and lots of 1; the taker pays 0.1%, the maker nothing. */
export const SPOT: InstrumentTerms = {
  symbol: 'BTCUSDT',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '1',
  quantityIncrement: '1',
  takeRate: '0.001',
  makeRate: '0',
  feeCurrency: 'USDT',
  margin: onMargin(),
};

export const PERPETUAL: InstrumentTerms = {
  ...SPOT,
  symbol: 'BTCUSDT_PERP',
  type: 'futures',
  contractType: 'perpetual',
};

export const instrument = (change: Partial<InstrumentTerms> = {}): Instrument =>
  new Instrument({ ...SPOT, ...change });

export const perpetual = (change: Partial<InstrumentTerms> = {}): Instrument =>
  new Instrument({ ...PERPETUAL, ...change });

export interface MarginOrder {
  readonly symbol?: string;
  readonly side: Side;
  readonly lots?: number;
  readonly ticks?: number;
  readonly stopTicks?: number;
  readonly type?: OrderType;
  readonly timeInForce?: TimeInForce;
  readonly postOnly?: boolean;
  /** Isolated margin where absent; a spot order where false. */
  readonly margin?: OrderMargin | MarginMode | false;
  readonly reduceOnly?: boolean;
  readonly closePosition?: boolean;
}

/** An exchange whose margin side is watched: what is told, as lines, and short ways to drive it. */
export class MarginFloor {
  readonly exchange: Exchange;
  readonly log: string[] = [];
  readonly reports: MarginReport[] = [];
  /** What was known of its position when each trade was told. */
  readonly fills: (MarginReport | undefined)[] = [];
  readonly #columns = eventColumns(1);
  at = 0;

  constructor(instruments: readonly Instrument[] = [instrument()], options: ExchangeOptions = {}) {
    this.exchange = new Exchange({
      instruments,
      options,
      listener: {
        order: (event, order) => {
          const { orders } = this.exchange;
          this.log.push(
            `${event} ${orders.clientOrderId(order)} ${orders.filled(order)}/${orders.lots(order)}`,
          );
        },
        fill: (order, _id, ticks, lots) => {
          const { orders, margin } = this.exchange;
          this.fills.push(margin.latest);
          this.log.push(
            `trade ${orders.clientOrderId(order)} ${sideName(orders.side(order))} ${lots}@${ticks}`,
          );
        },
        balance: () => undefined,
        marginAccount: (report) => {
          this.reports.push(report);
          this.log.push(lineOf(report));
        },
        funding: (_contract, { fundingRate }) => {
          this.log.push(`funding ${fundingRate.toFixed()}`);
        },
        settled: (_contract, ticks) => {
          this.log.push(`settled ${ticks}`);
        },
      },
    });
  }

  /** Opens an account with these spot balances, and so much in the derivatives ledger. */
  account(balances: Readonly<Record<string, string>>, derivatives?: string): number {
    const account = this.exchange.openAccount();
    for (const [currency, amount] of Object.entries(balances)) {
      this.exchange.deposit(account, currency, decimal(amount));
    }
    if (derivatives !== undefined) {
      this.exchange.derivatives.deposit(account, 'USDT', decimal(derivatives));
    }
    return account;
  }

  /** Opens or changes a margin account. */
  set(
    account: number,
    marginBalance: string,
    change: { symbol?: string; mode?: MarginMode; leverage?: string } = {},
  ): Rejection | undefined {
    const { symbol = 'BTCUSDT', mode = 'isolated', leverage } = change;
    return this.exchange.margin.set(
      account,
      {
        symbol,
        mode,
        marginBalance: decimal(marginBalance),
        ...(leverage === undefined ? {} : { leverage: decimal(leverage) }),
      },
      micros(this.at),
    );
  }

  place(account: number, name: string, order: MarginOrder): Rejection | undefined {
    return this.exchange.place(account, this.#order(name, order), micros(this.at));
  }

  list(
    account: number,
    contingencyType: ContingencyType,
    orders: Readonly<Record<string, MarginOrder>>,
  ): Rejection | undefined {
    const members = Object.entries(orders).map(([name, order]) => this.#order(name, order));
    return this.exchange.placeList(account, { contingencyType, orders: members }, micros(this.at));
  }

  cancel(account: number, name: string): Rejection | undefined {
    return this.exchange.cancel(account, idOf(name), micros(this.at));
  }

  replace(
    account: number,
    name: string,
    newName: string,
    change: { readonly ticks?: number; readonly lots?: number },
  ): Rejection | undefined {
    const { ticks, lots } = change;
    return this.exchange.replace(
      account,
      {
        clientOrderId: idOf(name),
        newClientOrderId: idOf(newName),
        ...(ticks === undefined ? {} : { ticks: asTicks(ticks) }),
        ...(lots === undefined ? {} : { lots: asLots(lots) }),
      },
      micros(this.at),
    );
  }

  close(
    account: number,
    change: { symbol?: string; mode?: MarginMode; price?: string; strictValidate?: boolean } = {},
  ): Rejection | undefined {
    const { symbol = 'BTCUSDT', mode = 'isolated', price, strictValidate } = change;
    return this.exchange.margin.close(
      account,
      {
        symbol,
        mode,
        ...(price === undefined ? {} : { price: decimal(price) }),
        ...(strictValidate === undefined ? {} : { strictValidate }),
      },
      micros(this.at),
    );
  }

  /** The market shows these best prices, a thousand lots each where nothing else is said. */
  quote(bid: number, ask: number, lots = 1_000, at: string | number = 'BTCUSDT'): void {
    const columns = this.#columns;
    columns.kind[0] = QUOTE;
    columns.flags[0] = 0;
    columns.price[0] = bid;
    columns.size[0] = bid === 0 ? 0 : lots;
    columns.askPrice[0] = ask;
    columns.askSize[0] = ask === 0 ? 0 : lots;
    columns.sequence[0] = 0;
    this.#row(at);
  }

  /** A trade of the market. */
  print(ticks: number, lots: number, side: Side, at: string | number = 'BTCUSDT'): void {
    const columns = this.#columns;
    columns.kind[0] = TRADE;
    columns.flags[0] = side === 'sell' ? SELL : 0;
    columns.price[0] = ticks;
    columns.size[0] = lots;
    columns.sequence[0] = 0;
    this.#row(at);
  }

  /** The venue tells a mark price of a contract, whose ticks are 1. */
  mark(price: string, at: string | number = 'BTCUSDT_PERP'): void {
    this.#beside(MARK, splitSteps(decimal(price), new Decimal(1)), 0, 0, at);
  }

  /** The venue tells an index price. */
  index(price: string, at: string | number = 'BTCUSDT_PERP'): void {
    this.#beside(INDEX, splitSteps(decimal(price), new Decimal(1)), 0, 0, at);
  }

  /** The venue tells a rate, when it is paid and the payment after it; 0 where it does not say. */
  funding(rate: string, paidAt: number, nextAt = 0, at: string | number = 'BTCUSDT_PERP'): void {
    this.#beside(FUNDING, splitRate(decimal(rate)), paidAt, nextAt, at);
  }

  #beside(
    kind: number,
    split: SplitNumber | undefined,
    askPrice: number,
    askSize: number,
    at: string | number,
  ): void {
    if (split === undefined) throw new Error('a number that no row holds');
    const columns = this.#columns;
    columns.kind[0] = kind;
    columns.flags[0] = 0;
    columns.price[0] = split.whole;
    columns.size[0] = split.rest;
    columns.askPrice[0] = askPrice;
    columns.askSize[0] = askSize;
    columns.sequence[0] = 0;
    this.#row(at);
  }

  /** Lets time come to so many microseconds. */
  advance(at: number): void {
    this.at = at;
    this.exchange.advance(micros(at));
  }

  /** What was told since the last call. */
  reported(): string[] {
    return this.log.splice(0);
  }

  view(account: number, change: { symbol?: string; mode?: MarginMode } = {}): MarginAccountView {
    const { symbol = 'BTCUSDT', mode = 'isolated' } = change;
    const view = this.exchange.margin.account(account, symbol, mode);
    if (view === undefined) throw new Error(`no ${mode} account for ${symbol}`);
    return view;
  }

  /** The only position of a margin account. */
  position(account: number, change: { symbol?: string; mode?: MarginMode } = {}): PositionView {
    const [position] = this.view(account, change).positions;
    return position;
  }

  /** Margin balance of an isolated account, as text. */
  margin(account: number, change: { symbol?: string; mode?: MarginMode } = {}): string {
    return this.view(account, change).marginBalance.toFixed();
  }

  /** A balance of a row, as text. */
  row(row: number, currency = 'USDT', pocket = AVAILABLE, ledger?: Ledger): string {
    const kept = ledger ?? this.exchange.ledger;
    return kept.balances[kept.currency(currency)].amount(row, pocket).toFixed();
  }

  /** Sum of all rows and pockets of a currency. */
  sum(currency: string, ledger: Ledger = this.exchange.ledger): string {
    const budget = ledger.balances[ledger.currency(currency)];
    let sum = new Decimal(0);
    for (let row = 0; row < ledger.accounts; row += 1) {
      for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
        sum = sum.plus(budget.amount(row, pocket));
      }
    }
    return sum.toFixed();
  }

  #order(name: string, order: MarginOrder) {
    const { ticks, stopTicks, lots = 0, reduceOnly, closePosition } = order;
    const type = order.type ?? (ticks === undefined ? 'market' : 'limit');
    const isMarket = type.endsWith('arket');
    const { margin = 'isolated' } = order;
    const terms: OrderMargin | undefined =
      margin === false ? undefined : typeof margin === 'string' ? { mode: margin } : margin;
    return {
      clientOrderId: idOf(name),
      symbol: order.symbol ?? 'BTCUSDT',
      side: order.side,
      type,
      timeInForce: order.timeInForce ?? (isMarket ? 'FOK' : 'GTC'),
      lots: asLots(lots),
      ...(ticks === undefined ? {} : { ticks: asTicks(ticks) }),
      ...(stopTicks === undefined ? {} : { stopTicks: asTicks(stopTicks) }),
      postOnly: order.postOnly ?? false,
      ...(terms === undefined
        ? {}
        : {
            margin: {
              ...terms,
              ...(reduceOnly === undefined ? {} : { reduceOnly }),
              ...(closePosition === undefined ? {} : { closePosition }),
            },
          }),
    } as const;
  }

  #row(at: string | number): void {
    const index = typeof at === 'number' ? at : this.exchange.instrument(at);
    this.#columns.receivedAt[0] = this.at;
    this.#columns.stampedAt[0] = this.at;
    this.exchange.market(index, this.#columns, 0, micros(this.at));
  }
}

/** A report as one line: why, for whom, the funds, and the position with its result. */
function lineOf({ reason, marginBalance, position, trade }: MarginReport): string {
  const held = position === undefined ? '' : ` #${position.id} ${position.quantity.toFixed()}`;
  const result = trade === undefined ? '' : ` pnl ${trade.pnl.toFixed()}`;
  return `${reason} ${marginBalance.toFixed()}${held}${result}`;
}

export { FIRST_ACCOUNT, FUND, HOUSE, POOL, RECORDED_MARKET };
