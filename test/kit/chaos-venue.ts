import { Amount } from '../../src/model/amount.ts';
import { NOTHING } from '../../src/model/amount.ts';
import type { VenueGateway } from '../../src/engine/gateway.ts';
import type {
  CancelRequest,
  OrderRequest,
  PlaceRequest,
  ReplaceRequest,
} from '../../src/model/order-request.ts';
import type { Instrument } from '../../src/model/instrument.ts';
import { isActive, type Side, type VenueOrder } from '../../src/model/order.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import type { Report } from '../../src/model/report.ts';
import { lots, ticks } from '../../src/model/units.ts';
import type { Random } from '../../src/platform/random.ts';
import type { Scheduler } from '../../src/platform/scheduler.ts';
import { micros } from '../../src/platform/time.ts';

/**
 * A venue of moods: it is slow, refuses, fills in parts, expires and cancels by itself. Reports on
 * one order come in their order, those on different orders in any, unless `inOrder`.
 */
export class ChaosVenue implements VenueGateway {
  readonly venue = 'chaos';
  readonly instruments: readonly Instrument[];
  readonly requests: OrderRequest[] = [];
  /** While true nothing goes wrong and nothing is filled but market orders. */
  calm = false;
  /** The truth about what is held of the base currency. */
  heldLots: number;
  /** Called after everything that happens here. */
  check: () => void = () => undefined;
  /** Called with every request as it is sent. */
  onSend: (request: OrderRequest) => void = () => undefined;
  readonly #orders = new Map<string, VenueOrder>();
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #inOrder: boolean;
  /** When the last report on each order is delivered. */
  readonly #queues = new Map<string, number>();
  #listener: (report: Report) => void = () => undefined;
  #lastId = 0;
  #arrivals = 0;

  constructor(
    instrument: Instrument,
    scheduler: Scheduler,
    random: Random,
    inOrder: boolean,
    heldLots: number,
  ) {
    this.instruments = [instrument];
    this.#scheduler = scheduler;
    this.#random = random;
    this.#inOrder = inOrder;
    this.heldLots = heldLots;
  }

