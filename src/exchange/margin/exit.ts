import type { Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { priceOnGrid } from '../../rules/grid.ts';
import { positionUnknown } from '../../rules/margin/margin-setting.ts';
import { marginTermsRefusal } from '../stages/margin-check.ts';
import type { State } from '../state/state.ts';
import { sendReducing } from './system-orders.ts';

/** Which position is to be closed, and how. */
export interface PositionExit {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Limit price of an order that stays until it is filled; at the market where absent. */
  readonly price?: Decimal;
  /** True refuses a price off its grid; else it is brought to the nearest tick. */
  readonly strictValidate?: boolean;
}

/** Sends an order that reduces a position by all that it has. */
export function closePosition(
  state: State,
  trader: number,
  instrument: number,
  exit: PositionExit,
): Refusal | undefined {
  const { mode, price } = exit;
  const terms = state.instruments[instrument];
  const refusal =
    state.statuses.refusal(instrument) ?? marginTermsRefusal(state, trader, instrument, { mode });
  if (refusal !== undefined) return refusal;
  const position = state.marginAccounts.on(trader, instrument, mode)?.positions.get(instrument);
  if (position === undefined) return positionUnknown(terms.symbol);
  const grid = exit.strictValidate === true ? 'strict' : 'lenient';
  const ticks = price === undefined ? 0 : priceOnGrid(terms, price, grid);
  if (isRefusal(ticks)) return ticks;
  sendReducing(state, position, ticks, ticks === 0 ? 'IOC' : 'GTC', 0);
  return undefined;
}
