import { Decimal } from '../model/decimal.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import { ownMembers } from '../model/members.ts';
import type { Refusal } from '../model/refusals.ts';
import type { Micros } from '../platform/time.ts';
import { taking } from './arguments.ts';
import type { SetMargin } from './commands.ts';
import type { Position } from './context.ts';
import { saying } from './saying.ts';
import { placedAt, type MarginSymbol } from './where.ts';

/** A position on margin as it stands at one moment. `lots` and `size` are negative for a short. */
export interface MarginPosition extends Position {
  readonly margin: MarginMode;
  readonly side: 'long' | 'short' | 'none';
  /** Absent without a position, as all that follows from one. */
  readonly entryPrice?: Decimal | undefined;
  /** What the position is judged by: of spot the index, of a contract the mark price. Absent while unknown. */
  readonly markPrice?: Decimal | undefined;
  /** What it is worth at that price, positive either way. */
  readonly notional?: Decimal | undefined;
  /** Its result at that price, fees apart. */
  readonly unrealizedPnl?: Decimal | undefined;
  /** Results of its closed lots, before fees. */
  readonly realizedPnl: Decimal;
  readonly fees: Decimal;
  /** Funding and interest since it was opened; negative where it paid more than it received. */
  readonly carry: Decimal;
  readonly marginCallPrice?: Decimal | undefined;
  readonly liquidationPrice?: Decimal | undefined;
  /** How far the mark price is from the liquidation, as a fraction of the mark price; not rounded. */
  readonly distance?: number | undefined;
}

/** `none` before it is opened, and once it is closed. */
export type MarginState = 'none' | 'normal' | 'marginCall';

/** A margin account: the one of a symbol, or the one that all symbols of a currency share. */
export interface MarginAccount {
  readonly mode: MarginMode;
  readonly state: MarginState;
  /** Currency of its funds. */
  readonly currency: string;
  /** Funds, results of closed positions included and of open ones not. */
  readonly balance: Decimal;
  /** Held for active orders and for open positions, as of its last report. */
  readonly reservedOrders: Decimal;
  readonly reservedPositions: Decimal;
  /** What is neither held nor lost so far; 0 at least. */
  readonly available: Decimal;
  /** The balance with the results of open positions at their mark prices; absent while one is unknown. */
  readonly equity?: Decimal | undefined;
  /** The most that its positions may have when they are opened; absent where each symbol's own limit holds. */
  readonly leverage?: Decimal | undefined;
  /** What its positions are worth over its equity, to 4 decimals, half up; absent where that is not known. */
  readonly effectiveLeverage?: Decimal | undefined;
}

interface MarginEventBase {
  readonly at: Micros;
  readonly mode: MarginMode;
  /** Of the position, or of the isolated account; absent for what concerns a cross account as a whole. */
  readonly symbol?: string | undefined;
}

/** What happens to margin accounts without an order of the strategy, and what its requests come to. */
export type MarginEvent = MarginEventBase &
  (
    | {
        /** Positive where the position received. */
        readonly kind: 'funding' | 'interest';
        readonly amount: Decimal;
        readonly price: Decimal;
        readonly rate: Decimal;
      }
    | { readonly kind: 'marginCall' | 'recovered' }
    | {
        /** A position was closed by the venue, in part or whole; `lots` is what is left of it. */
        readonly kind: 'liquidated' | 'deleveraged' | 'settled';
        readonly lots: number;
      }
    | { readonly kind: 'marginChanged'; readonly balance: Decimal }
    | { readonly kind: 'leverageChanged'; readonly leverage: Decimal | undefined }
    | { readonly kind: 'rejected'; readonly refusal: Refusal }
  );

/** What a margin account is to have. */
export interface MarginSetting {
  /** Funds that it has then, in its settlement currency: `amount('500')`. 0 closes it. */
  readonly balance?: Decimal;
  /** From 1 to what the symbol allows, with at most 2 decimals. */
  readonly leverage?: Decimal | number;
}

function marginOf(where: MarginSymbol, setting: MarginSetting): SetMargin {
  const { leverage } = Object(setting) as MarginSetting;
  const exact = typeof leverage === 'number' ? { leverage: new Decimal(leverage) } : {};
  return Object.freeze(
    saying(
      { kind: 'setMargin', ...placedAt(where) },
      { ...ownMembers(Object(setting) as object), ...exact },
    ),
  ) as SetMargin;
}

/**
 * Brings a margin account to a balance, from the spot balance and back to it, and to a leverage. Both are
 * absolute, so that saying it again changes nothing; what is left out stays as it is. `account.margin`
 * shows the account once the venue has confirmed it, and `account.marginEvents` what was rejected.
 *
 *     setMargin(isolated('BTCUSDT'), { balance: amount('500'), leverage: 5 })
 */
export const setMargin = taking('setMargin(where, setting)', marginOf);

/** Sets the leverage of an isolated margin account: the most that its position may have when it is opened. */
export const setLeverage = taking(
  'setLeverage(where, leverage)',
  (where: MarginSymbol<'isolated'>, leverage: Decimal | number): SetMargin =>
    setMargin(where, { leverage }),
);
