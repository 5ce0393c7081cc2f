import type { AlgoOrder as AlgoView } from '../../model/algo-order.ts';
import type { EventColumns } from '../../model/events.ts';
import { gridOf, type ManagedState } from '../../model/managed-state.ts';
import type { NewOrder, Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Fill } from '../../model/report.ts';
import type { Trail } from '../../rules/trailing.ts';
import type { AlgoCommand, OrderMarket, Quote, Target } from '../../strategy/commands.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import { AlgoOrders, type AlgoOrdersHost } from './algo-orders.ts';
import { ManagedOrders, type ManagedOrdersHost } from './managed-orders.ts';
import { TrailingStops } from './trailing-stops.ts';

export interface StrategyManagedOrdersHost
  extends Pick<ManagedOrdersHost, 'keeper'>, Omit<AlgoOrdersHost, 'makeRoom' | 'save'> {
  /** Stores the restart state, `undefined` to delete it. */
  save(id: string, state: ManagedState | undefined): void;
  warn(message: string): void;
}

/** All managed orders of a strategy: targets and quotes, algo orders, trailing stops. */
export class StrategyManagedOrders {
  readonly #host: StrategyManagedOrdersHost;
  readonly #places: ManagedOrders;
  readonly #algoOrders: AlgoOrders;
  readonly #trailingStops: TrailingStops;

  constructor(host: StrategyManagedOrdersHost) {
    this.#host = host;
    const now = (): number => host.scheduler.now();
    const save = (id: string, state: ManagedState | undefined): void => host.save(id, state);
    this.#places = new ManagedOrders({
      now,
      market: (symbol) => host.market(symbol),
      placeRejection: (market, margin) => host.placeRejection(market, margin),
      keeper: (market, margin, touch) => host.keeper(market, margin, touch),
    });
    this.#algoOrders = new AlgoOrders({
      scheduler: host.scheduler,
      orderManager: host.orderManager,
      save,
      market: (symbol) => host.market(symbol),
      placeRejection: (market, margin) => host.placeRejection(market, margin),
      makeRoom: (market) => this.#places.end(market),
      soon: () => host.soon(),
      show: (order) => host.show(order),
      note: (message) => host.note(message),
    });
    this.#trailingStops = new TrailingStops({
      orderManager: host.orderManager,
      now,
      save,
      market: (symbol) => host.market(symbol),
    });
  }

  /** True if one of them may have something to do. */
  get isTouched(): boolean {
    return [this.#places, this.#trailingStops, this.#algoOrders].some((one) => one.isTouched);
  }

  /** Algo orders of this run. */
  get algoOrders(): readonly AlgoView[] {
    return this.#algoOrders.all;
  }

  /** Continues the managed orders of the previous run. */
  resume(
    states: readonly ManagedState[],
    fillsOf: (clientOrderId: string) => readonly Fill[],
  ): void {
    for (const state of states) {
      const instrument = this.#host.market(state.symbol)?.instrument;
      const isSame = instrument !== undefined && gridOf(instrument) === state.grid;
      if (state.kind !== 'trail' && (isSame || state.isOver === true)) {
        this.#algoOrders.restore(state, fillsOf);
      } else if (isSame) this.#trailingStops.restore(state);
      else {
        const why =
          instrument === undefined ? 'is not traded any more' : 'has other price steps now';
        // Its id stays taken, so that nothing is traded twice.
        if (state.kind !== 'trail') this.#algoOrders.restore({ ...state, isOver: true }, fillsOf);
        this.#host.warn(
          `The ${state.kind} ${state.id} of before the start is not resumed: ${state.symbol} ${why}.`,
        );
      }
    }
  }

  /** Trails the stop price of an order. */
  trail(order: NewOrder, trail: Trail): void {
    this.#trailingStops.add(order, trail);
  }

  /** Starts an algo order, or returns why not. */
  startAlgo(command: AlgoCommand): Rejection | undefined {
    return this.#algoOrders.start(command);
  }

  /**
   * Starts a target or a quote, or returns why not. It replaces the algo orders of its market, and
   * waits until none of their orders can fill, nor of those that `clear` returns.
   */
  start(command: Target | Quote, clear: () => readonly Order[]): Rejection | undefined {
    const rejection = this.#places.rejection(command);
    if (rejection !== undefined) return rejection;
    const ended = this.#algoOrders.end(command);
    this.#places.start(command, [...ended, ...clear()]);
    return undefined;
  }

  /** Ends an algo order by its id; false if it is not active. */
  cancel(id: string): boolean {
    return this.#algoOrders.cancel(id);
  }

  /**
   * Ends those of a market, or all; their orders are canceled. Trailing stops end with their
   * orders.
   */
  end(market?: OrderMarket): void {
    this.#places.end(market);
    this.#algoOrders.end(market);
  }

  /** Leaves all of their orders unchanged. */
  abandon(): void {
    for (const one of [this.#places, this.#trailingStops, this.#algoOrders]) one.abandon();
  }

  /** Applies a change of an order, with its fill if there is one. */
  orderChanged(order: Order, fill: Fill | undefined): void {
    if (order.managed) {
      const { symbol, margin } = order;
      this.#places.orderChanged({ symbol, margin: margin?.mode });
      this.#algoOrders.orderChanged(order, fill);
    } else this.#trailingStops.orderChanged(order);
  }

  /** Applies a change of the holdings. */
  holdingsChanged(): void {
    this.#places.holdingsChanged();
  }

  /** Applies a row of a market that one of them waits for. */
  marketChanged(market: InstrumentMarket, columns: EventColumns, row: number): void {
    this.#places.marketChanged(market);
    this.#trailingStops.marketChanged(market, columns, row);
    this.#algoOrders.marketChanged(market, columns, row);
  }

  /** Sends what is due. */
  maintain(): void {
    this.#places.maintain();
    this.#trailingStops.maintain();
    this.#algoOrders.maintain();
  }
}
