import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { FeeRates } from '../../rules/funds.ts';
import type { NewOrder } from '../../model/order.ts';
import { ownRatesRejection, raisedRates } from '../../rules/own-rates.ts';
import type { Ledger } from './ledger.ts';
import { forgetFeeSchedule, feeSchedule, type FeeSchedule } from './fee-schedule.ts';

/** An account's fee rates on a symbol, as fractions of a trade's value. */
export interface SymbolFees {
  readonly symbol: string;
  readonly takeRate: Decimal;
  readonly makeRate: Decimal;
}

/** Members of an order that its rates depend on. */
type RatedOrder = Pick<NewOrder, 'takeRate' | 'makeRate' | 'margin'>;

/**
 * Fee schedules. An order pays by its instrument's default schedule, its account's own one, or one
 * with the higher rates that the order itself asks for. Ids below the number of instruments are the
 * defaults. Custom schedules are counted and freed with their last account or order.
 */
export class Fees {
  /** By schedule id. */
  declare readonly schedules: FeeSchedule[];
  declare private readonly instruments: readonly Instrument[];
  /** By instrument: the ledger that its fees are paid from. */
  declare private readonly ledgers: readonly Ledger[];
  /** Schedule ids of accounts with their own rates, by account and instrument. */
  readonly #ofAccount = new Map<number, number>();
  /** Custom schedule ids, by instrument and rates. */
  readonly #ids = new Map<string, number>();
  declare private readonly uses: number[];
  readonly #free: number[] = [];

  /** Contracts pay from the derivatives ledger. */
  constructor(instruments: readonly Instrument[], ledger: Ledger, derivatives: Ledger = ledger) {
    this.instruments = instruments;
    this.ledgers = instruments.map(({ isContract }) => (isContract ? derivatives : ledger));
    this.schedules = instruments.map((instrument, index) =>
      feeSchedule(instrument, this.ledgers[index]),
    );
    this.uses = instruments.map(() => 0);
  }

  /** An account's fee rates on every symbol, without those of orders. */
  symbolFees(account: number): SymbolFees[] {
    return this.instruments.map(({ symbol }, instrument) => {
      const { takeRate, makeRate } = this.schedules[this.#default(account, instrument)].rates;
      return { symbol, takeRate, makeRate };
    });
  }

  /**
   * Sets an account's fee rates on a symbol for later orders; without rates, the default ones.
   * Throws `symbol-unknown`, and `out-of-range` for invalid rates.
   */
  set(account: number, symbol: string, rates?: FeeRates): void {
    const instrument = this.instruments.findIndex((one) => one.symbol === symbol);
    if (instrument < 0) {
      throw new MillraceError('symbol-unknown', `There is no symbol ${symbol} here.`, {
        field: 'symbol',
      });
    }
    const rejection = rates === undefined ? undefined : ownRatesRejection(rates);
    if (rejection?.field !== undefined) {
      throw new MillraceError('out-of-range', rejection.message, { field: rejection.field });
    }
    const key = account * this.instruments.length + instrument;
    const previous = this.#ofAccount.get(key);
    if (rates === undefined) this.#ofAccount.delete(key);
    else this.#ofAccount.set(key, this.#use(instrument, rates));
    if (previous !== undefined) this.release(previous);
  }

  ratesOf(scheduleId: number): FeeRates {
    return this.schedules[scheduleId].rates;
  }

  /** Fee rates of a new order. */
  rates(account: number, instrument: number, order: RatedOrder): FeeRates {
    const { rates } = this.schedules[this.#default(account, instrument)];
    return this.#raises(order) ? raisedRates(rates, order) : rates;
  }

  /** True if a new order pays by the default fee schedule of its instrument, as most do. */
  isDefault(account: number, instrument: number, order: RatedOrder): boolean {
    return !this.#raises(order) && this.#default(account, instrument) === instrument;
  }

  /** Returns the id of a new order's fee schedule and counts the use. */
  acquire(account: number, instrument: number, order: RatedOrder): number {
    if (this.isDefault(account, instrument, order)) return instrument;
    return this.#use(instrument, this.rates(account, instrument, order));
  }

  /** Counts another use of a fee schedule and returns its id. */
  retain(scheduleId: number): number {
    if (scheduleId >= this.instruments.length) this.uses[scheduleId] += 1;
    return scheduleId;
  }

  /** Ends one use of a fee schedule; the last frees it. */
  release(scheduleId: number): void {
    if (scheduleId < this.instruments.length) return;
    this.uses[scheduleId] -= 1;
    if (this.uses[scheduleId] > 0) return;
    const old = this.schedules[scheduleId];
    this.#ids.delete(keyOf(this.instruments.indexOf(old.instrument), old.rates));
    forgetFeeSchedule(old);
    this.#free.push(scheduleId);
  }

  /** Schedule id of an account. */
  #default(account: number, instrument: number): number {
    if (this.#ofAccount.size === 0) return instrument;
    return this.#ofAccount.get(account * this.instruments.length + instrument) ?? instrument;
  }

  /** Rates of an order apply to spot orders only. */
  #raises({ takeRate, makeRate, margin }: RatedOrder): boolean {
    return (takeRate !== undefined || makeRate !== undefined) && margin === undefined;
  }

  /** Schedule id for these rates, with one more use. */
  #use(instrument: number, rates: FeeRates): number {
    const instrumentTerms = this.instruments[instrument];
    if (
      rates.takeRate.equals(instrumentTerms.takeRate) &&
      rates.makeRate.equals(instrumentTerms.makeRate)
    ) {
      return instrument;
    }
    const key = keyOf(instrument, rates);
    const known = this.#ids.get(key);
    if (known !== undefined) return this.retain(known);
    const scheduleId = this.#free.pop() ?? this.schedules.length;
    this.schedules[scheduleId] = feeSchedule(instrumentTerms, this.ledgers[instrument], rates);
    this.uses[scheduleId] = 1;
    this.#ids.set(key, scheduleId);
    return scheduleId;
  }
}

const keyOf = (instrument: number, { takeRate, makeRate }: FeeRates): string =>
  `${instrument} ${takeRate.toFixed()} ${makeRate.toFixed()}`;
