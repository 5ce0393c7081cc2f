import type { AlgoFills, AlgoOrder as AlgoView } from '../../model/algo-order.ts';
import { Decimal } from '../../model/decimal.ts';
import { CANDLE, TRADE, type EventColumns } from '../../model/events.ts';
import { CANDLES, PRICE, TOP, TRADED } from '../../model/instrument-state.ts';
import { gridOf, type ManagedState } from '../../model/managed-state.ts';
import { countedLots, isOpen, outstandingLots, type Order, type Side } from '../../model/order.ts';
import { priceOf } from '../../model/prices.ts';
import type { Fill } from '../../model/report.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { AMOUNT_PLACES, quotient } from '../../rules/margin/quotient.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import { asLots, asTicks, NOTHING_FILLED, type AlgoTerms, type Filled, type Plan, type Present, type Progress, type PlannedOrder } from './algorithm.ts'; // prettier-ignore
import { RETRY_ON } from './managed-order.ts';
import { Pause } from './pause.ts';

export interface AlgoOrderHost {
  readonly market: InstrumentMarket;
  readonly orderManager: OrderManager;
  /** The current plan. */
  plan(progress: Progress, now: Present): Plan;
  now(): number;
  /** Schedules a `maintain` at a time, and cancels the one before. */
  wake(at: number | undefined): void;
  /** Stores the restart state. */
  save(state: ManagedState): void;
  /** Called after a change. */
  changed(): void;
}

/** An open child order, and its received fills. */
interface Child {
  readonly clientOrderId: string;
  readonly side: Side;
  readonly isImmediate: boolean;
  filled: Filled;
  isCanceling: boolean;
  rejectedRequests: number;
}

/** Journal form of a child order; its fills are its order's. */
interface StoredChild {
  readonly slot: string;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly isImmediate: boolean;
}

/** Journal form of an algo order. */
export interface StoredAlgo {
  readonly terms: AlgoTerms;
  readonly startedAt: Micros;
  /** Reference price at its start, in half ticks; null if there was none. */
  readonly arrival: number | null;
  readonly step: number;
  readonly volume: number;
  readonly volumes: Progress['volumes'];
  /** Fills of ended child orders, by slot: lots, and ticks × lots. */
  readonly filled: Readonly<Record<string, readonly [number, string]>>;
  readonly children: readonly StoredChild[];
  readonly ending?: AlgoView['status'] | undefined;
  readonly why?: string | undefined;
  readonly endedAt?: Micros | undefined;
}

/**
 * An active algo order: sends and cancels child orders by the plan of its algorithm, one at a time
 * in each slot. Its progress is the saved state and the fills of the child orders named there, so
 * that each fill counts once, whenever the process is killed.
 */
export class AlgoOrder {
  readonly terms: AlgoTerms;
  readonly #host: AlgoOrderHost;
  readonly #startedAt: Micros;
  readonly #arrival: number;
  readonly #ended = new Map<string, Filled>();
  readonly #children = new Map<string, Child>();
  readonly #pauses = new Map<string, Pause>();
  #step: number;
  #volume: number;
  #volumes: Progress['volumes'];
  #status: AlgoView['status'] = 'working';
  #end: 'filled' | 'expired' | 'canceled' | undefined;
  #why: string | undefined;
  #endedAt: Micros | undefined;
  #watch: Plan['watch'];

  constructor(host: AlgoOrderHost, stored: StoredAlgo) {
    this.#host = host;
    this.terms = stored.terms;
    this.#startedAt = stored.startedAt;
    this.#arrival = stored.arrival ?? Number.NaN;
    this.#step = stored.step;
    this.#volume = stored.volume;
    this.#volumes = stored.volumes;
    for (const [slot, [lots, value]] of Object.entries(stored.filled)) {
      this.#ended.set(slot, { lots, value: BigInt(value) });
    }
  }

