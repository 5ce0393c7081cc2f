import type { Instrument } from '../model/instrument.ts';
import type { OrderRequest } from '../model/order-request.ts';
import type { NonSpotBalanceSource } from '../model/non-spot-balance.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { MarginGateway } from './account/margin-gateway.ts';
import type { Gateway, ReportListener, VenueGateway } from './gateway.ts';
import { OrderStore, type OrderChange } from './orders/order-store.ts';
import { StrategyOrders } from './orders/strategy-orders.ts';

export interface AccountGatewayOptions {
  readonly venue: VenueGateway;
  readonly scheduler: Scheduler;
  /** Name of the strategy. */
  readonly strategy: string;
  /** Orders of the account, if other parts read them too. */
  readonly store?: OrderStore;
}

const NO_CHANGES: readonly OrderChange[] = [];

/** An account with a single strategy: its orders, and the venue. */
export class AccountGateway implements Gateway {
  readonly store: OrderStore;
  readonly orders: StrategyOrders;
  readonly #venue: VenueGateway;
  readonly #scheduler: Scheduler;

  constructor({ venue, scheduler, strategy, store = new OrderStore() }: AccountGatewayOptions) {
    this.store = store;
    this.orders = new StrategyOrders(store, strategy);
    this.#venue = venue;
    this.#scheduler = scheduler;
  }

  get venue(): string {
    return this.#venue.venue;
  }

  get instruments(): readonly Instrument[] {
    return this.#venue.instruments;
  }

  get margin(): MarginGateway | undefined {
    return this.#venue.margin;
  }

  get nonSpotBalances(): NonSpotBalanceSource | undefined {
    return this.#venue.nonSpotBalances;
  }

  connect(listener: ReportListener): void {
    this.#venue.connect((report) => {
      const changes =
        report.kind === 'balance' ? NO_CHANGES : this.store.take(report, this.#scheduler.now());
      listener(report, changes);
    });
  }

  send(request: OrderRequest, managed: boolean): void {
    this.#venue.send(request, managed);
  }
}
