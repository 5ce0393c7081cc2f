import type { Decimal } from '../../model/decimal.ts';
import { joinRate } from '../../model/derivative.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../platform/time.ts';
import { fundingPayment } from '../../rules/margin/funding.ts';
import { FUNDING_PERIOD_US } from '../../rules/margin/mark-price.ts';
import { chargeCarry } from '../clearing/positions.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import { HOUSE, RECORDED_MARKET } from '../ledger/ledger.ts';
import type { Contract, FundedLots, ReportedFunding } from '../positions/contract.ts';
import { TIMER } from '../queues/timers.ts';
import type { State } from '../state/state.ts';
import { examineAll } from './margin-check.ts';

/** A venue with a fast clock may send the next funding this much before the current one. */
const EARLY_US = US_PER_MINUTE;

/**
 * Pays the funding of contracts: at 00:00, 08:00 and 16:00 UTC at the exchange's own rate, or, from
 * the first rate that a venue sends, at its times and rates. Each funding is paid once, for the
 * lots and at the mark price of its time, even if its rate comes a moment later. While the time of
 * the next one is unknown, lots and price of each full hour are recorded, as venues fund at full
 * hours.
 */

/** Starts the funding schedule at the first known time. */
export function startFunding(state: State, contract: Contract, at: number): void {
  if (contract.isReported) scheduleFunding(state, contract, Number.POSITIVE_INFINITY, at);
  else scheduleFunding(state, contract, boundaryAfter(at), at);
}

/** Applies a venue's funding row. */
export function takeFunding(
  state: State,
  contract: Contract,
  reported: ReportedFunding,
  now: number,
): void {
  if (state.instruments[contract.instrument].terms.contractType !== 'perpetual') return;
  const isFirst = !contract.isReported;
  contract.isReported = true;
  // The exchange's own rate does not apply to a venue's funding.
  if (isFirst) contract.isRateKnown = false;
  if (reported.at === 0) takeTimeless(state, contract, reported, now);
  else if (reported.at <= contract.fundedAt) {
    // That funding is paid already; at most the row has the time of the next one.
    if (isFirst)
      scheduleFunding(state, contract, reported.nextAt > now ? reported.nextAt : Infinity, now);
  } else if (reported.at <= now) takeLate(state, contract, reported, now);
  else if (isFirst || !isEarly(contract, reported, now)) takeComing(state, contract, reported, now);
  else contract.early = reported;
}

function isEarly(
  { isRateKnown, nextFundingAt }: Contract,
  reported: ReportedFunding,
  now: number,
): boolean {
  return isRateKnown && reported.at > nextFundingAt && nextFundingAt - now <= EARLY_US;
}

/** A rate without a time applies to every funding until the next rate. */
function takeTimeless(
  state: State,
  contract: Contract,
  { rate }: ReportedFunding,
  now: number,
): void {
  contract.isTimeless = true;
  contract.fundingRate = joinRate(rate);
  contract.isRateKnown = true;
  if (!Number.isFinite(contract.nextFundingAt))
    scheduleFunding(state, contract, boundaryAfter(now), now);
}

function takeComing(
  state: State,
  contract: Contract,
  { rate, at, nextAt }: ReportedFunding,
  now: number,
): void {
  missFunding(contract);
  contract.isTimeless = false;
  contract.fundingRate = joinRate(rate);
  contract.isRateKnown = true;
  contract.afterNextAt = nextAt > at ? nextAt : Infinity;
  contract.periodUs = periodOf(contract, at, nextAt);
  scheduleFunding(state, contract, at, now);
  state.prices.refresh(contract.instrument, state.now);
}

/** Applies the rate of a funding in the past: its holders at that time pay and receive. */
function takeLate(
  state: State,
  contract: Contract,
  { rate, at, nextAt }: ReportedFunding,
  now: number,
): void {
  const { pending } = contract;
  let lots: readonly FundedLots[] = fundedLotsOf(state, contract).filter(
    ({ position }) => position.openedAt < at,
  );
  let mark = state.prices.price(contract.instrument);
  if (pending?.at === at) {
    ({ lots, mark } = pending);
    contract.pending = undefined;
  } else missFunding(contract);
  contract.isTimeless = false;
  contract.fundingRate = joinRate(rate);
  contract.periodUs = periodOf(contract, at, nextAt);
  contract.afterNextAt = nextAt > now ? nextAt : Infinity;
  const isThere = (one: FundedLots): boolean =>
    state.marginAccounts.find(one.position.account.key) === one.position.account;
  payFunding(state, contract, lots.filter(isThere), mark, at, now);
}

