import { Amount, NOTHING } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Fill } from '../../model/report.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type { BuyAndHold, FillRow, Limited, Metrics } from '../result.ts';
import { Equity } from './equity.ts';
import { Frames, type FrameOfInstrument } from './frames.ts';
import type { Mark } from './mark.ts';
import { RoundTrips } from './round-trips.ts';
import { Trades } from './trades.ts';
import type { Valuation } from './valuation.ts';

/** How much of a long run is kept; what is beyond is counted and not stored. */
export interface Limits {
  readonly points: number;
  readonly rows: number;
  readonly plots: number;
}

/** What is held, by currency: at the account, and in wallets and on its way beside it. */
interface Holdings {
  readonly totals: ReadonlyMap<string, Amount>;
  readonly outside: ReadonlyMap<string, Amount>;
}

/**
 * Watches an account through a run: what it holds, what it did, what it was worth at each sample.
 * Everything comes in the order of its time; nothing here grows with the events of the market.
 */
export class Performance {
  readonly frames: Frames;
  readonly trades: Trades;
  readonly #marks: readonly Mark[];
  readonly #valuation: Valuation;
  readonly #limits: Limits;
  readonly #equity = new Equity();
  readonly #tripsOf: ReadonlyMap<string, RoundTrips>;
  readonly #totals: Map<string, Amount>;
  /** What is held beside the account, in wallets and on its way. */
  readonly #outside = new Map<string, Amount>();
  readonly #fills: FillRow[] = [];
  readonly #feesByCurrency = new Map<string, Amount>();
  readonly #unplotted = new Set<string>();
  readonly #plotted = new Set<string>();
  #plots = new Map<string, number>();
  #fillCount = 0;
  #fees = NOTHING;
  #turnover = NOTHING;
  #heldUs = 0;
  #lookedAt = Number.NaN;
  /** What was held when the first sample was asked for: measuring starts with it. */
  #opening: Holdings | undefined;
  /** Time of the first sample, NaN before it. */
  #startedAt = Number.NaN;

