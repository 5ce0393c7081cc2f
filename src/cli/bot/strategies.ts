import { resolve } from 'node:path';
import { z } from 'zod';
import { warmUpOf } from '../../backtest/plan.ts';
import type { StrategySettings } from '../../bot/settings/settings.ts';
import type { ConfigDocument } from '../../config/document.ts';
import { suggest } from '../../model/suggest.ts';
import { REPLENISH, replenishOf } from '../../backtest/config/replenish.ts';
import { MillraceError, type ErrorCode } from '../../model/errors.ts';
import type { Strategy } from '../../strategy/define.ts';
import { parseParameters } from '../../strategy/parameters.ts';
import { spanUs } from '../../config/fields.ts';
import { isPath, loadStrategy } from '../../modules/strategy-files.ts';
import { amounts } from '../../config/amounts.ts';
import { riskOf, STRATEGY_RISK } from '../../backtest/config/risk.ts';

/** Names come before the numbers of client order ids, which have this much room for them. */
export const STRATEGY_NAME_LENGTH = 10;

/** A strategy of a bot. */
export const STRATEGY = z.strictObject({
  strategy: z.string().min(1).describe('A name from strategies/, or the path of a file.'),
  parameters: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Parameters of the strategy; `millrace strategies NAME` lists them.'),
  account: z.string().optional().describe('Its account; the only one where there is but one.'),
  symbols: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'What it trades; its parameters symbol or symbols where absent. One that only rebalances needs none.',
    ),
  budget: amounts
    .optional()
    .describe('What it may use of each currency; all of the account where absent.'),
  replenish: REPLENISH.optional(),
  warmUp: spanUs.optional().describe("Instead of the strategy's own warm-up."),
  onFailure: z
    .enum(['cancel', 'keep'])
    .default('cancel')
    .describe('What becomes of its orders when it fails.'),
  risk: riskOf(STRATEGY_RISK).describe('Its limits.'),
});

export type StrategyConfig = z.output<typeof STRATEGY>;

type Path = readonly (string | number)[];

/** Reports an error at a path of the configuration. */
export type Refuse = (path: Path, sentence: string, code?: ErrorCode, cause?: unknown) => never;

/** Throws an error with `file:line:column` before the sentence. */
export const refuser =
  (config: Pick<ConfigDocument<unknown>, 'where'>): Refuse =>
  (path, sentence, code = 'config-invalid', cause) => {
    const where = config.where(path);
    throw new MillraceError(code, `${where}: ${sentence}`, {
      where,
      field: path.join('.'),
      cause,
    });
  };

/** Parts of a configuration besides its own that concern a strategy. */
export interface StrategyEnvironment {
  /** Names of the accounts. */
  readonly accounts: readonly string[];
  /** Folder of the configuration. */
  readonly folder: string;
  /** True if the portfolio is that of the strategy, which then may trade nothing by itself. */
  readonly rebalances: boolean;
}

/** Loads a strategy and reads its settings; errors name their line. */
export async function strategySettings(
  name: string,
  config: StrategyConfig,
  { accounts, folder, rebalances }: StrategyEnvironment,
  refuse: Refuse,
): Promise<StrategySettings> {
  const at = (...more: Path): Path => ['strategies', name, ...more];
  const strategy = await withPath(at('strategy'), refuse, () =>
    loadStrategy(strategyPath(config.strategy, folder)),
  );
  const parameters = await withPath(
    at('parameters'),
    refuse,
    () => parseParameters(strategy, config.parameters),
    true,
  );
  const named = namedSymbols(parameters);
  const needsNone = rebalances && config.symbols === undefined && named.length === 0;
  const symbols = needsNone ? [] : symbolsOf(strategy, config, named, at, refuse);
  checkLimits(config, symbols, at, refuse);
  checkReplenish(config, symbols, at, refuse);
  return {
    name,
    strategy,
    parameters,
    account: accountOf(config, accounts, at, refuse),
    symbols,
    budget: config.budget,
    warmUpUs: config.warmUp ?? (await withPath(at(), refuse, () => warmUpOf(strategy, parameters))),
    onFailure: config.onFailure,
    ...(config.replenish === undefined ? {} : { replenish: replenishOf(config.replenish) }),
    risk: config.risk,
  };
}

