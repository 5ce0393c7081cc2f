import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { HoldingKey } from '../../model/portfolio.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type {
  TransferRoute,
  RouteKind,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from '../../swaps/execution/transfer-route.ts';
import { inTime, whyOf, type LeftOut } from './answers.ts';

export interface LazyRouteOptions {
  readonly name: string;
  readonly kind: RouteKind;
  readonly scheduler: Scheduler;
  /** Asks the service for its pairs and makes the route; called again where it throws. */
  readonly open: () => Promise<TransferRoute>;
}

/**
 * A route whose service has to name its pairs first. Until then it has none, and its transfers under
 * way wait: each poll of them asks the service again.
 */
export class LazyRoute implements TransferRoute {
  readonly name: string;
  readonly kind: RouteKind;
  readonly #options: LazyRouteOptions;
  /** Records of the transfers that were polled before the service answered. */
  readonly #waiting = new Map<string, TransferRecord>();
  #route: TransferRoute | undefined;
  #opening: Promise<TransferRoute> | undefined;

  constructor(options: LazyRouteOptions) {
    this.name = options.name;
    this.kind = options.kind;
    this.#options = options;
  }

  /** True once the service has answered. */
  get isThere(): boolean {
    return this.#route !== undefined;
  }

  /** Asks a service that has not answered yet; gives why, where it still does not. */
  async reach(): Promise<LeftOut | undefined> {
    try {
      await this.#reached();
      return undefined;
    } catch (error) {
      if (error instanceof MillraceError && error.code === 'config-invalid') throw error;
      return { name: this.name, why: whyOf(error) };
    }
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    return this.#route?.pairs() ?? [];
  }

  async offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    return (await this.#reached()).offer(from, to, send);
  }

  next(transfer: TransferRecord, now: Micros): Step | undefined {
    if (this.#route === undefined) this.#waiting.set(transfer.id, transfer);
    return this.#route?.next(transfer, now);
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    return (await this.#reached()).perform(transfer, step);
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    if (this.#route === undefined) this.#waiting.set(transfer.id, transfer);
    return (await this.#reached()).recall(transfer, step);
  }

  /** Only reaches a service that has not answered yet: `next` has to be called first then. */
  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    if (this.#route !== undefined) return this.#route.observe(transfer);
    await this.#reached();
    return undefined;
  }

  async #reached(): Promise<TransferRoute> {
    if (this.#route !== undefined) return this.#route;
    const { scheduler, open } = this.#options;
    this.#opening ??= open()
      .then((route) => {
        this.#showWaiting(route);
        return (this.#route = route);
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return inTime(scheduler, `The service of ${this.name}`, this.#opening);
  }

  /**
   * Shows a new route all transfers under way before it recalls one of them, so that none takes the
   * order of another for its own.
   */
  #showWaiting(route: TransferRoute): void {
    const now = this.#options.scheduler.now();
    for (const transfer of this.#waiting.values()) {
      try {
        route.next(transfer, now);
      } catch {
        // A fault of one transfer is reported at its turn and does not stop the others.
      }
    }
    this.#waiting.clear();
  }
}
