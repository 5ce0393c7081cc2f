import { brief, ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountState,
} from '../../model/margin-account.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { Account } from '../account/account.ts';
import { marginName } from '../account/margin-name.ts';
import { waiter } from './condition-wait.ts';

/** How long the venue may take to return funds before the rest is reported to the operator. */
const WITHIN_US = 10_000_000;

export interface LeftFundsSetup {
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly accounts: readonly Account[];
  /** The strategy; all if absent. */
  readonly strategy: string | undefined;
  /** True for a running strategy, which sets its part itself. */
  readonly runs: (strategy: string) => boolean;
}

/** Funds of a strategy that is no longer configured on a margin account that others share. */
interface LeftPart {
  readonly account: Account;
  readonly strategy: string;
  readonly state: MarginAccountState;
}

/**
 * Returns the funds of strategies that left shared margin accounts to spot, once they have no position
 * there: by the setting with which a strategy closes its part, so that it is journaled and answered like
 * one. Leftovers of such a part would keep the sharing from ending. Throws `outcome-unknown` with what did
 * not come back.
 */
export async function bringLeftFundsBack(setup: LeftFundsSetup): Promise<void> {
  const parts = leftParts(setup);
  for (const { account, strategy, state } of parts) {
    const symbol = symbolOf(account, state);
    if (symbol === undefined) continue;
    setup.log.info(
      `${brief(state.balance)} ${state.currency} of strategy ${strategy}, which is not configured any more, go back to spot from ${marginName(state)} of account ${account.name}.`,
    );
    account.strategies.setMargin(strategy, {
      kind: 'setMargin',
      symbol,
      mode: state.mode,
      balance: ZERO,
    });
  }
  await waiter(setup.scheduler)(() => leftParts(setup).length === 0, WITHIN_US);
  const left = leftParts(setup);
  if (left.length === 0) return;
  const reported = left.map(
    ({ strategy, state: { balance, currency } }) => `${brief(balance)} ${currency} of ${strategy}`,
  );
  throw new MillraceError(
    'outcome-unknown',
    `Positions and orders are closed, and funds on shared margin accounts did not go back to spot: ${reported.join('; ')}. Look at "millrace balances" and flatten again.`,
  );
}

function leftParts({ accounts, strategy: meant, runs }: LeftFundsSetup): readonly LeftPart[] {
  return accounts.flatMap((account) =>
    account.margin.store.all().flatMap(({ parts }) =>
      (parts?.shares ?? []).flatMap(({ strategy, state }) => {
        const isMeant = strategy === (meant ?? strategy) && !runs(strategy);
        const isLeft = state.positions.length === 0 && state.balance.greaterThan(0);
        return isMeant && isLeft ? [{ account, strategy, state }] : [];
      }),
    ),
  );
}

/** A symbol by which the account of a part is called: of a cross account any that trades on it. */
function symbolOf({ venue }: Account, state: MarginAccountState): string | undefined {
  const key = marginAccountKey(state);
  return venue.instruments.find(
    (one) =>
      one.margin[state.mode] !== undefined &&
      marginAccountKey(marginAccountId(one, state.mode)) === key,
  )?.symbol;
}
