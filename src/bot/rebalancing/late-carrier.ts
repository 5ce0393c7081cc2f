import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Slot } from '../../model/portfolio.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type {
  Carrier,
  CarrierKind,
  MoveChange,
  MoveRecord,
  Offer,
  Step,
} from '../../swaps/execution/carrier.ts';
import { inTime, whyOf, type LeftOut } from './answers.ts';

export interface LateCarrierOptions {
  readonly name: string;
  readonly kind: CarrierKind;
  readonly scheduler: Scheduler;
  /** Asks the service what there is, and makes the carrier of it; asked again where it throws. */
  readonly open: () => Promise<Carrier>;
}

/**
 * A carrier whose service has to say first what it carries. Until it has, it carries between no
 * pairs, and moves of it that are under way wait: each look at them asks the service anew.
 */
export class LateCarrier implements Carrier {
  readonly name: string;
  readonly kind: CarrierKind;
  readonly #options: LateCarrierOptions;
  /** Moves that were asked for before it was there, as they stood then. */
  readonly #waiting = new Map<string, MoveRecord>();
  #carrier: Carrier | undefined;
  #opening: Promise<Carrier> | undefined;

  constructor(options: LateCarrierOptions) {
    this.name = options.name;
    this.kind = options.kind;
    this.#options = options;
  }

  /** Whether the service has answered. */
  get isThere(): boolean {
    return this.#carrier !== undefined;
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

  pairs(): readonly (readonly [Slot, Slot])[] {
    return this.#carrier?.pairs() ?? [];
  }

  async offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
    return (await this.#reached()).offer(from, to, send);
  }

  next(move: MoveRecord, now: Micros): Step | undefined {
    if (this.#carrier === undefined) this.#waiting.set(move.id, move);
    return this.#carrier?.next(move, now);
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    return (await this.#reached()).perform(move, step);
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    if (this.#carrier === undefined) this.#waiting.set(move.id, move);
    return (await this.#reached()).recall(move, step);
  }

  /** Only reaches the service where it was not there: what comes next is to be asked for first. */
  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    if (this.#carrier !== undefined) return this.#carrier.observe(move);
    await this.#reached();
    return undefined;
  }

  async #reached(): Promise<Carrier> {
    if (this.#carrier !== undefined) return this.#carrier;
    const { scheduler, open } = this.#options;
    this.#opening ??= open()
      .then((carrier) => {
        this.#introduce(carrier);
        return (this.#carrier = carrier);
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return inTime(scheduler, `The service of ${this.name}`, this.#opening);
  }

  /**
   * Lets a carrier see all moves that are under way before it is asked what became of one: an order
   * that one of them has is none that another one may take for its own.
   */
  #introduce(carrier: Carrier): void {
    const now = this.#options.scheduler.now();
    for (const move of this.#waiting.values()) {
      try {
        carrier.next(move, now);
      } catch {
        // What is wrong with a move is told when it is its turn, and is no fault of the others.
      }
    }
    this.#waiting.clear();
  }
}
