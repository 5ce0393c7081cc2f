import type { AlgoKind, AlgoOrder as AlgoView } from '../../model/algo-order.ts';
import type { EventColumns } from '../../model/events.ts';
import type { ManagedState } from '../../model/managed-state.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { isOpen, type Order } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Fill } from '../../model/report.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import { clientOrderIdRejection } from '../../rules/client-order-id.ts';
import type { AlgoCommand, OrderMarket } from '../../strategy/commands.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import { unknownSymbol } from '../orders/requested.ts';
import { AlgoOrder, type StoredAlgo } from './algo-order.ts';
import type { Algorithm, AlgoTerms } from './algorithm.ts';
import { dca } from './algorithms/dca.ts';
import { grid } from './algorithms/grid.ts';
import { iceberg } from './algorithms/iceberg.ts';
import { schedule } from './algorithms/schedule.ts';

export interface AlgoOrdersHost {
  readonly scheduler: Scheduler;
  readonly orderManager: OrderManager;
  market(symbol: string): InstrumentMarket | undefined;
  /** Why nothing can be traded in this market. */
  placeRejection(market: InstrumentMarket, margin: MarginMode | undefined): Rejection | undefined;
  /** Ends other managed orders of a market. */
  makeRoom(market: OrderMarket): void;
  /** Stores the restart state. */
  save(id: string, state: ManagedState): void;
  /** Schedules `maintain` for orders with work, now or after the event in progress. */
  soon(): void;
  /** Emits a changed one. */
  show(order: AlgoView): void;
  note(message: string): void;
}

/** Most ended ones that are listed. */
const ENDED_MAX = 100;

type AnyAlgorithm = Algorithm<AlgoCommand, AlgoTerms>;

const ALGORITHMS = { twap: schedule, vwap: schedule, iceberg, grid, dca } as unknown as Readonly<
  Record<AlgoKind, AnyAlgorithm>
>;

/** True for the commands of algo orders. */
export const isAlgoCommand = (command: { readonly kind: string }): command is AlgoCommand =>
  Object.hasOwn(ALGORITHMS, command.kind);

/** An algo order, and its last emitted state. */
interface Kept {
  readonly order: AlgoOrder;
  readonly market: InstrumentMarket;
  isTouched: boolean;
  hasChanged: boolean;
}

/** Algo orders of a strategy by id, with ended ones, as an id stays taken. */
export class AlgoOrders {
  readonly #host: AlgoOrdersHost;
  readonly #kept = new Map<string, Kept>();
  /** Terms of ended ones of a previous run, as text. */
  readonly #over = new Map<string, string>();
  readonly #timers = new Map<string, Cancel>();

  constructor(host: AlgoOrdersHost) {
    this.#host = host;
  }

  /** True if one may have something to do. */
  get isTouched(): boolean {
    for (const { isTouched } of this.#kept.values()) if (isTouched) return true;
    return false;
  }

  /** All of this run. */
  get all(): readonly AlgoView[] {
    return [...this.#kept.values()].map(({ order }) => order.view);
  }

  /** Starts one, or returns why not; a known one is left unchanged. */
  start(command: AlgoCommand): Rejection | undefined {
    const { id, kind, symbol, margin } = command;
    const form = clientOrderIdRejection(id);
    if (form !== undefined) return { ...form, field: 'id' };
    const market = this.#host.market(symbol);
    if (market === undefined) return unknownSymbol(symbol);
    const own = ALGORITHMS[kind].terms(command, market.instrument);
    const rejection = isRejection(own) ? own : this.#host.placeRejection(market, margin);
    if (rejection !== undefined) return rejection;
    const terms = { id, kind, symbol, ...marginOf(command), ...own } as AlgoTerms;
    const known = this.#termsOf(id);
    if (known !== undefined) return this.#again(id, known, terms);
    this.#host.makeRoom(command);
    const arrival = market.prices.reference;
    this.#add(market, {
      terms,
      startedAt: this.#host.scheduler.now(),
      step: -1,
      volume: 0,
      volumes: { count: 0, total: 0 },
      filled: {},
      children: [],
      arrival: Number.isNaN(arrival) ? null : arrival,
    }).save();
    return undefined;
  }

  /** Continues one of a previous run, or remembers its id. */
  restore(
    { id, symbol, isOver, state }: ManagedState,
    fillsOf: (id: string) => readonly Fill[],
  ): void {
    const stored = state as StoredAlgo;
    const market = this.#host.market(symbol);
    if (isOver === true || market === undefined) {
      this.#over.set(id, JSON.stringify(stored.terms));
      return;
    }
    const order = this.#add(market, stored);
    order.restore(stored.children, fillsOf);
    if (stored.ending !== undefined) order.end(stored.ending as 'filled', stored.why);
  }

