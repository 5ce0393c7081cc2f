import type { Amount } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { TradeRow, TradeStatistics } from '../result.ts';
import type { RowTable } from '../tables/row-table.ts';
import { TripColumns } from '../tables/trip-columns.ts';
import { quotient } from './quotient.ts';
import type { RoundTrip } from './round-trips.ts';
import { Sum } from './sum.ts';
import { valued } from './valuation.ts';

/** Statistics of the finished round trips, in the equity currency at the prices of their end. */
export class TradeMetrics {
  readonly #limit: number;
  readonly #columns = new TripColumns();
  #places = 0;
  #count = 0;
  #wins = 0;
  #losses = 0;
  readonly #profit = new Sum();
  readonly #loss = new Sum();
  readonly #net = new Sum();
  readonly #mae = new Sum();
  readonly #mfe = new Sum();
  #durationUs = 0;
  #best: Amount | undefined;
  #worst: Amount | undefined;

  /** `rows` has the first `limit` trips as rows. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The index of a trip that begins to close. */
  nextIndex(): number {
    this.#places += 1;
    return this.#places - 1;
  }

  /** Adds a finished trip. */
  add(trip: RoundTrip): void {
    const { rate } = trip;
    const net = valued(trip.net, rate);
    this.#count += 1;
    this.#net.add(net);
    if (net.sign > 0) {
      this.#wins += 1;
      this.#profit.add(net);
    } else if (net.sign < 0) {
      this.#losses += 1;
      this.#loss.add(net.negated());
    }
    this.#mae.add(valued(trip.mae, rate));
    this.#mfe.add(valued(trip.mfe, rate));
    this.#durationUs += trip.closedAt - trip.openedAt;
    if (this.#best === undefined || net.greaterThan(this.#best)) this.#best = net;
    if (this.#worst === undefined || net.lessThan(this.#worst)) this.#worst = net;
    this.#columns.add(trip);
  }

  /** In the order of their ends, at one time by index. */
  get rows(): RowTable<TradeRow> {
    return this.#columns.table(this.#limit);
  }

  statistics(unrealized: Amount): TradeStatistics {
    const count = this.#count;
    const [profit, loss] = [this.#profit.amount, this.#loss.amount];
    const mean = (sum: Amount, of: number): Decimal | null => (of === 0 ? null : quotient(sum, of));
    const averageWin = mean(profit, this.#wins);
    const averageLoss = mean(loss, this.#losses);
    return {
      count,
      wins: this.#wins,
      losses: this.#losses,
      winRate: count === 0 ? null : this.#wins / count,
      grossProfit: profit.toFixed(),
      grossLoss: loss.toFixed(),
      profitFactor: loss.isZero ? null : profit.toNumber() / loss.toNumber(),
      expectancy: text(mean(this.#net.amount, count)),
      averageWin: text(averageWin),
      averageLoss: text(averageLoss),
      payoff:
        averageWin === null || averageLoss === null
          ? null
          : averageWin.toNumber() / averageLoss.toNumber(),
      best: text(this.#best),
      worst: text(this.#worst),
      averageMae: text(mean(this.#mae.amount, count)),
      averageMfe: text(mean(this.#mfe.amount, count)),
      averageDurationUs: count === 0 ? null : this.#durationUs / count,
      unrealized: unrealized.toFixed(),
    };
  }
}

const text = (value: Decimal | Amount | null | undefined): string | null =>
  value?.toFixed() ?? null;
