import type { Rejection, RejectionCode } from '../../model/rejections.ts';
import type { MarginRejectReport } from '../../model/margin-account.ts';
import type { RejectReport, Report } from '../../model/report.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Command, PlaceList } from '../../strategy/commands.ts';
import type { OrderStatistics } from '../result.ts';

/** Counts orders by result. A replacement continues the order that it replaces. */
export class OrderMetrics {
  #sent = 0;
  #replacements = 0;
  #cancels = 0;
  #touched = 0;
  #filled = 0;
  #canceled = 0;
  #expired = 0;
  #rejected = 0;
  #refused = 0;
  #refusedReplacements = 0;
  #refusedCancels = 0;
  #refusedManagedOrders = 0;
  #refusedSettings = 0;
  #fills = 0;
  #takerFills = 0;
  /** Number of orders of each unanswered list. */
  readonly #lists = new Map<string, number>();
  readonly #rejections = new Map<RejectionCode, number>();
  readonly #firstRejections = new Map<RejectionCode, string>();

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

  /** Counts a command that the engine rejected. */
  refused(command: Command, rejection: Rejection): void {
    switch (command.kind) {
      case 'place':
        this.#refused += 1;
        break;
      case 'placeList': {
        const count = ordersOf(command);
        this.#refused += count;
        this.#count(rejection, count);
        return;
      }
      case 'replace':
        this.#refusedReplacements += 1;
        break;
      case 'cancel':
      case 'cancelAll':
        this.#refusedCancels += 1;
        break;
      case 'target':
      case 'quote':
      case 'twap':
      case 'vwap':
      case 'iceberg':
      case 'grid':
      case 'dca':
      case 'rebalance':
        this.#refusedManagedOrders += 1;
        break;
      case 'setMargin':
        this.#refusedSettings += 1;
        break;
    }
    this.#count(rejection, 1);
  }

  report(report: Report): void {
    switch (report.kind) {
      case 'trade':
        this.#fills += 1;
        if (report.fill.taker) this.#takerFills += 1;
        if (report.order.filledLots === report.fill.lots) this.#touched += 1;
        if (report.order.status === 'filled') this.#filled += 1;
        break;
      case 'canceled':
        this.#canceled += 1;
        break;
      case 'expired':
        this.#expired += 1;
        break;
      case 'rejected':
        this.#count(report.rejection, this.#rejectedBy(report));
        break;
      case 'new':
      case 'suspended':
        if (this.#lists.size > 0) this.#lists.delete(report.order.clientOrderId);
        break;
      case 'replaced':
      case 'status':
      case 'outcome-unknown':
      case 'balance':
        break;
    }
  }

  /** Counts a rejected setting of a margin account. */
  marginRejected({ rejection }: MarginRejectReport): void {
    this.#refusedSettings += 1;
    this.#count(rejection, 1);
  }

  /** Counts a fill without an order of the strategy. */
  forcedFill(): void {
    this.#fills += 1;
    this.#takerFills += 1;
  }

  statistics(): OrderStatistics {
    const taken = this.#sent - this.#rejected;
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
      refusedReplacements: this.#refusedReplacements,
      refusedCancels: this.#refusedCancels,
      refusedManagedOrders: this.#refusedManagedOrders,
      ...(this.#refusedSettings === 0 ? {} : { refusedSettings: this.#refusedSettings }),
      rejections: byCode(this.#rejections),
      firstRejections: byCode(this.#firstRejections),
      fillRatio: taken === 0 ? null : this.#touched / taken,
      fills: this.#fills,
      takerFills: this.#takerFills,
    };
  }

  /**
   * Number of orders, replacements or cancels that a report rejects: a list counts with all of its
   * orders.
   */
  #rejectedBy({ request, clientOrderId }: RejectReport): number {
    switch (request) {
      case 'place':
        this.#rejected += 1;
        return 1;
      case 'placeList': {
        const count = this.#lists.get(clientOrderId) ?? 0;
        this.#lists.delete(clientOrderId);
        this.#rejected += count;
        return count;
      }
      case 'replace':
        this.#refusedReplacements += 1;
        return 1;
      case 'cancel':
        this.#refusedCancels += 1;
        return 1;
    }
  }

  #count({ code, message }: Rejection, count: number): void {
    if (!this.#firstRejections.has(code)) this.#firstRejections.set(code, message);
    this.#rejections.set(code, (this.#rejections.get(code) ?? 0) + count);
  }
}

/** A list without an array of orders counts as one. */
function ordersOf({ orders }: PlaceList): number {
  const given: unknown = orders;
  return Array.isArray(given) ? Math.max(1, given.length) : 1;
}

const byCode = <T>(values: ReadonlyMap<RejectionCode, T>): Readonly<Record<string, T>> =>
  Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
