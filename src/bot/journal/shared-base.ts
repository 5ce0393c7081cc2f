import { ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type {
  MarginAccountId,
  MarginAccountReport,
  MarginAccountState,
} from '../../model/margin-account.ts';
import { filledParts, NO_PARTS, type SharedParts } from '../../rules/margin/shared-account.ts';
import type { JournaledMargin, MarginBase, PartFill } from './records.ts';

/** What is certain of a shared account, with its parts, while reports of it are missing. */
export function openBase({
  base,
  state,
  at,
  transferred,
  parts = NO_PARTS,
}: JournaledMargin): MarginBase {
  const open = base ?? { state, at, transferred, ends: [] };
  return { ...open, parts: open.parts ?? parts, fills: open.fills ?? [] };
}

export const withFill = (base: MarginBase, fill: PartFill): MarginBase => ({
  ...base,
  fills: [...(base.fills ?? []), fill],
});

/** The same if no report is held any more: all fills were before the one that comes next. */
export const missedFrom = (base: MarginBase): MarginBase => ({
  ...base,
  fills: base.fills?.map((one) => ({ ...one, heldBefore: 0 })),
});

/** Parts of an account after fills, one after the other. */
export const withFills = (
  parts: SharedParts,
  account: MarginAccountState,
  fills: readonly PartFill[],
  instrumentOf: (symbol: string) => Instrument | undefined,
): SharedParts =>
  fills.reduce((before, { strategy, fill }) => {
    const instrument = instrumentOf(fill.symbol);
    return instrument === undefined
      ? before
      : filledParts(before, account, strategy, instrument, fill);
  }, parts);

/**
 * True for a setting that nobody here has asked for by what its report says, with the balance that was asked for
 * on a connection before: it was late.
 */
export const isAsAsked = (
  { parts, asked }: JournaledMargin,
  { account }: MarginAccountReport,
): boolean => parts !== undefined && asked?.balance?.equals(account.balance) === true;

/** True if no position has changed between two states: what changed the balance is exact then. */
export const isUntouched = (
  before: MarginAccountState | undefined,
  { positions }: MarginAccountState,
): boolean =>
  before !== undefined &&
  before.positions.length === positions.length &&
  positions.every(({ id, lots, updatedAt }) =>
    before.positions.some(
      (one) => one.id === id && one.lots === lots && one.updatedAt === updatedAt,
    ),
  );

/** What an owner has as its part of an account: what orders and positions hold follows from it. */
export const ownPart = (state: MarginAccountState): MarginAccountState => ({
  ...state,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
  isCalled: undefined,
  positions: state.positions.map((one) => ({
    ...one,
    marginCallPrice: undefined,
    liquidationPrice: undefined,
  })),
});

export const emptyState = ({ mode, symbol, isContract, currency }: MarginAccountId) => ({
  mode,
  symbol,
  isContract,
  currency,
  isOpen: false,
  positions: [],
  balance: ZERO,
  reservedOrders: ZERO,
  reservedPositions: ZERO,
});

export const hasAnything = ({ balance, positions }: MarginAccountState): boolean =>
  !balance.isZero() || positions.length > 0;

/** The position that the venue ended, where it did. */
export const forcedEndOf = ({ position, end }: MarginAccountReport): number | undefined =>
  end === undefined || end === 'closed' || end === 'flipped' || position?.lots !== 0
    ? undefined
    : position.id;
