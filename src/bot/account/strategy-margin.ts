import type { MissedReport } from '../../engine/account/margin-accounts.ts';
import type { MarginGateway } from '../../engine/account/margin-gateway.ts';
import type { ReplenishingMemory } from '../../engine/account/replenishing.ts';
import type { ContractModel } from '../../model/contract-model.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { AccountMargin } from './account-margin.ts';

/** The margin accounts of one strategy. */
export class StrategyMargin implements MarginGateway {
  readonly contract: ((symbol: string) => ContractModel | undefined) | undefined;
  readonly replenished: ReplenishingMemory;
  readonly #margin: AccountMargin;
  readonly #strategy: string;
  readonly #request: (request: MarginRequest) => void;
  #listener: ((report: MarginReport) => void) | undefined;

  constructor(margin: AccountMargin, strategy: string, request: (request: MarginRequest) => void) {
    this.#margin = margin;
    this.#strategy = strategy;
    this.#request = request;
    this.replenished = margin.replenished(strategy);
    const prices = margin.venue?.prices;
    this.contract = prices?.contract?.bind(prices);
  }

  connect(listener: (report: MarginReport) => void): readonly MarginAccountState[] {
    this.#listener = listener;
    return this.#margin
      .owned()
      .flatMap((one) => (one.strategy === this.#strategy ? [one.state] : []));
  }

  missed(): readonly MissedReport[] {
    return this.#margin.missed(this.#strategy);
  }

  set(request: MarginRequest): void {
    this.#request(request);
  }

  markPrice(symbol: string): Decimal | undefined {
    return this.#margin.markPrice(symbol);
  }

  instrument(symbol: string): Instrument | undefined {
    return this.#margin.instrument(symbol);
  }

  /** Receives a report; false while there is no listener. */
  receive(report: MarginReport): boolean {
    this.#listener?.(report);
    return this.#listener !== undefined;
  }
}