  /** Restores the child orders of a previous run, with all known fills. */
  restore(
    children: readonly StoredChild[],
    fillsOf: (clientOrderId: string) => readonly Fill[],
  ): void {
    for (const { slot, clientOrderId, side, isImmediate } of children) {
      const child: Child = {
        clientOrderId,
        side,
        isImmediate,
        filled: NOTHING_FILLED,
        // A start cancels the open orders of the previous run.
        isCanceling: true,
        rejectedRequests: 0,
      };
      for (const fill of fillsOf(clientOrderId)) child.filled = plus(child.filled, fill);
      this.#children.set(slot, child);
    }
  }

  get isOver(): boolean {
    return this.#status !== 'working' && this.#status !== 'ending';
  }

  /** Client order ids of open child orders. */
  get children(): readonly string[] {
    return [...this.#children.values()].map(({ clientOrderId }) => clientOrderId);
  }

  /** Applies a fill of a child order. */
  fill(fill: Fill): void {
    for (const child of this.#children.values()) {
      if (child.clientOrderId !== fill.clientOrderId) continue;
      child.filled = plus(child.filled, fill);
      this.#host.changed();
    }
  }

  /** Applies a row of the market; returns true if there may be something to do. */
  marketChanged(columns: EventColumns, row: number): boolean {
    const { market } = this.#host;
    const kind = columns.kind[row];
    const isTraded = kind === TRADE || (kind === CANDLE && !market.prices.followsTrades);
    if (isTraded && this.#watch === 'volume') this.#volume += columns.size[row];
    let isDue = this.#watch === 'prices';
    for (const pause of this.#pauses.values()) if (pause.market(this.#host.now())) isDue = true;
    return isDue;
  }

  /** Ends it; its child orders are canceled. */
  end(status: 'filled' | 'expired' | 'canceled', why?: string): void {
    if (this.#status !== 'working') return;
    this.#status = 'ending';
    this.#end = status;
    this.#why = why;
    this.#watch = undefined;
    this.#host.wake(undefined);
    this.save();
    this.#host.changed();
  }

  /** Leaves its child orders unchanged. */
  abandon(): void {
    this.#host.wake(undefined);
    this.#host.market.await(this, RETRY_ON, false);
  }

  /** Does the next steps of the plan. */
  maintain(): void {
    this.#settle();
    if (this.#status === 'working') this.#work();
    if (this.#status === 'ending') this.#finish();
    this.#awaitMarket();
  }

  /** Stores the restart state: before it ends, and, as its id stays taken, after. */
  save(): void {
    const { terms } = this;
    const { instrument } = this.#host.market;
    const state: StoredAlgo = {
      terms,
      startedAt: this.#startedAt,
      arrival: Number.isNaN(this.#arrival) ? null : this.#arrival,
      step: this.#step,
      volume: this.#volume,
      volumes: this.#volumes,
      filled: Object.fromEntries(
        [...this.#ended].map(([slot, { lots, value }]) => [slot, [lots, value.toString()]]),
      ),
      children: [...this.#children].map(([slot, { clientOrderId, side, isImmediate }]) => ({
        slot,
        clientOrderId,
        side,
        isImmediate,
      })),
      ...(this.#end === undefined ? {} : { ending: this.#end, why: this.#why }),
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
    };
    const over = this.isOver ? ({ isOver: true } as const) : {};
    const { id, kind, symbol } = terms;
    this.#host.save({ id, kind, symbol, grid: gridOf(instrument), state, ...over });
  }

  /** As a strategy and the reports see it. */
  get view(): AlgoView {
    const { id, kind, symbol, margin, side, lots } = this.terms;
    const [bought, sold] = [this.#fills('buy'), this.#fills('sell')];
    const { instrument } = this.#host.market;
    const arrivalPrice = priceOf(instrument, this.#arrival);
    const average = (side === 'buy' ? bought : sold).averagePrice;
    const worse = side === undefined ? undefined : arrivalPrice && average?.minus(arrivalPrice);
    return Object.freeze({
      id,
      kind,
      symbol,
      margin,
      side,
      status: this.#status,
      why: this.#why,
      lots,
      bought,
      sold,
      arrivalPrice,
      slippage: side === 'sell' ? worse?.negated() : worse,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
    });
  }

  #fills(side: Side): AlgoFills {
    let [lots, value] = [0, 0n];
    for (const slot of new Set([...this.#ended.keys(), ...this.#children.keys()])) {
      if (this.#sideOf(slot) !== side) continue;
      const filled = this.#filled(slot);
      lots += filled.lots;
      value += filled.value;
    }
    if (lots === 0) return { lots: asLots(0) };
    const { tickSize } = this.#host.market.instrument;
    const total = tickSize.times(value.toString());
    const averagePrice = quotient(total, new Decimal(lots), AMOUNT_PLACES, 'near');
    return { lots: asLots(lots), averagePrice };
  }

  /** Side of a slot: the one that its name begins with, or that of the order. */
  #sideOf(slot: string): Side {
    if (slot.startsWith('sell') || slot === 'exit') return 'sell';
    if (slot.startsWith('buy')) return 'buy';
    return this.terms.side ?? 'buy';
  }

  #filled(slot: string): Filled {
    const ended = this.#ended.get(slot);
    const child = this.#children.get(slot)?.filled;
    if (ended === undefined || child === undefined) return ended ?? child ?? NOTHING_FILLED;
    return { lots: ended.lots + child.lots, value: ended.value + child.value };
  }

  #work(): void {
    // The result of an immediate order decides the next one.
    if ([...this.#children.values()].some(({ isImmediate }) => isImmediate)) return;
    const plan = this.#host.plan(this.#progress(), this.#present());
    this.#watch = plan.watch;
    this.#host.wake(plan.wakeAt);
    if (plan.ended !== undefined) {
      this.end(plan.ended, plan.why);
      return;
    }
    if (plan.step !== undefined) this.#take(plan.step);
    const planned = new Map(plan.orders.map((order) => [order.slot, order]));
    for (const [slot, child] of this.#children) this.#check(child, planned.get(slot));
    for (const order of plan.orders) {
      if (this.#children.has(order.slot) || this.#pauseOf(order.slot).isOn) continue;
      this.#place(order);
    }
  }

  /** Takes a step of the schedule, whatever its order fills. */
  #take(step: number): void {
    if (this.#step >= 0) {
      const { count, total } = this.#volumes;
      this.#volumes = { count: count + 1, total: total + this.#volume };
    }
    this.#step = step;
    this.#volume = 0;
    for (const pause of this.#pauses.values()) pause.lift();
    this.save();
  }

  /** Cancels a child order that differs from the plan; fills until then count. */
  #check(child: Child, planned: PlannedOrder | undefined): void {
    const order = this.#host.orderManager.find(child.clientOrderId);
    if (order === undefined || order.status === 'pending' || order.status === 'unknown') return;
    const isRight =
      planned !== undefined &&
      order.side === planned.side &&
      order.ticks === planned.ticks &&
      order.lots - countedLots(order) === planned.lots;
    if (!isRight) this.#cancel(child, order);
  }

  #cancel(child: Child, order: Order): void {
    if (child.isCanceling) {
      // A rejected cancel is sent again.
      if (order.rejectedRequests <= child.rejectedRequests) return;
    }
    child.isCanceling = true;
    child.rejectedRequests = order.rejectedRequests;
    this.#host.orderManager.cancelOrder(order);
  }

  #place(planned: PlannedOrder): void {
    const { slot, side, lots, ticks, postOnly = false } = planned;
    const { margin, reduceOnly, symbol } = this.terms;
    const isImmediate = ticks === undefined || planned.isImmediate === true;
    this.#host.orderManager.placeManaged(
      symbol,
      {
        side,
        lots: asLots(lots),
        postOnly,
        ...(ticks === undefined ? { type: 'market' } : { type: 'limit', ticks: asTicks(ticks) }),
        timeInForce: isImmediate ? 'IOC' : 'GTC',
        ...(margin === undefined
          ? {}
          : { margin: reduceOnly === true ? { mode: margin, reduceOnly } : { mode: margin } }),
      },
      (clientOrderId) => {
        this.#children.set(slot, {
          clientOrderId,
          side,
          isImmediate,
          filled: NOTHING_FILLED,
          isCanceling: false,
          rejectedRequests: 0,
        });
        this.save();
      },
    );
  }

  /** Counts ended child orders, once all of their fills are known. */
  #settle(): void {
    for (const [slot, child] of this.#children) {
      const order = this.#host.orderManager.find(child.clientOrderId);
      if (order !== undefined && (isOpen(order) || outstandingLots(order) > 0)) continue;
      const filled = this.#whole(child, order);
      const before = this.#ended.get(slot) ?? NOTHING_FILLED;
      this.#children.delete(slot);
      if (filled.lots > 0) {
        this.#ended.set(slot, {
          lots: before.lots + filled.lots,
          value: before.value + filled.value,
        });
      }
      const pause = this.#pauseOf(slot);
      if (order?.status === 'filled' || child.isCanceling) pause.lift();
      else if (filled.lots > 0) pause.wait();
      else pause.fail(this.#host.now());
      this.save();
      this.#host.changed();
    }
  }

  /**
   * Fills of a child order; lots that the venue counts without a fill have the average price of the
   * others, or the limit price.
   */
  #whole({ filled }: Child, order: Order | undefined): Filled {
    const missing = order === undefined ? 0 : countedLots(order) - filled.lots;
    if (missing <= 0) return filled;
    const mean = filled.lots > 0 ? filled.value / BigInt(filled.lots) : undefined;
    const price = mean ?? BigInt(order?.ticks ?? 0);
    return { lots: filled.lots + missing, value: filled.value + price * BigInt(missing) };
  }

  /** Cancels open child orders, and ends once all have ended. */
  #finish(): void {
    for (const child of this.#children.values()) {
      const order = this.#host.orderManager.find(child.clientOrderId);
      if (order === undefined || order.status === 'pending' || order.status === 'unknown') continue;
      if (!child.isImmediate) this.#cancel(child, order);
    }
    if (this.#children.size > 0 || this.#end === undefined) return;
    this.#status = this.#end;
    this.#endedAt = micros(this.#host.now());
    this.save();
    this.#host.changed();
  }

  #pauseOf(slot: string): Pause {
    let pause = this.#pauses.get(slot);
    if (pause === undefined) this.#pauses.set(slot, (pause = new Pause()));
    return pause;
  }

  #awaitMarket(): void {
    const isPaused = [...this.#pauses.values()].some((pause) => pause.isOn);
    const isWorking = this.#status === 'working';
    const volume = this.#watch === 'volume' ? TRADED | CANDLES | PRICE : 0;
    const prices = this.#watch === 'prices' || isPaused ? TOP | TRADED | CANDLES : 0;
    const changes = isWorking ? volume | prices : 0;
    this.#host.market.await(this, changes, changes !== 0);
  }

  #progress(): Progress {
    return {
      startedAt: this.#startedAt,
      step: this.#step,
      volume: this.#volume,
      volumes: this.#volumes,
      filled: (slot) => this.#filled(slot),
    };
  }

  #present(): Present {
    const { prices } = this.#host.market;
    const at = this.#host.now();
    return { at, bidTicks: prices.touch('sell') / 2, askTicks: prices.touch('buy') / 2 };
  }
}

const plus = ({ lots, value }: Filled, fill: Fill): Filled => ({
  lots: lots + fill.lots,
  value: value + BigInt(fill.ticks) * BigInt(fill.lots),
});
