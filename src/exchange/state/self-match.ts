/**
 * What happens where an order would trade with one of its own account. `none`: it trades, and each
 * pays as in any trade. The others prevent it: the incoming order expires with its rest, or the
 * resting one does and the incoming goes on, or both, or both become smaller by the lots that they
 * would have traded and the one of which nothing is left expires.
 */
export const SELF_MATCH_MODES = [
  'none',
  'expireTaker',
  'expireMaker',
  'expireBoth',
  'decrement',
] as const;
export type SelfMatchMode = (typeof SELF_MATCH_MODES)[number];

/** Which accounts may trade with themselves. */
export class SelfMatch {
  /** True when some account may not. */
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

  /** Sets the mode of an account from now on; without one, what everybody has. */
  set(account: number, mode?: SelfMatchMode): void {
    if (mode === undefined) this.#ofAccount.delete(account);
    else this.#ofAccount.set(account, mode);
    this.prevents = this.#default !== 'none' || this.#ofAccount.size > 0;
  }
}
