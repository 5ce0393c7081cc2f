import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type {
  MarginAccountState,
  MarginReason,
  VenuePosition,
} from '../../../model/margin-account.ts';
import type { Fill } from '../../../model/report.ts';
import { type Lots, type Ticks } from '../../../model/units.ts';
import type { EndedPosition, PositionCarry } from '../../../gateways/venue-account.ts';
import type { Micros } from '../../../platform/time.ts';
import { entryPrice } from '../../../rules/margin/position-value.ts';
import { wholeQuotient } from '../../../rules/margin/quotient.ts';

/** Stands for the number of a position that no history tells. */
export const UNKNOWN_ID = 0;

/** What a step made of a position. */
export interface Stepped {
  readonly reason: MarginReason;
  readonly position: VenuePosition;
}

/** The number of a position that opens then, none of those that there were, where a history tells it. */
export type NextId = (symbol: string, at: Micros, used: ReadonlySet<number>) => number;

/**
 * A margin account while what happened to it is done again, as a venue does it: fills open and close
 * positions, results, fees and payments change the funds.
 */
export class AccountReplay {
  balance: Decimal;
  /** False once something happened whose result nobody tells. */
  isExact = true;
  /** What prices that are rounded to ticks may make of the results. */
  slack = ZERO;
  readonly #state: MarginAccountState;
  readonly #positions: Map<string, VenuePosition>;
  readonly #nextId: NextId;
  /** Numbers of positions that there were. */
  readonly #used: Set<number>;

  constructor(state: MarginAccountState, nextId: NextId) {
    this.#state = state;
    this.balance = state.balance;
    this.#positions = new Map(state.positions.map((one) => [one.symbol, one]));
    this.#used = new Set(state.positions.map(({ id }) => id));
    this.#nextId = nextId;
  }

