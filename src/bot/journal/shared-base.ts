import { ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountReport, MarginAccountState } from '../../model/margin-account.ts';
import { filledParts, NO_PARTS, type SharedParts } from '../../rules/margin/shared-account.ts';
import type { JournaledMargin, MarginBase, PartFill } from './records.ts';

/** The certain state of a shared account, with its parts, while reports of it are missing. */
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

/** The same if no report is held any more: all fills came before the next one. */
export const missedFrom = (base: MarginBase): MarginBase => ({
  ...base,
  fills: base.fills?.map((one) => ({ ...one, heldBefore: 0 })),
});

/** Parts of an account after fills, in sequence. */
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
 * True for an unrequested setting, by its report, that sets the balance requested on an earlier connection:
 * it was late.
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

/** An owner's state as its part of an account: reserves follow from it. */
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

export const hasAnything = ({ balance, positions }: MarginAccountState): boolean =>
  !balance.isZero() || positions.length > 0;

/** The position that the venue force-closed, if it did. */
export const forcedEndOf = ({ position, end }: MarginAccountReport): number | undefined =>
  end === undefined || end === 'closed' || end === 'flipped' || position?.lots !== 0
    ? undefined
    : position.id;
