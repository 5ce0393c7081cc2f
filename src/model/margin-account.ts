import type { Micros } from '../platform/time.ts';
import { ZERO, type Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { MarginMode } from './margin-terms.ts';
import type { MarginRequest } from './order-request.ts';
import type { Side } from './order.ts';
import type { Rejection } from './rejections.ts';
import type { Lots, Ticks } from './units.ts';

/** Reasons of margin account reports, as the trading service names them. */
export type MarginReason =
  | 'created'
  | 'reopened'
  | 'marginChanged'
  | 'openTrade'
  | 'closeTrade'
  | 'flipTrade'
  | 'closed'
  | 'liquidated'
  | 'interestTaken'
  | 'updated';

/** A position at a venue, open or just ended with 0 lots. */
export interface VenuePosition {
  /** Issued by the venue; a flip opens a new position with a new id. */
  readonly id: number;
  readonly symbol: string;
  /** Negative for a short. */
  readonly lots: number;
  /** At the tick size, half up; the last one of an ended position. */
  readonly entryPrice: Decimal;
  /**
   * Entry value of the open lots, positive for both sides: exact, or lots × entry price if the
   * venue sends no more.
   */
  readonly entryValue: Decimal;
  /** PnL of closed lots, before fees. */
  readonly realizedPnl: Decimal;
  readonly fees: Decimal;
  /** Funding received less funding and interest paid. */
  readonly carry: Decimal;
  /** Absent if no price triggers it. */
  readonly marginCallPrice?: Decimal | undefined;
  readonly liquidationPrice?: Decimal | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** Funding or interest that an open position paid or received. */
export interface MarginCarry {
  readonly kind: 'interest' | 'funding';
  /** Negative if it paid. */
  readonly amount: Decimal;
  /**
   * Valuation price: the index of a spot symbol, the mark price of a contract; absent if the venue
   * does not send it.
   */
  readonly price?: Decimal | undefined;
  /** Daily for interest, per period for funding; absent if the venue does not send it. */
  readonly rate?: Decimal | undefined;
}

/** Same as `MarginCarry` with all members known. */
export type FullCarry = Required<MarginCarry> & {
  readonly price: Decimal;
  readonly rate: Decimal;
};

/** How a position ends: closed by trades, flipped, liquidated, deleveraged, or settled. */
export type PositionEnd = 'closed' | 'flipped' | 'liquidated' | 'deleveraged' | 'settled';

/** A margin account at one moment, with all of its open positions. */
export interface MarginAccountState {
  readonly mode: MarginMode;
  /** False once it is closed. */
  readonly isOpen: boolean;
  /** True for futures, whose funds come from the derivatives balance. */
  readonly isContract: boolean;
  /** Symbol of an isolated account. */
  readonly symbol?: string | undefined;
  /** Currency of its funds. */
  readonly currency: string;
  /** Absent if every symbol has its maximum. */
  readonly leverage?: Decimal | undefined;
  /** Funds with the PnL of closed positions, without that of open ones. */
  readonly balance: Decimal;
  /** Held for active orders. */
  readonly reservedOrders: Decimal;
  /** Held for open positions. */
  readonly reservedPositions: Decimal;
  /**
   * True while its effective leverage is at the margin call's or above. Absent if the venue does
   * not send it; then it follows from margin call and mark prices of its positions.
   */
  readonly isCalled?: boolean | undefined;
  readonly positions: readonly VenuePosition[];
}

/** A change of a margin account. */
export interface MarginAccountReport {
  readonly kind: 'marginAccount';
  readonly at: Micros;
  readonly reason: MarginReason;
  /** State after the change; without funds and positions once it is closed. */
  readonly account: MarginAccountState;
  /** The position that changed, if it is about one. */
  readonly position?: VenuePosition | undefined;
  /** How that position ended, if it has; or why it was reduced without an order of its holder. */
  readonly end?: PositionEnd | undefined;
  readonly carry?: MarginCarry | undefined;
  /**
   * A trade without an order of the account's holder: a liquidation, deleveraging or settlement.
   */
  readonly forced?: ForcedTrade | undefined;
  /**
   * A deficit that others paid, the insurance fund first: positive; the account is at 0. Absent if
   * the venue does not send it.
   */
  readonly covered?: Decimal | undefined;
  /**
   * Funds that a setting moved to a part of a shared account; for other accounts it follows from
   * the rest.
   */
  readonly moved?: Decimal | undefined;
  /** True if reconciliation found it, as it happened while the venue was disconnected. */
  readonly missed?: true | undefined;
  /** True if another client changed the position or the funds. */
  readonly byOthers?: true | undefined;
}

/** Key of a margin account at its venue. */
export type MarginAccountId = Pick<
  MarginAccountState,
  'mode' | 'symbol' | 'isContract' | 'currency'
>;

/** Id of an account, without its state. */
export const accountIdOf = (account: MarginAccountId): MarginAccountId => {
  const { mode, symbol, isContract, currency } = account;
  return { mode, symbol, isContract, currency };
};

/** An account without funds and positions, as one that is closed. */
export const emptyAccount = (id: MarginAccountId): MarginAccountState => ({
  ...accountIdOf(id),
  isOpen: false,
  balance: ZERO,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  positions: [],
});

/**
 * A unique name of a margin account at its venue: an isolated account belongs to a symbol, a cross
 * account to a currency, and futures have their own.
 */
export const marginAccountKey = ({ mode, symbol, isContract, currency }: MarginAccountId): string =>
  mode === 'isolated'
    ? `isolated ${symbol ?? ''}`
    : `cross ${isContract ? 'futures' : 'spot'} ${currency}`;

/** The margin account for trades of an instrument in a mode. */
export const marginAccountId = (
  { symbol, isContract, quoteCurrency }: Instrument,
  mode: MarginMode,
): MarginAccountId => ({
  mode,
  isContract,
  currency: quoteCurrency,
  symbol: mode === 'isolated' ? symbol : undefined,
});

/** True for a report that a setting of the account caused, not a trade or a payment. */
export const isSetting = ({ reason, position }: MarginAccountReport): boolean =>
  reason === 'created' ||
  reason === 'reopened' ||
  reason === 'marginChanged' ||
  (reason === 'closed' && position === undefined);

/**
 * Funds that a report moved into its account from other balances of its holder, negative for funds
 * that moved back: the change of its funds without the PnL of positions whose reports were missed.
 */
export function movedToMargin(
  report: MarginAccountReport,
  before: MarginAccountState | undefined,
): Decimal {
  if (!isSetting(report)) return ZERO;
  const { account, moved } = report;
  if (moved !== undefined) return moved;
  const results = account.positions.reduce((sum, position) => {
    const known = before?.positions.find(({ id }) => id === position.id);
    // A position without a change may only be known better now.
    if (known?.updatedAt === position.updatedAt && known.lots === position.lots) return sum;
    return sum.plus(resultOf(position)).minus(known === undefined ? ZERO : resultOf(known));
  }, ZERO);
  return account.balance.minus(before?.balance ?? ZERO).minus(results);
}

/** Change of an account's funds by a position. */
export const resultOf = ({
  realizedPnl,
  fees,
  carry,
}: Pick<VenuePosition, 'realizedPnl' | 'fees' | 'carry'>): Decimal =>
  realizedPnl.minus(fees).plus(carry);

/** A trade of a position without an order of its holder. */
export interface ForcedTrade {
  /** Trade id; 0 for a settlement without a trade, absent if the venue does not send it. */
  readonly id?: number | undefined;
  /** Client order id of the venue's own order, if the venue sends one. */
  readonly clientOrderId?: string | undefined;
  readonly side: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** In the account's currency, with the force close fee. */
  readonly fee: Decimal;
}

/** A rejected request for a margin account. */
export interface MarginRejectReport {
  readonly kind: 'marginRejected';
  readonly at: Micros;
  readonly symbol: string;
  readonly mode: MarginMode;
  readonly rejection: Rejection;
  /** The request, if it was never sent; sent ones are answered in the order of requests. */
  readonly request?: MarginRequest | undefined;
}

/** Margin reports of a venue, in order. */
export type MarginReport = MarginAccountReport | MarginRejectReport;
