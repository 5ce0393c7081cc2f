import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { FeeRates } from '../../rules/funds.ts';
import type { NewOrder } from '../../model/order.ts';
import { ownRatesRejection, raisedRates } from '../../rules/own-rates.ts';
import type { Ledger } from './ledger.ts';
import { forgetFeeSchedule, feeSchedule, type FeeSchedule } from './fee-schedule.ts';

/** What an account pays on a symbol, as fractions of a trade's value. */
export interface SymbolFees {
  readonly symbol: string;
  readonly takeRate: Decimal;
  readonly makeRate: Decimal;
}

/** What of an order its rates depend on. */
type RatedOrder = Pick<NewOrder, 'takeRate' | 'makeRate' | 'margin'>;

/**
 * By which fee schedule an order pays: that of its instrument, unless its account has rates of its own
 * there or the order itself asks for higher ones. Fee schedules are numbers; those below the number of
 * instruments are the usual ones. An order keeps the fee schedule that it came with, and a fee schedule goes
 * when no account and no order has it any more, so there are never more than accounts and orders.
 */
export class Fees {
  /** By number. */
  declare readonly schedules: FeeSchedule[];
  declare private readonly instruments: readonly Instrument[];
  /** By instrument the ledger that it is paid from. */
  declare private readonly ledgers: readonly Ledger[];
  /** Fee schedules of accounts with rates of their own, by account and instrument. */
  readonly #ofAccount = new Map<number, number>();
  /** Numbers of the unusual schedules by what they are, how many use each, and those to be used again. */
  readonly #numbers = new Map<string, number>();
  declare private readonly uses: number[];
  readonly #free: number[] = [];

  /** Contracts pay from the derivatives ledger. */
  constructor(instruments: readonly Instrument[], ledger: Ledger, derivatives: Ledger = ledger) {
    this.instruments = instruments;
    this.ledgers = instruments.map(({ isContract }) => (isContract ? derivatives : ledger));
    this.schedules = instruments.map((one, index) => feeSchedule(one, this.ledgers[index]));
    this.uses = instruments.map(() => 0);
  }

  /** What an account pays on every symbol, raised by no order. */
  of(account: number): SymbolFees[] {
    return this.instruments.map(({ symbol }, instrument) => {
      const { takeRate, makeRate } = this.schedules[this.#default(account, instrument)].rates;
      return { symbol, takeRate, makeRate };
    });
  }

  /**
   * Sets what an account pays on a symbol from its next order on; without rates, what everybody
   * pays. Throws `symbol-unknown`, and `out-of-range` for rates that are none.
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
    if (previous !== undefined) this.leave(previous);
  }

  /** What an order pays, by the number of its fee schedule. */
  ofOrder(number: number): FeeRates {
    return this.schedules[number].rates;
  }

  /** The rates that a new order will pay. */
  rates(account: number, instrument: number, order: RatedOrder): FeeRates {
    const { rates } = this.schedules[this.#default(account, instrument)];
    return this.#raises(order) ? raisedRates(rates, order) : rates;
  }

  /** True when a new order pays by the fee schedule of its instrument, as most do. */
  isDefault(account: number, instrument: number, order: RatedOrder): boolean {
    return !this.#raises(order) && this.#default(account, instrument) === instrument;
  }

  /** Gives the number of the fee schedule by which a new order pays, and counts the order to it. */
  enter(account: number, instrument: number, order: RatedOrder): number {
    if (this.isDefault(account, instrument, order)) return instrument;
    return this.#use(instrument, this.rates(account, instrument, order));
  }

  /** Counts one more order to a fee schedule. */
  keep(number: number): number {
    if (number >= this.instruments.length) this.uses[number] += 1;
    return number;
  }

  /** An order or an account has a fee schedule no more. */
  leave(number: number): void {
    if (number < this.instruments.length) return;
    this.uses[number] -= 1;
    if (this.uses[number] > 0) return;
    const old = this.schedules[number];
    this.#numbers.delete(keyOf(this.instruments.indexOf(old.instrument), old.rates));
    forgetFeeSchedule(old);
    this.#free.push(number);
  }

  /** The fee schedule of an account. */
  #default(account: number, instrument: number): number {
    if (this.#ofAccount.size === 0) return instrument;
    return this.#ofAccount.get(account * this.instruments.length + instrument) ?? instrument;
  }

  /** Rates of an order count for spot orders alone. */
  #raises({ takeRate, makeRate, margin }: RatedOrder): boolean {
    return (takeRate !== undefined || makeRate !== undefined) && margin === undefined;
  }

  /** The number of a fee schedule of those rates, with one use more. */
  #use(instrument: number, rates: FeeRates): number {
    const terms = this.instruments[instrument];
    if (rates.takeRate.equals(terms.takeRate) && rates.makeRate.equals(terms.makeRate)) {
      return instrument;
    }
    const key = keyOf(instrument, rates);
    const known = this.#numbers.get(key);
    if (known !== undefined) return this.keep(known);
    const number = this.#free.pop() ?? this.schedules.length;
    this.schedules[number] = feeSchedule(terms, this.ledgers[instrument], rates);
    this.uses[number] = 1;
    this.#numbers.set(key, number);
    return number;
  }
}

const keyOf = (instrument: number, { takeRate, makeRate }: FeeRates): string =>
  `${instrument} ${takeRate.toFixed()} ${makeRate.toFixed()}`;
