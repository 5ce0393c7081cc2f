import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode, MarginRules } from '../../model/margin-terms.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Orders } from '../orders/orders.ts';
import { BUY } from '../orders/side.ts';
import type { MarginAccount, MarginKey, Position } from './account.ts';
import { CLOSE_POSITION, CROSSED, REDUCE_ONLY } from './flags.ts';

/** Terms on which an account trades an instrument. */
export interface MarginDeal {
  readonly rules: MarginRules;
  /** The account's leverage on it: L of the formulas. */
  readonly leverage: Decimal;
  /** f of the formulas: the reserve rate of the rules, else the taker rate. */
  readonly rate: Decimal;
  /** The account's taker rate. */
  readonly takeRate: Decimal;
}

/** Finds margin accounts and open positions by account, instrument and order. */
export class MarginAccounts {
  /** Open positions of each instrument, oldest first. */
  readonly positionsOn: readonly Position[][];
  /** True from the first account on. */
  areUsed = false;
  /**
   * True from the first reduce-only order on: from then on resting lots may exceed what can fill.
   */
  reduces = false;
  /** Instruments in which positions can only be reduced, whatever their terms say. */
  readonly closing = new Set<number>();
  /** Accounts to be checked, as their funds or positions have changed. */
  readonly dirty = new Set<MarginAccount>();
  /** Accounts beyond their limit that the market could not fill; they are tried again. */
  readonly unfilled = new Set<MarginAccount>();
  /** Ended positions, whose reducing orders are to be canceled. */
  readonly ended: { readonly account: MarginAccount; readonly instrument: number }[] = [];
  /** Number of open positions, and of all ever opened. */
  open = 0;
  issued = 0;
  /** True while accounts are checked; follow-up changes are part of that check. */
  isExamined = false;
  /** Keys of closed accounts: the next one is reported as reopened. */
  readonly closed = new Set<string>();
  /** Traders whose accounts are replenished at a margin call, for spot margin and for futures. */
  readonly replenished = { margin: new Set<number>(), futures: new Set<number>() };
  /** Number of client order ids of system orders issued so far. */
  systemOrders = 0;
  readonly #instruments: readonly Instrument[];
  readonly #orders: Orders;
  readonly #fees: Fees;
  readonly #byKey = new Map<string, MarginAccount>();

  constructor(instruments: readonly Instrument[], orders: Orders, fees: Fees) {
    this.#instruments = instruments;
    this.#orders = orders;
    this.#fees = fees;
    this.positionsOn = instruments.map(() => []);
  }

  /** Accounts of a trader, oldest first. */
  of(trader: number): MarginAccount[] {
    return [...this.#byKey.values()].filter(({ key }) => key.trader === trader);
  }

  find(key: MarginKey): MarginAccount | undefined {
    return this.#byKey.get(textOf(key));
  }

  /** The trader's account for an instrument in a mode, if there is one. */
  on(trader: number, instrument: number, mode: MarginMode): MarginAccount | undefined {
    return this.find(this.keyOn(trader, instrument, mode));
  }

  keyOn(trader: number, instrument: number, mode: MarginMode): MarginKey {
    const { isContract } = this.#instruments[instrument];
    const subject = mode === 'isolated' ? instrument : this.#fees.schedules[instrument].quoteIndex;
    return { trader, mode, isContract, subject };
  }

  /** The account of a margin order; an active order always has one. */
  ofOrder(order: number): MarginAccount {
    const orders = this.#orders;
    const mode = (orders.marginFlags(order) & CROSSED) !== 0 ? 'cross' : 'isolated';
    const account = this.on(orders.account(order), orders.instrument(order), mode);
    if (account !== undefined) return account;
    throw new MillraceError('internal', `Order ${orders.id(order)} has lost its margin account.`);
  }

  /** The position that a margin order trades, undefined if there is none. */
  positionOf(order: number): Position | undefined {
    return this.ofOrder(order).positions.get(this.#orders.instrument(order));
  }

  /** Lots that an order can execute now: its remainder, or the position that it only reduces. */
  executableLots(order: number): number {
    const orders = this.#orders;
    const left = orders.remaining(order);
    if ((orders.marginFlags(order) & REDUCE_ONLY) === 0) return left;
    const lots = this.positionOf(order)?.lots ?? 0;
    return Math.min(left, Math.max(0, orders.side(order) === BUY ? -lots : lots));
  }

  /** Sets the quantity of an order that closes the whole position. */
  setCloseQuantity(order: number): void {
    const orders = this.#orders;
    if ((orders.marginFlags(order) & CLOSE_POSITION) === 0) return;
    const lots = this.positionOf(order)?.lots ?? 0;
    orders.setLots(order, Math.max(0, orders.side(order) === BUY ? -lots : lots));
  }

  /** Terms on which an account trades an instrument, which must have them in the account's mode. */
  deal({ key, leverage }: MarginAccount, instrument: number): MarginDeal {
    const { margin, symbol } = this.#instruments[instrument];
    const rules = margin[key.mode];
    if (rules === undefined) {
      throw new MillraceError('internal', `${symbol} is not traded on ${key.mode} margin.`);
    }
    const maxLeverage = rules.maxInitialLeverage;
    const { takeRate } = this.#fees.rates(key.trader, instrument, {});
    return {
      rules,
      leverage: leverage === undefined ? maxLeverage : Decimal.min(leverage, maxLeverage),
      rate: rules.reserveRate ?? takeRate,
      takeRate,
    };
  }

  add(account: MarginAccount): void {
    this.areUsed = true;
    this.#byKey.set(textOf(account.key), account);
  }

  remove(account: MarginAccount): void {
    this.#byKey.delete(textOf(account.key));
  }

  /** Long lots of a contract, those of the recorded market included, as a quantity. */
  openInterest(instrument: number): Decimal {
    // The recorded market holds the opposite of the accounts' sum, so the larger side is the total.
    let longs = 0n;
    let shorts = 0n;
    for (const { lots } of this.positionsOn[instrument]) {
      if (lots > 0) longs += BigInt(lots);
      else shorts -= BigInt(lots);
    }
    const lots = longs > shorts ? longs : shorts;
    return this.#instruments[instrument].quantityIncrement.times(lots.toString());
  }

  addPosition(position: Position): void {
    position.account.positions.set(position.instrument, position);
    this.positionsOn[position.instrument].push(position);
    this.open += 1;
  }

  removePosition(position: Position): void {
    position.account.positions.delete(position.instrument);
    const open = this.positionsOn[position.instrument];
    open.splice(open.indexOf(position), 1);
    this.open -= 1;
    this.ended.push({ account: position.account, instrument: position.instrument });
  }
}

const textOf = ({ trader, mode, isContract, subject }: MarginKey): string =>
  `${trader} ${mode} ${isContract} ${subject}`;
