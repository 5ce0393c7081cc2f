import type { Strategy } from '../../strategy/define.ts';
import type { BacktestPlan } from '../plan.ts';
import type { SourceModule } from '../strategy-source.ts';
import type { BacktestConfig } from './config.ts';
import { marginOfSymbols } from './margin.ts';
import { replenishOf } from './replenish.ts';
import { runPortfolio } from './portfolio.ts';

/** A strategy with the files that it comes from, where it comes from any. */
export interface LoadedStrategy {
  readonly strategy: Strategy;
  readonly strategyFile?: string;
  readonly sourceFile?: string;
  /** Its text, which was read when it was loaded. */
  readonly source: readonly SourceModule[];
}

/** All that a configuration says but for the name of its strategy and where results go. */
export type RunConfig = Omit<BacktestConfig, 'strategy' | 'out'>;

/** The plan of a run that a configuration describes. */
export function planOf(config: RunConfig, loaded: LoadedStrategy): BacktestPlan {
  const { fees, latency, margin, portfolio, risk, warmUp, from, till } = config;
  const { dailyRates, equityCurrency, replenish, otherBalances, sampleEvery } = config;
  return {
    ...loaded,
    parameters: config.parameters,
    recordings: config.recordings,
    balances: config.balances,
    seed: config.seed,
    latency: {
      ...(latency?.order === undefined ? {} : { orderUs: latency.order }),
      ...(latency?.report === undefined ? {} : { reportUs: latency.report }),
    },
    ...(portfolio === undefined ? {} : { portfolio: runPortfolio(portfolio) }),
    ...(risk === undefined ? {} : { risk }),
    ...(fees === undefined ? {} : { fees: fees }),
    ...(margin === undefined ? {} : { margin: marginOfSymbols(margin) }),
    ...(dailyRates === undefined ? {} : { dailyRates }),
    ...(otherBalances === undefined ? {} : { otherBalances }),
    ...(replenish === undefined ? {} : { replenish: replenishOf(replenish) }),
    ...(warmUp === undefined ? {} : { warmUpUs: warmUp }),
    ...(from === undefined ? {} : { from }),
    ...(till === undefined ? {} : { till }),
    ...(equityCurrency === undefined ? {} : { equityCurrency }),
    ...(sampleEvery === undefined ? {} : { sampleUs: sampleEvery }),
  };
}
