import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type {
  MarginAccountState,
  MarginReason,
  VenuePosition,
} from '../../../model/margin-account.ts';
import type { Fill } from '../../../model/report.ts';
import type { Lots } from '../../../model/units.ts';
import type { EndedPosition, PositionCarry } from '../../../gateways/venue-account.ts';
import type { Micros } from '../../../platform/time.ts';
import { positionAfterFill, emptyPosition } from '../../../rules/margin/position-fill.ts';

/** Id of a position that is in no history. */
export const UNKNOWN_ID = 0;

/** Effect of a step on a position. */
export interface Stepped {
  readonly reason: MarginReason;
  readonly position: VenuePosition;
}

/** The id of a position opened then, other than the used ones, if a history has it. */
export type NextId = (symbol: string, at: Micros, used: ReadonlySet<number>) => number;

/**
 * A margin account while what happened to it is done again, as a venue does it: fills open and close
 * positions, results, fees and payments change the funds.
 */
export class AccountReplay {
  balance: Decimal;
  /** False once an event had an unknown result. */
  isExact = true;
  /** Possible error of the results by prices rounded to ticks. */
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

  /** Sets a position to the venue's. */
  put(symbol: string, position: VenuePosition | undefined): void {
    if (position === undefined) this.#positions.delete(symbol);
    else this.#positions.set(symbol, position);
  }

  fill(instrument: Instrument, fill: Fill): Stepped {
    const { symbol, at } = fill;
    const fee = fill.feeCurrency === this.#state.currency ? fill.fee.toDecimal() : ZERO;
    const newId = (): number => this.#newId(symbol, at);
    const filled = positionAfterFill(this.#positions.get(symbol), instrument, fill, { fee, newId });
    const { reason, position, open, pnl, closedLots } = filled;
    this.balance = this.balance.minus(fee).plus(pnl);
    this.slack = this.slack.plus(instrument.size(closedLots as Lots).times(instrument.tickSize));
    this.put(symbol, open);
    return { reason, position };
  }

  /** Applies a payment that the state includes already, or `isNew`; returns its position. */
  carry({ symbol, positionId, carry, at }: PositionCarry, isNew: boolean): VenuePosition {
    const { amount } = carry;
    if (isNew) this.balance = this.balance.plus(amount);
    const held = this.#positions.get(symbol);
    const id = positionId ?? held?.id ?? UNKNOWN_ID;
    if (held === undefined || !isOf(held, id)) return emptyPosition(symbol, id, at);
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
    const before = held ?? { ...emptyPosition(symbol, id, at), realizedPnl: realizedPnl ?? ZERO, fees: fees ?? ZERO }; // prettier-ignore
    if (realizedPnl === undefined || fees === undefined) this.isExact &&= held === undefined;
    else {
      const result = realizedPnl.minus(before.realizedPnl).minus(fees.minus(before.fees));
      this.balance = this.balance.plus(result);
    }
    // The venue pays a deficit.
    if (this.balance.isNegative()) this.balance = ZERO;
    return {
      ...before,
      id,
      lots: 0,
      entryValue: ZERO,
      updatedAt: at,
      realizedPnl: realizedPnl ?? before.realizedPnl,
      fees: fees ?? before.fees,
    };
  }

  #newId(symbol: string, at: Micros): number {
    const id = this.#nextId(symbol, at, this.#used);
    this.#used.add(id);
    return id;
  }
}

/** True if a position may have this id. */
export const isOf = ({ id }: VenuePosition, other: number): boolean =>
  id === other || id === UNKNOWN_ID || other === UNKNOWN_ID;