/** Adds the place in the configuration to another module's error. */
async function withPath<T>(
  path: Path,
  refuse: Refuse,
  work: () => T | Promise<T>,
  withField = false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    const below = withField && error.field !== undefined ? [error.field] : [];
    return refuse([...path, ...below], error.message, error.code, error);
  }
}

/** Paths are relative to the configuration, names are not. */
function strategyPath(given: string, folder: string): string {
  return isPath(given) ? resolve(folder, given) : given;
}

function accountOf(
  { account }: StrategyConfig,
  accounts: readonly string[],
  at: (...more: Path) => Path,
  refuse: Refuse,
): string {
  if (account === undefined) {
    if (accounts.length === 1) return accounts[0];
    return refuse(at(), `account is missing; there are several: ${accounts.join(', ')}.`);
  }
  if (accounts.includes(account)) return account;
  return refuse(
    at('account'),
    `there is no account "${account}".${hint(account, accounts)} Accounts here: ${accounts.join(', ')}.`,
  );
}

const hint = (written: string, known: readonly string[]): string => {
  const near = suggest(written, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The symbols that a strategy names in its own parameters. */
export function namedSymbols({
  symbol,
  symbols,
}: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...new Set([
      ...(typeof symbol === 'string' ? [symbol] : []),
      ...(isTexts(symbols) ? symbols : []),
    ]),
  ];
}

function symbolsOf(
  strategy: Strategy,
  config: StrategyConfig,
  named: readonly string[],
  at: (...more: Path) => Path,
  refuse: Refuse,
): readonly string[] {
  if (config.symbols === undefined) {
    if (named.length > 0) return named;
    return refuse(
      at(),
      `symbols is missing; ${strategy.name} has no parameter symbol or symbols, so list what it trades: symbols: [BTCUSDT]. Only the strategy of a portfolio may go without.`,
    );
  }
  const listed = [...new Set(config.symbols)];
  const missing = named.find((symbol) => !listed.includes(symbol));
  if (missing === undefined) return listed;
  return refuse(
    at('symbols'),
    `${missing} is a parameter of the strategy and not among symbols; add it, or leave symbols out.`,
  );
}

/** A limit for a symbol that is not traded has no effect, and nobody would notice. */
function checkLimits(
  { risk }: StrategyConfig,
  symbols: readonly string[],
  at: (...more: Path) => Path,
  refuse: Refuse,
): void {
  for (const key of ['maxQuantity', 'maxPosition', 'maxShort'] as const) {
    for (const symbol of risk[key]?.keys() ?? []) {
      if (symbols.includes(symbol)) continue;
      refuse(
        at('risk', key, symbol),
        symbols.length === 0
          ? `${symbol} is not among the symbols of the strategy, which has none; list what the transfers of its portfolio trade in symbols to limit it.`
          : `${symbol} is not traded here, so this would limit nothing.${hint(symbol, symbols)} Traded: ${symbols.join(', ')}.`,
      );
    }
  }
}

/** Rejects what `run` would reject, as far as it is known without the venue's terms. */
function checkReplenish(
  { replenish = [] }: StrategyConfig,
  symbols: readonly string[],
  at: (...more: Path) => Path,
  refuse: Refuse,
): void {
  for (const [index, { symbol, margin }] of replenish.entries()) {
    const place = at('replenish', index, 'symbol');
    if (!symbols.includes(symbol)) {
      refuse(
        place,
        `${symbol} is not traded by the strategy, so its margin account cannot be replenished.${hint(symbol, symbols)} Traded: ${symbols.join(', ')}.`,
      );
    }
    const first = replenish.findIndex((one) => one.symbol === symbol && one.margin === margin);
    if (first < index) {
      refuse(place, `The margin account of ${symbol} on ${margin} margin is named twice.`);
    }
  }
}
