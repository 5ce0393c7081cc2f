import { decimal, type Decimal } from '../../model/decimal.ts';
import type { MarginAccountReport } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { modeOf, readRow, whole, insertRow } from './checked-rows.ts';
import type { JournalFile, Row } from './file.ts';
import type { AccountCarry } from './records.ts';

interface Booked {
  readonly symbol: string;
  readonly mode: MarginMode;
  readonly kind: string;
  readonly at: Micros;
  readonly positionId: number;
  readonly amount: Decimal;
}

/** Allowed difference between the times of one payment in a report and in a history. */
const APART_US = US_PER_SECOND;
/** Placeholder for an absent symbol or position. */
const NO_SYMBOL = '';
const NO_POSITION = 0;

/** Booked funding and interest: each once, by position, kind and payment time. */
export class MarginCarries {
  readonly #file: JournalFile;
  #unwritten: Booked[] = [];

  constructor(file: JournalFile) {
    this.#file = file;
  }

  knows(carry: AccountCarry): boolean {
    const one = bookedOf(carry);
    const { symbol, mode, kind, at } = one;
    if (this.#unwritten.some((other) => isSame(one, other))) return true;
    const near = this.#file.all`SELECT * FROM margin_carries
      WHERE symbol IN (${symbol}, ${NO_SYMBOL}) AND margin = ${mode} AND kind = ${kind}
      AND at BETWEEN ${at - APART_US} AND ${at + APART_US}`;
    return near
      .map((row) => readRow(this.#file, 'margin_carries', row, () => readBooked(row)))
      .some((other) => isSame(one, other));
  }

  /** Books a payment with the next commit; returns false if it is known. */
  book(carry: AccountCarry): boolean {
    if (this.knows(carry)) return false;
    this.#unwritten.push(bookedOf(carry));
    return true;
  }

  write(): void {
    for (const { symbol, mode, kind, at, positionId, amount } of this.#unwritten) {
      const columns = [symbol, mode, kind, at, positionId, amount.toFixed()];
      insertRow(this.#file, 'margin_carries', columns, [], 'INSERT OR IGNORE');
    }
  }

  written(): void {
    this.#unwritten = [];
  }
}

function isSame(one: Booked, other: Booked): boolean {
  if (one.mode !== other.mode || one.kind !== other.kind) return false;
  if (isUnlike(one.symbol, other.symbol, NO_SYMBOL)) return false;
  if (isUnlike(one.positionId, other.positionId, NO_POSITION)) return false;
  if (one.at === other.at) return true;
  return Math.abs(one.at - other.at) <= APART_US && one.amount.equals(other.amount);
}

/** True if both are known and differ. */
const isUnlike = <T>(one: T, other: T, unknown: T): boolean =>
  one !== other && one !== unknown && other !== unknown;

const bookedOf = ({ symbol, mode, carry, at, positionId }: AccountCarry): Booked => ({
  symbol: symbol ?? NO_SYMBOL,
  mode,
  kind: carry.kind,
  at,
  positionId: positionId ?? NO_POSITION,
  amount: carry.amount,
});

const readBooked = (row: Row): Booked => ({
  symbol: String(row['symbol']),
  mode: modeOf(row['margin']),
  kind: String(row['kind']),
  at: micros(whole('at', row['at'], 0)),
  positionId: whole('position', row['position'], 0),
  amount: decimal(String(row['amount'])),
});

/** A payment of a report. */
export function carryOf({ account, position, carry, at }: MarginAccountReport): AccountCarry {
  if (carry === undefined) throw new RangeError('a report without a payment');
  const symbol = position?.symbol ?? account.symbol;
  return { positionId: position?.id, symbol, mode: account.mode, carry, at };
}
