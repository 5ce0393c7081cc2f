import { NOTHING, type Amount } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type { Limited, TradeRow, TradeStatistics } from '../result.ts';
import type { RoundTrip } from './round-trips.ts';

/** Quotients of money are told to so many significant digits, half to even. */
const QUOTIENT_DIGITS = 20;

/** A quotient of exact amounts, rounded as `docs/metrics.md` says. */
export const quotient = (a: Amount, b: Amount | number): Decimal =>
  a
    .toDecimal()
    .div(typeof b === 'number' ? b : b.toDecimal())
    .toSignificantDigits(QUOTIENT_DIGITS, Decimal.ROUND_HALF_EVEN);

/** Statistics of the finished round trips, in the equity currency at the prices of their end. */
export class Trades {
  readonly #limit: number;
  /** With the time of its end, by its place; a trip that has not ended yet leaves it free. */
  readonly #rows: { readonly at: Micros; readonly row: TradeRow }[] = [];
  #places = 0;
  #count = 0;
  #wins = 0;
  #losses = 0;
  #profit = NOTHING;
  #loss = NOTHING;
  #net = NOTHING;
  #mae = NOTHING;
  #mfe = NOTHING;
  #durationUs = 0;
  #best: Amount | undefined;
  #worst: Amount | undefined;

  /** Keeps the rows of the `limit` trips that began to close first; the statistics are of all. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The place of a trip that begins to close. */
  place(): number {
    this.#places += 1;
    return this.#places - 1;
  }

  /** Takes a finished trip. */
  add(trip: RoundTrip): void {
    const { rate } = trip;
    const net = trip.net.times(rate);
    this.#count += 1;
    this.#net = this.#net.plus(net);
    if (net.sign > 0) {
      this.#wins += 1;
      this.#profit = this.#profit.plus(net);
    } else if (net.sign < 0) {
      this.#losses += 1;
      this.#loss = this.#loss.minus(net);
    }
    this.#mae = this.#mae.plus(trip.mae.times(rate));
    this.#mfe = this.#mfe.plus(trip.mfe.times(rate));
    this.#durationUs += trip.closedAt - trip.openedAt;
    if (this.#best === undefined || net.greaterThan(this.#best)) this.#best = net;
    if (this.#worst === undefined || net.lessThan(this.#worst)) this.#worst = net;
    if (trip.place < this.#limit) this.#rows[trip.place] = { at: trip.closedAt, row: row(trip) };
  }

  /** In the order of their ends; at one time in that of their places. */
  get rows(): Limited<TradeRow> {
    const ended = this.#rows.filter(() => true); // Without the free places.
    const rows = ended.sort((a, b) => a.at - b.at).map((each) => each.row);
    return { total: this.#count, rows };
  }

  statistics(unrealised: Amount): TradeStatistics {
    const count = this.#count;
    const mean = (sum: Amount, of: number): Decimal | null => (of === 0 ? null : quotient(sum, of));
    const averageWin = mean(this.#profit, this.#wins);
    const averageLoss = mean(this.#loss, this.#losses);
    return {
      count,
      wins: this.#wins,
      losses: this.#losses,
      winRate: count === 0 ? null : this.#wins / count,
      grossProfit: this.#profit.toFixed(),
      grossLoss: this.#loss.toFixed(),
      profitFactor: this.#loss.isZero ? null : this.#profit.toNumber() / this.#loss.toNumber(),
      expectancy: text(mean(this.#net, count)),
      averageWin: text(averageWin),
      averageLoss: text(averageLoss),
      payoff:
        averageWin === null || averageLoss === null
          ? null
          : averageWin.toNumber() / averageLoss.toNumber(),
      best: text(this.#best),
      worst: text(this.#worst),
      averageMae: text(mean(this.#mae, count)),
      averageMfe: text(mean(this.#mfe, count)),
      averageDurationUs: count === 0 ? null : this.#durationUs / count,
      unrealised: unrealised.toFixed(),
    };
  }
}

const text = (value: Decimal | Amount | null | undefined): string | null =>
  value?.toFixed() ?? null;

function row(trip: RoundTrip): TradeRow {
  const size = trip.instrument.sizeAmount(trip.lots);
  return {
    symbol: trip.instrument.symbol,
    side: trip.side,
    openedAt: isoTime(trip.openedAt),
    closedAt: isoTime(trip.closedAt),
    size: size.toFixed(),
    entryPrice: quotient(trip.entryValue, size).toFixed(),
    exitPrice: quotient(trip.exitValue, size).toFixed(),
    fees: trip.fees.toFixed(),
    net: trip.net.toFixed(),
    return: trip.net.toNumber() / trip.entryValue.toNumber(),
    mae: trip.mae.toFixed(),
    mfe: trip.mfe.toFixed(),
  };
}
