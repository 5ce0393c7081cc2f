import { CANDLE_GRACE } from '../../model/candle.ts';
import { CANDLE, TRADE, type EventColumns } from '../../model/events.ts';
import { CANDLES, PRICE, TOP, TRADED } from '../../model/instrument-state.ts';
import { gridOf, type ManagedState } from '../../model/managed-state.ts';
import { hasPrice, isOpen, isUnanswered, type Order, type Side } from '../../model/order.ts';
import type { Ticks } from '../../model/units.ts';
import { trailedTicks, type Trail } from '../../rules/trailing.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import { Pause } from './pause.ts';

export interface TrailingStopsHost {
  readonly orderManager: OrderManager;
  market(symbol: string): InstrumentMarket | undefined;
  now(): number;
  /** Stores the restart state, `undefined` to delete it. */
  save(id: string, state: ManagedState | undefined): void;
}

/** A trailing stop order. */
interface TrailingStop {
  /** Client order id of the strategy's order; replacements keep it as their id here. */
  readonly id: string;
  readonly side: Side;
  readonly trail: Trail;
  readonly market: InstrumentMarket;
  readonly pause: Pause;
  /** Client order id of the current order. */
  orderId: string;
  /** Client order id of the replacement in flight. */
  successorId: string | undefined;
  /** Time from which the order waits for its trigger; NaN before. */
  activeSince: number;
  /** The highest price since then for a sell, the lowest for a buy; NaN before the first. */
  extreme: number;
}

/** Journal form. */
interface StoredTrail {
  readonly orderId: string;
  readonly side: Side;
  readonly trail: Trail;
}

const KIND = 'trail';

/**
 * Trails the stop prices of single stop orders by replacing them, one request at a time: never
 * back, only before their trigger, and only once they are active in their list. The restart state
 * is the trail; its position is the stop price of the order.
 */
export class TrailingStops {
  readonly #host: TrailingStopsHost;
  readonly #stops = new Map<string, TrailingStop>();
  #isTouched = false;

  constructor(host: TrailingStopsHost) {
    this.#host = host;
  }

  /** True if a stop price may have to be moved. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Trails an order that was just placed. */
  add(order: Pick<Order, 'clientOrderId' | 'symbol' | 'side'>, trail: Trail): void {
    const { clientOrderId, symbol, side } = order;
    const stop = this.#add(clientOrderId, symbol, { orderId: clientOrderId, side, trail });
    if (stop !== undefined) this.#save(stop);
  }

  /** Continues one of a previous run. */
  restore({ id, symbol, state }: ManagedState): void {
    const stop = this.#add(id, symbol, state as StoredTrail);
    if (stop !== undefined) this.#current(stop);
  }

