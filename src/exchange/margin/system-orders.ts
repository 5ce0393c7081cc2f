import { NONE, type OrderOpening } from '../orders/orders.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { Position } from '../positions/account.ts';
import { CROSSED, ISOLATED, REDUCE_ONLY } from '../positions/flags.ts';
import { beginOrder, runFollowUps } from '../stages/execute.ts';
import type { State } from '../state/state.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { priceOnGrid } from '../../rules/grid.ts';
import { positionUnknown } from '../../rules/margin/margin-setting.ts';
import { marginTermsRejection } from '../stages/margin-check.ts';

/**
 * Sends a reduce-only order for a whole position; 0 ticks for any price. `flags` are more of its
 * flags (flags.ts).
 */
export function sendReducing(
  state: State,
  position: Position,
  ticks: number,
  timeInForce: 'GTC' | 'IOC',
  flags: number,
): void {
  const { account, instrument } = position;
  const { trader, mode } = account.key;
  const at = state.now;
  const opening: OrderOpening = {
    account: trader,
    instrument,
    feeSchedule: state.fees.acquire(trader, instrument, {}),
    clientOrderId: systemName(state, trader),
    side: position.lots > 0 ? SELL : BUY,
    type: ticks === 0 ? 'market' : 'limit',
    timeInForce,
    postOnly: false,
    margin: (mode === 'cross' ? CROSSED : ISOLATED) | REDUCE_ONLY | flags,
    lots: position.size,
    ticks,
    expireAt: Number.POSITIVE_INFINITY,
    originalClientOrderId: undefined,
    filled: 0,
    createdAt: at,
    at,
  };
  beginOrder(state, state.index.open(opening));
  runFollowUps(state);
}

/** An unused client order id of the account. */
function systemName(state: State, account: number): string {
  let name: string;
  do {
    state.marginAccounts.systemOrders += 1;
    name = `system-${String(state.marginAccounts.systemOrders).padStart(8, '0')}`;
  } while (state.index.find(account, name) !== NONE);
  return name;
}

/** Which position to close, and how. */
export interface PositionExit {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Limit price of an order that rests until it is filled; a market order if absent. */
  readonly price?: Decimal;
  /** True rejects a price off its grid; else it is rounded to the nearest tick. */
  readonly strictValidate?: boolean;
}

/** Sends an order that closes a whole position. */
export function closePosition(
  state: State,
  trader: number,
  instrument: number,
  exit: PositionExit,
): Rejection | undefined {
  const { mode, price } = exit;
  const terms = state.instruments[instrument];
  const rejection =
    state.statuses.rejection(instrument) ??
    marginTermsRejection(state, trader, instrument, { mode });
  if (rejection !== undefined) return rejection;
  const position = state.marginAccounts.on(trader, instrument, mode)?.positions.get(instrument);
  if (position === undefined) return positionUnknown(terms.symbol);
  const grid = exit.strictValidate === true ? 'strict' : 'near';
  const ticks = price === undefined ? 0 : priceOnGrid(terms, price, grid);
  if (isRejection(ticks)) return ticks;
  sendReducing(state, position, ticks, ticks === 0 ? 'IOC' : 'GTC', 0);
  return undefined;
}
