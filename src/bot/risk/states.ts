import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { PassingCause } from '../../risk/guards/breach.ts';
import { stricter, type TradingState } from '../../risk/state.ts';

/** What may hold a scope without being kept: the next start of the process finds out by itself. */
export type HoldingCause = PassingCause | 'journal';

/** Whose state it is: of the whole bot, of an account or of a strategy. */
export type Scope = 'bot' | `account:${string}` | `strategy:${string}`;

/** How a scope came from one state to another. */
export interface Transition {
  readonly scope: Scope;
  readonly from: TradingState;
  readonly to: TradingState;
  /** A sentence for people. */
  readonly why: string;
  readonly at: Micros;
  /** Set where the cause may pass or has passed: the next run of the process checks again. */
  readonly passing?: HoldingCause | undefined;
}

/** A state as it is kept across restarts. */
export type StoredState = Pick<Transition, 'scope' | 'to' | 'why' | 'at'>;

export interface StatesSetup {
  readonly scheduler: Scheduler;
  /** The account of each strategy, by name. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Keeps a transition; may throw. */
  readonly save: (transition: Transition) => void;
  /** What a previous run of the process kept, the last one of each scope. */
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

  /** Takes up what a previous run of the process kept; nothing is saved. */
  restore(kept: readonly StoredState[]): void {
    for (const { scope, to, why } of kept) this.#states.set(scope, { state: to, why });
  }

  /** The state of a scope itself. */
  own(scope: Scope): TradingState {
    return this.#own(scope).state;
  }

  /** Why a scope came to its own state; `undefined` where it never left the first. */
  why(scope: Scope): string | undefined {
    return this.#own(scope).why;
  }

  /** The causes that pass by which a scope is held now. */
  passing(scope: Scope): readonly HoldingCause[] {
    return [...(this.#passing.get(scope)?.keys() ?? [])];
  }

  /** What a scope may do: the strictest of its own state and of those above it. */
  effective(scope: Scope): TradingState {
    return this.#above(scope).reduce<TradingState>(
      (state, above) => stricter(state, this.own(above)),
      this.own(scope),
    );
  }

  /** Why a scope may do what `effective` says; named where the reason is that of a scope above it. */
  reason(scope: Scope): string | undefined {
    const state = this.effective(scope);
    if (state === 'running') return this.why(scope);
    const from = [scope, ...this.#above(scope)].find((one) => this.own(one) === state) ?? scope;
    const why = this.why(from);
    return from === scope || why === undefined ? why : `${scopeName(from)} is ${state}: ${why}`;
  }

  /**
   * Makes a scope stricter, for a breach or a failure; returns the transition, or `undefined` where it is
   * as strict already. The state holds even where keeping it throws, which is passed on. With `passing` it
   * holds until `lift` is called for that cause.
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

  /**
   * A cause that passes is over; returns the transition where the scope comes to a looser state by that.
   */
  lift(scope: Scope, passing: HoldingCause, why: string): Transition | undefined {
    const from = this.own(scope);
    this.#passing.get(scope)?.delete(passing);
    const to = this.own(scope);
    return from === to ? undefined : this.#reported({ scope, from, to, why, passing });
  }

  /**
   * Brings a scope to a state as an operator says, a looser one too; `undefined` where it is there
   * already or is killed, which only `resume` ends.
   */
  set(scope: Scope, to: Exclude<TradingState, 'running'>, why: string): Transition | undefined {
    const from = this.own(scope);
    const { state } = this.#standing(scope);
    if (from === 'killed' || (from === to && state === to)) return undefined;
    if (stricter(from, to) === to) return this.#tightenTo(scope, from, to, why);
    return this.#loosenTo(scope, from, to, why);
  }

  /** Lets a scope run again, from every state. Where that cannot be kept it stays as it is. */
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
    // Who loosens decides over everything that held the scope.
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