/** Handles a time at which a contract's funding is, or may be. */
export function reachFunding(state: State, instrument: number, at: number): void {
  const contract = state.contracts[instrument];
  if (contract === undefined) return;
  contract.ticket = -1;
  state.prices.refresh(instrument, state.now);
  const mark = state.prices.price(instrument);
  const lots = fundedLotsOf(state, contract);
  if (contract.isRateKnown) {
    payFunding(state, contract, lots, mark, at, at);
    return;
  }
  // Its rate comes a moment after it is paid.
  const isDue = at === contract.nextFundingAt;
  if (isDue || contract.pending?.isDue !== true) {
    missFunding(contract);
    contract.pending = { at, mark, lots, isDue };
  }
  scheduleFunding(state, contract, Number.POSITIVE_INFINITY, at);
}

/** Pays a funding and schedules the next one. */
function payFunding(
  state: State,
  contract: Contract,
  lots: readonly FundedLots[],
  mark: Decimal | undefined,
  at: number,
  now: number,
): void {
  const { instrument, fundingRate, avgPremiumIndex, isReported, isTimeless } = contract;
  if (mark !== undefined) exchangeFunding(state, contract, lots, mark);
  contract.fundedAt = at;
  contract.turn();
  if (!isReported || isTimeless) scheduleFunding(state, contract, at + FUNDING_PERIOD_US, now);
  else {
    contract.isRateKnown = false;
    scheduleFunding(state, contract, contract.afterNextAt, now);
    contract.afterNextAt = Number.POSITIVE_INFINITY;
    const { early } = contract;
    contract.early = undefined;
    if (early !== undefined) takeComing(state, contract, early, now);
  }
  state.prices.refresh(instrument, state.now);
  const { nextFundingAt } = contract;
  state.listener.funding?.(contract, { at, fundingRate, avgPremiumIndex, nextFundingAt });
  examineAll(state);
}

/**
 * The open positions pay each other, and the recorded market, which holds the opposite of their
 * sum, takes part like them. The rounding remainder, never negative, goes to the exchange.
 */
function exchangeFunding(
  state: State,
  contract: Contract,
  lots: readonly FundedLots[],
  mark: Decimal,
): void {
  const { instrument, fundingRate: rate } = contract;
  const { quantityIncrement, quoteCurrency } = state.instruments[instrument];
  let sum = 0n;
  for (const { position, lots: held } of lots) {
    const amount = fundingPayment(quantityIncrement.times(held), mark, rate);
    sum += BigInt(held);
    chargeCarry(state, position, HOUSE, { kind: 'funding', amount, price: mark, rate });
  }
  const market = quantityIncrement.times((-sum).toString());
  const payment = fundingPayment(market, mark, rate);
  const { derivatives } = state;
  const currency = derivatives.currency(quoteCurrency);
  derivatives.change(RECORDED_MARKET, AVAILABLE, currency, payment);
  derivatives.change(HOUSE, AVAILABLE, currency, payment.negated());
}

function fundedLotsOf(state: State, { instrument }: Contract): readonly FundedLots[] {
  return state.marginAccounts.positionsOn[instrument].map((position) => ({
    position,
    lots: position.lots,
  }));
}

/** A funding without a rate is not paid. */
function missFunding(contract: Contract): void {
  contract.missed += missedIn(contract);
  contract.pending = undefined;
}

/** Schedules the next funding; if its time is unknown, the next full hour. */
function scheduleFunding(state: State, contract: Contract, at: number, now: number): void {
  const { instrument } = contract;
  if (contract.ticket !== -1) {
    if (at === contract.nextFundingAt) return;
    state.timers.remove(contract.ticket);
  }
  contract.nextFundingAt = at;
  const next = Number.isFinite(at) ? at : (Math.floor(now / US_PER_HOUR) + 1) * US_PER_HOUR;
  contract.ticket = state.timers.add(next, TIMER.FUNDING, instrument);
}

/** 1 if a funding was due for open lots and its rate has not come yet. */
export const missedIn = ({ pending }: Contract): number =>
  pending?.isDue === true && pending.lots.length > 0 ? 1 : 0;

/** Time between fundings: as sent, else from the one before, else unchanged. */
function periodOf({ fundedAt, periodUs }: Contract, at: number, nextAt: number): number {
  if (nextAt > at) return nextAt - at;
  return Number.isFinite(fundedAt) && at > fundedAt ? at - fundedAt : periodUs;
}

/** The exchange's first own funding time after `at`. */
export const boundaryAfter = (at: number): number =>
  (Math.floor(at / FUNDING_PERIOD_US) + 1) * FUNDING_PERIOD_US;