  /** Leaves all orders unchanged. */
  abandon(): void {
    for (const stop of [...this.#stops.values()]) this.#forget(stop);
  }

  /** Applies a change of an order. */
  orderChanged({ symbol }: Pick<Order, 'symbol'>): void {
    if (this.#isTouched) return;
    for (const { market } of this.#stops.values()) {
      if (market.instrument.symbol === symbol) this.#isTouched = true;
    }
  }

  /** Applies a row of a market. */
  marketChanged(market: InstrumentMarket, columns: EventColumns, row: number): void {
    const now = this.#host.now();
    for (const stop of this.#stops.values()) {
      if (stop.market !== market || Number.isNaN(stop.activeSince)) continue;
      if (stop.pause.market(now)) this.#isTouched = true;
      const price = priceIn(stop, columns, row);
      const isBeyond = stop.side === 'sell' ? price > stop.extreme : price < stop.extreme;
      if (!isBeyond && !(Number.isNaN(stop.extreme) && !Number.isNaN(price))) continue;
      stop.extreme = price;
      this.#isTouched = true;
    }
  }

  /** Moves the stop prices that are due. */
  maintain(): void {
    if (!this.#isTouched) return;
    this.#isTouched = false;
    for (const stop of [...this.#stops.values()]) this.#maintain(stop);
  }

  #maintain(stop: TrailingStop): void {
    const order = this.#current(stop);
    if (order === undefined) return;
    // Prices before an order of a list becomes active do not count.
    if (order.status !== 'suspended' || order.inactive === true) return;
    if (Number.isNaN(stop.activeSince)) {
      stop.activeSince = this.#host.now();
      stop.extreme = presentPrice(stop);
    }
    if (!stop.pause.isOn) this.#move(stop, order);
  }

  /** The current order, if a request about it can be sent; drops a stop that has ended. */
  #current(stop: TrailingStop): Order | undefined {
    const { orderManager } = this.#host;
    const find = (id: string): Order | undefined => orderManager.find(id);
    if (stop.successorId !== undefined) {
      const successor = find(stop.successorId);
      if (successor !== undefined && isUnanswered(successor)) return undefined;
      stop.successorId = undefined;
      if (successor?.status === 'rejected') stop.pause.fail(this.#host.now());
      else stop.pause.lift();
    }
    let order = find(stop.orderId);
    while (order?.replacedBy !== undefined) order = find(order.replacedBy);
    if (order === undefined || !isOpen(order) || isTriggered(order)) {
      this.#forget(stop);
      this.#host.save(stop.id, undefined);
      return undefined;
    }
    if (order.clientOrderId !== stop.orderId) {
      stop.orderId = order.clientOrderId;
      this.#save(stop);
    }
    return isUnanswered(order) || order.cancelRequested ? undefined : order;
  }

  #move(stop: TrailingStop, order: Order): void {
    const { side, trail, extreme } = stop;
    const from = order.stopTicks;
    const to = Number.isNaN(extreme) ? undefined : trailedTicks(side, extreme, trail);
    if (from === undefined || to === undefined) return;
    const by = side === 'sell' ? to - from : from - to;
    if (by < trail.step) return;
    // A limit price keeps its distance from the stop price.
    const ticks = order.ticks === undefined ? undefined : order.ticks + (to - from);
    if (hasPrice(order.type) && !((ticks ?? 0) >= 1)) return;
    stop.successorId = this.#host.orderManager.moveStop(order, to, ticks as Ticks | undefined);
  }

  #add(id: string, symbol: string, stored: StoredTrail): TrailingStop | undefined {
    const market = this.#host.market(symbol);
    if (market === undefined) return undefined;
    const { orderId, side, trail } = stored;
    const stop: TrailingStop = {
      id,
      side,
      trail,
      market,
      orderId,
      pause: new Pause(),
      successorId: undefined,
      activeSince: Number.NaN,
      extreme: Number.NaN,
    };
    this.#stops.set(id, stop);
    this.#awaitPrices(market);
    this.#isTouched = true;
    return stop;
  }

  #forget(stop: TrailingStop): void {
    this.#stops.delete(stop.id);
    this.#awaitPrices(stop.market);
  }

  /** Subscribes to the prices that the stops of a market trail. */
  #awaitPrices(market: InstrumentMarket): void {
    const stops = [...this.#stops.values()].filter((stop) => stop.market === market);
    const byTrades = stops.some(({ trail }) => trail.by === 'last') ? TRADED | CANDLES | PRICE : 0;
    const byTop = stops.some(({ trail }) => trail.by === 'touch') ? TOP : 0;
    const changes = byTrades | byTop;
    market.await(this, changes, changes !== 0);
  }

  #save({ id, orderId, side, trail, market }: TrailingStop): void {
    const state: StoredTrail = { orderId, side, trail };
    const { instrument } = market;
    const { symbol } = instrument;
    this.#host.save(id, { id, kind: KIND, symbol, grid: gridOf(instrument), state });
  }
}

/** True for a triggered order. */
const isTriggered = ({ status }: Order): boolean =>
  status === 'new' || status === 'partiallyFilled';

/** The current price that a stop trails; NaN if unknown. */
function presentPrice({ side, trail, market }: TrailingStop): number {
  const { best, prices } = market;
  if (trail.by === 'last') return prices.hasPrinted ? prices.valuation / 2 : Number.NaN;
  if (best.stale) return Number.NaN;
  return side === 'sell' ? best.bidTicks : best.askTicks;
}

/** The price of a row for a stop; NaN for a row without one. */
function priceIn(stop: TrailingStop, columns: EventColumns, row: number): number {
  const { side, trail, market, activeSince } = stop;
  if (trail.by === 'touch') return presentPrice(stop);
  const kind = columns.kind[row];
  if (kind === TRADE) return columns.price[row];
  if (kind !== CANDLE || market.prices.followsTrades) return Number.NaN;
  const openedAt = columns.stampedAt[row];
  const lateAfter = openedAt + CANDLE_GRACE * (columns.receivedAt[row] - openedAt);
  // Its extremes may be older than a later order; as for fills, only the close counts then.
  if (activeSince > lateAfter) return columns.price[row];
  return side === 'sell' ? columns.askPrice[row] : columns.askSize[row];
}
