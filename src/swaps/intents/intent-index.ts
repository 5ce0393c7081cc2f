import { MillraceError } from '../../model/errors.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Cancel } from '../../platform/scheduler.ts';
import { forgetOld, type Keeping } from '../keeping.ts';
import { INTENT_MOVES, isFinal, type Intent, type IntentState } from './intent.ts';

/** Members that change with a state. */
export type Change = Partial<Omit<Intent, 'id' | 'state'>>;

/** Called for each new intent, and when its state or other members have changed. */
export type IntentListener = (intent: Intent) => void;

/** An intent whose escrow is still to be collected has not ended for the service. */
const KEEPING: Keeping<Intent> = {
  most: 10_000,
  hasEnded: ({ state, swap }) => isFinal(state) && (state !== 'finished' || swap !== undefined),
  begunAt: ({ createdAt }) => createdAt,
};

/**
 * The intents, oldest first; the oldest that have ended are forgotten if there are many. States change here
 * and nowhere else, along the documented moves.
 */
export class IntentIndex {
  readonly #intents = new Map<string, Intent>();
  readonly #listeners = new Set<IntentListener>();

  add(intent: Intent): void {
    this.#intents.set(intent.id, intent);
    forgetOld(this.#intents, intent.createdAt, KEEPING);
    this.#emit(intent);
  }

  find(id: string): Intent | Rejection {
    const message = `There is no intent ${id}.`;
    return this.#intents.get(id) ?? { code: 'intent-unknown', field: 'intent', message };
  }

  all(): IterableIterator<Intent> {
    return this.#intents.values();
  }

  /** Moves an intent to a state; throws `internal` for a move that is not documented. */
  move(id: string, state: IntentState, change: Change = {}): Intent {
    const intent = this.find(id);
    if (isRejection(intent)) throw new MillraceError('internal', intent.message);
    const moves: readonly IntentState[] = INTENT_MOVES[intent.state];
    if (!moves.includes(state)) {
      throw new MillraceError('internal', `No intent moves from ${intent.state} to ${state}.`);
    }
    const moved = { ...intent, ...change, state };
    this.#intents.set(id, moved);
    this.#emit(moved);
    return moved;
  }

  /** Changes members of an intent without its state. */
  amend(intent: Intent, change: Change): void {
    const amended = { ...intent, ...change };
    this.#intents.set(intent.id, amended);
    this.#emit(amended);
  }

  follow(listener: IntentListener): Cancel {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #emit(intent: Intent): void {
    for (const listener of this.#listeners) listener(intent);
  }
}

/** The rejection of something that a state does not allow. */
export const wrongState = ({ id, state }: Intent, what: string): Rejection => ({
  code: 'intent-state-invalid',
  field: 'intent',
  message: `The intent ${id} is ${state} and cannot be ${what}.`,
});
