import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  marginPlaceOf,
  type MarginAccountState,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Order } from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';
import { unrealisedPnl, type PositionValue } from '../../rules/margin/position-value.ts';
import type { MarginView, RiskView } from '../view.ts';

/** Where something is traded on margin, and what is held there. */
export interface RiskPlace {
  readonly instrument: Instrument;
  readonly mode: MarginMode;
  /** Absent where there is none, or none is known. */
  readonly account: MarginAccountState | undefined;
  /** Absent where nothing is held. */
  readonly held: VenuePosition | undefined;
  /** What is held, negative for a short. */
  readonly size: Decimal;
  /** The price that it is judged by; absent while it is unknown. */
  readonly mark: Decimal | undefined;
}

/** True for an order that can only make a position smaller. */
export const isReducing = ({ margin }: Pick<Order, 'margin'>): boolean =>
  margin?.reduceOnly === true || margin?.closePosition === true;

export const isAt = ({ symbol, margin }: Order, { instrument, mode }: RiskPlace): boolean =>
  margin?.mode === mode && symbol === instrument.symbol;

/** What knows instruments and margin accounts. */
type PlaceView = Pick<RiskView, 'instrument' | 'margin'>;

export function placeOf(view: PlaceView, symbol: string, mode: MarginMode): RiskPlace {
  const instrument = view.instrument(symbol);
  const found = view.margin?.find(instrument, mode);
  const account = found?.isOpen === true ? found : undefined;
  const held = account?.positions.find((position) => position.symbol === symbol);
  return {
    instrument,
    mode,
    account,
    held,
    size: held === undefined ? ZERO : sizeOf(instrument, held),
    mark: view.margin?.markPrice(symbol),
  };
}

/** The places of orders, each once, in the order of the orders. */
export function placesOf(orders: readonly Order[], view: RiskView): readonly RiskPlace[] {
  const places = new Map<string, RiskPlace>();
  for (const { symbol, margin } of orders) {
    if (margin === undefined) continue;
    const key = keyOf(symbol, margin.mode);
    if (!places.has(key)) places.set(key, placeOf(view, symbol, margin.mode));
  }
  return [...places.values()];
}

/** The places of an account that have a position or one of these orders. */
export function placesIn(
  account: MarginAccountState,
  orders: readonly Order[],
  view: PlaceView,
): readonly RiskPlace[] {
  const symbols = new Set(
    [...account.positions, ...ordersOf(account, orders, view)].map(({ symbol }) => symbol),
  );
  return [...symbols].map((symbol) => placeOf(view, symbol, account.mode));
}

/** Those of the orders that an account bears. */
export const ordersOf = (
  account: MarginAccountState,
  orders: readonly Order[],
  view: PlaceView,
): readonly Order[] =>
  orders.filter(
    ({ symbol, margin }) =>
      margin?.mode === account.mode && bears(account, view.instrument(symbol)),
  );

/** All places that have a position or one of these orders. */
export function allPlaces(orders: readonly Order[], view: RiskView): readonly RiskPlace[] {
  const places = new Map(
    placesOf(orders, view).map((place) => [keyOf(place.instrument.symbol, place.mode), place]),
  );
  for (const { mode, positions } of view.margin?.accounts ?? []) {
    for (const { symbol } of positions) {
      const key = keyOf(symbol, mode);
      if (!places.has(key)) places.set(key, placeOf(view, symbol, mode));
    }
  }
  return [...places.values()];
}

/** What is held of a position, and what it cost or brought. */
export const positionValue = (instrument: Instrument, held: VenuePosition): PositionValue => ({
  quantity: sizeOf(instrument, held),
  value: held.entryValue,
});

/**
 * Funds of an account and the results of its positions; `undefined` while a mark price or an instrument
 * is unknown.
 */
export function accountEquity(
  { balance, positions }: MarginAccountState,
  margin: Pick<MarginView, 'markPrice'>,
  instrumentOf: (symbol: string) => Instrument | undefined,
): Decimal | undefined {
  let equity = balance;
  for (const held of positions) {
    const mark = margin.markPrice(held.symbol);
    const instrument = instrumentOf(held.symbol);
    if (mark === undefined || instrument === undefined) return undefined;
    equity = equity.plus(unrealisedPnl(positionValue(instrument, held), mark));
  }
  return equity;
}

/** True for the account that bears what is traded of an instrument on its margin. */
const bears = (account: MarginAccountState, instrument: Instrument): boolean =>
  marginAccountKey(account) === marginAccountKey(marginPlaceOf(instrument, account.mode));

const sizeOf = (instrument: Instrument, { lots }: VenuePosition): Decimal =>
  instrument.size(lots as Lots);

const keyOf = (symbol: string, mode: MarginMode): string => `${mode} ${symbol}`;