  connect(listener: (report: Report) => void): void {
    this.#listener = listener;
    listener(this.#held());
    listener({
      kind: 'balance',
      at: this.#scheduler.now(),
      currency: this.instruments[0].quoteCurrency,
      available: this.instruments[0].tickAmount.timesCount(1e12),
      reserved: NOTHING,
    });
  }

  send(request: OrderRequest): void {
    this.requests.push(request);
    this.onSend(request);
    // Requests arrive in the order in which they were sent.
    this.#arrivals = Math.max(this.#arrivals, this.#later(40_000));
    this.#scheduler.at(micros(this.#arrivals), () => {
      this.#arrive(request);
      this.check();
    });
  }

  active(side: Side): VenueOrder[] {
    return [...this.#orders.values()].filter(
      (order) => order.side === side && isActive(order.status),
    );
  }

  #later(spanUs: number): number {
    return this.#scheduler.now() + this.#random.integer(0, spanUs);
  }

  #goesWrong(probability: number): boolean {
    return !this.calm && this.#random.chance(probability);
  }

  #arrive(request: OrderRequest): void {
    if (request.kind === 'placeList') throw new Error('no wish places a list');
    if (request.kind === 'place') {
      this.#place(request);
      return;
    }
    const order = this.#orders.get(request.clientOrderId);
    if (order === undefined || !isActive(order.status)) this.#reject(request, 'order-unknown');
    else if (this.#goesWrong(0.2)) this.#reject(request, 'order-limit-reached');
    else if (request.kind === 'cancel') this.#end(order, 'canceled');
    else this.#replace(order, request);
  }

  #place(request: PlaceRequest): void {
    if (this.#goesWrong(0.2)) {
      this.#reject(request, 'funds-insufficient');
      return;
    }
    const at = this.#scheduler.now();
    const { kind: _, ...terms } = request;
    const order: VenueOrder = {
      id: ++this.#lastId,
      ...terms,
      status: 'new',
      filledLots: lots(0),
      createdAt: at,
      updatedAt: at,
    };
    this.#orders.set(order.clientOrderId, order);
    if (request.type === 'market') this.#market(order);
    else if (this.#goesWrong(0.15)) this.#end(order, 'expired');
    else {
      this.#say({ kind: 'new', at, order });
      this.#live(order.clientOrderId);
    }
  }

  #market(order: VenueOrder): void {
    this.#say({ kind: 'new', at: order.createdAt, order });
    const wanted = this.calm ? order.lots : this.#random.integer(0, order.lots);
    const first = this.#random.integer(0, wanted);
    for (const part of [first, wanted - first]) if (part > 0) this.#fill(order.clientOrderId, part);
    const after = this.#orders.get(order.clientOrderId);
    if (after !== undefined && after.status !== 'filled') this.#end(after, 'expired');
  }

  #replace(order: VenueOrder, request: ReplaceRequest): void {
    if (request.lots <= order.filledLots) {
      this.#reject(request, 'quantity-below-executed');
      return;
    }
    const at = this.#scheduler.now();
    this.#orders.set(order.clientOrderId, { ...order, status: 'canceled' });
    const successor: VenueOrder = {
      ...order,
      id: ++this.#lastId,
      clientOrderId: request.newClientOrderId,
      originalClientOrderId: order.clientOrderId,
      lots: request.lots,
      ...(request.ticks === undefined ? {} : { ticks: request.ticks }),
      updatedAt: at,
    };
    this.#orders.set(successor.clientOrderId, successor);
    this.#say({ kind: 'replaced', at, order: successor });
    if (this.#goesWrong(0.1)) this.#end(successor, 'expired');
    else this.#live(successor.clientOrderId);
  }

  /** What may befall a standing order by and by. */
  #live(clientOrderId: string): void {
    this.#scheduler.at(micros(this.#later(500_000)), () => {
      const order = this.#orders.get(clientOrderId);
      if (order === undefined || !isActive(order.status) || this.calm) return;
      const open = order.lots - order.filledLots;
      if (this.#random.chance(0.1)) this.#end(order, 'canceled');
      else if (this.#random.chance(0.5)) this.#fill(clientOrderId, this.#random.integer(1, open));
      this.check();
      this.#live(clientOrderId);
    });
  }

  #fill(clientOrderId: string, wanted: number): void {
    const before = this.#orders.get(clientOrderId);
    if (before === undefined) return;
    const count = before.side === 'sell' ? Math.min(wanted, this.heldLots) : wanted;
    if (count === 0) return;
    this.heldLots += before.side === 'buy' ? count : -count;
    const at = this.#scheduler.now();
    const filledLots = lots(before.filledLots + count);
    const status = filledLots === before.lots ? 'filled' : 'partiallyFilled';
    const order: VenueOrder = { ...before, filledLots, status, updatedAt: at };
    this.#orders.set(clientOrderId, order);
    const { symbol, side, type } = order;
    this.#say({
      kind: 'trade',
      at,
      order,
      fill: {
        id: ++this.#lastId,
        clientOrderId,
        symbol,
        side,
        ticks: order.ticks ?? ticks(100),
        lots: lots(count),
        fee: Amount.count(0),
        feeCurrency: 'USDT',
        taker: type === 'market',
        at,
      },
    });
    if (this.#inOrder) this.#say(this.#held());
  }

  #end(before: VenueOrder, status: 'canceled' | 'expired'): void {
    const at = this.#scheduler.now();
    const order: VenueOrder = { ...before, status, updatedAt: at };
    this.#orders.set(order.clientOrderId, order);
    this.#say({ kind: status, at, order });
  }

  #held(): Report {
    const [instrument] = this.instruments;
    const available = instrument.sizeAmount(lots(this.heldLots));
    const at = this.#scheduler.now();
    return { kind: 'balance', at, currency: instrument.baseCurrency, available, reserved: NOTHING };
  }

  #reject(request: PlaceRequest | ReplaceRequest | CancelRequest, code: Rejection['code']): void {
    this.#say({
      kind: 'rejected',
      at: this.#scheduler.now(),
      request: request.kind,
      clientOrderId: request.kind === 'replace' ? request.newClientOrderId : request.clientOrderId,
      symbol: request.symbol,
      rejection: { code, message: 'No.' },
    });
  }

  #say(report: Report): void {
    const queue = this.#inOrder ? '' : queueOf(report);
    const at = Math.max(this.#queues.get(queue) ?? 0, this.#later(60_000));
    this.#queues.set(queue, at);
    this.#scheduler.at(micros(at), () => this.#listener(report));
  }
}

function queueOf(report: Report): string {
  if (report.kind === 'balance') return report.currency;
  return 'order' in report ? report.order.clientOrderId : report.clientOrderId;
}
