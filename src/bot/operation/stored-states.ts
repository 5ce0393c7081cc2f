import { isoTime } from '../../platform/time.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { StoredState, Scope, Transition } from '../risk/states.ts';
import type { StrategyRunner } from '../strategy/runner.ts';

/**
 * Stores a state in the journal of its account; that of the whole bot in every journal. A passing cause is
 * not stored: the next process checks it. Throws `journal-unwritable` if one cannot be written, after the
 * others were.
 */
export function saveTransition(
  accounts: readonly AccountContext[],
  runners: readonly StrategyRunner[],
  { scope, to, why, at, passing }: Transition,
): void {
  if (passing !== undefined) return;
  const failures: unknown[] = [];
  for (const { account } of accounts) {
    const owner = runners.find(({ name }) => scope === `strategy:${name}`)?.account;
    const isOf = scope === 'bot' || scope === `account:${account.name}` || owner === account;
    if (!isOf) continue;
    try {
      account.journal.setState(scope, to, why, at);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The states of a previous run, the latest of each scope. */
export function storedStates(accounts: readonly AccountContext[]): readonly StoredState[] {
  const latest = new Map<string, StoredState>();
  for (const { account } of accounts) {
    for (const { scope, state, why, at } of account.journal.states()) {
      const known = latest.get(scope);
      if (known === undefined || at > known.at) {
        latest.set(scope, { scope: scope as Scope, to: state, why, at });
      }
    }
  }
  return [...latest.values()];
}

/** A starting bot's lines about states that outlived the restart; only of its configured strategies. */
export const storedLines = (
  kept: readonly StoredState[],
  strategies: readonly { readonly name: string }[],
): readonly string[] =>
  kept
    .map(({ scope, ...rest }) => {
      const [kind, name = ''] = scope.split(':');
      return { kind, name, ...rest };
    })
    .filter(({ to }) => to !== 'running')
    .filter(({ kind, name }) => kind !== 'strategy' || strategies.some((one) => one.name === name))
    .map(({ kind, name, to, why, at }) => {
      const whose = kind === 'bot' ? 'The bot' : kind === 'account' ? `Account ${name}` : `Strategy ${name}`; // prettier-ignore
      const command = kind === 'strategy' ? `millrace resume ${name}` : 'millrace resume';
      return `${whose} is ${to} since ${isoTime(at)}, before this start, until "${command}": ${why}`;
    });
