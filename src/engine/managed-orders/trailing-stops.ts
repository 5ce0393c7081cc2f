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
  /** Keeps what a restart needs, `undefined` for nothing more. */
  save(id: string, state: ManagedState | undefined): void;
}

/** A stop order that follows the market. */
interface TrailingStop {
  /** Client order id of the order that the strategy placed; its replacements go on under it. */
  readonly id: string;
  readonly side: Side;
  readonly trail: Trail;
  readonly market: InstrumentMarket;
  readonly pause: Pause;
  /** Client order id of the order as it stands. */
  orderId: string;
  /** That of the replacement on its way. */
  successorId: string | undefined;
  /** Since when the order waits for its trigger; NaN before. */
  activeSince: number;
  /** The highest price since then for a sell, the lowest for a buy; NaN before the first. */
  extreme: number;
}

/** What the journal keeps of one. */
interface StoredTrail {
  readonly orderId: string;
  readonly side: Side;
  readonly trail: Trail;
}

const KIND = 'trail';

/**
 * Moves the stop prices of plain stop orders after the market, by replacing them one request at a time: never
 * back, only while they wait for their trigger, and not before they are active in their list. All that a
 * restart needs beside the order itself is its trail; where it stands is its stop price.
 */
export class TrailingStops {
  readonly #host: TrailingStopsHost;
  readonly #stops = new Map<string, TrailingStop>();
  #isTouched = false;

  constructor(host: TrailingStopsHost) {
    this.#host = host;
  }

  /** True where a stop price may have to be moved. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Lets an order trail that was placed just now. */
  add(order: Pick<Order, 'clientOrderId' | 'symbol' | 'side'>, trail: Trail): void {
    const { clientOrderId, symbol, side } = order;
    const stop = this.#add(clientOrderId, symbol, { orderId: clientOrderId, side, trail });
    if (stop !== undefined) this.#save(stop);
  }

  /** Goes on with one of a previous run; false where its order is gone. */
  restore({ id, symbol, state }: ManagedState): void {
    const stop = this.#add(id, symbol, state as StoredTrail);
    if (stop !== undefined) this.#current(stop);
  }

  /** Lets all orders stand as they are. */
  abandon(): void {
    for (const stop of [...this.#stops.values()]) this.#forget(stop);
  }

  /** An order changed. */
  orderChanged({ symbol }: Pick<Order, 'symbol'>): void {
    if (this.#isTouched) return;
    for (const { market } of this.#stops.values()) {
      if (market.instrument.symbol === symbol) this.#isTouched = true;
    }
  }

  /** Takes a row of a market in. */
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

  /** Moves what is to be moved. */
  keep(): void {
    if (!this.#isTouched) return;
    this.#isTouched = false;
    for (const stop of [...this.#stops.values()]) this.#keep(stop);
  }

  #keep(stop: TrailingStop): void {
    const order = this.#current(stop);
    if (order === undefined) return;
    // What the market does before an order of a list becomes active is none of it.
    if (order.status !== 'suspended' || order.inactive === true) return;
    if (Number.isNaN(stop.activeSince)) {
      stop.activeSince = this.#host.now();
      stop.extreme = presentPrice(stop);
    }
    if (!stop.pause.isOn) this.#move(stop, order);
  }

  /** The order as it stands, while a request about it can be sent; forgets a stop that is over. */
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

  /** Subscribes to what the stops of a market follow, and no more. */
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

/** True for an order that has left its stop price behind. */
const isTriggered = ({ status }: Order): boolean =>
  status === 'new' || status === 'partiallyFilled';

/** The price that a stop follows, as it is now; NaN where nothing shows it. */
function presentPrice({ side, trail, market }: TrailingStop): number {
  const { best, prices } = market;
  if (trail.by === 'last') return prices.hasPrinted ? prices.valuation / 2 : Number.NaN;
  if (best.stale) return Number.NaN;
  return side === 'sell' ? best.bidTicks : best.askTicks;
}

/** The price of a row that counts for a stop; NaN for a row without one. */
function priceIn(stop: TrailingStop, columns: EventColumns, row: number): number {
  const { side, trail, market, activeSince } = stop;
  if (trail.by === 'touch') return presentPrice(stop);
  const kind = columns.kind[row];
  if (kind === TRADE) return columns.price[row];
  if (kind !== CANDLE || market.prices.followsTrades) return Number.NaN;
  const openedAt = columns.stampedAt[row];
  const lateAfter = openedAt + CANDLE_GRACE * (columns.receivedAt[row] - openedAt);
  // Its extremes may be older than an order that came later; as for fills, the close counts alone then.
  if (activeSince > lateAfter) return columns.price[row];
  return side === 'sell' ? columns.askPrice[row] : columns.askSize[row];
}
