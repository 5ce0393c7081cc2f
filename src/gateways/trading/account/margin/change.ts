import { Decimal, ZERO } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type {
  ForcedTrade,
  MarginAccountReport,
  MarginAccountState,
  MarginReason,
  PositionEnd,
  VenuePosition,
} from '../../../../model/margin-account.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { Side } from '../../../../model/order.ts';
import {
  lots as asLots,
  ticks as asTicks,
  type Lots,
  type Ticks,
} from '../../../../model/units.ts';
import type { Micros } from '../../../../platform/time.ts';
import { costShare } from '../../../../rules/margin/cost-share.ts';

/** A reported trade of a margin order, whose account is reported after it. */
export interface MarginTrade {
  readonly instrument: Instrument;
  readonly mode: MarginMode;
  readonly side: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly fee: Decimal;
  /** The position of its PnL and fee; absent if the service does not report it. */
  readonly positionId: number | undefined;
  /**
   * True for a trade of an order of this process, or possibly of one: it was active before the connection
   * began.
   */
  readonly isOwn: boolean;
}

/** An account before and after an event, and the known facts about it. */
export interface AccountChange {
  readonly reason: MarginReason;
  readonly at: Micros;
  /** Absent if the account was unknown. */
  readonly before: MarginAccountState | undefined;
  readonly after: MarginAccountState;
  /** Positions that the record shows as ended. */
  readonly ended: readonly VenuePosition[];
  /** The trade that it is about. */
  readonly trade: MarginTrade | undefined;
  /** True while more trades of the same moment are to be reported. */
  readonly isMoreToCome: boolean;
  /** True if this process requested it. */
  readonly isAsked: boolean;
  readonly instrument: (symbol: string) => Instrument | undefined;
}

type About = Omit<MarginAccountReport, 'kind' | 'at' | 'reason' | 'account'>;

/** Printed fees have at least this many decimals. */
const FEE_STEP = new Decimal('1e-12');

/** Reasons about a position. */
const TRADED: ReadonlySet<MarginReason> = new Set<MarginReason>([
  'openTrade',
  'closeTrade',
  'flipTrade',
  'liquidated',
  'closed',
]);

/** Reasons about the funds or the leverage of an account. */
const FUNDED: ReadonlySet<MarginReason> = new Set<MarginReason>([
  'created',
  'reopened',
  'marginChanged',
  'closed',
]);

/** True for a report of the account itself, and not of a position: it answers `set`. */
export const isOfFunds = ({ position, reason, account }: MarginAccountReport): boolean =>
  position === undefined && FUNDED.has(reason) && (reason !== 'closed' || !account.isOpen);

export const isOfTrade = (reason: MarginReason): boolean => TRADED.has(reason);

/** Converts a report of the service; the rest is derived from the account before and after. */
export function reportsOf(change: AccountChange): readonly MarginAccountReport[] {
  const { trade, reason, at, after, isAsked } = change;
  const report = (about: About, why = reason): MarginAccountReport => ({
    kind: 'marginAccount',
    at,
    reason: why,
    account: after,
    ...about,
  });
  if (trade !== undefined) return [report(ofTrade(change, trade))];
  // The account already includes trades that are reported later; their reports assign its changes.
  if (change.isMoreToCome) return [report({}, isOfTrade(reason) ? 'updated' : reason)];
  const untraded = movedPositions(change).map((moved) => report(ofMove(change, moved)));
  if (untraded.length > 0) return untraded;
  const carried = carryOf(change);
  if (carried !== undefined) return [report(carried)];
  const plain = report({});
  if (isOfFunds(plain)) return [isAsked ? plain : { ...plain, byOthers: true }];
  // An earlier report covered this: it showed the account after all of it.
  return [isOfTrade(reason) ? { ...plain, reason: 'updated' } : plain];
}

function ofTrade(change: AccountChange, trade: MarginTrade): About {
  const { reason, after, before, ended, isMoreToCome } = change;
  const { symbol } = trade.instrument;
  const open = after.positions.find((one) => one.symbol === symbol);
  const gone = ended.find((one) => one.symbol === symbol) ?? emptied(before, symbol);
  const position = open ?? gone;
  const isForced = reason === 'liquidated' || isLiquidation(trade);
  const isOver = open === undefined && (!isMoreToCome || reason !== 'closeTrade');
  const end = endOf(isForced, isOver);
  return {
    position,
    end,
    ...(isForced ? { forced: forcedBy(trade) } : trade.isOwn ? {} : { byOthers: true }),
  };
}

function endOf(isForced: boolean, isOver: boolean): PositionEnd | undefined {
  if (isForced) return 'liquidated';
  return isOver ? 'closed' : undefined;
}

