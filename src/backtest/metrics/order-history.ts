import type { OrderRequest, ReplaceRequest } from '../../model/order-request.ts';
import type { Instrument } from '../../model/instrument.ts';
import { type NewOrder, type VenueOrder, isActive } from '../../model/order.ts';
import type { RejectReport, Report } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type { Limited, OrderRow } from '../result.ts';

/** A row while its order may still change. */
interface Entry {
  readonly sentAt: Micros;
  readonly order: NewOrder;
  readonly replaces: string | null;
  readonly list: Pick<OrderRow, 'list' | 'contingencyType' | 'listIndex'>;
  status: OrderRow['status'];
  executedLots: number;
  triggeredAt: Micros | undefined;
  endedAt: Micros | undefined;
}

const ALONE: Entry['list'] = { list: null, contingencyType: null, listIndex: null };

/** One row for each order that was sent, with what became of it. */
export class OrderHistory {
  /** Symbols on which an order with a stop price was sent. */
  readonly stopSymbols = new Set<string>();
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #limit: number;
  readonly #entries: Entry[] = [];
  readonly #open = new Map<string, Entry>();
  #total = 0;

  /** Keeps the rows of the first `limit` orders. */
  constructor(instruments: readonly Instrument[], limit: number) {
    this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
    this.#limit = limit;
  }

  get rows(): Limited<OrderRow> {
    return { total: this.#total, rows: this.#entries.map((entry) => this.#row(entry)) };
  }

  /** Takes a request as it is sent. */
  request(at: Micros, request: OrderRequest): void {
    switch (request.kind) {
      case 'place':
        this.#add(at, request, null, ALONE);
        break;
      case 'placeList': {
        const { orderListId: list, contingencyType, orders } = request;
        for (const [listIndex, order] of orders.entries()) {
          this.#add(at, order, null, { list, contingencyType, listIndex });
        }
        break;
      }
      case 'replace':
        this.#replacement(at, request);
        break;
      case 'cancel':
        break;
    }
  }

  /** Takes what the venue did. */
  report(report: Report): void {
    if (report.kind === 'balance' || report.kind === 'doubt') return;
    if (report.kind === 'rejected') {
      this.#rejected(report);
      return;
    }
    const { at, order } = report;
    if (report.kind === 'replaced') this.#end(order.originalClientOrderId, 'replaced', at);
    const entry = this.#open.get(order.clientOrderId);
    if (entry === undefined) return;
    if (report.kind === 'new' && order.stopTicks !== undefined) entry.triggeredAt ??= at;
    this.#follow(entry, order, at);
  }

  #follow(entry: Entry, { clientOrderId, status, executedLots }: VenueOrder, at: Micros): void {
    entry.executedLots = executedLots;
    if (isActive(status)) entry.status = status;
    else this.#end(clientOrderId, status, at);
  }

  #add(sentAt: Micros, order: NewOrder, replaces: string | null, list: Entry['list']): void {
    const entry: Entry = {
      ...{ sentAt, order, replaces, list },
      status: 'sent',
      executedLots: 0,
      triggeredAt: undefined,
      endedAt: undefined,
    };
    this.#total += 1;
    if (order.stopTicks !== undefined) this.stopSymbols.add(order.symbol);
    this.#open.set(order.clientOrderId, entry);
    if (this.#entries.length < this.#limit) this.#entries.push(entry);
  }

  #replacement(at: Micros, request: ReplaceRequest): void {
    const { clientOrderId, newClientOrderId, lots } = request;
    const before = this.#open.get(clientOrderId);
    if (before === undefined) return;
    const { order, list, triggeredAt } = before;
    const { ticks = order.ticks, stopTicks = order.stopTicks } = request;
    const successor: NewOrder = {
      ...order,
      clientOrderId: newClientOrderId,
      lots,
      ...(ticks === undefined ? {} : { ticks }),
      ...(stopTicks === undefined ? {} : { stopTicks }),
    };
    this.#add(at, successor, clientOrderId, list);
    const entry = this.#open.get(newClientOrderId);
    if (entry !== undefined) entry.triggeredAt = triggeredAt;
  }

  /** Refused cancels change nothing; a refused list has none of its orders. */
  #rejected({ at, request, clientOrderId }: RejectReport): void {
    if (request === 'cancel') return;
    this.#end(clientOrderId, 'rejected', at);
    if (request !== 'placeList') return;
    for (const [id, { list, status }] of this.#open) {
      if (list.list === clientOrderId && status === 'sent') this.#end(id, 'rejected', at);
    }
  }

  #end(clientOrderId: string | undefined, status: OrderRow['status'], at: Micros): void {
    const entry = clientOrderId === undefined ? undefined : this.#open.get(clientOrderId);
    if (clientOrderId === undefined || entry === undefined) return;
    entry.status = status;
    entry.endedAt = at;
    this.#open.delete(clientOrderId);
  }

  #row({ order, list, replaces, status, executedLots, ...times }: Entry): OrderRow {
    const { symbol, clientOrderId, side, type, timeInForce, ticks, stopTicks, lots } = order;
    const { takeRate, makeRate } = order;
    const instrument = this.#instruments.get(symbol);
    const price = (at: Ticks | undefined): string | null =>
      at === undefined || instrument === undefined
        ? null
        : instrument.tickAmount.timesCount(at).toFixed();
    const size = (count: number): string =>
      instrument === undefined ? String(count) : instrument.sizeAmount(count as Lots).toFixed();
    return {
      sentAt: isoTime(times.sentAt),
      triggeredAt: times.triggeredAt === undefined ? null : isoTime(times.triggeredAt),
      endedAt: times.endedAt === undefined ? null : isoTime(times.endedAt),
      symbol,
      order: clientOrderId,
      replaces,
      ...list,
      ...{ side, type, timeInForce },
      price: price(ticks),
      stopPrice: price(stopTicks),
      takeRate: takeRate?.toFixed() ?? null,
      makeRate: makeRate?.toFixed() ?? null,
      size: size(lots),
      filled: size(executedLots),
      status,
    };
  }
}
