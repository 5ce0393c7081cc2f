import type { Report } from '../model/report.ts';
import { US_PER_MINUTE } from '../platform/time.ts';
import type { Mark } from './metrics/mark.ts';
import { span } from './page/format.ts';

/** Age of the latest row from which on a taker fill on a feed without candles gets a warning. */
const OLD_US = US_PER_MINUTE;

interface Count {
  /** Fills at an old price, and the age of the oldest. */
  fills: number;
  oldestUs: number;
  /** Orders that expired unfilled since the last candle was old, or without volume. */
  afterHole: number;
  withoutVolume: number;
}

/** Monitors the age of the prices that orders meet. */
export class OldPrices {
  readonly #marks: ReadonlyMap<string, Mark>;
  readonly #counts = new Map<string, Count>();

  constructor(marks: readonly Mark[]) {
    this.#marks = new Map(marks.map((mark) => [mark.instrument.symbol, mark]));
  }

  /** Applies a report of the venue, at its time. */
  report(report: Report): void {
    if (report.kind === 'trade') {
      const { symbol, taker, at } = report.fill;
      if (taker) this.#filled(symbol, at);
    } else if (report.kind === 'expired') {
      const { symbol, timeInForce, filledLots } = report.order;
      const isImmediate = timeInForce === 'IOC' || timeInForce === 'FOK';
      if (isImmediate && filledLots === 0) this.#expired(symbol, report.at);
    }
  }

  warnings(): readonly string[] {
    return [...this.#counts].flatMap(([symbol, count]) => {
      const { fills, oldestUs, afterHole, withoutVolume } = count;
      const warnings: string[] = [];
      if (fills > 0) {
        warnings.push(
          `${counted(fills, 'fill')} of ${symbol} took a price that was older than ${span(OLD_US)}, the oldest ${span(oldestUs)}: the feed was silent, and the market may have been elsewhere.`,
        );
      }
      if (afterHole > 0) {
        warnings.push(
          `${counted(afterHole, 'order')} on ${symbol} expired unfilled in a hole of the candles: a close can be taken until the next candle is due, and no later.`,
        );
      }
      if (withoutVolume > 0) {
        warnings.push(
          `${counted(withoutVolume, 'order')} on ${symbol} expired unfilled: the last candle had no volume.`,
        );
      }
      return warnings;
    });
  }

  #filled(symbol: string, at: number): void {
    const mark = this.#marks.get(symbol);
    // The close of an old candle fills nothing.
    if (mark === undefined || mark.candlePeriodUs > 0) return;
    const ageUs = at - mark.seenAt;
    if (ageUs <= OLD_US) return;
    const count = this.#of(symbol);
    count.fills += 1;
    count.oldestUs = Math.max(count.oldestUs, ageUs);
  }

  #expired(symbol: string, at: number): void {
    const mark = this.#marks.get(symbol);
    if (mark === undefined || mark.candlePeriodUs === 0) return;
    if (at - mark.seenAt > mark.candlePeriodUs) this.#of(symbol).afterHole += 1;
    else if (mark.candleLots === 0) this.#of(symbol).withoutVolume += 1;
  }

  #of(symbol: string): Count {
    const known = this.#counts.get(symbol);
    if (known !== undefined) return known;
    const count: Count = { fills: 0, oldestUs: 0, afterHole: 0, withoutVolume: 0 };
    this.#counts.set(symbol, count);
    return count;
  }
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
