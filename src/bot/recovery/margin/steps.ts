import type { PositionEnd, VenuePosition } from '../../../model/margin-account.ts';
import { discrepancy, type DiscrepancyKind } from '../finding.ts';
import {
  missedReport,
  nameOf,
  signed,
  type AccountEnd,
  type AccountFill,
  type AccountPayment,
  type ComparedAccount,
  type ReportedAccount,
} from './account.ts';
import type { AccountReplay } from './replay.ts';

/** An event of an account, in order of time. */
export type Step =
  | ({ readonly kind: 'fill' } & AccountFill)
  | ({ readonly kind: 'payment'; readonly isReflected: boolean } & AccountPayment)
  | ({ readonly kind: 'end'; readonly isReflected: boolean } & AccountEnd);

const timeOf = (step: Step): number =>
  step.kind === 'fill' ? step.fill.at : step.kind === 'payment' ? step.carry.at : step.ended.at;

/** At one moment trades come before payments, and these before ends. */
const RANK = { fill: 0, payment: 1, end: 2 } as const;

/** Everything that happened, with the fills that the state at its start does not have. */
export function stepsOf(
  { payments, ends }: ComparedAccount,
  fills: readonly AccountFill[],
  startedAt: number,
): readonly Step[] {
  return [
    ...fills.map((one): Step => ({ kind: 'fill', ...one })),
    ...payments.map((one): Step => {
      return { kind: 'payment', isReflected: one.carry.at <= startedAt, ...one };
    }),
    ...ends.map((one): Step => ({ kind: 'end', isReflected: one.ended.at <= startedAt, ...one })),
  ].sort((one, other) => timeOf(one) - timeOf(other) || RANK[one.kind] - RANK[other.kind]);
}

/** Replays a step; returns the reports that the journal does not have. */
export function takeStep(
  account: ComparedAccount,
  replay: AccountReplay,
  step: Step,
): ReportedAccount | undefined {
  switch (step.kind) {
    case 'fill':
      return takeFill(account, replay, step);
    case 'payment':
      return takePayment(account, replay, step);
    case 'end':
      return takeEnd(account, replay, step);
  }
}

function takeFill(
  account: ComparedAccount,
  replay: AccountReplay,
  { fill, instrument, isOwn, isKnown }: AccountFill,
): ReportedAccount | undefined {
  const isForced = !isOwn && isOfEnd(account, fill);
  const { reason, position } = replay.fill(instrument, fill);
  const { at, symbol } = fill;
  const state = replay.state;
  if (isOwn) {
    if (isKnown) return undefined;
    return { at, fill, report: missedReport(at, state, { reason, position }) };
  }
  // It is reported with the end of the position.
  if (isForced) return undefined;
  const message = `${nameOf(account.marginAccount)}: an order ${fill.clientOrderId} that this bot did not place was filled (${fill.side}, ${fill.lots} lots); the position in ${symbol} is ${position.lots} lots.`;
  return {
    at,
    report: missedReport(at, state, { reason, position, byOthers: true }),
    discrepancy: discrepancy('position-foreign', message, { symbol }),
  };
}

/** Longest time between the trades of a liquidation and its report. */
const FORCED_US = 60_000_000;

/** True for a fill by which the venue ended a position. */
const isOfEnd = ({ ends }: ComparedAccount, { symbol, at }: AccountFill['fill']): boolean =>
  ends.some(({ ended }) => ended.symbol === symbol && Math.abs(ended.at - at) <= FORCED_US);

function takePayment(
  { marginAccount }: ComparedAccount,
  replay: AccountReplay,
  { carry: paid, isKnown, isReflected }: Extract<Step, { kind: 'payment' }>,
): ReportedAccount | undefined {
  const position = replay.carry(paid, !isReflected);
  if (isKnown) return undefined;
  const { symbol, carry, at } = paid;
  const isFunding = carry.kind === 'funding';
  const what = isFunding ? 'Funding' : 'Interest';
  const message = `${nameOf(marginAccount)}: ${what} of ${signed(carry.amount)} ${marginAccount.currency} for ${symbol} was missed.`;
  const reason = isFunding ? 'updated' : 'interestTaken';
  return {
    at,
    report: missedReport(at, replay.state, { reason, carry, position }),
    discrepancy: discrepancy(isFunding ? 'funding-missed' : 'interest-missed', message, { symbol }),
  };
}

const END_KINDS: Partial<Record<PositionEnd, DiscrepancyKind>> = {
  liquidated: 'position-liquidated',
  deleveraged: 'position-deleveraged',
  settled: 'position-settled',
};

const END_WORDS: Partial<Record<PositionEnd, string>> = {
  liquidated: 'was liquidated',
  deleveraged: 'was taken to cover the losses of others',
  settled: 'was settled',
};

/** True for an end forced by the venue. */
export const isForced = (end: PositionEnd): boolean => END_KINDS[end] !== undefined;

function takeEnd(
  { marginAccount }: ComparedAccount,
  replay: AccountReplay,
  { ended, isKnown, isReflected }: Extract<Step, { kind: 'end' }>,
): ReportedAccount | undefined {
  const { end, at, symbol, id } = ended;
  const position: VenuePosition | undefined =
    isReflected && replay.position(symbol)?.id !== id ? undefined : replay.end(ended);
  const kind = END_KINDS[end];
  if (isKnown || kind === undefined || position === undefined) return undefined;
  const message = `${nameOf(marginAccount)}: the position ${id} in ${symbol} ${END_WORDS[end] ?? 'ended'}.`;
  const reason = end === 'liquidated' ? 'liquidated' : 'closed';
  return {
    at,
    report: missedReport(at, replay.state, { reason, position, end }),
    discrepancy: discrepancy(kind, message, { symbol }),
  };
}
