import type { Micros } from '../platform/time.ts';
import { ZERO, type Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { MarginMode } from './margin-terms.ts';
import type { MarginRequest } from './order-request.ts';
import type { Side } from './order.ts';
import type { Rejection } from './rejections.ts';
import type { Lots, Ticks } from './units.ts';

/** Why a margin account is reported, in the words of the trading service. */
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

/** An open position as a venue shows it, or one that has just ended: its lots are 0 then. */
export interface VenuePosition {
  /** Given by the venue; a position that turns around gets a new one. */
  readonly id: number;
  readonly symbol: string;
  /** Negative for a short. */
  readonly lots: number;
  /** At the tick size, half up; of an ended position the last one. */
  readonly entryPrice: Decimal;
  /**
   * What the open lots cost or brought, positive either way: exact, or lots × entry price where the venue
   * gives no more.
   */
  readonly entryValue: Decimal;
  /** Results of closed lots, before fees. */
  readonly realizedPnl: Decimal;
  readonly fees: Decimal;
  /** Funding received less funding and interest paid. */
  readonly carry: Decimal;
  /** Absent where no price brings it about. */
  readonly marginCallPrice?: Decimal | undefined;
  readonly liquidationPrice?: Decimal | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** What an open position paid or received while it was held. */
export interface MarginCarry {
  readonly kind: 'interest' | 'funding';
  /** Negative where it paid. */
  readonly amount: Decimal;
  /**
   * By which it was valued: the index of a spot symbol, the mark price of a contract; absent where the
   * venue does not give it.
   */
  readonly price?: Decimal | undefined;
  /** Of interest a day's, of funding a period's; absent where the venue does not give it. */
  readonly rate?: Decimal | undefined;
}

/** The same where all of it is known. */
export type FullCarry = Required<MarginCarry> & {
  readonly price: Decimal;
  readonly rate: Decimal;
};

/** How a position ends: traded away, turned around, liquidated, taken from its holder, or settled. */
export type PositionEnd = 'closed' | 'flipped' | 'liquidated' | 'deleveraged' | 'settled';

/** A margin account at one moment, with all of its open positions. */
export interface MarginAccountState {
  readonly mode: MarginMode;
  /** False once it is closed. */
  readonly isOpen: boolean;
  /** True for futures, whose funds come from the derivatives balance. */
  readonly isContract: boolean;
  /** Of an isolated account its symbol. */
  readonly symbol?: string | undefined;
  /** Currency of its funds. */
  readonly currency: string;
  /** Absent where every symbol has the most that it allows. */
  readonly leverage?: Decimal | undefined;
  /** Funds, results of closed positions included and of open ones not. */
  readonly balance: Decimal;
  /** Held for active orders. */
  readonly reservedOrders: Decimal;
  /** Held for open positions. */
  readonly reservedPositions: Decimal;
  /**
   * True while its effective leverage is at the margin call's or above; absent where the venue does not
   * say; then the margin-call prices of its positions against the mark price do.
   */
  readonly isCalled?: boolean | undefined;
  readonly positions: readonly VenuePosition[];
}

/** Something happened to a margin account. */
export interface MarginAccountReport {
  readonly kind: 'marginAccount';
  readonly at: Micros;
  readonly reason: MarginReason;
  /** As it stands then; without funds and positions once it is closed. */
  readonly account: MarginAccountState;
  /** The position that it is about, where it is about one. */
  readonly position?: VenuePosition | undefined;
  /** How that position ended, where it has; and why it became smaller without an order of its holder. */
  readonly end?: PositionEnd | undefined;
  readonly carry?: MarginCarry | undefined;
  /** A trade that no order of the account's holder made: of a liquidation, deleveraging or settlement. */
  readonly forced?: ForcedTrade | undefined;
  /**
   * What the account lacked and others paid, the insurance fund first: positive; its funds are now 0.
   * Absent where the venue does not say.
   */
  readonly covered?: Decimal | undefined;
  /** What a setting brought to a part of a shared account; of any other account it follows from the rest. */
  readonly moved?: Decimal | undefined;
  /** True where reconciliation found it, as it happened while the venue was disconnected. */
  readonly missed?: true | undefined;
  /** True where the position or the funds were changed by somebody else. */
  readonly byOthers?: true | undefined;
}

/** The place of a margin account at its venue. */
export type MarginAccountPlace = Pick<
  MarginAccountState,
  'mode' | 'symbol' | 'isContract' | 'currency'
>;

/** The place of an account alone. */
export const placeOf = (account: MarginAccountPlace): MarginAccountPlace => {
  const { mode, symbol, isContract, currency } = account;
  return { mode, symbol, isContract, currency };
};

/** An account without funds and positions, as one that is closed. */
export const emptyAccount = (place: MarginAccountPlace): MarginAccountState => ({
  ...placeOf(place),
  isOpen: false,
  balance: ZERO,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  positions: [],
});

/**
 * A name of a margin account that no other of its venue has: an isolated account is one symbol's, a cross
 * account that of a currency, and futures have their own.
 */
export const marginAccountKey = ({
  mode,
  symbol,
  isContract,
  currency,
}: MarginAccountPlace): string =>
  mode === 'isolated'
    ? `isolated ${symbol ?? ''}`
    : `cross ${isContract ? 'futures' : 'spot'} ${currency}`;

/** The place of the margin account that bears what is traded of an instrument on a margin. */
export const marginPlaceOf = (
  { symbol, isContract, quoteCurrency }: Instrument,
  mode: MarginMode,
): MarginAccountPlace => ({
  mode,
  isContract,
  currency: quoteCurrency,
  symbol: mode === 'isolated' ? symbol : undefined,
});

/** True for a report that a setting of the account brings about, and no trade and no payment. */
export const isSetting = ({ reason, position }: MarginAccountReport): boolean =>
  reason === 'created' ||
  reason === 'reopened' ||
  reason === 'marginChanged' ||
  (reason === 'closed' && position === undefined);

/**
 * What a report says was brought to its account from the balances of its holder, negative where it went back:
 * what a setting changed of its funds but for results of positions, whose reports were missed.
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
    // Of what nothing has happened to, only more is known now than before.
    if (known?.updatedAt === position.updatedAt && known.lots === position.lots) return sum;
    return sum.plus(resultOf(position)).minus(known === undefined ? ZERO : resultOf(known));
  }, ZERO);
  return account.balance.minus(before?.balance ?? ZERO).minus(results);
}

/** What a position has changed of the funds of its account. */
export const resultOf = ({
  realizedPnl,
  fees,
  carry,
}: Pick<VenuePosition, 'realizedPnl' | 'fees' | 'carry'>): Decimal =>
  realizedPnl.minus(fees).plus(carry);

/** What the venue traded of a position without an order of its holder. */
export interface ForcedTrade {
  /** The trade's id; 0 for a settlement without a trade, absent where the venue does not give it. */
  readonly id?: number | undefined;
  /** The venue's own order, where there was one and its id is given. */
  readonly clientOrderId?: string | undefined;
  readonly side: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** In the account's currency, the force close fee included. */
  readonly fee: Decimal;
}

/** A request for a margin account that came to nothing. */
export interface MarginRejectReport {
  readonly kind: 'marginRejected';
  readonly at: Micros;
  readonly symbol: string;
  readonly mode: MarginMode;
  readonly rejection: Rejection;
  /** What was asked for, where it never left; what has left is answered in the order in which it was asked. */
  readonly request?: MarginRequest | undefined;
}

/** All that a venue says about margin accounts, in the order in which it happened. */
export type MarginReport = MarginAccountReport | MarginRejectReport;
