import { coversBook, combinedUse, UNUSED, type EndedChannel, type MarketUse } from '../../engine/market/use.ts'; // prettier-ignore
import type { Wanted } from '../../gateways/market-source.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';

/** The venue's candles from which all longer ones are built. */
export const BASE_PERIOD: Period = 'M1';

/** How long an unused channel stays subscribed, as a strategy may subscribe again soon. */
export const LINGER_US = 5 * US_PER_SECOND;

/** Everything that there is. */
const ALL: MarketUse = { trades: true, book: 'full', candles: true };

export interface SubscriptionsSetup {
  readonly instruments: readonly Instrument[];
  /** Uses by strategies of the instrument at `index`. */
  used(index: number): readonly MarketUse[];
  /** Market data that the bot itself needs of a symbol, whatever its strategies use. */
  needed(symbol: string): MarketUse;
  /** Rows of a channel end with this. */
  ended(index: number, channel: EndedChannel): void;
}

/** Subscriptions of one instrument, and since when each channel is unused. */
interface Present {
  use: MarketUse;
  tradesUnusedAt: Micros | undefined;
  bookUnusedAt: Micros | undefined;
  candlesUnusedAt: Micros | undefined;
  derivativesUnusedAt: Micros | undefined;
}

/**
 * Computes the market subscriptions of an account: uses of strategies, needs of the bot, and a price of
 * every instrument at least. A new use is followed at once; an ended one, after `LINGER_US`.
 */
export class Subscriptions {
  readonly #setup: SubscriptionsSetup;
  readonly #present: readonly Present[];
  #candlesFrom: Micros | undefined;
  #isWhole = false;

  constructor(setup: SubscriptionsSetup) {
    this.#setup = setup;
    this.#present = setup.instruments.map(() => ({
      use: UNUSED,
      tradesUnusedAt: undefined,
      bookUnusedAt: undefined,
      candlesUnusedAt: undefined,
      derivativesUnusedAt: undefined,
    }));
  }

  get wanted(): readonly Wanted[] {
    return this.#present.map(({ use: { trades, book, candles, derivatives } }, index) => ({
      instrument: this.#setup.instruments[index],
      trades,
      book,
      ...(derivatives === true ? { derivatives } : {}),
      ...(candles ? { candles: BASE_PERIOD, candlesFrom: this.#candlesFrom } : {}),
    }));
  }

  /** Takes the bot's own needs while no strategy has begun. */
  takeNeeds(): void {
    for (const [index, present] of this.#present.entries()) {
      present.use = this.#setup.needed(this.#setup.instruments[index].symbol);
    }
  }

  /** Subscribes to everything of every instrument, for good: a narrower choice saves nothing. */
  takeAll(): void {
    this.#isWhole = true;
    for (const [index, present] of this.#present.entries()) {
      const { isContract } = this.#setup.instruments[index];
      present.use = isContract ? { ...ALL, derivatives: true } : ALL;
    }
  }

  /** Strategies have begun: their uses count from now on. They know candles from before a time. */
  begin(now: Micros, candlesFrom: Micros): boolean {
    this.#candlesFrom = candlesFrom;
    return this.review(now);
  }

  /** The first subscriptions were sent; later ones start at the present. */
  begun(): void {
    this.#candlesFrom = undefined;
  }

  /** Reviews the current uses; returns true if `wanted` has changed. */
  review(now: Micros): boolean {
    if (this.#isWhole) return false;
    let hasChanged = false;
    for (const [index, present] of this.#present.entries()) {
      if (this.#reviewOne(index, present, now)) hasChanged = true;
    }
    return hasChanged;
  }

  #reviewOne(index: number, present: Present, now: Micros): boolean {
    const { symbol } = this.#setup.instruments[index];
    const need = withPrice(combinedUse([this.#setup.needed(symbol), ...this.#setup.used(index)]));
    const { use } = present;
    const over = (unused: boolean, since: Micros | undefined): Micros | undefined =>
      unused ? (since ?? now) : undefined;
    const isOver = (since: Micros | undefined): boolean =>
      since !== undefined && now - since >= LINGER_US;
    present.tradesUnusedAt = over(use.trades && !need.trades, present.tradesUnusedAt);
    present.candlesUnusedAt = over(use.candles && !need.candles, present.candlesUnusedAt);
    const isReported = use.derivatives === true;
    present.derivativesUnusedAt = over(
      isReported && need.derivatives !== true,
      present.derivativesUnusedAt,
    );
    const isReportedOn = isReported && !isOver(present.derivativesUnusedAt);
    const isBookMore = use.book !== need.book && coversBook(use.book, need.book);
    present.bookUnusedAt = over(isBookMore, present.bookUnusedAt);
    const next: MarketUse = {
      trades: need.trades || (use.trades && !isOver(present.tradesUnusedAt)),
      book: isBookMore && !isOver(present.bookUnusedAt) ? use.book : need.book,
      candles: need.candles || (use.candles && !isOver(present.candlesUnusedAt)),
      ...(need.derivatives === true || isReportedOn ? { derivatives: true } : {}),
    };
    if (isSame(next, use)) return false;
    present.use = next;
    if (use.trades && !next.trades) this.#setup.ended(index, 'trades');
    if (use.candles && !next.candles) this.#setup.ended(index, 'candles');
    return true;
  }
}

const isSame = (one: MarketUse, other: MarketUse): boolean =>
  one.trades === other.trades &&
  one.book === other.book &&
  one.candles === other.candles &&
  one.derivatives === other.derivatives;

/** Every instrument has a price for valuing holdings: trades if candles give none. */
const withPrice = (use: MarketUse): MarketUse =>
  use.trades || use.candles ? use : { ...use, trades: true };
