import type { Observable } from 'rxjs';
import { z } from 'zod';
import { Amount } from '../../src/model/amount.ts';
import type { AuditEvent } from '../../src/engine/audit.ts';
import { AccountGateway } from '../../src/engine/account-gateway.ts';
import { Engine, type EngineOptions } from '../../src/engine/engine.ts';
import type { VenueGateway } from '../../src/engine/gateway.ts';
import type { OrderRequest, PlaceListRequest } from '../../src/model/order-request.ts';
import { testFeed, type TestEvent } from '../../src/engine/test-kit/feed.ts';
import { restoreOrders } from '../../src/engine/orders/restored.ts';
import type { RestoredState } from '../../src/engine/session.ts';
import { decimal } from '../../src/model/decimal.ts';
import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';
import type { Order, VenueOrder } from '../../src/model/order.ts';
import type { Period } from '../../src/model/period.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import type { Report } from '../../src/model/report.ts';
import { lots, ticks, type Lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import { defineStrategy } from '../../src/strategy/define.ts';

/** Ticks of 0.01, lots of 0.001, no fees: small numbers to reckon with. */
export const TERMS: InstrumentTerms = {
  symbol: 'BTCUSDT',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.001',
  takeRate: '0',
  makeRate: '0',
  feeCurrency: 'USDT',
};

/** A gateway in the hands of the test: it keeps the requests and says what it is told to. */
export class Wire implements VenueGateway {
  readonly venue = 'wire';
  readonly instruments: readonly Instrument[];
  readonly requests: OrderRequest[] = [];
  readonly #orders = new Map<string, VenueOrder>();
  readonly #clock: VirtualScheduler;
  #listener: (report: Report) => void = () => undefined;
  #lastId = 0;

  constructor(instruments: readonly Instrument[], clock: VirtualScheduler) {
    this.instruments = instruments;
    this.#clock = clock;
  }

  connect(listener: (report: Report) => void): void {
    this.#listener = listener;
  }

  send(request: OrderRequest): void {
    this.requests.push(request);
  }

  /** The last request. */
  get last(): OrderRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('nothing was sent');
    return request;
  }

  report(report: Report): void {
    this.#listener(report);
  }

  balance(currency: string, available: string, reserved = '0'): void {
    this.report({
      kind: 'balance',
      at: this.#clock.now(),
      currency,
      available: Amount.of(decimal(available)),
      reserved: Amount.of(decimal(reserved)),
    });
  }

  /** Says that an order arrived, or took the place of another; of a list, that its orders did. */
  accept(request: OrderRequest = this.last): void {
    if (request.kind === 'placeList') {
      for (const order of this.#listed(request)) {
        const kind = order.status === 'suspended' ? 'suspended' : 'new';
        this.report({ kind, at: this.#clock.now(), order });
      }
      return;
    }
    const order = this.arrived(request);
    this.report({
      kind: request.kind === 'place' ? 'new' : 'replaced',
      at: this.#clock.now(),
      order,
    });
  }

  /** The order that a request makes, as the venue would report it. */
  arrived(request: OrderRequest): VenueOrder {
    const at = this.#clock.now();
    if (request.kind === 'cancel') throw new Error('a cancel makes no order');
    if (request.kind === 'placeList') throw new Error('a list makes several orders');
    if (request.kind === 'replace') {
      const { newClientOrderId, clientOrderId, lots: total, ticks: price, stopTicks } = request;
      const before = this.order(clientOrderId);
      const order: VenueOrder = {
        ...before,
        id: ++this.#lastId,
        clientOrderId: newClientOrderId,
        originalClientOrderId: clientOrderId,
        lots: total,
        ...(price === undefined ? {} : { ticks: price }),
        ...(stopTicks === undefined ? {} : { stopTicks }),
      };
      this.#orders.set(newClientOrderId, order);
      return order;
    }
    const { kind: _, ...terms } = request;
    const order: VenueOrder = {
      id: ++this.#lastId,
      ...terms,
      status: 'new',
      filledLots: lots(0),
      createdAt: at,
      updatedAt: at,
    };
    this.#orders.set(request.clientOrderId, order);
    return order;
  }

  /** The orders of a list as the venue would report them. */
  #listed({ orderListId, contingencyType, orders }: PlaceListRequest): readonly VenueOrder[] {
    const triggers = contingencyType.startsWith('oneTrigger');
    return orders.map((one, index) => {
      const waits = triggers && index > 0;
      const order: VenueOrder = {
        ...this.arrived({ kind: 'place', ...one }),
        status: waits || one.stopTicks !== undefined ? 'suspended' : 'new',
        ...(waits ? { inactive: true } : {}),
        orderListId,
        contingencyType,
      };
      this.#orders.set(order.clientOrderId, order);
      return order;
    });
  }

  /** Says that an order of a list that waited is active now. */
  activate(clientOrderId: string): void {
    const { inactive: _, ...before } = this.order(clientOrderId);
    const kind = before.stopTicks === undefined ? 'new' : 'suspended';
    const order: VenueOrder = { ...before, status: kind };
    this.#orders.set(clientOrderId, order);
    this.report({ kind, at: this.#clock.now(), order });
  }

  order(clientOrderId: string): VenueOrder {
    const order = this.#orders.get(clientOrderId);
    if (order === undefined) throw new Error(`no order ${clientOrderId}`);
    return order;
  }

  /** Says that so many lots of an order were executed. */
  fill(clientOrderId: string, count: number, at: number, id = ++this.#lastId): void {
    const before = this.order(clientOrderId);
    const filledLots = lots(before.filledLots + count);
    const status = filledLots === before.lots ? 'filled' : 'partiallyFilled';
    const order: VenueOrder = { ...before, filledLots, status };
    this.#orders.set(clientOrderId, order);
    const now = this.#clock.now();
    const { symbol, side } = order;
    this.report({
      kind: 'trade',
      at: now,
      order,
      fill: {
        id,
        clientOrderId,
        symbol,
        side,
        ticks: ticks(at),
        lots: lots(count),
        fee: Amount.count(0),
        feeCurrency: 'USDT',
        taker: order.type === 'market',
        at: now,
      },
    });
  }

  end(clientOrderId: string, status: 'canceled' | 'expired'): void {
    const order: VenueOrder = { ...this.order(clientOrderId), status };
    this.#orders.set(clientOrderId, order);
    this.report({ kind: status, at: this.#clock.now(), order });
  }

  reject(request: OrderRequest = this.last, code: Rejection['code'] = 'funds-insufficient'): void {
    const { clientOrderId, symbol } = request.kind === 'placeList' ? request.orders[0] : request;
    this.report({
      kind: 'rejected',
      at: this.#clock.now(),
      request: request.kind,
      clientOrderId: request.kind === 'replace' ? request.newClientOrderId : clientOrderId,
      symbol,
      rejection: { code, message: 'No.' },
    });
  }
}

export interface Rig {
  readonly engine: Engine;
  readonly clock: VirtualScheduler;
  readonly wire: Wire;
  readonly audits: AuditEvent[];
  readonly instrument: Instrument;
  /** Plays events of the first instrument, or of another. */
  play(events: readonly TestEvent[], index?: number): void;
  /** The audit events of one kind. */
  received<K extends AuditEvent['kind']>(kind: K): Extract<AuditEvent, { readonly kind: K }>[];
}

/** What a run before this one left behind, its orders too. */
export interface RestoredLife extends RestoredState {
  readonly orders: readonly Order[];
}

export interface RigOptions extends Partial<
  Omit<EngineOptions, 'strategy' | 'gateway' | 'previousLife'>
> {
  readonly previousLife?: Partial<RestoredLife>;
  readonly terms?: readonly InstrumentTerms[];
  /** Of the candles that are played. */
  readonly period?: Period;
}

/** An engine with a strategy of one function, not started. */
export function rig(
  run: (context: Context<unknown>) => Observable<Command>,
  options: RigOptions = {},
): Rig {
  const { terms = [TERMS], period, previousLife, ...rest } = options;
  const clock = new VirtualScheduler(micros(0));
  const instruments = terms.map((one) => new Instrument(one));
  const wire = new Wire(instruments, clock);
  const audits: AuditEvent[] = [];
  const strategy = defineStrategy({
    name: 'tested',
    summary: 'A test.',
    parameters: z.object({}),
    run,
  });
  const { orders = [], ...life } = previousLife ?? {};
  const gateway = new AccountGateway({ venue: wire, scheduler: clock, strategy: strategy.name });
  const settled = orders.map((order) => ({
    ...order,
    strategy: strategy.name,
    settledLots: order.filledLots - order.receivedLots,
  }));
  restoreOrders(gateway.store, settled);
  const engine = new Engine({
    scheduler: clock,
    gateway,
    strategy,
    parameters: {},
    clientOrderIdPrefix: 'test',
    audit: (event) => audits.push(event),
    ...rest,
    previousLife: previousLife && { lastOrderNumber: 0, entries: new Map(), ...life },
  });
  return {
    engine,
    clock,
    wire,
    audits,
    instrument: instruments[0],
    play: (events, index = 0) => {
      const columns = testFeed(instruments[index], events, period);
      for (let row = 0; row < columns.length; row += 1) {
        clock.advanceTo(micros(columns.receivedAt[row]));
        engine.market(index, columns, row);
      }
    },
    received: (kind) =>
      audits.filter(
        (event): event is Extract<AuditEvent, { kind: typeof kind }> => event.kind === kind,
      ),
  };
}

export const asLots = (count: number): Lots => lots(count);
