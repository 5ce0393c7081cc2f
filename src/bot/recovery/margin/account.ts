import type { Decimal } from '../../../model/decimal.ts';
import type {
  EndedPosition,
  MarginSnapshot,
  PositionCarry,
} from '../../../gateways/venue-account.ts';
import type { Instrument } from '../../../model/instrument.ts';
import {
  marginAccountKey,
  type MarginAccountId,
  type MarginAccountReport,
  type MarginAccountState,
} from '../../../model/margin-account.ts';
import type { Fill } from '../../../model/report.ts';
import { micros, type Micros } from '../../../platform/time.ts';
import { knownUntil } from '../../journal/stored-margin.ts';
import type { JournaledMargin } from '../../journal/records.ts';
import type { Discrepancy } from '../finding.ts';
import type { NextId } from './replay.ts';

/** A fill on a margin account. */
export interface AccountFill {
  readonly fill: Fill;
  readonly instrument: Instrument;
  /** True for an order of the journal. */
  readonly isOwn: boolean;
  /** True if the journal has it. */
  readonly isKnown: boolean;
}

/** A payment of a margin account. */
export interface AccountPayment {
  readonly carry: PositionCarry;
  readonly isKnown: boolean;
}

/** A position that the venue ended. */
export interface AccountEnd {
  readonly ended: EndedPosition;
  readonly isKnown: boolean;
}

/** A margin account in the journal and in the snapshot, with the snapshot's events on it. */
export interface ComparedAccount {
  readonly marginAccount: MarginAccountId;
  readonly kept: JournaledMargin | undefined;
  /** Absent if the snapshot has none. */
  readonly reported: MarginAccountState | undefined;
  /** Oldest first, those too that the journal knows. */
  readonly fills: readonly AccountFill[];
  readonly payments: readonly AccountPayment[];
  readonly ends: readonly AccountEnd[];
  readonly nextId: NextId;
  readonly at: Micros;
}

/** A report to emit of a margin account: with a discrepancy, with a missed fill, or alone. */
export interface ReportedAccount {
  readonly at: Micros;
  /** The account just before, if that was not reported. */
  readonly before?: MarginAccountReport | undefined;
  readonly report: MarginAccountReport;
  readonly discrepancy?: Omit<Discrepancy, 'margin'> | undefined;
  readonly fill?: Fill | undefined;
}

/** State of an account when it was last fully known, with the funds moved since. */
export function startOf({ kept }: Pick<ComparedAccount, 'kept'>): {
  readonly state: MarginAccountState | undefined;
  readonly at: Micros;
} {
  if (kept === undefined) return { state: undefined, at: micros(0) };
  const at = knownUntil(kept);
  const { base, transferred } = kept;
  if (base === undefined) return { state: kept.state, at };
  const since = transferred.minus(base.transferred);
  const state = base.state && { ...base.state, balance: base.state.balance.plus(since) };
  return { state, at };
}

/** A report that was found by comparing. */
export const missedReport = (
  at: Micros,
  account: MarginAccountState,
  more: Partial<MarginAccountReport> = {},
): MarginAccountReport => ({
  kind: 'marginAccount',
  at,
  reason: 'updated',
  account,
  ...more,
  missed: true,
});

/** Name of an account. */
export const nameOf = ({ mode, symbol, isContract, currency }: MarginAccountId): string =>
  mode === 'isolated'
    ? `The isolated margin account of ${symbol ?? currency}`
    : `The cross margin account of ${currency} (${isContract ? 'futures' : 'spot'})`;

export const signed = (amount: Decimal): string =>
  `${amount.isNegative() ? '' : '+'}${amount.toFixed()}`;

/** Accounts of the snapshot by their keys. */
export const accountsByKey = ({
  accounts,
}: MarginSnapshot): ReadonlyMap<string, MarginAccountState> =>
  new Map(accounts.filter(({ isOpen }) => isOpen).map((one) => [marginAccountKey(one), one]));
