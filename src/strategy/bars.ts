import { concatMap, defer, type Observable } from 'rxjs';
import { Candle, type BarRule } from '../model/candle.ts';
import { Decimal, parseDecimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import type { Instrument } from '../model/instrument.ts';
import { periodStart } from '../model/period.ts';
import type { Lots, Ticks } from '../model/units.ts';
import { US_PER_DAY, type Micros } from '../platform/time.ts';
import type { Trade } from './context.ts';
import type { DecimalInput } from './numbers.ts';

/**
 * A candle that ends by trades, not by the clock. It opens and closes with a trade; the next opens
 * with the one after.
 */
export class TradeBar extends Candle {
  declare readonly period: BarRule;
  /** Number of its trades. */
  readonly trades: number;
  /**
   * False for the first bar after a start, which does not follow the end of another bar, and for
   * one that midnight ended.
   */
  readonly isWhole: boolean;

  constructor(rule: BarRule, open: OpenBar, isWhole: boolean) {
    super(
      open.instrument,
      rule,
      open.openedAt,
      open.at,
      open.openTicks,
      open.highTicks,
      open.lowTicks,
      open.closeTicks,
      open.volumeLots as Lots,
    );
    this.trades = open.trades;
    this.isWhole = isWhole;
    Object.freeze(this);
  }
}

/** A bar in progress. */
interface OpenBar {
  readonly instrument: Instrument;
  readonly openedAt: Micros;
  readonly openTicks: Ticks;
  at: Micros;
  highTicks: Ticks;
  lowTicks: Ticks;
  closeTicks: Ticks;
  volumeLots: number;
  /** Sum of ticks × lots. */
  value: bigint;
  trades: number;
}

export interface BarOptions {
  /**
   * `D1` ends the open bar at midnight UTC and starts a new one, so that from then on a run has the
   * same bars as any other, whenever it was started.
   */
  readonly anchor?: 'D1';
}

/** Converts trades to bars. */
export type BarOperator = (source: Observable<Trade>) => Observable<TradeBar>;

/** True for a bar that is complete, for an instrument. */
type Ends = (instrument: Instrument) => (bar: OpenBar) => boolean;

/**
 * Bars that end by trades, as operators on `market.trades`. The trade that completes the bar
 * belongs to it as a whole. Sums are exact, and the same trades give the same bars in backtest,
 * paper and live:
 *
 *     market.trades('BTCUSDT').pipe(bars.volume('10'), derive({ rsi: ta.rsi(14) }))
 *
 * Throws `parameter-invalid`.
 */
export const bars = Object.freeze({
  /** Ends after this many trades. */
  tick: (trades: number, options?: BarOptions): BarOperator => {
    if (!Number.isSafeInteger(trades) || trades < 1) {
      throw invalid('tick', 'trades', 'the number of trades is a whole number from 1 on');
    }
    return barsOf('tick', options, () => (bar) => bar.trades >= trades);
  },
  /** Ends after this quantity of the base currency. */
  volume: (quantity: DecimalInput, options?: BarOptions): BarOperator => {
    const minimum = positive('volume', 'quantity', quantity);
    return barsOf('volume', options, (instrument) => {
      const lots = instrument.lots(minimum, 'up');
      return (bar) => bar.volumeLots >= lots;
    });
  },
  /** Ends after this value in the quote currency, often called dollar bars. */
  value: (value: DecimalInput, options?: BarOptions): BarOperator => {
    const minimum = positive('value', 'value', value);
    return barsOf('value', options, ({ tickValue }) => {
      // Rounded up: a value that is not a whole number of units is reached at the next.
      const units = minimum.dividedToIntegerBy(tickValue);
      const whole = BigInt(units.toFixed()) + (units.times(tickValue).lessThan(minimum) ? 1n : 0n);
      return (bar) => bar.value >= whole;
    });
  },
  /** Ends once the highest and the lowest price are this far apart. */
  range: (price: DecimalInput, options?: BarOptions): BarOperator => {
    const minimum = positive('range', 'price', price);
    return barsOf('range', options, (instrument) => {
      const ticks = instrument.ticks(minimum, 'up');
      return (bar) => bar.highTicks - bar.lowTicks >= ticks;
    });
  },
});

function barsOf(rule: BarRule, options: BarOptions = {}, ends: Ends): BarOperator {
  const { anchor } = options;
  if (anchor !== undefined && anchor !== 'D1') throw invalid(rule, 'anchor', 'the anchor is D1');
  return (source) =>
    defer(() => {
      const builder = new BarBuilder(rule, ends, anchor === 'D1');
      return source.pipe(concatMap((trade) => builder.trade(trade)));
    });
}

class BarBuilder {
  readonly #rule: BarRule;
  readonly #ends: Ends;
  readonly #isAnchored: boolean;
  #isEnd: ((bar: OpenBar) => boolean) | undefined;
  #open: OpenBar | undefined;
  /** True if the open bar follows another, or midnight. */
  #isWhole = false;
  #dayEndsAt = Number.NEGATIVE_INFINITY;

  constructor(rule: BarRule, ends: Ends, isAnchored: boolean) {
    this.#rule = rule;
    this.#ends = ends;
    this.#isAnchored = isAnchored;
  }

  /** Adds a trade; returns the bars that it ends: that of the day before, and its own. */
  trade(trade: Trade): readonly TradeBar[] {
    const done: TradeBar[] = [];
    if (this.#isAnchored && trade.at >= this.#dayEndsAt) this.#midnight(trade.at, done);
    const open = this.#open === undefined ? begin(trade) : add(this.#open, trade);
    this.#open = open;
    this.#isEnd ??= this.#ends(trade.instrument);
    if (this.#isEnd(open)) this.#close(open, this.#isWhole, done);
    return done;
  }

  #midnight(at: Micros, done: TradeBar[]): void {
    const isFirstDay = this.#dayEndsAt === Number.NEGATIVE_INFINITY;
    this.#dayEndsAt = periodStart('D1', at) + US_PER_DAY;
    if (this.#open !== undefined) this.#close(this.#open, false, done);
    this.#isWhole = !isFirstDay;
  }

  #close(open: OpenBar, isWhole: boolean, done: TradeBar[]): void {
    this.#open = undefined;
    this.#isWhole = true;
    done.push(new TradeBar(this.#rule, open, isWhole));
  }
}

const valueOf = ({ ticks, lots }: Trade): bigint => BigInt(ticks) * BigInt(lots);

const begin = (trade: Trade): OpenBar => ({
  instrument: trade.instrument,
  openedAt: trade.at,
  openTicks: trade.ticks,
  at: trade.at,
  highTicks: trade.ticks,
  lowTicks: trade.ticks,
  closeTicks: trade.ticks,
  volumeLots: trade.lots,
  value: valueOf(trade),
  trades: 1,
});

function add(open: OpenBar, trade: Trade): OpenBar {
  const { ticks, lots, at } = trade;
  open.at = at;
  if (ticks > open.highTicks) open.highTicks = ticks;
  if (ticks < open.lowTicks) open.lowTicks = ticks;
  open.closeTicks = ticks;
  open.volumeLots += lots;
  open.value += valueOf(trade);
  open.trades += 1;
  if (Number.isSafeInteger(open.volumeLots)) return open;
  throw new MillraceError(
    'out-of-range',
    `The volume of a bar of ${open.instrument.symbol} is beyond 2^53 lots; end bars earlier.`,
  );
}

function positive(name: string, field: string, given: unknown): Decimal {
  const value = typeof given === 'string' ? parseDecimal(given) : given;
  if (Decimal.isDecimal(value) && value.isFinite() && value.greaterThan(0)) return value;
  throw invalid(name, field, `the ${field} is a positive decimal or its text, such as '0.5'`);
}

const invalid = (name: string, field: string, what: string): MillraceError =>
  new MillraceError('parameter-invalid', `bars.${name}: ${what}.`, { field });
