import { ZERO, decimal, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { VenueOrder } from '../../model/order.ts';
import type { Fill, Report } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { fee } from '../../rules/funds.ts';
import type { Gateway, OrderRequest, PlaceRequest, ReplaceRequest } from '../gateway.ts';

/**
 * A venue for tests of strategies: it takes every order and lets it stand. With `fills` it
 * executes market orders whole, at the last price, with the instrument's taker fee.
 */
export class TestVenue implements Gateway {
  readonly venue = 'test';
  readonly instruments: readonly Instrument[];
  readonly requests: OrderRequest[] = [];
  /** What market orders execute at. */
  lastTicks = Number.NaN as Ticks;
  readonly #scheduler: Scheduler;
  readonly #fills: boolean;
  readonly #orders = new Map<string, VenueOrder>();
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
    if (request.kind === 'place') return this.#place(request);
    const order = this.#orders.get(request.clientOrderId);
    if (order === undefined) return [this.#refuse(request)];
    this.#orders.delete(request.clientOrderId);
    const at = this.#scheduler.now();
    if (request.kind === 'cancel') {
      return [{ kind: 'canceled', at, order: { ...order, status: 'canceled', updatedAt: at } }];
    }
    const replacement = this.#replacement(order, request);
    this.#orders.set(replacement.clientOrderId, replacement);
    return [{ kind: 'replaced', at, order: replacement }];
  }

  #place(request: PlaceRequest): readonly Report[] {
    const at = this.#scheduler.now();
    const { kind: _, ...terms } = request;
    const order: VenueOrder = {
      id: ++this.#lastId,
      ...terms,
      status: 'new',
      executedLots: 0 as Lots,
      createdAt: at,
      updatedAt: at,
    };
    const placed: Report = { kind: 'new', at, order };
    if (request.type !== 'market' || !this.#fills || Number.isNaN(this.lastTicks)) {
      this.#orders.set(order.clientOrderId, order);
      return [placed];
    }
    return [placed, ...this.#execute({ ...order, status: 'filled', executedLots: order.lots })];
  }

  #replacement(order: VenueOrder, request: ReplaceRequest): VenueOrder {
    const { newClientOrderId: clientOrderId, lots, ticks = order.ticks } = request;
    return {
      ...order,
      id: ++this.#lastId,
      clientOrderId,
      originalClientOrderId: order.clientOrderId,
      lots,
      ...(ticks === undefined ? {} : { ticks }),
      updatedAt: this.#scheduler.now(),
    };
  }

  #execute(order: VenueOrder): readonly Report[] {
    const at = this.#scheduler.now();
    const [instrument] = this.instruments;
    const { clientOrderId, symbol, side, lots } = order;
    const ticks = this.lastTicks;
    const { feeCurrency } = instrument.terms;
    const charged = fee(instrument, ticks, lots, instrument.takeRate);
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
    this.#add(feeCurrency, charged.negated());
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
    const available = this.#balances.get(currency) ?? ZERO;
    return { kind: 'balance', at: this.#scheduler.now(), currency, available, reserved: ZERO };
  }

  #refuse(request: Exclude<OrderRequest, PlaceRequest>): Report {
    const { kind, clientOrderId, symbol } = request;
    return {
      kind: 'rejected',
      at: this.#scheduler.now(),
      request: kind,
      clientOrderId: kind === 'replace' ? request.newClientOrderId : clientOrderId,
      symbol,
      refusal: {
        code: 'order-unknown',
        field: 'clientOrderId',
        message: `No order "${clientOrderId}" is active.`,
      },
    };
  }
}
