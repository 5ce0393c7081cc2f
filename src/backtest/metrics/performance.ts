import { Amount, NOTHING } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { MarginAccountReport, MarginAccountState } from '../../model/margin-account.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type { BuyAndHold, Metrics, PaymentRow } from '../result.ts';
import { EquityColumns } from '../tables/equity-series.ts';
import { FillColumns, FillTable } from '../tables/fill-table.ts';
import type { RowTable } from '../tables/row-table.ts';
import { Equity } from './equity.ts';
import { forcedFill, type FillWithCause } from './forced-fill.ts';
import { MarginBooks } from './margin-books.ts';
import { InstrumentFrames, type FrameOfInstrument } from './frames.ts';
import type { Mark } from './mark.ts';
import { RoundTrips, type TripHost } from './round-trips.ts';
import { Sum } from './sum.ts';
import { TradeMetrics } from './trades.ts';
import { valued, type Valuation } from './valuation.ts';

/** How much of a long run its result shows. */
export interface Limits {
  readonly points: number;
  /** Of fills and of round trips, which are all kept. */
  readonly rows: number;
  readonly plots: number;
}

/** Plot of the share of their funds that margin accounts use. */
const MARGIN_USE = 'margin use';

/** Holdings by currency: at the account, and outside it in wallets and transfers. */
interface Holdings {
  readonly margin: ReadonlyMap<string, MarginAccountState>;
  readonly totals: ReadonlyMap<string, Amount>;
  readonly outside: ReadonlyMap<string, Amount>;
}

/** A traded instrument and its results. */
interface Traded {
  readonly index: number;
  readonly mark: Mark;
  /** By margin mode, `spot` without one. */
  readonly trips: Map<string, RoundTrips>;
}

/**
 * Measures an account through a run: its holdings, its actions, its value at each sample. Events
 * come in order of time; nothing here grows with the events of the market.
 */
export class Performance {
  readonly frames: InstrumentFrames;
  readonly trades: TradeMetrics;
  /** Every sample of the equity. */
  readonly samples = new EquityColumns();
  /** Margin accounts, if there are any. */
  readonly books: MarginBooks;
  readonly #marks: readonly Mark[];
  readonly #valuation: Valuation;
  readonly #limits: Limits;
  readonly #equity = new Equity();
  readonly #traded: ReadonlyMap<string, Traded>;
  /** Marks by the base currency of their instruments. */
  readonly #marksOf = new Map<string, Mark[]>();
  /** Base currencies with a holding of at least one lot. */
  readonly #held = new Set<string>();
  readonly #totals: Map<string, Amount>;
  /** Holdings outside the account, in wallets and transfers. */
  readonly #outside = new Map<string, Amount>();
  readonly #fills: FillColumns;
  readonly #feesByCurrency = new Map<string, Sum>();
  readonly #unplotted = new Set<string>();
  readonly #plotted = new Set<string>();
  /** Values plotted since the last sample; most runs have none. */
  #plots: Map<string, number> | undefined;
  readonly #fees = new Sum();
  readonly #turnover = new Sum();
  #heldUs = 0;
  #countedTo = Number.NaN;
  /** Holdings at the first requested sample, with which measuring starts. */
  #opening: Holdings | undefined;
  /** Time of the first sample, NaN before it. */
  #startedAt = Number.NaN;

