import { decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { parseHoldingKey, type Holding } from '../../model/portfolio.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { PortfolioReport } from '../../strategy/portfolio.ts';
import type { PortfolioGateway, PortfolioListener } from '../portfolio-gateway.ts';
import { readTime, type TestTime } from './time.ts';

/** A portfolio event of a test: all holdings, or the result of a rebalance. */
export type TestPortfolioNews =
  | { readonly at: TestTime; readonly holdings: Readonly<Record<string, string>> }
  | {
      readonly at: TestTime;
      readonly report: Pick<PortfolioReport, 'state'> & Partial<PortfolioReport>;
    };

/** A portfolio for tests of strategies: it emits the test's events and transfers nothing. */
export class TestPortfolio implements PortfolioGateway {
  readonly #scheduler: Scheduler;
  readonly #news: readonly TestPortfolioNews[];

  constructor(scheduler: Scheduler, news: readonly TestPortfolioNews[]) {
    this.#scheduler = scheduler;
    this.#news = news;
  }

  connect(listener: PortfolioListener): void {
    for (const news of this.#news) {
      const at = readTime(news.at);
      const holdings = 'holdings' in news ? holdingsOf(news.holdings) : undefined;
      this.#scheduler.at(at, () => {
        if (holdings !== undefined) listener.holdings(holdings);
        else if ('report' in news)
          listener.report({ at, message: '', transfers: [], ...news.report });
      });
    }
  }

  /** The test sees the command itself. */
  send(): void {
    return;
  }
}

const holdingsOf = (amounts: Readonly<Record<string, string>>): readonly Holding[] =>
  Object.entries(amounts).map(([name, amount]) => {
    const holding = parseHoldingKey(name);
    if (holding !== undefined) return { ...holding, amount: decimal(amount, name) };
    throw new MillraceError('usage', `"${name}" is no holding; write it as USDC@ethereum.`);
  });
