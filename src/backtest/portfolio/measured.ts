import { Amount } from '../../model/amount.ts';
import type { Performance } from '../metrics/performance.ts';
import type { RunHash } from '../run-hash.ts';
import type { PortfolioRecord } from '../result.ts';
import { LocalPortfolio, type PortfolioDependencies } from './portfolio.ts';
import type { RunPortfolio } from './settings.ts';
import { RebalanceTally } from './tally.ts';

export interface MeasuredPortfolioDependencies extends Omit<PortfolioDependencies, 'observer'> {
  readonly performance: Performance;
  readonly hash: RunHash;
}

/** The portfolio of a run, with its record. */
export interface MeasuredPortfolio {
  readonly portfolio: LocalPortfolio;
  record(): PortfolioRecord;
}

/** Opens the portfolio of a run and records its events. Throws as `LocalPortfolio.open`. */
export async function openMeasured(
  model: RunPortfolio,
  { performance, hash, ...dependencies }: MeasuredPortfolioDependencies,
): Promise<MeasuredPortfolio> {
  const tally = new RebalanceTally();
  const portfolio = await LocalPortfolio.open(model, {
    ...dependencies,
    observer: {
      rebalance: (report) => {
        const { at, happening } = report;
        hash.add('rebalance', [at, happening.kind, happening.message]);
        tally.rebalance(report);
      },
      unplanned: (report) => {
        hash.add('wish', [report.at, report.state, report.rejection?.code]);
        tally.unplanned(report);
      },
      outside: (asset, amount) => {
        performance.outside(asset, Amount.of(amount));
      },
    },
  });
  for (const { asset } of portfolio.outside.wallets) {
    performance.outside(asset, Amount.of(portfolio.outside.held(asset)));
  }
  tally.begin(portfolio.holdings());
  return { portfolio, record: () => tally.record(portfolio) };
}
