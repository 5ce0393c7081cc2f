import { PaperAccount, type PaperRun } from '../../../src/bot/paper/account.ts';
import type { OpenOrder } from '../../../src/bot/paper/renewal.ts';
import type {
  OrderRequest,
  PlaceListRequest,
  PlaceRequest,
} from '../../../src/model/order-request.ts';
import type { ListMembership, NewOrder } from '../../../src/model/order.ts';
import type { AccountSnapshot } from '../../../src/gateways/venue-account.ts';
import type { ExchangeOptions } from '../../../src/exchange/exchange.ts';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import type { Instrument } from '../../../src/model/instrument.ts';
import {
  marginAccountKey,
  type MarginAccountState,
  type MarginReport,
} from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { eventColumns, LAST, QUOTE, SELL, TRADE } from '../../../src/model/events.ts';
import { isActive, type VenueOrder } from '../../../src/model/order.ts';
import type { Report } from '../../../src/model/report.ts';
import { lots, ticks, type Lots, type Ticks } from '../../../src/model/units.ts';
import { micros, type Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';

export const START = micros(Date.UTC(2026, 0, 5, 10) * 1_000);
export const PAPER = instrumentOf({
  tickSize: '1',
  quantityIncrement: '1',
  takeRate: '0',
  makeRate: '0',
});

/** What a paper account trades, and what it begins with. */
export interface BenchSetup {
  readonly instruments: readonly Instrument[];
  readonly balances: Readonly<Record<string, string>>;
  readonly exchange?: ExchangeOptions;
}

const SPOT_ALONE: BenchSetup = { instruments: [PAPER], balances: { USDT: '1000', BTC: '20' } };

/** A bot that keeps what it hears as a journal does, with a paper account that can die and come back. */
export class Bench {
  readonly scheduler: VirtualScheduler;
  readonly account: PaperAccount;
  readonly received: Report[] = [];
  readonly hearings: string[] = [];
  readonly orders: Map<string, OpenOrder>;
  readonly balances: Map<string, string>;
  /** Margin accounts as last told, by their keys; closed ones too. */
  readonly margin: Map<string, MarginAccountState>;
  readonly receivedOfMargin: MarginReport[] = [];
  /** Both kinds of reports in the order in which they were heard. */
  readonly sequence: string[] = [];
  readonly warnings: string[] = [];
  readonly #setup: BenchSetup;
  #lists = new Map<string, ListMembership>();

  private constructor(scheduler: VirtualScheduler, setup: BenchSetup, previous?: Bench) {
    this.scheduler = scheduler;
    this.#setup = setup;
    this.orders = new Map(previous?.orders);
    this.balances = new Map(previous?.balances);
    this.margin = new Map(previous?.margin);
    this.#lists = new Map(previous === undefined ? [] : previous.#lists);
    const { instruments, balances, exchange } = setup;
    this.account = new PaperAccount({
      venue: 'paper',
      instruments,
      scheduler,
      settings: { balances: new Map(amounts(balances)), orderUs: 300, reportUs: 200 },
      warn: (message) => this.warnings.push(message),
      exchange,
    });
  }

  static async open(setup = SPOT_ALONE): Promise<Bench> {
    const bench = new Bench(new VirtualScheduler(START), setup);
    await bench.#listen();
    return bench;
  }

  /** What comes after a crash: a new process, and the journal of the old one. */
  async restart(
    change: (life: PaperRun) => PaperRun = (life) => life,
    { setup = this.#setup, downUs = 1_000 } = {},
  ): Promise<Bench> {
    const now = this.scheduler.now();
    const next = new Bench(new VirtualScheduler(micros(now + downUs)), setup, this);
    const open = [...this.orders.values()].filter(
      ({ status }) =>
        status === 'pending' || status === 'unknown' || (status !== 'rejected' && isActive(status)),
    );
    const balances = new Map(amounts(Object.fromEntries(this.balances)));
    const margin = [...this.margin.values()];
    next.account.restore(change({ balances, orders: open, margin, receivedAt: now }));
    await next.#listen();
    return next;
  }

  async #listen(): Promise<void> {
    await this.account.open({
      report: (report) => this.#receive(report),
      margin: (report) => this.#receiveOfMargin(report),
      connectionState: (connectionState) => this.hearings.push(connectionState),
    });
  }

  send(request: OrderRequest): void {
    const intend = (order: NewOrder, list?: ListMembership): void => {
      const { clientOrderId, symbol, side, type, timeInForce, ticks, stopTicks } = order;
      const { takeRate, makeRate } = order;
      const shape = { clientOrderId, symbol, side, type, timeInForce, ticks, stopTicks };
      const terms = { ...shape, takeRate, makeRate };
      if (list !== undefined) this.#lists.set(order.clientOrderId, list);
      this.orders.set(order.clientOrderId, {
        ...terms,
        ...list,
        lots: order.lots,
        filledLots: lots(0),
        status: 'pending',
        requestedAt: this.scheduler.now(),
      });
    };
    if (request.kind === 'place') intend(request);
    else if (request.kind === 'placeList') {
      const { orderListId, contingencyType } = request;
      request.orders.forEach((order, listIndex) =>
        intend(order, { orderListId, contingencyType, listIndex }),
      );
    } else if (request.kind === 'replace') {
      this.#lists.set(request.newClientOrderId, this.#lists.get(request.clientOrderId) ?? {});
    }
    this.account.send(request);
  }

  /** Lets time pass until everything on its way has arrived. */
  pass(us = 1_000): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + us));
  }

  place(clientOrderId: string, terms: Terms = {}): void {
    this.send(order(clientOrderId, terms));
    this.pass();
  }

  list(contingencyType: PlaceListRequest['contingencyType'], ...orders: PlaceRequest[]): void {
    this.send({
      kind: 'placeList',
      orderListId: orders[0].clientOrderId,
      contingencyType,
      orders,
    });
    this.pass();
  }

  quote(bid: number, ask: number, index = 0): void {
    const columns = eventColumns(1);
    columns.length = 1;
    columns.kind[0] = QUOTE;
    columns.flags[0] = LAST;
    columns.price[0] = bid;
    columns.size[0] = 1_000;
    columns.askPrice[0] = ask;
    columns.askSize[0] = 1_000;
    this.account.market(index, columns, 0);
    this.pass();
  }

  /** Asks for a margin account to be brought to a balance, and a leverage where one is given. */
  fund(symbol: string, mode: MarginMode, balance: string, leverage?: string): void {
    this.account.margin?.set({
      ...({ kind: 'setMargin', symbol, mode } as const),
      balance: decimal(balance),
      ...(leverage === undefined ? {} : { leverage: decimal(leverage) }),
    });
    this.pass();
  }

  /** A public trade: a sell goes through resting buys at its price or above. */
  trade(price: number, size: number, side: 'buy' | 'sell' = 'sell'): void {
    const columns = eventColumns(1);
    columns.length = 1;
    columns.kind[0] = TRADE;
    columns.flags[0] = LAST | (side === 'sell' ? SELL : 0);
    columns.price[0] = price;
    columns.size[0] = size;
    this.account.market(0, columns, 0);
    this.pass();
  }

  async snapshot(since: Micros = START): Promise<AccountSnapshot> {
    const asked = this.account.snapshot(since);
    this.pass();
    return asked;
  }

  /** What was told of an order, in short. */
  reported(clientOrderId: string): readonly string[] {
    return this.received.flatMap((report) => {
      if (report.kind === 'balance') return [];
      const id = 'order' in report ? report.order.clientOrderId : report.clientOrderId;
      if (id !== clientOrderId) return [];
      if (!('order' in report)) {
        return [`${report.kind} ${report.kind === 'rejected' ? report.rejection.code : ''}`];
      }
      const { status, filledLots, lots: total } = report.order;
      return [`${report.kind} ${status} ${filledLots}/${total}`];
    });
  }

  /** The latest that was told of an order. */
  order(clientOrderId: string): VenueOrder {
    const found = this.orders.get(clientOrderId)?.venueOrder;
    if (found === undefined) throw new Error(`nothing was heard of ${clientOrderId}`);
    return found;
  }

  get fillIds(): readonly number[] {
    return this.received.flatMap((report) => (report.kind === 'trade' ? [report.fill.id] : []));
  }

  #receiveOfMargin(report: MarginReport): void {
    this.receivedOfMargin.push(report);
    if (report.kind === 'marginRejected') {
      this.sequence.push(`rejected ${report.rejection.code}`);
      return;
    }
    this.sequence.push(report.reason);
    this.margin.set(marginAccountKey(report.account), report.account);
  }

  #receive(report: Report): void {
    this.received.push(report);
    this.sequence.push(report.kind);
    if (report.kind === 'balance') {
      this.balances.set(report.currency, report.available.plus(report.reserved).toFixed());
      return;
    }
    if (!('order' in report)) return;
    const { order: reported } = report;
    const { originalClientOrderId: old } = reported;
    // A venue does not tell the rates that an order asked for; who sent it knows them.
    const { takeRate, makeRate } = this.orders.get(old ?? reported.clientOrderId) ?? {};
    if (report.kind === 'replaced' && old !== undefined) this.orders.delete(old);
    this.orders.set(reported.clientOrderId, {
      ...reported,
      takeRate,
      makeRate,
      ...this.#lists.get(reported.clientOrderId),
      requestedAt: reported.createdAt,
      venueOrder: reported,
    });
  }
}

const amounts = (texts: Readonly<Record<string, string>>): [string, Decimal][] =>
  Object.entries(texts).map(([currency, amount]) => [currency, decimal(amount)]);

type Terms = Partial<Omit<PlaceRequest, 'kind' | 'lots' | 'ticks' | 'stopTicks'>> & {
  readonly lots?: number;
  readonly ticks?: number;
  readonly stopTicks?: number;
};

/** A buy of 2 at 100 unless it says otherwise; market types have no price. */
export function order(clientOrderId: string, terms: Terms = {}): PlaceRequest {
  const { lots: size = 2, ticks: price = 100, stopTicks, ...rest } = terms;
  const type = rest.type ?? 'limit';
  return {
    kind: 'place',
    clientOrderId,
    symbol: 'BTCUSDT',
    side: 'buy',
    type,
    timeInForce: 'GTC',
    postOnly: false,
    ...rest,
    lots: size as Lots,
    ...(type === 'limit' || type.endsWith('Limit') ? { ticks: price as Ticks } : {}),
    ...(stopTicks === undefined ? {} : { stopTicks: ticks(stopTicks) }),
  };
}
