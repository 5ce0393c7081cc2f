/**
 * Self-trade prevention. `none`: orders of one account trade, and both pay fees. Else the incoming
 * order expires, or the resting one and the incoming continues, or both, or both are reduced by the
 * smaller quantity and the one without a remainder expires.
 */
export const SELF_MATCH_MODES = [
  'none',
  'expireTaker',
  'expireMaker',
  'expireBoth',
  'decrement',
] as const;
export type SelfMatchMode = (typeof SELF_MATCH_MODES)[number];

/** Self-trade prevention of accounts. */
export class SelfMatch {
  /** True if some account has prevention. */
  prevents: boolean;
  readonly #default: SelfMatchMode;
  readonly #ofAccount = new Map<number, SelfMatchMode>();

  constructor(defaults: SelfMatchMode = 'none') {
    this.#default = defaults;
    this.prevents = defaults !== 'none';
  }

  mode(account: number): SelfMatchMode {
    return this.prevents ? (this.#ofAccount.get(account) ?? this.#default) : 'none';
  }

  /** Sets the mode of an account; without one, the default. */
  set(account: number, mode?: SelfMatchMode): void {
    if (mode === undefined) this.#ofAccount.delete(account);
    else this.#ofAccount.set(account, mode);
    this.prevents = this.#default !== 'none' || this.#ofAccount.size > 0;
  }
}
