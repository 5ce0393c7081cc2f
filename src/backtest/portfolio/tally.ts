import { ZERO, type Decimal } from '../../model/decimal.ts';
import { holdingName, type Holding, type PriceOf } from '../../model/portfolio.ts';
import { isoTime } from '../../platform/time.ts';
import type { PortfolioReport } from '../../strategy/portfolio.ts';
import type { TransferReport, RebalanceReport } from '../../swaps/execution/report.ts';
import type { AmountRecord, HoldingRecord, PortfolioRecord, TransferRow } from '../result.ts';
import type { SimulatedServices } from '../../gateways/rebalancing/simulated/services.ts';

/** Most transfers in the report; further ones are only counted. */
const TRANSFERS_MAX = 10_000;

/** Data of a portfolio at the end of a run. */
interface Stock {
  readonly outside: Pick<SimulatedServices, 'onWay' | 'earned'>;
  readonly priceOf: PriceOf;
  holdings(): readonly Holding[];
}

/** Counts the work of a portfolio in a run. */
export class RebalanceTally {
  #start: readonly Holding[] = [];
  #begun = 0;
  #done = 0;
  #incomplete = 0;
  #balanced = 0;
  #refused = 0;
  readonly #rejections = new Map<string, number>();
  readonly #sentences = new Map<string, string>();
  readonly #costs = new Map<string, Decimal>();
  readonly #transfers = new Map<string, TransferRow | undefined>();

  /** Sets the holdings at the start. */
  begin(holdings: readonly Holding[]): void {
    this.#start = holdings;
  }

  rebalance({ happening, state, plans }: RebalanceReport): void {
    if (happening.kind === 'begun') this.#begun += 1;
    if (state === 'done') this.#done += 1;
    if (state === 'incomplete') this.#incomplete += 1;
    const plan = plans.at(-1);
    if (plan === undefined) return;
    this.#costs.set(plan.id, plan.cost);
    for (const transfer of plan.transfers) this.#transfer(transfer);
  }

  /** Counts a managed order without transfers. */
  unplanned({ state, rejection }: PortfolioReport): void {
    if (state === 'balanced') this.#balanced += 1;
    if (state !== 'refused' || rejection === undefined) return;
    const { code, message } = rejection;
    this.#refused += 1;
    this.#rejections.set(code, (this.#rejections.get(code) ?? 0) + 1);
    if (!this.#sentences.has(code)) this.#sentences.set(code, message);
  }

  record(stock: Stock): PortfolioRecord {
    const ended = this.#done + this.#incomplete;
    const rows = [...this.#transfers.values()].filter((row) => row !== undefined);
    return {
      requests: {
        balanced: this.#balanced,
        refused: this.#refused,
        rejections: Object.fromEntries(this.#rejections),
        firstRejections: Object.fromEntries(this.#sentences),
      },
      rebalances: {
        begun: this.#begun,
        done: this.#done,
        incomplete: this.#incomplete,
        underWay: this.#begun - ended,
        plans: this.#costs.size,
      },
      cost: [...this.#costs.values()].reduce((sum, one) => sum.plus(one), ZERO).toFixed(),
      holdings: this.#holdings(stock),
      inFlight: amountsOf(stock.outside.onWay),
      services: amountsOf(stock.outside.earned),
      transfers: { total: this.#transfers.size, rows },
    };
  }

  #transfer({ record }: TransferReport): void {
    const { id, route, from, to, state, send, expected, arrived, refunded, reason } = record;
    const isKept = this.#transfers.size < TRANSFERS_MAX || this.#transfers.get(id) !== undefined;
    const row: TransferRow = {
      id,
      plannedAt: isoTime(record.createdAt),
      changedAt: isoTime(record.changedAt),
      route,
      from: holdingName(from),
      to: holdingName(to),
      state,
      send: send.toFixed(),
      expected: expected.toFixed(),
      arrived: arrived?.toFixed() ?? null,
      refunded: refunded?.toFixed() ?? null,
      reason: reason ?? null,
    };
    this.#transfers.set(id, isKept ? row : undefined);
  }

  #holdings(stock: Stock): readonly HoldingRecord[] {
    const start = new Map(this.#start.map((holding) => [holdingName(holding), holding.amount]));
    return stock.holdings().map((holding) => {
      const name = holdingName(holding);
      const price = stock.priceOf(holding.asset);
      return {
        holding: name,
        start: (start.get(name) ?? ZERO).toFixed(),
        end: holding.amount.toFixed(),
        value: price === undefined ? null : holding.amount.times(price).toFixed(),
      };
    });
  }
}

const amountsOf = (amounts: ReadonlyMap<string, Decimal>): readonly AmountRecord[] =>
  [...amounts]
    .filter(([, amount]) => !amount.isZero())
    .map(([asset, amount]) => ({ asset, amount: amount.toFixed() }));
