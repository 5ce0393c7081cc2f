import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountState,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Order } from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';
import { unrealizedPnl, type PositionValue } from '../../rules/margin/position-value.ts';
import type { MarginView, RiskView } from '../view.ts';

/** A market on margin, and its position. */
export interface RiskPosition {
  readonly instrument: Instrument;
  readonly mode: MarginMode;
  /** Absent if there is no known account. */
  readonly account: MarginAccountState | undefined;
  /** Absent if nothing is held. */
  readonly held: VenuePosition | undefined;
  /** Size of the position, negative for a short. */
  readonly size: Decimal;
  /** Price that it is checked by; absent while unknown. */
  readonly mark: Decimal | undefined;
}

/** True for an order that can only reduce a position. */
export const isReducing = ({ margin }: Pick<Order, 'margin'>): boolean =>
  margin?.reduceOnly === true || margin?.closePosition === true;

export const isAt = ({ symbol, margin }: Order, { instrument, mode }: RiskPosition): boolean =>
  margin?.mode === mode && symbol === instrument.symbol;

/** Instruments and margin accounts. */
type PositionView = Pick<RiskView, 'instrument' | 'margin'>;

export function riskPosition(view: PositionView, symbol: string, mode: MarginMode): RiskPosition {
  const instrument = view.instrument(symbol);
  const found = view.margin?.find(instrument, mode);
  const account = found?.isOpen === true ? found : undefined;
  const heldPosition = account?.positions.find((position) => position.symbol === symbol);
  return {
    instrument,
    mode,
    account,
    held: heldPosition,
    size: heldPosition === undefined ? ZERO : sizeOf(instrument, heldPosition),
    mark: view.margin?.markPrice(symbol),
  };
}

/** Positions of orders, each once, in the order of the orders. */
export function riskPositions(orders: readonly Order[], view: RiskView): readonly RiskPosition[] {
  const positions = new Map<string, RiskPosition>();
  for (const { symbol, margin } of orders) {
    if (margin === undefined) continue;
    const key = keyOf(symbol, margin.mode);
    if (!positions.has(key)) positions.set(key, riskPosition(view, symbol, margin.mode));
  }
  return [...positions.values()];
}

/** Positions of an account that are open or have one of these orders. */
export function riskPositionsIn(
  account: MarginAccountState,
  orders: readonly Order[],
  view: PositionView,
): readonly RiskPosition[] {
  const symbols = new Set(
    [...account.positions, ...accountOrders(account, orders, view)].map(({ symbol }) => symbol),
  );
  return [...symbols].map((symbol) => riskPosition(view, symbol, account.mode));
}

/** The orders of a margin account among these. */
export const accountOrders = (
  account: MarginAccountState,
  orders: readonly Order[],
  view: PositionView,
): readonly Order[] =>
  orders.filter(
    ({ symbol, margin }) =>
      margin?.mode === account.mode && isAccountOf(account, view.instrument(symbol)),
  );

/** All positions that are open or have one of these orders. */
export function allRiskPositions(
  orders: readonly Order[],
  view: RiskView,
): readonly RiskPosition[] {
  const found = new Map(
    riskPositions(orders, view).map((position) => [
      keyOf(position.instrument.symbol, position.mode),
      position,
    ]),
  );
  for (const { mode, positions } of view.margin?.accounts ?? []) {
    for (const { symbol } of positions) {
      const key = keyOf(symbol, mode);
      if (!found.has(key)) found.set(key, riskPosition(view, symbol, mode));
    }
  }
  return [...found.values()];
}

/** A position's quantity and entry value. */
export const positionValue = (instrument: Instrument, position: VenuePosition): PositionValue => ({
  quantity: sizeOf(instrument, position),
  value: position.entryValue,
});

/**
 * Funds of an account and the PnL of its positions; `undefined` while a mark price or an instrument
 * is unknown.
 */
export function accountEquity(
  { balance, positions }: MarginAccountState,
  margin: Pick<MarginView, 'markPrice'>,
  instrumentOf: (symbol: string) => Instrument | undefined,
): Decimal | undefined {
  let equity = balance;
  for (const position of positions) {
    const mark = margin.markPrice(position.symbol);
    const instrument = instrumentOf(position.symbol);
    if (mark === undefined || instrument === undefined) return undefined;
    equity = equity.plus(unrealizedPnl(positionValue(instrument, position), mark));
  }
  return equity;
}

/** True for the account of an instrument in its mode. */
const isAccountOf = (account: MarginAccountState, instrument: Instrument): boolean =>
  marginAccountKey(account) === marginAccountKey(marginAccountId(instrument, account.mode));

const sizeOf = (instrument: Instrument, { lots }: VenuePosition): Decimal =>
  instrument.size(lots as Lots);

const keyOf = (symbol: string, mode: MarginMode): string => `${mode} ${symbol}`;
