import { Guards } from '../risk/guards.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { AccountSettings, BotSettings, StrategySettings } from '../settings/settings.ts';
import type { StrategyRunner } from '../strategy/runner.ts';

interface Named {
  readonly name: string;
  readonly [part: string]: unknown;
}

interface Reloaded {
  /** Settings from now on. */
  readonly settings: BotSettings;
  /** Changes that apply now. */
  readonly taken: readonly string[];
  /** Changes that apply from the next start. */
  readonly needsRestart: readonly string[];
}

/**
 * Applies the parts of a new configuration that can change while strategies run: limits, reconciliation and
 * shutdown. All others are named and left for the next start.
 */
export function reloaded(
  before: BotSettings,
  next: BotSettings,
  accounts: readonly AccountContext[],
  runners: readonly StrategyRunner[],
): Reloaded {
  const taken: string[] = [];
  for (const context of accounts) {
    const risk = next.accounts.find(({ name }) => name === context.settings.name)?.risk;
    if (risk === undefined || isSame(risk, context.account.risk.limits)) continue;
    context.account.risk.limits = risk;
    context.guards = new Guards(risk, context.guards.memory);
    taken.push(`accounts.${context.settings.name}.risk`);
  }
  for (const runner of runners) {
    const risk = next.strategies.find(({ name }) => name === runner.name)?.risk;
    if (risk === undefined || isSame(risk, runner.strategyAccount.limits)) continue;
    runner.strategyAccount.limits = risk;
    runner.guards = new Guards(risk, runner.guards.memory);
    taken.push(`strategies.${runner.name}.risk`);
  }
  if (!isSame(before.reconciliation, next.reconciliation)) {
    for (const { account } of accounts) account.rules = next.reconciliation;
    taken.push('reconciliation');
  }
  if (!isSame(before.shutdown, next.shutdown)) taken.push('shutdown');
  const { reconciliation, shutdown } = next;
  return {
    settings: { ...before, reconciliation, shutdown },
    taken,
    needsRestart: restartsOf(before, next),
  };
}

function restartsOf(before: BotSettings, next: BotSettings): readonly string[] {
  const names = new Set([
    ...['name', 'mode', 'data', 'portfolio', 'journal'].filter(
      (key) => !isSame(partOf(before, key), partOf(next, key)),
    ),
    ...changedOf('accounts', before.accounts.map(fixedAccount), next.accounts.map(fixedAccount)),
    ...changedOf(
      'strategies',
      before.strategies.map(fixedStrategy),
      next.strategies.map(fixedStrategy),
    ),
  ]);
  return [...names];
}

const partOf = (settings: BotSettings, key: string): unknown =>
  Object.entries(settings).find(([name]) => name === key)?.[1];

/** Without what can change in running. */
const fixedAccount = ({ risk: _, ...rest }: AccountSettings): Named => rest;

/** The same; a strategy is compared by the name of its definition. */
const fixedStrategy = ({ risk: _, strategy, ...rest }: StrategySettings): Named => ({
  ...rest,
  definition: strategy.name,
});

const changedOf = (
  what: string,
  before: readonly Named[],
  next: readonly Named[],
): readonly string[] =>
  [...new Set([...before, ...next].map(({ name }) => name))]
    .filter((name) => {
      const find = (all: readonly Named[]) => all.find((one) => one.name === name);
      return !isSame(find(before), find(next));
    })
    .map((name) => `${what}.${name}`);

/** Compares settings by value: maps by their entries, decimals by their digits. */
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? [...one] : one)) ?? '';
