import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import { entryPrice } from '../../rules/margin/position-value.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import {
  reportType,
  type Cover,
  type MarginReport,
  type PositionState,
  type PositionTrade,
} from '../positions/report.ts';

/** Ended positions that are kept of each trader: as many as one page of the history can hold. */
const KEPT = 1_000;

/** An ended position. */
export interface EndedPosition extends PositionState {
  readonly mode: MarginAccount['key']['mode'];
  readonly isContract: boolean;
  /** As of its account; undefined where every symbol has the most that it allows. */
  readonly leverage: Decimal | undefined;
  readonly end: PositionEnd;
  /** The most that it was, without a sign. */
  readonly quantityMax: Decimal;
  /** The mean price of what closed it, at the tick size, half up. */
  readonly priceClose: Decimal;
}

/** What happened to margin accounts: reports not told yet, and the positions that have ended. */
export class Chronicle {
  readonly #instruments: readonly Instrument[];
  readonly #ledger: Ledger;
  readonly #now: () => number;
  #pending: MarginReport[] = [];
  #covers: Cover[] = [];
  readonly #ended = new Map<number, EndedPosition[]>();

  constructor(instruments: readonly Instrument[], ledger: Ledger, now: () => number) {
    this.#instruments = instruments;
    this.#ledger = ledger;
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0 && this.#covers.length === 0;
  }

  /** The latest report that is not told yet: right after a trade of a margin order, that of the trade. */
  get latest(): MarginReport | undefined {
    return this.#pending.at(-1);
  }

  /** Reports not told yet, which are told then. */
  take(): readonly MarginReport[] {
    const reports = this.#pending;
    this.#pending = [];
    return reports;
  }

  /** What was paid for accounts and not told yet, which is told then. */
  takeCovers(): readonly Cover[] {
    const covers = this.#covers;
    this.#covers = [];
    return covers;
  }

  /** An account lacked so much, which others paid: it has nothing now. */
  cover(account: MarginAccount, amount: Decimal): void {
    const { key, currency } = account;
    const { trader, mode, isContract } = key;
    this.#covers.push({
      ...{ at: this.#now(), trader, mode, isContract, symbol: this.#symbolOf(account) },
      ...{ currency: this.#ledger.purses[currency].currency, leverage: account.leverage, amount },
    });
  }

  /** Ended positions of a trader, oldest first. */
  ended(trader: number): readonly EndedPosition[] {
    return this.#ended.get(trader) ?? [];
  }

  report(
    account: MarginAccount,
    reason: MarginReason,
    about: {
      readonly position?: Position;
      readonly price?: Decimal;
      readonly trade?: PositionTrade;
      readonly carry?: FullCarry;
    } = {},
  ): void {
    const { key, currency, leverage, createdAt, balance, isCalled } = account;
    account.updatedAt = this.#now();
    const { position, price, trade, carry } = about;
    this.#pending.push({
      type: reportType(reason),
      reason,
      at: this.#now(),
      trader: key.trader,
      mode: key.mode,
      isContract: key.isContract,
      symbol: this.#symbolOf(account),
      currency: this.#ledger.purses[currency].currency,
      leverage,
      createdAt,
      marginBalance: balance,
      isCalled,
      position: position === undefined ? undefined : stateOf(position, price),
      trade,
      carry,
    });
  }

  /** Keeps a position that has ended; `price` was its entry price. */
  end(position: Position, price: Decimal, end: PositionEnd): void {
    const { key } = position.account;
    const ended = this.#ended.get(key.trader) ?? [];
    this.#ended.set(key.trader, ended);
    const { mode, isContract } = key;
    const { terms, largest, closed } = position;
    ended.push({
      ...stateOf(position, price),
      mode,
      isContract,
      leverage: position.account.leverage,
      end,
      quantityMax: terms.quantityIncrement.times(largest),
      priceClose: entryPrice(closed, terms.tickSize),
    });
    if (ended.length > KEPT) ended.shift();
  }

  /** Of an isolated account its symbol. */
  #symbolOf({ key }: MarginAccount): string | undefined {
    return key.mode === 'isolated' ? this.#instruments[key.subject].symbol : undefined;
  }
}

/** A position as it stands; `price` is its entry price where its lots are gone. */
export function stateOf(position: Position, price: Decimal | undefined): PositionState {
  const { id, terms, value, realised, fees, carry, openedAt, updatedAt } = position;
  return {
    id,
    symbol: terms.symbol,
    quantity: position.lots === 0 ? ZERO : value.quantity,
    priceEntry: price ?? entryPrice(value, terms.tickSize),
    entryValue: value.value,
    realisedPnl: realised,
    feeCumulative: fees,
    carry,
    createdAt: openedAt,
    updatedAt,
  };
}
