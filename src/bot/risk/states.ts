import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import { stricter, type TradingState } from '../../risk/state.ts';

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
}

/** A state as it is kept across restarts. */
export type KeptState = Pick<Transition, 'scope' | 'to' | 'why' | 'at'>;

export interface StatesSetup {
  readonly scheduler: Scheduler;
  /** The account of each strategy, by name. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Keeps a transition; may throw. */
  readonly save: (transition: Transition) => void;
  /** What a former life of the process kept, the last one of each scope. */
  readonly kept?: readonly KeptState[];
}

const RUNNING = { state: 'running', why: undefined } as const;

/**
 * What bot, accounts and strategies may do. Each has a state of its own, and what counts is the
 * strictest of a strategy's, its account's and the bot's. `killed` is left by `resume` alone.
 */
export class States {
  readonly #setup: StatesSetup;
  readonly #states = new Map<Scope, { readonly state: TradingState; readonly why?: string }>();

  constructor(setup: StatesSetup) {
    this.#setup = setup;
    this.restore(setup.kept ?? []);
  }

  /** Takes up what a former life of the process kept; nothing is saved. */
  restore(kept: readonly KeptState[]): void {
    for (const { scope, to, why } of kept) this.#states.set(scope, { state: to, why });
  }

  /** The state of a scope itself. */
  own(scope: Scope): TradingState {
    return (this.#states.get(scope) ?? RUNNING).state;
  }

  /** Why a scope came to its own state; `undefined` where it never left the first. */
  why(scope: Scope): string | undefined {
    return (this.#states.get(scope) ?? RUNNING).why;
  }

  /** What a scope may do: the strictest of its own state and of those above it. */
  effective(scope: Scope): TradingState {
    return this.#above(scope).reduce<TradingState>(
      (state, above) => stricter(state, this.own(above)),
      this.own(scope),
    );
  }

  /**
   * Makes a scope stricter, for a breach or a failure; gives the transition, or `undefined` where it
   * is as strict already. The state holds even where keeping it throws, which is passed on.
   */
  tighten(scope: Scope, to: TradingState, why: string): Transition | undefined {
    const from = this.own(scope);
    if (stricter(from, to) === from) return undefined;
    return this.#tightenTo(scope, from, to, why);
  }

  /**
   * Brings a scope to a state as an operator says, a looser one too; `undefined` where it is there
   * already or is killed, which only `resume` ends.
   */
  set(scope: Scope, to: Exclude<TradingState, 'running'>, why: string): Transition | undefined {
    const from = this.own(scope);
    if (from === to || from === 'killed') return undefined;
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
    const transition = { scope, from, to, why, at: this.#setup.scheduler.now() };
    this.#setup.save(transition);
    return transition;
  }

  #loosenTo(scope: Scope, from: TradingState, to: TradingState, why: string): Transition {
    const transition = { scope, from, to, why, at: this.#setup.scheduler.now() };
    this.#setup.save(transition);
    this.#states.set(scope, { state: to, why });
    return transition;
  }

  #above(scope: Scope): readonly Scope[] {
    if (scope === 'bot') return [];
    if (!scope.startsWith('strategy:')) return ['bot'];
    const account = this.#setup.accounts.get(scope.slice('strategy:'.length));
    return account === undefined ? ['bot'] : [`account:${account}`, 'bot'];
  }
}
