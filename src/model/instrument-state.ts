import { Best } from './best.ts';
import { DepthFeed } from './depth-feed.ts';
import type { Decimal } from './decimal.ts';
import type { Depth } from './depth.ts';
import { joinSteps } from './derivative.ts';
import { DerivativeState, isReported } from './derivative-state.ts';
import { CANDLE, GAP, isMarket, LEVEL, QUOTE, TRADE, type EventColumns } from './events.ts';
import type { Instrument } from './instrument.ts';
import { priceOf, Prices } from './prices.ts';

/** Changes by a row, as bits, so that one test decides whether a reader needs any of them. */
export const TRADED = 1;
export const BOOK = 2;
export const TOP = 4;
export const CANDLES = 8;
/** Valuation price. */
export const PRICE = 16;
/** The feed has a gap. */
export const MISSED = 32;

/**
 * The market of one instrument, from the rows of its feed: book, best bid and ask, prices, and
 * derivative data. A process has one for each instrument and feed. The row reader passes each row
 * once, and its changes go to strategies, limits, the exchange of a backtest and the metrics of a
 * run.
 */
export class InstrumentState {
  readonly instrument: Instrument;
  readonly book = new DepthFeed();
  readonly best = new Best();
  readonly prices = new Prices(this.best);
  readonly derivative = new DerivativeState();

  constructor(instrument: Instrument) {
    this.instrument = instrument;
  }

  get depth(): Depth {
    return this.book.depth;
  }

  /**
   * Valuation of one unit of the base currency; exact. `undefined` before the market has shown a
   * price.
   */
  price(): Decimal | undefined {
    return priceOf(this.instrument, this.prices.valuation);
  }

  /**
   * The price that positions are checked by, from market data: the mark price of a contract, the
   * mid price of a spot symbol, or the valuation if a side is empty; exact.
   */
  markPrice(): Decimal | undefined {
    const { tickSize, isContract } = this.instrument;
    const { mark } = this.derivative;
    if (isContract) return isReported(mark) ? joinSteps(mark, tickSize) : undefined;
    return priceOf(this.instrument, this.prices.reference);
  }

  /** Applies a row; returns its changes, 0 if it changes nothing. Nothing is allocated. */
  take(columns: EventColumns, row: number): number {
    const kind = columns.kind[row];
    if (kind === LEVEL) return this.book.level(columns, row) ? this.#bookChanged() : 0;
    if (kind === TRADE) return this.prices.trade(columns.price[row]) ? TRADED | PRICE : TRADED;
    if (kind === QUOTE) return this.best.quote(columns, row) ? this.#topChanged() : 0;
    if (kind === CANDLE) return this.prices.candle(columns.price[row]) ? CANDLES | PRICE : CANDLES;
    if (!isMarket(kind)) return this.derivative.take(columns, row);
    const changes = this.book.apply(columns, row) ? this.#bookChanged() : 0;
    if (kind !== GAP) return changes;
    return this.best.gap() ? changes | MISSED | TOP : changes | MISSED;
  }

  /** Switches the valuation to candles until the next trade. */
  tradesEnded(): void {
    this.prices.tradesEnded();
  }

  #bookChanged(): number {
    return this.best.follow(this.depth) ? BOOK | this.#topChanged() : BOOK;
  }

  #topChanged(): number {
    return this.prices.bestChanged() ? TOP | PRICE : TOP;
  }
}
