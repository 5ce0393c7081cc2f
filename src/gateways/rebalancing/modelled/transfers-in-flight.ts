import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { hasEnded, type Slot } from '../../../model/portfolio.ts';
import type { Random } from '../../../platform/random.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, type Micros } from '../../../platform/time.ts';
import type { MoveChange } from '../../../swaps/execution/carrier.ts';
import type { OutsideFunds } from './outside-funds.ts';
import { drawn, type Span } from './span.ts';

/** Moves that have ended and are still known; whoever leads a move has looked long before. */
const ENDED_MAX = 256;

/** Where money on its way goes. A service that gives takes a negative amount. */
export type Posting =
  | { readonly to: 'wallet'; readonly slot: Slot; readonly amount: Decimal }
  | { readonly to: 'account'; readonly asset: string; readonly amount: Decimal }
  | { readonly to: 'service'; readonly asset: string; readonly amount: Decimal };

/** What happens to a move after a while: decided when it was paid, and data, so that it can be kept. */
export interface Leg {
  readonly at: Micros;
  readonly change: MoveChange;
  readonly postings: readonly Posting[];
}

/** How moves stand, by id, and what is still to happen to them. */
export interface TransfersInFlightState {
  readonly standings: ReadonlyMap<string, MoveChange>;
  readonly legs: readonly (Leg & { readonly move: string })[];
}

export interface TransfersInFlightParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly outside: OutsideFunds;
  /** Where a previous run was left. */
  readonly previous?: TransfersInFlightState | undefined;
  /** Told whenever money has gone on, once all that belongs together is done. */
  readonly changed?: () => void;
}

/** What the roads of a model share: their clock, their chance, and what is on its way. */
export class TransfersInFlight {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #outside: OutsideFunds;
  readonly #changed: () => void;
  readonly #standings: Map<string, MoveChange>;
  /** What is still to happen, and what calls that off. */
  readonly #legs = new Map<TransfersInFlightState['legs'][number], Cancel>();
  /** Ends steps that wait. */
  readonly #passing = new Set<() => void>();
  #numbers = 0;

  constructor({ scheduler, random, outside, previous, changed }: TransfersInFlightParts) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#outside = outside;
    this.#changed = changed ?? (() => undefined);
    this.#standings = new Map(previous?.standings);
    for (const { move, ...leg } of previous?.legs ?? []) this.#expect(move, leg);
  }

  /** To be kept, so that another life goes on from here. */
  get state(): TransfersInFlightState {
    return { standings: this.#standings, legs: [...this.#legs.keys()] };
  }

  /** How a move stands whose money has left; nothing for others. */
  status(move: string): MoveChange | undefined {
    return this.#standings.get(move);
  }

  /** Says how a move stands now, and what will happen to it. */
  stand(move: string, change: MoveChange, legs: readonly Leg[] = []): MoveChange {
    this.#stand(move, change);
    for (const leg of legs) this.#expect(move, leg);
    this.#changed();
    return change;
  }

  /** When it will be after so long. */
  after(us: number): Micros {
    return micros(this.#scheduler.now() + us);
  }

  /** Another number at each call, from 1. */
  number(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** A span by chance. */
  draw(span: Span): number {
    return drawn(span, this.#random);
  }

  /** True with that probability; draws nothing for 0. */
  happens(probability: number): boolean {
    return probability > 0 && this.#random.chance(probability);
  }

  /** A number from 0 (included) to 1 (excluded). */
  unit(): number {
    return this.#random.unit();
  }

  /** Lets a while pass; broken where all ends before. */
  pass(us: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#scheduler.at(this.after(us), () => {
        this.#passing.delete(stop);
        resolve();
      });
      const stop = (): void => {
        cancel();
        const sentence =
          'The bot ends in the middle of a step; the next start sees what became of it.';
        reject(new MillraceError('unreachable', sentence));
      };
      this.#passing.add(stop);
    });
  }

  /** Lets nothing more happen; it is due in another life, by the state as it is now. */
  close(): void {
    for (const cancel of this.#legs.values()) cancel();
    for (const stop of this.#passing) stop();
    this.#passing.clear();
  }

  /** What was due while nobody lived happens at once. */
  #expect(move: string, leg: Leg): void {
    const kept = { ...leg, move };
    const cancel = this.#scheduler.at(micros(Math.max(leg.at, this.#scheduler.now())), () => {
      this.#legs.delete(kept);
      for (const posting of leg.postings) this.#post(posting);
      this.#stand(move, leg.change);
      this.#changed();
    });
    this.#legs.set(kept, cancel);
  }

  #post(posting: Posting): void {
    switch (posting.to) {
      case 'wallet':
        this.#outside.reachWallet(posting.slot, posting.amount);
        break;
      case 'account':
        this.#outside.reachAccount(posting.asset, posting.amount);
        break;
      case 'service':
        this.#outside.take(posting.asset, posting.amount);
    }
  }

  /** The newest stands last; of those that have ended the oldest are forgotten. */
  #stand(move: string, change: MoveChange): void {
    this.#standings.delete(move);
    this.#standings.set(move, change);
    if (this.#standings.size <= ENDED_MAX) return;
    for (const [id, { state }] of this.#standings) {
      if (!hasEnded(state)) continue;
      this.#standings.delete(id);
      return;
    }
  }
}
