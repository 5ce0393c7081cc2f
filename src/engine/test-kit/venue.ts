import { Amount, NOTHING } from '../../model/amount.ts';
import { ZERO, decimal, type Decimal } from '../../model/decimal.ts';
import { CANDLE, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { NewOrder, VenueOrder } from '../../model/order.ts';
import type { Fill, Report } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { feeAmount } from '../../rules/funds.ts';
import { raisedRates } from '../../rules/own-rates.ts';
import type { VenueGateway } from '../gateway.ts';
import type {
  CancelRequest,
  OrderRequest,
  PlaceListRequest,
  ReplaceRequest,
} from '../../model/order-request.ts';

/** A venue that a test replays its feed to. */
export interface TestGateway extends VenueGateway {
  /** Applies a row of the feed, before the engine does. */
  market(instrument: number, columns: EventColumns, row: number): void;
}

/**
 * A venue for tests of strategies: it accepts every order and list and keeps it open, stops and
 * secondaries suspended. With `fills` it executes market orders whole, at the last price, with the
 * instrument's taker fee, and then activates the secondaries of a list. The end of an order of a
 * list ends the same others as on the exchange.
 */
export class TestVenue implements TestGateway {
  readonly venue = 'test';
  readonly instruments: readonly Instrument[];
  readonly requests: OrderRequest[] = [];
  /** Price of market orders. */
  lastTicks = Number.NaN as Ticks;
  readonly #scheduler: Scheduler;
  readonly #fills: boolean;
  readonly #orders = new Map<string, VenueOrder>();
  /** Own taker rates of orders, by client order id. */
  readonly #takeRates = new Map<string, Decimal>();
  readonly #balances = new Map<string, Decimal>();
  #listener: (report: Report) => void = () => undefined;
  #lastId = 0;

  constructor(
    instrument: Instrument,
    scheduler: Scheduler,
    balances: Readonly<Record<string, string>>,
    fills: boolean,
  ) {
    this.instruments = [instrument];
    this.#scheduler = scheduler;
    this.#fills = fills;
    for (const [currency, amount] of Object.entries(balances)) {
      this.#balances.set(currency, decimal(amount, currency));
    }
  }

  market(_: number, columns: EventColumns, row: number): void {
    const kind = columns.kind[row];
    if (kind === TRADE || kind === CANDLE) this.lastTicks = columns.price[row] as Ticks;
  }

  connect(listener: (report: Report) => void): void {
    this.#listener = listener;
    for (const currency of this.#balances.keys()) listener(this.#balance(currency));
  }

  send(request: OrderRequest): void {
    this.requests.push(request);
    this.#scheduler.at(this.#scheduler.now(), () => {
      for (const report of this.#answer(request)) this.#listener(report);
    });
  }

  #answer(request: OrderRequest): readonly Report[] {
    switch (request.kind) {
      case 'place':
        return this.#enter([this.#opened(request)]);
      case 'placeList':
        return this.#enter(this.#listed(request));
      case 'replace':
        return this.#replace(request);
      case 'cancel':
        return this.#cancel(request);
    }
  }

  /** Accepts orders: reports all, then executes those that can. */
  #enter(orders: readonly VenueOrder[]): readonly Report[] {
    for (const order of orders) this.#orders.set(order.clientOrderId, order);
    const fills = orders.flatMap((order) => this.#fill(order));
    return [...orders.map(reported), ...fills];
  }

  #opened({ clientOrderId, symbol, side, type, timeInForce, ...rest }: NewOrder): VenueOrder {
    const at = this.#scheduler.now();
    const { lots, ticks, stopTicks, expireAt, postOnly, takeRate } = rest;
    if (takeRate !== undefined) this.#takeRates.set(clientOrderId, takeRate);
    return {
      id: ++this.#lastId,
      clientOrderId,
      symbol,
      side,
      type,
      timeInForce,
      status: stopTicks === undefined ? 'new' : 'suspended',
      lots,
      filledLots: 0 as Lots,
      ticks,
      stopTicks,
      expireAt,
      postOnly,
      createdAt: at,
      updatedAt: at,
    };
  }

  #listed({ orderListId, contingencyType, orders }: PlaceListRequest): readonly VenueOrder[] {
    const triggers = contingencyType.startsWith('oneTrigger');
    return orders.map((order, index) => ({
      ...this.#opened(order),
      ...(triggers && index > 0 ? { status: 'suspended', inactive: true } : {}),
      orderListId,
      contingencyType,
    }));
  }

  #fill(order: VenueOrder): readonly Report[] {
    const executes = order.type === 'market' && order.inactive !== true && this.#fills;
    if (!executes || Number.isNaN(this.lastTicks)) return [];
    this.#orders.delete(order.clientOrderId);
    const done = this.#execute({ ...order, status: 'filled', filledLots: order.lots });
    return [...done, ...this.#activate(order)];
  }

  /** Activates the orders that waited for a fill. */
  #activate(first: VenueOrder): readonly Report[] {
    const waiting = this.#mates(first).filter((order) => order.inactive === true);
    const active = waiting.map(({ inactive: _, ...order }): VenueOrder => ({
      ...order,
      status: order.stopTicks === undefined ? 'new' : 'suspended',
      updatedAt: this.#scheduler.now(),
    }));
    return this.#enter(active);
  }

  /** The other orders of its list. */
  #mates({ orderListId, clientOrderId }: VenueOrder): readonly VenueOrder[] {
    if (orderListId === undefined) return [];
    return [...this.#orders.values()].filter(
      (order) => order.orderListId === orderListId && order.clientOrderId !== clientOrderId,
    );
  }

  #cancel(request: CancelRequest): readonly Report[] {
    const order = this.#orders.get(request.clientOrderId);
    if (order === undefined) return [this.#refuse(request)];
    const at = this.#scheduler.now();
    const taken = this.#mates(order).filter((mate) => takesAlong(order, mate));
    return [order, ...taken].map((each) => {
      this.#orders.delete(each.clientOrderId);
      return { kind: 'canceled', at, order: { ...each, status: 'canceled', updatedAt: at } };
    });
  }

  #replace(request: ReplaceRequest): readonly Report[] {
    const order = this.#orders.get(request.clientOrderId);
    if (order === undefined) return [this.#refuse(request)];
    this.#orders.delete(request.clientOrderId);
    const replacement = this.#replacement(order, request);
    const takeRate = this.#takeRates.get(order.clientOrderId);
    if (takeRate !== undefined) this.#takeRates.set(replacement.clientOrderId, takeRate);
    this.#orders.set(replacement.clientOrderId, replacement);
    return [{ kind: 'replaced', at: this.#scheduler.now(), order: replacement }];
  }

  #replacement(order: VenueOrder, request: ReplaceRequest): VenueOrder {
    const { newClientOrderId: clientOrderId, lots } = request;
    const { ticks = order.ticks, stopTicks = order.stopTicks } = request;
    return {
      ...order,
      id: ++this.#lastId,
      clientOrderId,
      originalClientOrderId: order.clientOrderId,
      lots,
      ...(ticks === undefined ? {} : { ticks }),
      ...(stopTicks === undefined ? {} : { stopTicks }),
      updatedAt: this.#scheduler.now(),
    };
  }

  #execute(order: VenueOrder): readonly Report[] {
    const at = this.#scheduler.now();
    const [instrument] = this.instruments;
    const { clientOrderId, symbol, side, lots } = order;
    const ticks = this.lastTicks;
    const { feeCurrency } = instrument.terms;
    const own = { takeRate: this.#takeRates.get(clientOrderId) };
    const charged = feeAmount(
      instrument,
      ticks,
      lots,
      Amount.of(raisedRates(instrument, own).takeRate),
    );
    const fill: Fill = {
      id: ++this.#lastId,
      clientOrderId,
      symbol,
      side,
      ticks,
      lots,
      fee: charged,
      feeCurrency,
      taker: true,
      at,
    };
    const { baseCurrency, quoteCurrency } = instrument;
    const sign = side === 'buy' ? 1 : -1;
    this.#add(baseCurrency, instrument.size(lots).times(sign));
    this.#add(quoteCurrency, instrument.value(ticks, lots).times(-sign));
    this.#add(feeCurrency, charged.toDecimal().negated());
    return [
      { kind: 'trade', at, order, fill },
      this.#balance(baseCurrency),
      this.#balance(quoteCurrency),
    ];
  }

  #add(currency: string, amount: Decimal): void {
    this.#balances.set(currency, (this.#balances.get(currency) ?? ZERO).plus(amount));
  }

  #balance(currency: string): Report {
    const available = Amount.of(this.#balances.get(currency) ?? ZERO);
    return { kind: 'balance', at: this.#scheduler.now(), currency, available, reserved: NOTHING };
  }

  #refuse(request: ReplaceRequest | CancelRequest): Report {
    const { kind, clientOrderId, symbol } = request;
    return {
      kind: 'rejected',
      at: this.#scheduler.now(),
      request: kind,
      clientOrderId: kind === 'replace' ? request.newClientOrderId : clientOrderId,
      symbol,
      rejection: {
        code: 'order-unknown',
        field: 'clientOrderId',
        message: `No order "${clientOrderId}" is active.`,
      },
    };
  }
}

const reported = (order: VenueOrder): Report => ({
  kind: order.status === 'suspended' ? 'suspended' : 'new',
  at: order.updatedAt,
  order,
});

/**
 * True if the cancel of an order ends another of its list: the first order's does, and that of one
 * which excludes others.
 */
function takesAlong(order: VenueOrder, mate: VenueOrder): boolean {
  switch (order.contingencyType) {
    case 'oneCancelOther':
      return true;
    case 'oneTriggerOneCancelOther':
      return mate.inactive === true || order.inactive !== true;
    default:
      return order.inactive !== true && mate.inactive === true;
  }
}
