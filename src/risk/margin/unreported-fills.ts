import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountId,
  type MarginAccountState,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { emptyPosition } from '../../rules/margin/position-fill.ts';

/** A margin fill without a report of its account. */
interface Unreported {
  readonly instrument: Instrument;
  readonly fill: Fill;
}

/**
 * Margin fills without a report of their account yet: it comes after the fill, and an order that
 * answers the fill must find its position counted. The report of an account includes all fills
 * before it.
 */
export class UnreportedFills {
  readonly #fills = new Map<string, Unreported[]>();

  fill(instrument: Instrument, mode: MarginMode, fill: Fill): void {
    const key = marginAccountKey(marginAccountId(instrument, mode));
    const fills = this.#fills.get(key);
    if (fills === undefined) this.#fills.set(key, [{ instrument, fill }]);
    else fills.push({ instrument, fill });
  }

  reported(account: MarginAccountState): void {
    this.#fills.delete(marginAccountKey(account));
  }

  /** True while an account has unreported fills. */
  has(marginAccount: MarginAccountId): boolean {
    return this.#fills.has(marginAccountKey(marginAccount));
  }

  /**
   * Drops the fills until a time, when accounts are known with all of them: missed ones get no
   * report.
   */
  known(at: Micros): void {
    for (const [key, fills] of this.#fills) {
      const later = fills.filter(({ fill }) => fill.at > at);
      if (later.length === 0) this.#fills.delete(key);
      else this.#fills.set(key, later);
    }
  }

  /** An account with its positions after the fills; its balance is as reported. */
  counted(account: MarginAccountState): MarginAccountState {
    const fills = this.#fills.get(marginAccountKey(account)) ?? [];
    return fills.reduce((state, { instrument, fill }) => {
      const { symbol } = instrument;
      const position = state.positions.find((one) => one.symbol === symbol);
      const after = positionAfter(position, instrument, fill);
      const others = state.positions.filter((one) => one !== position);
      return { ...state, positions: after === undefined ? others : [...others, after] };
    }, account);
  }
}

/**
 * A position after a fill, `undefined` if nothing is left; its margin-call and liquidation prices
 * are unknown.
 */
function positionAfter(
  position: VenuePosition | undefined,
  instrument: Instrument,
  { side, lots, ticks, at }: Fill,
): VenuePosition | undefined {
  const before = position?.lots ?? 0;
  const after = before + (side === 'buy' ? 1 : -1) * lots;
  if (after === 0) return undefined;
  // The id of a new one is the venue's to give.
  const {
    marginCallPrice: _call,
    liquidationPrice: _liquidation,
    ...rest
  } = position ?? emptyPosition(instrument.symbol, 0, at);
  const price = instrument.price(ticks);
  // What is left of a position keeps its entry price; what is opened has that of the fill.
  const isSameWay = Math.sign(after) === Math.sign(before);
  const opened = isSameWay ? Math.max(0, Math.abs(after) - Math.abs(before)) : Math.abs(after);
  const kept = Math.abs(after) - opened;
  const entryPrice = isSameWay ? rest.entryPrice : price;
  const keptValue =
    kept === Math.abs(before) ? rest.entryValue : entryPrice.times(instrument.size(kept as Lots));
  return {
    ...rest,
    lots: after,
    entryPrice,
    entryValue: keptValue.plus(price.times(instrument.size(opened as Lots))),
    updatedAt: at,
  };
}
