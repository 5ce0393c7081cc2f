import { ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  marginPlaceOf,
  type MarginAccountPlace,
  type MarginAccountState,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';

/** A fill on margin that its account was not reported with. */
interface Unreported {
  readonly instrument: Instrument;
  readonly fill: Fill;
}

/**
 * Fills on margin of which the account was not reported yet: that comes after the fill, and an order that
 * answers the fill must find its position counted. The report of an account has all fills before it.
 */
export class UnreportedFills {
  readonly #fills = new Map<string, Unreported[]>();

  fill(instrument: Instrument, mode: MarginMode, fill: Fill): void {
    const key = marginAccountKey(marginPlaceOf(instrument, mode));
    const fills = this.#fills.get(key);
    if (fills === undefined) this.#fills.set(key, [{ instrument, fill }]);
    else fills.push({ instrument, fill });
  }

  reported(account: MarginAccountState): void {
    this.#fills.delete(marginAccountKey(account));
  }

  /** True while an account has fills that it was not reported with. */
  has(place: MarginAccountPlace): boolean {
    return this.#fills.has(marginAccountKey(place));
  }

  /** Accounts are known with all fills until a time: of what was missed no report comes. */
  known(at: Micros): void {
    for (const [key, fills] of this.#fills) {
      const later = fills.filter(({ fill }) => fill.at > at);
      if (later.length === 0) this.#fills.delete(key);
      else this.#fills.set(key, later);
    }
  }

  /** An account with its positions as the fills leave them; its balance is as reported. */
  counted(account: MarginAccountState): MarginAccountState {
    const fills = this.#fills.get(marginAccountKey(account)) ?? [];
    return fills.reduce((state, { instrument, fill }) => {
      const { symbol } = instrument;
      const held = state.positions.find((one) => one.symbol === symbol);
      const after = positionAfter(held, instrument, fill);
      const others = state.positions.filter((one) => one !== held);
      return { ...state, positions: after === undefined ? others : [...others, after] };
    }, account);
  }
}

/** A position after a fill, `undefined` where nothing is left; its prices of call and liquidation are not known. */
function positionAfter(
  held: VenuePosition | undefined,
  instrument: Instrument,
  { side, lots, ticks, at }: Fill,
): VenuePosition | undefined {
  const before = held?.lots ?? 0;
  const after = before + (side === 'buy' ? 1 : -1) * lots;
  if (after === 0) return undefined;
  const {
    marginCallPrice: _call,
    liquidationPrice: _liquidation,
    ...rest
  } = held ?? newPosition(instrument, at);
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

/** A position without lots; its id is the venue's to give. */
const newPosition = ({ symbol }: Instrument, at: Micros): VenuePosition => ({
  id: 0,
  symbol,
  lots: 0,
  entryPrice: ZERO,
  entryValue: ZERO,
  realizedPnl: ZERO,
  fees: ZERO,
  carry: ZERO,
  createdAt: at,
  updatedAt: at,
});
