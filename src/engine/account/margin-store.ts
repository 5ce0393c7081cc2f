import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountId,
  type MarginAccountReport,
  type MarginAccountState,
} from '../../model/margin-account.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { SharedParts } from '../../rules/margin/shared-account.ts';

/** A margin account as last reported, and its owner. */
export interface StoredMarginAccount {
  /** Absent before the first report: its strategy has requested it. */
  readonly state?: MarginAccountState | undefined;
  /** The strategy that trades on it; absent if none has. */
  readonly strategy?: string | undefined;
  /** Its parts, if several strategies share it. */
  readonly parts?: SharedParts | undefined;
}

/** A strategy's margin account: a whole one, or its part of a shared one. */
export interface OwnMargin {
  readonly strategy: string;
  readonly state: MarginAccountState;
}

/**
 * The one record of an account's margin accounts. A margin account belongs to the strategy that
 * first requested it or ordered on it, until it is released; no other strategy trades on it.
 */
export class MarginStore {
  readonly #kept = new Map<string, StoredMarginAccount>();

  /** All known ones, with closed ones. */
  all(): readonly StoredMarginAccount[] {
    return [...this.#kept.values()];
  }

  /** Open accounts and parts of strategies. */
  owned(): readonly OwnMargin[] {
    return this.all()
      .flatMap(({ state, strategy, parts }): readonly OwnMargin[] => {
        if (parts !== undefined) return parts.shares;
        return state === undefined || strategy === undefined ? [] : [{ strategy, state }];
      })
      .filter(({ state }) => state.isOpen);
  }

  /** Open accounts of a strategy, as it sees them. */
  of(strategy: string): readonly MarginAccountState[] {
    return this.owned().flatMap((one) => (one.strategy === strategy ? [one.state] : []));
  }

  find(marginAccount: MarginAccountId): StoredMarginAccount | undefined {
    return this.#kept.get(marginAccountKey(marginAccount));
  }

  /** The account for trades of an instrument in a mode. */
  bearing(instrument: Instrument, mode: MarginMode): StoredMarginAccount | undefined {
    return this.find(marginAccountId(instrument, mode));
  }

  /** Restores an account of a previous run. */
  load(marginAccount: MarginAccountId, kept: StoredMarginAccount): void {
    this.#kept.set(marginAccountKey(marginAccount), kept);
  }

  /** Applies a report; returns the owner. */
  take({ account }: MarginAccountReport): string | undefined {
    const kept = this.find(account);
    this.load(account, { ...kept, state: account });
    return kept?.strategy;
  }

  /** Assigns an account to a strategy, unless it has another owner; returns the owner. */
  claim(marginAccount: MarginAccountId, strategy: string): string {
    const kept = this.find(marginAccount);
    if (kept?.strategy !== undefined) return kept.strategy;
    if (kept?.parts !== undefined) return strategy;
    this.load(marginAccount, { state: kept?.state, strategy });
    return strategy;
  }

  /** Releases an account for the next strategy that requests it. */
  release(marginAccount: MarginAccountId): void {
    this.load(marginAccount, { state: this.find(marginAccount)?.state });
  }
}
