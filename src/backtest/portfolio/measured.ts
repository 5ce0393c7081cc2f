import { Amount } from '../../model/amount.ts';
import type { Performance } from '../metrics/performance.ts';
import type { RunHash } from '../run-hash.ts';
import type { PortfolioEcho } from '../result.ts';
import { ModelledPortfolio, type PortfolioSurroundings } from './portfolio.ts';
import type { RunPortfolio } from './settings.ts';
import { Tally } from './tally.ts';

export interface MeasuredSurroundings extends Omit<PortfolioSurroundings, 'witness'> {
  readonly performance: Performance;
  readonly hash: RunHash;
}

/** The portfolio of a run, and what has become of it so far. */
export interface MeasuredPortfolio {
  readonly portfolio: ModelledPortfolio;
  echo(): PortfolioEcho;
}

/** Opens the portfolio of a run and writes down what happens to it. Throws as `ModelledPortfolio.open`. */
export async function openMeasured(
  model: RunPortfolio,
  { performance, hash, ...surroundings }: MeasuredSurroundings,
): Promise<MeasuredPortfolio> {
  const tally = new Tally();
  const portfolio = await ModelledPortfolio.open(model, {
    ...surroundings,
    witness: {
      rebalance: (report) => {
        const { at, happening } = report;
        hash.add('rebalance', [at, happening.kind, happening.message]);
        tally.rebalance(report);
      },
      wish: (report) => {
        hash.add('wish', [report.at, report.state, report.refusal?.code]);
        tally.wish(report);
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
  return { portfolio, echo: () => tally.echo(portfolio) };
}
