import { brief } from '../../model/decimal.ts';
import type { StoredMarginAccount } from '../../engine/account/margin-store.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountId,
  type MarginAccountState,
} from '../../model/margin-account.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { AccountInstruments } from './instruments.ts';
import { marginName } from './margin-name.ts';

export interface MarginReleaseSetup {
  /** Name of the account. */
  readonly name: string;
  readonly journal: Journal;
  readonly instruments: Pick<AccountInstruments, 'known'>;
  readonly log: Log;
  /** True while a setting of a margin account is not answered. */
  readonly isAwaited: (marginAccount: MarginAccountId) => boolean;
}

/**
 * Ends the ownership of margin accounts: of closed ones, and of those whose strategy is no longer
 * configured and has neither a position nor an order. The next strategy that requests one owns it.
 */
export class MarginRelease {
  readonly #setup: MarginReleaseSetup;
  /** The strategies that are configured; absent before all of them are there. */
  #configured: ReadonlySet<string> | undefined;

  constructor(setup: MarginReleaseSetup) {
    this.#setup = setup;
  }

  /** Checks all accounts once the strategies are known; called once. */
  start(configured: ReadonlySet<string>): void {
    this.#configured = configured;
    const { journal, log, name } = this.#setup;
    for (const kept of journal.margin.all()) {
      this.check(kept);
      for (const share of kept.parts?.shares ?? []) {
        if (configured.has(share.strategy) || !share.state.isOpen) continue;
        const { positions, balance, currency } = share.state;
        log.warn(
          `Strategy ${share.strategy} is not configured on account ${name} any more, and has ${brief(balance)} ${currency} and ${positions.length} positions on ${marginName(share.state)}, which it shares: "millrace flatten ${share.strategy}" closes them and brings the funds back to spot, after which the others share it alone.`,
        );
      }
      const { strategy, state } = kept;
      if (strategy === undefined || configured.has(strategy)) continue;
      if (state === undefined || state.positions.length === 0) continue;
      const held = state.positions.map(({ symbol, lots }) => `${symbol} ${lots < 0 ? 'short' : 'long'}`); // prettier-ignore
      log.warn(
        `Strategy ${strategy} is not configured on account ${name} any more, and ${marginName(state)} is still its own with a position: ${held.join(', ')}. See it with "millrace positions ${strategy}", close it with "millrace flatten ${strategy}", or configure the strategy again; no other strategy can use the account before.`,
      );
    }
  }

  /** Releases an account if its ownership has ended. */
  check({ strategy, state }: StoredMarginAccount): void {
    const { journal, log, isAwaited } = this.#setup;
    if (strategy === undefined || state === undefined || state.positions.length > 0) return;
    const isLeft = this.#configured?.has(strategy) === false;
    if (state.isOpen && !isLeft) return;
    if (isAwaited(state) || this.#hasOrders(state)) return;
    const funds = journal.marginAccounts((margin) => margin.release(state));
    if (funds === undefined || !isLeft) return;
    const has = funds.isZero() ? 'It has nothing.' : `Its ${brief(funds)} ${state.currency} count as brought by the strategy that asks for it next.`; // prettier-ignore
    log.info(
      `Strategy ${strategy} is not configured any more and ${marginName(state)} has no position: the account is free for other strategies. ${has}`,
    );
  }

  #hasOrders(state: MarginAccountState): boolean {
    const { journal, instruments } = this.#setup;
    const key = marginAccountKey(state);
    return journal
      .openOrders()
      .some(
        ({ symbol, margin }) =>
          margin !== undefined &&
          marginAccountKey(marginAccountId(instruments.known(symbol), margin.mode)) === key,
      );
  }
}
