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

/** A margin account as last reported, and whose it is. */
export interface StoredMarginAccount {
  /** Absent until it was reported: its strategy has asked for it, and nothing is known of it. */
  readonly state?: MarginAccountState | undefined;
  /** The strategy that trades on it; absent where none has. */
  readonly strategy?: string | undefined;
  /** Its parts, where several strategies share it. */
  readonly parts?: SharedParts | undefined;
}

/** What of a margin account is a strategy's: all of it, or its part of one that is shared. */
export interface OwnMargin {
  readonly strategy: string;
  readonly state: MarginAccountState;
}

/**
 * The one record of the margin accounts of an account. A margin account belongs to the strategy that asked
 * for it or ordered on it first, until it is released; nobody else trades on it.
 */
export class MarginStore {
  readonly #kept = new Map<string, StoredMarginAccount>();

  /** All that are known, closed ones too. */
  all(): readonly StoredMarginAccount[] {
    return [...this.#kept.values()];
  }

  /** What strategies have of open accounts, each its own. */
  owned(): readonly OwnMargin[] {
    return this.all()
      .flatMap(({ state, strategy, parts }): readonly OwnMargin[] => {
        if (parts !== undefined) return parts.shares;
        return state === undefined || strategy === undefined ? [] : [{ strategy, state }];
      })
      .filter(({ state }) => state.isOpen);
  }

  /** Those of a strategy that are open, as it has them. */
  of(strategy: string): readonly MarginAccountState[] {
    return this.owned().flatMap((one) => (one.strategy === strategy ? [one.state] : []));
  }

  find(marginAccount: MarginAccountId): StoredMarginAccount | undefined {
    return this.#kept.get(marginAccountKey(marginAccount));
  }

  /** The one that bears what is traded of an instrument on a margin. */
  bearing(instrument: Instrument, mode: MarginMode): StoredMarginAccount | undefined {
    return this.find(marginAccountId(instrument, mode));
  }

  /** Takes up one of a previous run. */
  load(marginAccount: MarginAccountId, kept: StoredMarginAccount): void {
    this.#kept.set(marginAccountKey(marginAccount), kept);
  }

  /** Takes a report in; gives whose it is. */
  take({ account }: MarginAccountReport): string | undefined {
    const kept = this.find(account);
    this.load(account, { ...kept, state: account });
    return kept?.strategy;
  }

  /** Makes an account that of a strategy, unless it is another's; gives whose it is then. */
  claim(marginAccount: MarginAccountId, strategy: string): string {
    const kept = this.find(marginAccount);
    if (kept?.strategy !== undefined) return kept.strategy;
    if (kept?.parts !== undefined) return strategy;
    this.load(marginAccount, { state: kept?.state, strategy });
    return strategy;
  }

  /** Makes an account nobody's: the next strategy that asks for it has it. */
  release(marginAccount: MarginAccountId): void {
    this.load(marginAccount, { state: this.find(marginAccount)?.state });
  }
}