  constructor(
    marks: readonly Mark[],
    valuation: Valuation,
    balances: ReadonlyMap<string, Decimal>,
    limits: Limits,
    markPrice: (symbol: string) => Decimal | undefined = () => undefined,
  ) {
    this.#marks = marks;
    this.#valuation = valuation;
    this.#limits = limits;
    this.books = new MarginBooks(
      marks.map(({ instrument }) => instrument),
      { rate: (currency) => this.#rate(currency), markPrice },
    );
    this.#totals = new Map(
      Array.from(balances, ([currency, amount]) => [currency, Amount.of(amount)]),
    );
    this.frames = new InstrumentFrames(limits.points);
    this.trades = new TradeMetrics(limits.rows);
    this.#fills = new FillColumns(marks.map(({ instrument }) => instrument));
    for (const mark of marks) {
      const { baseCurrency } = mark.instrument;
      this.#marksOf.set(baseCurrency, [...(this.#marksOf.get(baseCurrency) ?? []), mark]);
    }
    for (const currency of this.#totals.keys()) this.#updateHeld(currency);
    this.#traded = new Map(
      marks.map((mark, index) => [
        mark.instrument.symbol,
        { index, mark, trips: new Map([['spot', new RoundTrips(mark, this.#host(mark))]]) },
      ]),
    );
  }

  /** Sets the total of a currency at the account, reserved amounts included. */
  balance(at: Micros, currency: string, total: Amount): void {
    this.#passTime(at);
    this.#totals.set(currency, total);
    this.#updateHeld(currency);
  }

  /** Applies a report of a margin account. */
  margin(report: MarginAccountReport): void {
    this.#passTime(report.at);
    this.books.take(report);
    const fill = forcedFill(report);
    if (fill === undefined) return;
    this.books.forcedFills += 1;
    this.fill(fill);
  }

  /** Sets the total of a currency outside the account. */
  outside(currency: string, total: Amount): void {
    this.#outside.set(currency, total);
  }

  fill(fill: FillWithCause): void {
    const traded = this.#traded.get(fill.symbol);
    if (traded === undefined) return;
    const { index, mark } = traded;
    const { instrument } = mark;
    const { fee, feeCurrency } = fill;
    this.#feesOf(feeCurrency).add(fee);
    this.#fees.add(valued(fee, this.#rate(feeCurrency)));
    const value = instrument.valueAmount(fill.ticks, fill.lots);
    const rate = this.#rate(instrument.quoteCurrency);
    this.#turnover.add(valued(value, rate));
    this.#tripsOf(traded, fill.margin).fill(fill);
    this.#fills.add(fill, index);
  }

  plot(name: string, value: number): void {
    if (!this.#plotted.has(name)) {
      if (this.#plotted.size >= this.#limits.plots) {
        this.#unplotted.add(name);
        return;
      }
      this.#plotted.add(name);
    }
    this.#plots ??= new Map();
    this.#plots.set(name, value);
  }

  /**
   * Takes a sample; `whole` means that a full period passed since the last. Measuring starts with
   * the holdings of the first call, once all of them have a price, whatever was traded in between,
   * so that the cost of those trades is part of the run. Returns false before.
   */
  sample(at: Micros, whole: boolean): boolean {
    let held: Holdings = this.#present;
    if (Number.isNaN(this.#startedAt)) {
      this.#opening ??= {
        margin: this.books.present,
        totals: new Map(this.#totals),
        outside: new Map(this.#outside),
      };
      held = this.#opening;
      if (!this.#isValued(held)) return false;
      this.#startedAt = at;
      this.#countedTo = at;
      for (const mark of this.#marks) mark.begin();
    }
    this.#passTime(at);
    const use = this.books.isUsed ? this.books.sample() : undefined;
    if (use !== undefined) this.plot(MARGIN_USE, use);
    const equity = this.#valueOf(held);
    const drawdown = this.#equity.sample(at, equity, whole);
    this.samples.add(at, equity);
    const instruments = this.#marks.map((mark) => this.#frameOf(mark, held));
    this.frames.add({ at, equity, drawdown, instruments, plots: this.#plots });
    this.#plots = undefined;
    return true;
  }

  /**
   * Value of all holdings in the equity currency, outside the account too, so that transfers are
   * neither profit nor loss; a holding without a price counts as zero.
   */
  equity(): Amount {
    return this.#valueOf(this.#present);
  }

  get totals(): ReadonlyMap<string, Amount> {
    return this.#totals;
  }

  get fills(): FillTable {
    return new FillTable(this.#fills, this.#limits.rows);
  }

  get plotNames(): readonly string[] {
    return [...this.#plotted];
  }

  /** Plot names beyond the limit. */
  get plotsLeftOut(): readonly string[] {
    return [...this.#unplotted];
  }

  /** Payments and receipts of margin accounts, apart from trades. */
  get payments(): RowTable<PaymentRow> {
    return this.books.payments(this.#limits.rows);
  }

  /** The figures of the run; called once, at its end. */
  finish(till: Micros, events: number, sampleUs: number): Metrics {
    const spanUs = Number.isNaN(this.#startedAt) ? 0 : till - this.#startedAt;
    let unrealized = NOTHING;
    for (const { mark, trips } of this.#traded.values()) {
      const rate = this.#rate(mark.instrument.quoteCurrency);
      for (const [margin, one] of trips) {
        one.finish();
        const isSpot = margin === 'spot';
        const price = isSpot ? mark.amount() : this.books.price(mark.instrument.symbol);
        const open = one.unrealized(price).times(rate);
        unrealized = unrealized.plus(open);
        if (!isSpot) this.books.unrealized = this.books.unrealized.plus(open);
      }
    }
    const equity = this.#equity;
    const { drawdown } = equity;
    const turnover = this.#turnover.amount;
    return {
      events,
      spanUs,
      equity: {
        currency: this.#valuation.currency,
        start: equity.start.toFixed(),
        end: equity.last.toFixed(),
        high: equity.high.toFixed(),
        low: equity.low.toFixed(),
      },
      profit: equity.profit.toFixed(),
      ...equity.ratios(sampleUs, spanUs),
      drawdown: {
        maxAmount: drawdown.maxAmount.toFixed(),
        maxRatio: drawdown.maxRatio,
        maxRatioPeakAt: timeText(drawdown.maxRatioPeakAt),
        maxRatioTroughAt: timeText(drawdown.maxRatioTroughAt),
        longestUs: drawdown.longestUs,
      },
      fees: {
        byCurrency: Object.fromEntries(
          [...this.#feesByCurrency].map(([currency, fee]) => [currency, fee.amount.toFixed()]),
        ),
        value: this.#fees.amount.toFixed(),
      },
      turnover: {
        amount: turnover.toFixed(),
        ratio: equity.mean > 0 ? turnover.toNumber() / equity.mean : null,
      },
      exposure: spanUs > 0 ? this.#heldUs / spanUs : null,
      trades: this.trades.statistics(unrealized),
      buyAndHold: this.#marks.map(buyAndHold),
    };
  }

  get #present(): Holdings {
    return { margin: this.books.present, totals: this.#totals, outside: this.#outside };
  }

  #valueOf({ margin, totals, outside }: Holdings): Amount {
    let sum = margin.size === 0 ? NOTHING : this.books.priceOf(margin);
    for (const held of [totals, outside]) {
      for (const [currency, total] of held) {
        if (!total.isZero) sum = sum.plus(valued(total, this.#rate(currency)));
      }
    }
    return sum;
  }

  /** False while a holding waits for its first price. */
  #isValued({ totals, outside }: Holdings): boolean {
    return [...totals, ...outside].every(
      ([currency, total]) =>
        total.isZero ||
        !this.#valuation.reaches(currency) ||
        this.#valuation.rate(currency) !== undefined,
    );
  }

  #feesOf(currency: string): Sum {
    const known = this.#feesByCurrency.get(currency);
    if (known !== undefined) return known;
    const sum = new Sum();
    this.#feesByCurrency.set(currency, sum);
    return sum;
  }

  #rate(currency: string): Amount {
    return this.#valuation.rate(currency) ?? NOTHING;
  }

  #frameOf(mark: Mark, { margin, totals }: Holdings): FrameOfInstrument {
    const held = holdingOf(mark, totals);
    const frame = {
      open: mark.openHalfTicks,
      high: mark.highHalfTicks,
      low: mark.lowHalfTicks,
      close: mark.halfTicks,
      held: margin.size === 0 ? held : held.plus(this.books.net(mark.instrument, margin)),
    };
    mark.startCandle();
    return frame;
  }

  /** Counts the time since the last call as held, if anything was. */
  #passTime(at: Micros): void {
    if (!(at > this.#countedTo)) return;
    if (this.#held.size > 0 || this.books.isHolding) this.#heldUs += at - this.#countedTo;
    this.#countedTo = at;
  }

  /** Notes whether at least one lot of a currency is held. */
  #updateHeld(currency: string): void {
    const marks = this.#marksOf.get(currency);
    if (marks === undefined) return;
    const total = this.#totals.get(currency) ?? NOTHING;
    const isHeld = marks.some(({ instrument }) => !total.lessThan(instrument.lotAmount));
    if (isHeld === this.#held.has(currency)) return;
    if (isHeld) this.#held.add(currency);
    else this.#held.delete(currency);
  }

  /** Round trips of a symbol in a margin mode; all that share its price see its range. */
  #tripsOf({ mark, trips }: Traded, margin = 'spot'): RoundTrips {
    let own = trips.get(margin);
    if (own === undefined) trips.set(margin, (own = new RoundTrips(mark, this.#host(mark, true))));
    if (trips.size > 1) for (const one of trips.values()) if (one !== own) one.startRange();
    return own;
  }

  #host(mark: Mark, isMargin = false): TripHost {
    return {
      nextIndex: () => this.trades.nextIndex(),
      rate: () => this.#rate(mark.instrument.quoteCurrency),
      closed: (trip) => {
        this.trades.add(trip);
        if (isMargin) this.books.closed(trip);
      },
    };
  }
}

/** In whole quantity increments, rounded down. */
function holdingOf({ instrument }: Mark, totals: ReadonlyMap<string, Amount>): Amount {
  const total = totals.get(instrument.baseCurrency) ?? NOTHING;
  const { lotAmount } = instrument;
  if (total.sign >= 0) return lotAmount.times(Amount.units(total.floorDivide(lotAmount), 0));
  const owed = total.negated();
  const lots = Amount.units(owed.floorDivide(lotAmount), 0);
  const down = lotAmount.times(lots);
  return (down.equals(owed) ? down : down.plus(lotAmount)).negated();
}

const timeText = (at: Micros | undefined): string | null => (at === undefined ? null : isoTime(at));

/** Return of the price from its first to its last value, without fees. */
function buyAndHold(mark: Mark): BuyAndHold {
  const first = mark.firstHalfTicks;
  const last = mark.halfTicks;
  const known = !Number.isNaN(first);
  return {
    symbol: mark.instrument.symbol,
    firstPrice: known ? mark.decimalOf(first).toFixed() : null,
    lastPrice: known ? mark.decimalOf(last).toFixed() : null,
    return: known && first > 0 ? (last - first) / first : null,
  };
}