  /** Ends one by its id; false if it is not active. */
  cancel(id: string): boolean {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.order.isOver) return false;
    this.#end(kept);
    return true;
  }

  /** Ends those of a market, or all; returns their child orders that may still fill. */
  end(market?: OrderMarket): readonly Order[] {
    const ended = [...this.#kept.values()].filter(
      ({ order: { isOver, terms } }) => !isOver && (market === undefined || isAt(terms, market)),
    );
    for (const kept of ended) this.#end(kept);
    const { orderManager } = this.#host;
    return ended
      .flatMap(({ order }) => order.children.map((id) => orderManager.find(id)))
      .filter((order) => order !== undefined)
      .filter(isOpen);
  }

  /** Leaves all child orders unchanged. */
  abandon(): void {
    for (const { order } of this.#kept.values()) order.abandon();
    for (const kept of this.#kept.values()) kept.isTouched = false;
  }

  /** Applies a change of a managed order. */
  orderChanged(order: Order, fill: Fill | undefined): void {
    for (const kept of this.#of(order.symbol)) {
      if (!kept.order.children.includes(order.clientOrderId)) continue;
      if (fill !== undefined) kept.order.fill(fill);
      kept.isTouched = true;
    }
  }

  marketChanged(market: InstrumentMarket, columns: EventColumns, row: number): void {
    for (const kept of this.#kept.values()) {
      if (kept.market !== market || kept.order.isOver) continue;
      if (kept.order.marketChanged(columns, row)) kept.isTouched = true;
    }
  }

  /** Runs those with work, and emits the changed ones. */
  maintain(): void {
    for (const kept of this.#kept.values()) {
      if (!kept.isTouched) continue;
      kept.isTouched = false;
      if (!kept.order.isOver) kept.order.maintain();
      if (!kept.hasChanged) continue;
      kept.hasChanged = false;
      this.#host.show(kept.order.view);
      if (kept.order.isOver) this.#retire();
    }
  }

  /** Keeps only the ids of those that ended long ago. */
  #retire(): void {
    const over = [...this.#kept.values()].filter(({ order }) => order.isOver);
    for (const { order } of over.slice(0, -ENDED_MAX)) {
      this.#kept.delete(order.terms.id);
      this.#over.set(order.terms.id, JSON.stringify(order.terms));
    }
  }

  #end(kept: Kept): void {
    kept.order.end('canceled');
    kept.isTouched = true;
    // Open orders are canceled at once, so that later requests come after that.
    kept.order.maintain();
  }

  #again(id: string, known: string, terms: AlgoTerms): Rejection | undefined {
    if (known !== JSON.stringify(terms)) {
      return {
        code: 'client-order-id-taken',
        field: 'id',
        message: `An algo order "${id}" with other terms is or was at work; an id is of one algo order for good.`,
      };
    }
    this.#host.note(`The ${terms.kind} ${id} is known already and continues unchanged.`);
    return undefined;
  }

  #termsOf(id: string): string | undefined {
    const kept = this.#kept.get(id);
    return kept === undefined ? this.#over.get(id) : JSON.stringify(kept.order.terms);
  }

  #of(symbol: string): readonly Kept[] {
    return [...this.#kept.values()].filter(({ order }) => order.terms.symbol === symbol);
  }

  #add(market: InstrumentMarket, stored: StoredAlgo): AlgoOrder {
    const { id, kind } = stored.terms;
    const algorithm = ALGORITHMS[kind];
    const { scheduler, orderManager } = this.#host;
    const order = new AlgoOrder(
      {
        market,
        orderManager,
        plan: (progress, now) => algorithm.plan(stored.terms, progress, now, market.instrument),
        now: () => scheduler.now(),
        wake: (at) => this.#wake(id, at),
        save: (state) => this.#host.save(id, state),
        changed: () => (kept.hasChanged = true),
      },
      stored,
    );
    const kept: Kept = { order, market, isTouched: true, hasChanged: true };
    this.#kept.set(id, kept);
    return order;
  }

  #wake(id: string, at: number | undefined): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    if (at === undefined) return;
    const cancel = this.#host.scheduler.at(micros(at), () => {
      this.#timers.delete(id);
      const kept = this.#kept.get(id);
      if (kept === undefined || kept.order.isOver) return;
      kept.isTouched = true;
      this.#host.soon();
    });
    this.#timers.set(id, cancel);
  }
}

const isAt = (terms: AlgoTerms, { symbol, margin }: OrderMarket): boolean =>
  terms.symbol === symbol && terms.margin === margin;

const marginOf = (command: AlgoCommand): Pick<AlgoTerms, 'margin' | 'reduceOnly'> => ({
  margin: command.margin,
  ...('reduceOnly' in command && command.reduceOnly === true ? { reduceOnly: true } : {}),
});
