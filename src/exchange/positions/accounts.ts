import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode, MarginRules } from '../../model/margin-terms.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Orders } from '../orders/orders.ts';
import { BUY } from '../orders/side.ts';
import type { MarginAccount, MarginKey, Position } from './account.ts';
import { CLOSE_POSITION, CROSSED, REDUCE_ONLY } from './flags.ts';

/** On what terms an account trades an instrument. */
export interface MarginDeal {
  readonly rules: MarginRules;
  /** The account's leverage on it: L of the formulas. */
  readonly leverage: Decimal;
  /** f of the formulas: the reserve rate of the terms, the taker's where they have none. */
  readonly rate: Decimal;
  /** What the account pays where it takes. */
  readonly takeRate: Decimal;
}

/** The margin accounts and the open positions, by all ways in which they are looked for. */
export class MarginAccounts {
  /** Open positions of each instrument, oldest first. */
  readonly positionsOn: readonly Position[][];
  /** True once there was one. */
  areUsed = false;
  /** True once an order came that only reduces: not all that rests can be had from then on. */
  reduces = false;
  /** Instruments in which nothing is opened now, whatever their terms say. */
  readonly closing = new Set<number>();
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

  /** Those of a trader, oldest first. */
  of(trader: number): MarginAccount[] {
    return [...this.#byKey.values()].filter(({ key }) => key.trader === trader);
  }

  find(key: MarginKey): MarginAccount | undefined {
    return this.#byKey.get(textOf(key));
  }

  /** The account in which a trader trades an instrument in a mode. */
  on(trader: number, instrument: number, mode: MarginMode): MarginAccount | undefined {
    return this.find(this.keyOn(trader, instrument, mode));
  }

  keyOn(trader: number, instrument: number, mode: MarginMode): MarginKey {
    const { isContract } = this.#instruments[instrument];
    const subject = mode === 'isolated' ? instrument : this.#fees.tariffs[instrument].quoteIndex;
    return { trader, mode, isContract, subject };
  }

  /** The account of a margin order; an active one always has it. */
  ofOrder(order: number): MarginAccount {
    const orders = this.#orders;
    const mode = (orders.margin(order) & CROSSED) !== 0 ? 'cross' : 'isolated';
    const account = this.on(orders.account(order), orders.instrument(order), mode);
    if (account !== undefined) return account;
    throw new MillraceError('internal', `Order ${orders.id(order)} has lost its margin account.`);
  }

  /** The position that a margin order trades, undefined where there is none yet. */
  positionOf(order: number): Position | undefined {
    return this.ofOrder(order).positions.get(this.#orders.instrument(order));
  }

  /** Lots that an order can execute now: what is left of it, or of the position that it only reduces. */
  room(order: number): number {
    const orders = this.#orders;
    const left = orders.left(order);
    if ((orders.margin(order) & REDUCE_ONLY) === 0) return left;
    const lots = this.positionOf(order)?.lots ?? 0;
    return Math.min(left, Math.max(0, orders.side(order) === BUY ? -lots : lots));
  }

  /** Gives an order that closes whatever there is the quantity that it closes now. */
  complete(order: number): void {
    const orders = this.#orders;
    if ((orders.margin(order) & CLOSE_POSITION) === 0) return;
    const lots = this.positionOf(order)?.lots ?? 0;
    orders.setLots(order, Math.max(0, orders.side(order) === BUY ? -lots : lots));
  }

  /** On what terms an account trades an instrument; it has some in the account's mode. */
  deal({ key, leverage }: MarginAccount, instrument: number): MarginDeal {
    const { margin, symbol } = this.#instruments[instrument];
    const rules = margin[key.mode];
    if (rules === undefined) {
      throw new MillraceError('internal', `${symbol} is not traded on ${key.mode} margin.`);
    }
    const most = rules.maxInitialLeverage;
    const { takeRate } = this.#fees.rates(key.trader, instrument, {});
    return {
      rules,
      leverage: leverage === undefined ? most : Decimal.min(leverage, most),
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

  addPosition(position: Position): void {
    position.account.positions.set(position.instrument, position);
    this.positionsOn[position.instrument].push(position);
  }

  removePosition(position: Position): void {
    position.account.positions.delete(position.instrument);
    const open = this.positionsOn[position.instrument];
    open.splice(open.indexOf(position), 1);
  }
}

const textOf = ({ trader, mode, isContract, subject }: MarginKey): string =>
  `${trader} ${mode} ${isContract} ${subject}`;
