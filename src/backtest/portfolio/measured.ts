import { Amount } from '../../model/amount.ts';
import type { Performance } from '../metrics/performance.ts';
import type { RunHash } from '../run-hash.ts';
import type { PortfolioRecord } from '../result.ts';
import { LocalPortfolio, type PortfolioSurroundings } from './portfolio.ts';
import type { RunPortfolio } from './settings.ts';
import { RebalanceTally } from './tally.ts';

export interface MeasuredSurroundings extends Omit<PortfolioSurroundings, 'observer'> {
  readonly performance: Performance;
  readonly hash: RunHash;
}

/** The portfolio of a run, and what has become of it so far. */
export interface MeasuredPortfolio {
  readonly portfolio: LocalPortfolio;
  record(): PortfolioRecord;
}

/** Opens the portfolio of a run and writes down what happens to it. Throws as `LocalPortfolio.open`. */
export async function openMeasured(
  model: RunPortfolio,
  { performance, hash, ...surroundings }: MeasuredSurroundings,
): Promise<MeasuredPortfolio> {
  const tally = new RebalanceTally();
  const portfolio = await LocalPortfolio.open(model, {
    ...surroundings,
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
