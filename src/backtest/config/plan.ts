import type { Strategy } from '../../strategy/define.ts';
import type { BacktestPlan } from '../plan.ts';
import type { SourceModule } from '../strategy-source.ts';
import type { BacktestConfig } from './config.ts';
import { marginOfSymbols } from './margin.ts';
import { replenishOf } from './replenish.ts';
import { runPortfolio } from './portfolio.ts';

/** A strategy and its files, if it has any. */
export interface LoadedStrategy {
  readonly strategy: Strategy;
  readonly strategyFile?: string;
  readonly sourceFile?: string;
  /** Its source, read when it was loaded. */
  readonly source: readonly SourceModule[];
}

/** A configuration without the name of its strategy and its output folder. */
export type RunConfig = Omit<BacktestConfig, 'strategy' | 'out'>;

/** The plan of a configuration. */
export function planOf(config: RunConfig, loaded: LoadedStrategy): BacktestPlan {
  const { fees, latency, margin, portfolio, risk, warmUp, from, till } = config;
  const { dailyRates, equityCurrency, replenish, nonSpotBalances, sampleEvery } = config;
  return {
    ...loaded,
    parameters: config.parameters,
    recordings: config.recordings,
    balances: config.balances,
    seed: config.seed,
    latency: { orderUs: latency?.order, reportUs: latency?.report },
    portfolio: portfolio === undefined ? undefined : runPortfolio(portfolio),
    risk,
    fees,
    margin: margin === undefined ? undefined : marginOfSymbols(margin),
    dailyRates,
    nonSpotBalances,
    replenish: replenish === undefined ? undefined : replenishOf(replenish),
    warmUpUs: warmUp,
    from,
    till,
    equityCurrency,
    sampleUs: sampleEvery,
  };
}
