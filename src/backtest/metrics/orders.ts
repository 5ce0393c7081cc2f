import type { RefusalCode } from '../../model/refusals.ts';
import type { Report } from '../../model/report.ts';
import type { OrderRequest } from '../../engine/gateway.ts';
import type { OrderStatistics } from '../result.ts';

/** Counts what became of the orders. A replacement continues the order that it replaces. */
export class Orders {
  #sent = 0;
  #replacements = 0;
  #cancels = 0;
  #touched = 0;
  #filled = 0;
  #canceled = 0;
  #expired = 0;
  #rejected = 0;
  #refused = 0;
  #fills = 0;
  #takerFills = 0;
  #refusedPlaces = 0;
  /** How many orders each list has that is not answered yet. */
  readonly #lists = new Map<string, number>();
  readonly #rejections = new Map<RefusalCode, number>();

  request(request: OrderRequest): void {
    switch (request.kind) {
      case 'place':
        this.#sent += 1;
        break;
      case 'placeList':
        this.#sent += request.orders.length;
        this.#lists.set(request.orderListId, request.orders.length);
        break;
      case 'replace':
        this.#replacements += 1;
        break;
      case 'cancel':
        this.#cancels += 1;
        break;
    }
  }

  /** Counts a command that the engine did not send. */
  refused(code: RefusalCode): void {
    this.#refused += 1;
    this.#count(code);
  }

  report(report: Report): void {
    switch (report.kind) {
      case 'trade':
        this.#fills += 1;
        if (report.fill.taker) this.#takerFills += 1;
        if (report.order.executedLots === report.fill.lots) this.#touched += 1;
        if (report.order.status === 'filled') this.#filled += 1;
        break;
      case 'canceled':
        this.#canceled += 1;
        break;
      case 'expired':
        this.#expired += 1;
        break;
      case 'rejected': {
        this.#rejected += 1;
        if (report.request === 'place') this.#refusedPlaces += 1;
        if (report.request === 'placeList') this.#refusedList(report.clientOrderId);
        this.#count(report.refusal.code);
        break;
      }
      case 'new':
      case 'suspended':
        if (this.#lists.size > 0) this.#lists.delete(report.order.clientOrderId);
        break;
      case 'replaced':
      case 'status':
      case 'balance':
        break;
    }
  }

  statistics(): OrderStatistics {
    const taken = this.#sent - this.#refusedPlaces;
    return {
      sent: this.#sent,
      replacements: this.#replacements,
      cancels: this.#cancels,
      touched: this.#touched,
      filled: this.#filled,
      canceled: this.#canceled,
      expired: this.#expired,
      rejected: this.#rejected,
      refused: this.#refused,
      rejections: Object.fromEntries([...this.#rejections].sort(([a], [b]) => (a < b ? -1 : 1))),
      fillRatio: taken === 0 ? null : this.#touched / taken,
      fills: this.#fills,
      takerFills: this.#takerFills,
    };
  }

  /** A list is refused by one answer, which is counted once, and none of its orders was ever there. */
  #refusedList(orderListId: string): void {
    this.#refusedPlaces += this.#lists.get(orderListId) ?? 0;
    this.#lists.delete(orderListId);
  }

  #count(code: RefusalCode): void {
    this.#rejections.set(code, (this.#rejections.get(code) ?? 0) + 1);
  }
}
