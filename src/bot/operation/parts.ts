import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { BotEventListener } from '../api/bot-event.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { States } from '../risk/states.ts';
import type { StrategyRunner } from '../strategy/runner.ts';

/** The parts of a bot, for monitoring and operation. */
export interface BotParts {
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly states: States;
  readonly accounts: readonly AccountContext[];
  readonly runners: readonly StrategyRunner[];
  /** Called with each bot event; absent if nobody is notified. */
  readonly emit: BotEventListener | undefined;
}

/** Orders at an account: those of a configured strategy, or of one that is no longer configured. */
export type OwnedOrders = Pick<StrategyRunner, 'account' | 'strategyAccount' | 'name'>;

/** Leftovers on all accounts of strategies that are not configured. */
export const orphansOf = ({ accounts }: Pick<BotParts, 'accounts'>): readonly OwnedOrders[] =>
  accounts.flatMap(({ account }) =>
    account.strategies.orphans.map((strategyAccount) => ({
      account,
      strategyAccount,
      name: strategyAccount.name,
    })),
  );