  get state(): MarginAccountState {
    return { ...this.#state, balance: this.balance, positions: [...this.#positions.values()] };
  }

  position(symbol: string): VenuePosition | undefined {
    return this.#positions.get(symbol);
  }

  get symbols(): readonly string[] {
    return [...this.#positions.keys()];
  }

  /** Takes a position as the venue has it. */
  put(symbol: string, position: VenuePosition | undefined): void {
    if (position === undefined) this.#positions.delete(symbol);
    else this.#positions.set(symbol, position);
  }

  fill(instrument: Instrument, fill: Fill): Stepped {
    const { symbol, side, lots, ticks, at } = fill;
    const signed = (side === 'buy' ? 1 : -1) * lots;
    const fee = fill.feeCurrency === this.#state.currency ? fill.fee.toDecimal() : ZERO;
    this.balance = this.balance.minus(fee);
    const held = this.#positions.get(symbol);
    if (held === undefined || held.lots > 0 === signed > 0) {
      const before = held ?? this.#opened(symbol, at);
      const position = grown(before, instrument, signed, ticks, { fee, at });
      this.#positions.set(symbol, position);
      return { reason: 'openTrade', position };
    }
    const size = Math.min(Math.abs(held.lots), lots);
    const { pnl, rest } = this.#closed(held, instrument, size, ticks);
    const fees = held.fees.plus(fee);
    const realizedPnl = held.realizedPnl.plus(pnl);
    const after = { ...held, ...rest, fees, realizedPnl, updatedAt: at };
    this.#positions.set(symbol, after);
    if (after.lots !== 0) return { reason: 'closeTrade', position: after };
    this.#positions.delete(symbol);
    if (size === lots) return { reason: 'closed', position: after };
    const turned = (lots - size) * Math.sign(signed);
    const opened = this.#opened(symbol, at);
    const position = grown(opened, instrument, turned, ticks, { fee: ZERO, at });
    this.#positions.set(symbol, position);
    return { reason: 'flipTrade', position };
  }

  /** A payment that the state has already, or `isNew`; gives the position it is of, as that stands. */
  carry({ symbol, positionId, carry, at }: PositionCarry, isNew: boolean): VenuePosition {
    const { amount } = carry;
    if (isNew) this.balance = this.balance.plus(amount);
    const held = this.#positions.get(symbol);
    const id = positionId ?? held?.id ?? UNKNOWN_ID;
    if (held === undefined || !isOf(held, id)) return { ...none(symbol, at), id };
    if (!isNew) return held;
    const position = { ...held, id, carry: held.carry.plus(amount), updatedAt: at };
    this.#positions.set(symbol, position);
    return position;
  }

  /** The venue ended a position. */
  end({ id, symbol, realizedPnl, fees, at }: EndedPosition): VenuePosition {
    const present = this.#positions.get(symbol);
    const held = present !== undefined && isOf(present, id) ? present : undefined;
    if (held !== undefined) this.#positions.delete(symbol);
    const before = held ?? { ...none(symbol, at), id, realizedPnl: realizedPnl ?? ZERO, fees: fees ?? ZERO }; // prettier-ignore
    if (realizedPnl === undefined || fees === undefined) this.isExact &&= held === undefined;
    else {
      const result = realizedPnl.minus(before.realizedPnl).minus(fees.minus(before.fees));
      this.balance = this.balance.plus(result);
    }
    // What is lacking the venue pays.
    if (this.balance.isNegative()) this.balance = ZERO;
    return {
      ...before,
      ...{ id, lots: 0, entryValue: ZERO, updatedAt: at },
      realizedPnl: realizedPnl ?? before.realizedPnl,
      fees: fees ?? before.fees,
    };
  }

  #opened(symbol: string, at: Micros): VenuePosition {
    const id = this.#nextId(symbol, at, this.#used);
    this.#used.add(id);
    return { ...none(symbol, at), id };
  }

  /** What closing lots results in, which take their share of the cost with them, rounded as the exchange does. */
  #closed(
    held: VenuePosition,
    instrument: Instrument,
    size: number,
    ticks: Ticks,
  ): { readonly pnl: Decimal; readonly rest: Pick<VenuePosition, 'lots' | 'entryValue'> } {
    const all = Math.abs(held.lots);
    const { quantum, tickSize } = instrument;
    const share =
      size === all
        ? held.entryValue
        : wholeQuotient(held.entryValue.times(size), quantum.times(all), 'near').times(quantum);
    const proceeds = instrument.value(ticks, size as Lots);
    const pnl = held.lots > 0 ? proceeds.minus(share) : share.minus(proceeds);
    this.balance = this.balance.plus(pnl);
    this.slack = this.slack.plus(instrument.size(size as Lots).times(tickSize));
    const lots = held.lots - Math.sign(held.lots) * size;
    return { pnl, rest: { lots, entryValue: held.entryValue.minus(share) } };
  }
}

/** True where a position may be the one of a number. */
export const isOf = ({ id }: VenuePosition, other: number): boolean =>
  id === other || id === UNKNOWN_ID || other === UNKNOWN_ID;

const none = (symbol: string, at: Micros): VenuePosition => ({
  ...{ id: UNKNOWN_ID, symbol, lots: 0, entryPrice: ZERO, entryValue: ZERO },
  ...{ realizedPnl: ZERO, fees: ZERO, carry: ZERO, createdAt: at, updatedAt: at },
});

function grown(
  held: VenuePosition,
  instrument: Instrument,
  signed: number,
  ticks: Ticks,
  { fee, at }: { readonly fee: Decimal; readonly at: Micros },
): VenuePosition {
  const lots = held.lots + signed;
  const value = held.entryValue.plus(instrument.value(ticks, Math.abs(signed) as Lots));
  const quantity = instrument.size(lots as Lots);
  return {
    ...held,
    ...{ lots, entryValue: value, fees: held.fees.plus(fee), updatedAt: at },
    entryPrice: entryPrice({ quantity, value }, instrument.tickSize),
    // They are those of the position before.
    ...{ marginCallPrice: undefined, liquidationPrice: undefined },
  };
}
