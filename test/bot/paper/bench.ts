import { PaperAccount, type PaperLife } from '../../../src/bot/paper/account.ts';
import type { OpenOrder } from '../../../src/bot/paper/renewal.ts';
import type {
  OrderRequest,
  PlaceListRequest,
  PlaceRequest,
} from '../../../src/model/order-request.ts';
import type { ListMembership, NewOrder } from '../../../src/model/order.ts';
import type { Truth } from '../../../src/gateways/venue-account.ts';
import { decimal } from '../../../src/model/decimal.ts';
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

/** A bot that keeps what it hears as a journal does, with a paper account that can die and come back. */
export class Bench {
  readonly scheduler: VirtualScheduler;
  readonly account: PaperAccount;
  readonly heard: Report[] = [];
  readonly hearings: string[] = [];
  readonly orders: Map<string, OpenOrder>;
  readonly balances: Map<string, string>;
  #lists = new Map<string, ListMembership>();

  private constructor(scheduler: VirtualScheduler, former?: Bench) {
    this.scheduler = scheduler;
    this.orders = new Map(former?.orders);
    this.balances = new Map(former?.balances);
    this.#lists = new Map(former === undefined ? [] : former.#lists);
    this.account = new PaperAccount({
      venue: 'paper',
      instruments: [PAPER],
      scheduler,
      settings: {
        balances: new Map([
          ['USDT', decimal('1000')],
          ['BTC', decimal('20')],
        ]),
        orderUs: 300,
        reportUs: 200,
      },
    });
  }

  static async open(): Promise<Bench> {
    const bench = new Bench(new VirtualScheduler(START));
    await bench.#listen();
    return bench;
  }

  /** What comes after a crash: a new process, and the journal of the old one. */
  async restart(change: (life: PaperLife) => PaperLife = (life) => life): Promise<Bench> {
    const next = new Bench(new VirtualScheduler(micros(this.scheduler.now() + 1_000)), this);
    const open = [...this.orders.values()].filter(
      ({ status }) =>
        status === 'pending' || status === 'unknown' || (status !== 'rejected' && isActive(status)),
    );
    const balances = [...this.balances].map(
      ([currency, amount]) => [currency, decimal(amount)] as const,
    );
    next.account.restore(change({ balances: new Map(balances), orders: open, margin: [] }));
    await next.#listen();
    return next;
  }

  async #listen(): Promise<void> {
    await this.account.open({
      report: (report) => this.#hear(report),
      margin: () => undefined,
      hearing: (hearing) => this.hearings.push(hearing),
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
        executedLots: lots(0),
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

  quote(bid: number, ask: number): void {
    const columns = eventColumns(1);
    columns.length = 1;
    columns.kind[0] = QUOTE;
    columns.flags[0] = LAST;
    columns.price[0] = bid;
    columns.size[0] = 1_000;
    columns.askPrice[0] = ask;
    columns.askSize[0] = 1_000;
    this.account.market(0, columns, 0);
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

  async truth(since: Micros = START): Promise<Truth> {
    const asked = this.account.truth(since);
    this.pass();
    return asked;
  }

  /** What was told of an order, in short. */
  told(clientOrderId: string): readonly string[] {
    return this.heard.flatMap((report) => {
      if (report.kind === 'balance') return [];
      const id = 'order' in report ? report.order.clientOrderId : report.clientOrderId;
      if (id !== clientOrderId) return [];
      if (!('order' in report)) {
        return [`${report.kind} ${report.kind === 'rejected' ? report.refusal.code : ''}`];
      }
      const { status, executedLots, lots: total } = report.order;
      return [`${report.kind} ${status} ${executedLots}/${total}`];
    });
  }

  /** The latest that was told of an order. */
  order(clientOrderId: string): VenueOrder {
    const found = this.orders.get(clientOrderId)?.venueOrder;
    if (found === undefined) throw new Error(`nothing was heard of ${clientOrderId}`);
    return found;
  }

  get fillIds(): readonly number[] {
    return this.heard.flatMap((report) => (report.kind === 'trade' ? [report.fill.id] : []));
  }

  #hear(report: Report): void {
    this.heard.push(report);
    if (report.kind === 'balance') {
      this.balances.set(report.currency, report.available.plus(report.reserved).toFixed());
      return;
    }
    if (!('order' in report)) return;
    const { order: told } = report;
    const { originalClientOrderId: old } = told;
    // A venue does not tell the rates that an order asked for; who sent it knows them.
    const { takeRate, makeRate } = this.orders.get(old ?? told.clientOrderId) ?? {};
    if (report.kind === 'replaced' && old !== undefined) this.orders.delete(old);
    this.orders.set(told.clientOrderId, {
      ...told,
      ...{ takeRate, makeRate },
      ...this.#lists.get(told.clientOrderId),
      requestedAt: told.createdAt,
      venueOrder: told,
    });
  }
}

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
