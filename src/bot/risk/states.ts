import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { PassingCause } from '../../risk/guards/breach.ts';
import { stricter, type TradingState } from '../../risk/state.ts';

/** Causes whose state is not stored: the next start checks them itself. */
export type HoldingCause = PassingCause | 'journal';

/** The owner of a state: the whole bot, an account or a strategy. */
export type Scope = 'bot' | `account:${string}` | `strategy:${string}`;

/** A scope's change from one state to another. */
export interface Transition {
  readonly scope: Scope;
  readonly from: TradingState;
  readonly to: TradingState;
  /** A sentence for people. */
  readonly why: string;
  readonly at: Micros;
  /** Set if the cause may pass or has passed: the next process checks again. */
  readonly passing?: HoldingCause | undefined;
}

/** A state as stored across restarts. */
export type StoredState = Pick<Transition, 'scope' | 'to' | 'why' | 'at'>;

export interface StatesSetup {
  readonly scheduler: Scheduler;
  /** The account of each strategy, by name. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Stores a transition; may throw. */
  readonly save: (transition: Transition) => void;
  /** The last stored state of each scope in a previous process. */
  readonly kept?: readonly StoredState[];
}

interface Standing {
  readonly state: TradingState;
  readonly why?: string | undefined;
}

const RUNNING: Standing = { state: 'running' };

/**
 * What bot, accounts and strategies may do. Each has a state of its own, and what counts is the
 * strictest of a strategy's, its account's and the bot's. `killed` is left by `resume` alone.
 *
 * What a cause that passes led to is held beside that, and goes with the cause: it neither hides nor ends
 * what an operator or a loss led to.
 */
export class States {
  readonly #setup: StatesSetup;
  readonly #states = new Map<Scope, Standing>();
  readonly #passing = new Map<Scope, Map<HoldingCause, Standing>>();

  constructor(setup: StatesSetup) {
    this.#setup = setup;
    this.restore(setup.kept ?? []);
  }

  /** Restores the states of a previous process; nothing is saved. */
  restore(kept: readonly StoredState[]): void {
    for (const { scope, to, why } of kept) this.#states.set(scope, { state: to, why });
  }

  /** The state of a scope itself. */
  own(scope: Scope): TradingState {
    return this.#own(scope).state;
  }

  /** Why a scope is in its own state; `undefined` if it never left the first. */
  why(scope: Scope): string | undefined {
    return this.#own(scope).why;
  }

  /** The passing causes that hold a scope now. */
  passing(scope: Scope): readonly HoldingCause[] {
    return [...(this.#passing.get(scope)?.keys() ?? [])];
  }

  /** The strictest of a scope's own state and of those above it. */
  effective(scope: Scope): TradingState {
    return this.#above(scope).reduce<TradingState>(
      (state, above) => stricter(state, this.own(above)),
      this.own(scope),
    );
  }

  /** The reason of the `effective` state; it names a scope above if that has the reason. */
  reason(scope: Scope): string | undefined {
    const state = this.effective(scope);
    if (state === 'running') return this.why(scope);
    const from = [scope, ...this.#above(scope)].find((one) => this.own(one) === state) ?? scope;
    const why = this.why(from);
    return from === scope || why === undefined ? why : `${scopeName(from)} is ${state}: ${why}`;
  }

  /**
   * Makes a scope stricter, for a breach or a failure; returns the transition, or `undefined` if it is that
   * strict already. The state applies even if storing it throws; the error is passed on. With `passing` it
   * applies until `lift` is called for that cause.
   */
  tighten(
    scope: Scope,
    to: TradingState,
    why: string,
    passing?: HoldingCause,
  ): Transition | undefined {
    const from = this.own(scope);
    if (passing !== undefined) return this.#hold(scope, from, { state: to, why }, passing);
    const { state } = this.#standing(scope);
    if (stricter(state, to) === state) return undefined;
    return this.#tightenTo(scope, from, to, why);
  }

  /** A passing cause is over; returns the transition if the scope's state becomes looser. */
  lift(scope: Scope, passing: HoldingCause, why: string): Transition | undefined {
    const from = this.own(scope);
    this.#passing.get(scope)?.delete(passing);
    const to = this.own(scope);
    return from === to ? undefined : this.#reported({ scope, from, to, why, passing });
  }

  /**
   * Sets a scope's state by an operator, also a looser one; `undefined` if it has the state already or is
   * killed, which only `resume` ends.
   */
  set(scope: Scope, to: Exclude<TradingState, 'running'>, why: string): Transition | undefined {
    const from = this.own(scope);
    const { state } = this.#standing(scope);
    if (from === 'killed' || (from === to && state === to)) return undefined;
    if (stricter(from, to) === to) return this.#tightenTo(scope, from, to, why);
    return this.#loosenTo(scope, from, to, why);
  }

  /** Lets a scope run again, from every state. If that cannot be stored, nothing changes. */
  resume(scope: Scope, why: string): Transition | undefined {
    const from = this.own(scope);
    return from === 'running' ? undefined : this.#loosenTo(scope, from, 'running', why);
  }

  #tightenTo(scope: Scope, from: TradingState, to: TradingState, why: string): Transition {
    this.#states.set(scope, { state: to, why });
    return this.#reported({ scope, from, to, why });
  }

  #loosenTo(scope: Scope, from: TradingState, to: TradingState, why: string): Transition {
    const transition = this.#reported({ scope, from, to, why });
    this.#states.set(scope, { state: to, why });
    // Resuming overrides everything that held the scope.
    this.#passing.delete(scope);
    return transition;
  }

  #hold(
    scope: Scope,
    from: TradingState,
    { state, why = '' }: Standing,
    passing: HoldingCause,
  ): Transition | undefined {
    const held = this.#passing.get(scope) ?? new Map<HoldingCause, Standing>();
    this.#passing.set(scope, held.set(passing, { state, why }));
    const to = this.own(scope);
    return from === to ? undefined : this.#reported({ scope, from, to, why, passing });
  }

  #reported(transition: Omit<Transition, 'at'>): Transition {
    const reported = { ...transition, at: this.#setup.scheduler.now() };
    this.#setup.save(reported);
    return reported;
  }

  #standing(scope: Scope): Standing {
    return this.#states.get(scope) ?? RUNNING;
  }

  #own(scope: Scope): Standing {
    let own = this.#standing(scope);
    for (const held of this.#passing.get(scope)?.values() ?? []) {
      if (stricter(own.state, held.state) !== own.state) own = held;
    }
    return own;
  }

  #above(scope: Scope): readonly Scope[] {
    if (scope === 'bot') return [];
    if (!scope.startsWith('strategy:')) return ['bot'];
    const account = this.#setup.accounts.get(scope.slice('strategy:'.length));
    return account === undefined ? ['bot'] : [`account:${account}`, 'bot'];
  }
}

/** A scope at the beginning of a sentence. */
export const scopeName = (scope: Scope): string =>
  scope === 'bot'
    ? 'The bot'
    : scope.replace(':', ' ').replace(/^./, (first) => first.toUpperCase());
