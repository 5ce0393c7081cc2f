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
  /** Asks the service what there is, and makes the route of it; asked again where it throws. */
  readonly open: () => Promise<TransferRoute>;
}

/**
 * A route whose service has to say first what it can transfer. Until it has, it has no
 * pairs, and transfers of it that are under way wait: each look at them asks the service anew.
 */
export class LazyRoute implements TransferRoute {
  readonly name: string;
  readonly kind: RouteKind;
  readonly #options: LazyRouteOptions;
  /** Transfers that were asked for before it was there, as they stood then. */
  readonly #waiting = new Map<string, TransferRecord>();
  #route: TransferRoute | undefined;
  #opening: Promise<TransferRoute> | undefined;

  constructor(options: LazyRouteOptions) {
    this.name = options.name;
    this.kind = options.kind;
    this.#options = options;
  }

  /** Whether the service has answered. */
  get isThere(): boolean {
    return this.#route !== undefined;
  }

  /** Asks the service where it has not answered yet; gives why it is not there, where it is not. */
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

  /** Only reaches the service where it was not there: what comes next is to be asked for first. */
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
        this.#introduce(route);
        return (this.#route = route);
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return inTime(scheduler, `The service of ${this.name}`, this.#opening);
  }

  /**
   * Lets a route see all transfers that are under way before it is asked what became of one: an
   * order that one of them has is none that another one may take for its own.
   */
  #introduce(route: TransferRoute): void {
    const now = this.#options.scheduler.now();
    for (const transfer of this.#waiting.values()) {
      try {
        route.next(transfer, now);
      } catch {
        // What is wrong with a transfer is reported at its turn, and is no fault of the others.
      }
    }
    this.#waiting.clear();
  }
}