/** A position of the account before, after its lots are gone. */
function emptied(
  before: MarginAccountState | undefined,
  symbol: string,
): VenuePosition | undefined {
  const position = before?.positions.find((one) => one.symbol === symbol);
  return position === undefined ? undefined : { ...position, lots: 0, entryValue: ZERO };
}

const forcedBy = ({ side, ticks, lots, fee }: MarginTrade): ForcedTrade => ({
  side,
  ticks,
  lots,
  fee,
});

/**
 * True for a trade that pays its symbol's force close fee on top of the taker's: only a liquidation does. A
 * foreign trade that pays less is another client's.
 */
function isLiquidation({ instrument, mode, ticks, lots, fee, isOwn }: MarginTrade): boolean {
  const forceCloseFee = instrument.margin[mode]?.forceCloseFee ?? ZERO;
  if (isOwn || forceCloseFee.isZero()) return false;
  const least = instrument.value(ticks, lots).times(instrument.takeRate.plus(forceCloseFee));
  return fee.plus(FEE_STEP).greaterThanOrEqualTo(least);
}

interface Moved {
  readonly was: VenuePosition;
  /** Lots 0 if it has ended. */
  readonly is: VenuePosition;
}

/** Positions that became smaller, or ended, without a trade of an order. */
function movedPositions({ before, after, ended }: AccountChange): readonly Moved[] {
  return (before?.positions ?? []).flatMap((was) => {
    const open = after.positions.find(({ id }) => id === was.id);
    const is =
      open ??
      ended.find(({ id }) => id === was.id) ??
      ({ ...was, lots: 0, entryValue: ZERO } satisfies VenuePosition);
    return is.lots === was.lots ? [] : [{ was, is }];
  });
}

/**
 * Lots that changed without an order were settled: at the end of a contract, by a liquidation that found no
 * market, or by deleveraging. If they increased, or there is no known cause, another client changed them.
 */
function ofMove(change: AccountChange, { was, is }: Moved): About {
  const { reason, at } = change;
  const isSmaller = Math.abs(is.lots) < Math.abs(was.lots) && is.lots * was.lots >= 0;
  if (!isSmaller || !isOfTrade(reason)) return { position: is, byOthers: true };
  const instrument = change.instrument(was.symbol);
  const isExpired = instrument !== undefined && at >= instrument.expiresAt;
  const taken = reason === 'liquidated' ? 'liquidated' : 'deleveraged';
  const forced = instrument && settlementOf(change, { was, is }, instrument);
  return {
    position: is,
    end: isExpired ? 'settled' : taken,
    forced,
  };
}

/**
 * The price of a settlement, which has no fee, derived from the change of the balance; absent if none fits.
 */
function settlementOf(
  { before, after }: AccountChange,
  { was, is }: Moved,
  { tickValue }: Instrument,
): ForcedTrade | undefined {
  const size = Math.abs(was.lots) - Math.abs(is.lots);
  const cost = was.entryValue.div(tickValue);
  if (before === undefined || !cost.isInteger()) return undefined;
  const share = costShare(BigInt(cost.toFixed(0)), size, Math.abs(was.lots)).toString();
  const gain = after.balance.minus(before.balance).div(tickValue);
  const price = (was.lots > 0 ? gain.plus(share) : gain.negated().plus(share)).div(size);
  if (!price.isInteger()) return undefined;
  if (!Number.isSafeInteger(price.toNumber()) || !price.greaterThan(0)) return undefined;
  const side = was.lots > 0 ? 'sell' : 'buy';
  return { side, ticks: asTicks(price.toNumber()), lots: asLots(size), fee: ZERO };
}

/**
 * Payments of positions: the balance changed, and nothing else that could change it did. Of several
 * positions it is the one that the service reports as changed; with more than one, it is unknown.
 */
function carryOf({ reason, before, after }: AccountChange): About | undefined {
  const isCarry = reason === 'interestTaken' || reason === 'updated';
  if (!isCarry || before === undefined || after.positions.length === 0) return undefined;
  if (after.positions.length !== before.positions.length) return undefined;
  const amount = after.balance.minus(before.balance);
  if (amount.isZero()) return undefined;
  const [only, more] =
    after.positions.length === 1
      ? after.positions
      : after.positions.filter(
          ({ id, updatedAt }) =>
            before.positions.find((one) => one.id === id)?.updatedAt !== updatedAt,
        );
  const isInterest = reason === 'interestTaken' || !after.isContract;
  return {
    ...(only === undefined || more !== undefined ? {} : { position: only }),
    carry: { kind: isInterest ? 'interest' : 'funding', amount },
  };
}