  constructor(
    marks: readonly Mark[],
    valuation: Valuation,
    balances: ReadonlyMap<string, Decimal>,
    limits: Limits,
  ) {
    this.#marks = marks;
    this.#valuation = valuation;
    this.#limits = limits;
    this.#totals = new Map(
      Array.from(balances, ([currency, amount]) => [currency, Amount.of(amount)]),
    );
    this.frames = new Frames(limits.points);
    this.trades = new Trades(limits.rows);
    this.#tripsOf = new Map(
      marks.map((mark) => [
        mark.instrument.symbol,
        new RoundTrips(mark, {
          place: () => this.trades.place(),
          rate: () => this.#rate(mark.instrument.quoteCurrency),
          closed: (trip) => {
            this.trades.add(trip);
          },
        }),
      ]),
    );
  }

  /** The account now holds so much of a currency, reserved amounts included. */
  balance(at: Micros, currency: string, total: Amount): void {
    this.#passTime(at);
    this.#totals.set(currency, total);
  }

  /** So much of a currency is held beside the account now. */
  outside(currency: string, total: Amount): void {
    this.#outside.set(currency, total);
  }

  fill(fill: Fill): void {
    const trips = this.#tripsOf.get(fill.symbol);
    const mark = this.#marks.find(({ instrument }) => instrument.symbol === fill.symbol);
    if (trips === undefined || mark === undefined) return;
    const { instrument } = mark;
    this.#fillCount += 1;
    const { fee } = fill;
    const feesBefore = this.#feesByCurrency.get(fill.feeCurrency) ?? NOTHING;
    this.#feesByCurrency.set(fill.feeCurrency, feesBefore.plus(fee));
    this.#fees = this.#fees.plus(fee.times(this.#rate(fill.feeCurrency)));
    const value = instrument.valueAmount(fill.ticks, fill.lots);
    this.#turnover = this.#turnover.plus(value.times(this.#rate(instrument.quoteCurrency)));
    trips.fill(fill);
    if (this.#fills.length < this.#limits.rows) this.#fills.push(fillRow(fill, mark));
  }

  plot(name: string, value: number): void {
    if (!this.#plotted.has(name)) {
      if (this.#plotted.size >= this.#limits.plots) {
        this.#unplotted.add(name);
        return;
      }
      this.#plotted.add(name);
    }
    this.#plots.set(name, value);
  }

  /**
   * Takes the state at a sample time; `whole` says that a full period passed since the last.
   * Measuring starts with what was held at the first call, once all of it has a price, whatever was
   * traded in between: what those trades cost is part of the run. Gives false before.
   */
  sample(at: Micros, whole: boolean): boolean {
    let held: Holdings = { totals: this.#totals, outside: this.#outside };
    if (Number.isNaN(this.#startedAt)) {
      this.#opening ??= { totals: new Map(this.#totals), outside: new Map(this.#outside) };
      held = this.#opening;
      if (!this.#isValued(held)) return false;
      this.#startedAt = at;
      this.#lookedAt = at;
      for (const mark of this.#marks) mark.begin();
    }
    this.#passTime(at);
    const equity = this.#valueOf(held);
    const drawdown = this.#equity.sample(at, equity, whole);
    const instruments = this.#marks.map((mark) => this.#frameOf(mark, held));
    this.frames.add({ at, equity, drawdown, instruments, plots: this.#plots });
    this.#plots = new Map();
    return true;
  }

  /**
   * Worth of everything held, in the equity currency, beside the account too, so that to move money
   * is neither profit nor loss; what no price reaches counts nothing.
   */
  equity(): Amount {
    return this.#valueOf({ totals: this.#totals, outside: this.#outside });
  }

  get totals(): ReadonlyMap<string, Amount> {
    return this.#totals;
  }

  get fills(): Limited<FillRow> {
    return { total: this.#fillCount, rows: this.#fills };
  }

  get plotNames(): readonly string[] {
    return [...this.#plotted];
  }

  /** Names beyond the limit of lines. */
  get plotsLeftOut(): readonly string[] {
    return [...this.#unplotted];
  }

  /** The figures of the run; called once, at its end. */
  finish(till: Micros, events: number, sampleUs: number): Metrics {
    const spanUs = Number.isNaN(this.#startedAt) ? 0 : till - this.#startedAt;
    let unrealised = NOTHING;
    for (const [symbol, trips] of this.#tripsOf) {
      trips.finish();
      const mark = this.#marks.find(({ instrument }) => instrument.symbol === symbol);
      const rate = mark === undefined ? NOTHING : this.#rate(mark.instrument.quoteCurrency);
      unrealised = unrealised.plus(trips.unrealised().times(rate));
    }
    const equity = this.#equity;
    const { drawdown } = equity;
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
          [...this.#feesByCurrency].map(([currency, fee]) => [currency, fee.toFixed()]),
        ),
        worth: this.#fees.toFixed(),
      },
      turnover: {
        amount: this.#turnover.toFixed(),
        ratio: equity.mean > 0 ? this.#turnover.toNumber() / equity.mean : null,
      },
      exposure: spanUs > 0 ? this.#heldUs / spanUs : null,
      trades: this.trades.statistics(unrealised),
      buyAndHold: this.#marks.map(buyAndHold),
    };
  }

  #valueOf({ totals, outside }: Holdings): Amount {
    let sum = NOTHING;
    for (const [currency, total] of [...totals, ...outside]) {
      if (!total.isZero) sum = sum.plus(total.times(this.#rate(currency)));
    }
    return sum;
  }

  /** False while something is held whose price is to come. */
  #isValued({ totals, outside }: Holdings): boolean {
    return [...totals, ...outside].every(
      ([currency, total]) =>
        total.isZero ||
        !this.#valuation.reaches(currency) ||
        this.#valuation.rate(currency) !== undefined,
    );
  }

  #rate(currency: string): Amount {
    return this.#valuation.rate(currency) ?? NOTHING;
  }

  #frameOf(mark: Mark, { totals }: Holdings): FrameOfInstrument {
    const frame = {
      open: mark.openHalfTicks,
      high: mark.highHalfTicks,
      low: mark.lowHalfTicks,
      close: mark.halfTicks,
      held: heldOf(mark, totals),
    };
    mark.startCandle();
    return frame;
  }

  /** Counts the time since the last look as held, when something was. */
  #passTime(at: Micros): void {
    if (!(at > this.#lookedAt)) return;
    if (this.#marks.some((mark) => this.#holds(mark))) this.#heldUs += at - this.#lookedAt;
    this.#lookedAt = at;
  }

  /** True where at least one lot is held. */
  #holds({ instrument }: Mark): boolean {
    const total = this.#totals.get(instrument.baseCurrency);
    return total !== undefined && !total.lessThan(instrument.lotAmount);
  }
}

/** In whole quantity increments, rounded down, however many. */
function heldOf({ instrument }: Mark, totals: ReadonlyMap<string, Amount>): Amount {
  const total = totals.get(instrument.baseCurrency) ?? NOTHING;
  const { lotAmount } = instrument;
  if (total.sign >= 0) return lotAmount.times(Amount.units(total.wholes(lotAmount), 0));
  const owed = total.negated();
  const lots = Amount.units(owed.wholes(lotAmount), 0);
  const down = lotAmount.times(lots);
  return (down.equals(owed) ? down : down.plus(lotAmount)).negated();
}

const timeText = (at: Micros | undefined): string | null => (at === undefined ? null : isoTime(at));

function fillRow(fill: Fill, { instrument }: Mark): FillRow {
  return {
    at: isoTime(fill.at),
    symbol: fill.symbol,
    side: fill.side,
    price: instrument.tickAmount.timesCount(fill.ticks).toFixed(),
    size: instrument.sizeAmount(fill.lots).toFixed(),
    fee: fill.fee.toFixed(),
    feeCurrency: fill.feeCurrency,
    taker: fill.taker,
    order: fill.clientOrderId,
    id: fill.id,
  };
}

/** What the price alone did from its first to its last value, without fees. */
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
