import { type Decimal, ZERO } from '../../model/decimal.ts';
import { type Micros, US_PER_MINUTE } from '../../platform/time.ts';
import { clearingTicks } from '../../rules/margin/clearing-price.ts';
import { premiumIndex } from '../../rules/margin/funding.ts';
import { interestCharge } from '../../rules/margin/interest.ts';
import { FUNDING_PERIOD_US } from '../../rules/margin/mark-price.ts';
import { valueAt } from '../../rules/margin/position-value.ts';
import { chargeCarry, settleAllPositions } from '../clearing/positions.ts';
import { HOUSE } from '../ledger/ledger.ts';
import type { Sampled } from '../market-data/market-data.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { Contract } from '../positions/contract.ts';
import { impactPrice } from '../positions/prices.ts';
import { TIMER } from '../queues/timers.ts';
import { cancelActive } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';
import { examineAll } from './margin-check.ts';
import { startFunding } from './fundings.ts';

const { EXPIRY, INTEREST, SAMPLE } = TIMER;

/**
 * Scheduled events of margin accounts and contracts: each minute a sample of every contract, at
 * 00:00, 08:00 and 16:00 UTC interest and funding, and the expiry of contracts. At one time
 * contracts expire first, then comes interest, then funding, then the sample, which belongs to the
 * new period.
 */

/** Starts the schedule at the first known time. */
export function startFundingSchedule(state: State, at: number): void {
  if (state.hasSchedule) return;
  state.hasSchedule = true;
  const period = after(at, FUNDING_PERIOD_US);
  if (Object.keys(state.rules.dailyRates).length > 0) state.timers.add(period, INTEREST, 0);
  for (const contract of state.contracts) {
    if (contract === undefined) continue;
    const { instrument } = contract;
    const { terms, expiresAt } = state.instruments[instrument];
    state.timers.add(after(at, US_PER_MINUTE), SAMPLE, instrument);
    if (terms.contractType === 'perpetual') {
      startFunding(state, contract, at);
    } else {
      state.timers.add(expiresAt, EXPIRY, instrument);
    }
  }
}

/** Samples a contract each minute; its price may change with time. */
export function takeSample(state: State, instrument: number, at: number): void {
  const contract = state.contracts[instrument];
  if (contract === undefined) return;
  const terms = state.instruments[instrument];
  if (at >= terms.expiresAt) return;
  state.timers.add(at + US_PER_MINUTE, SAMPLE, instrument);
  state.prices.refresh(instrument, state.now);
  const index = state.prices.index(instrument);
  if (index === undefined) return;
  const source = state.sources[instrument];
  const bid = impactPrice(terms, source, BUY, state.rules.impactValue);
  const ask = impactPrice(terms, source, SELL, state.rules.impactValue);
  contract.sample(index, premiumIndex(index, bid, ask));
  publishSample(state, contract);
  examineAll(state);
}

/** Publishes the sampled public data of a contract. */
function publishSample(
  { marketData, prices, marginAccounts, now }: State,
  contract: Contract,
): void {
  if (marketData === undefined) return;
  const { instrument, premiumIndex: premium } = contract;
  const at = now as Micros;
  const series = (name: Sampled, value: Decimal | undefined): void => {
    if (value !== undefined) marketData.series(instrument, name).sample(at, value);
  };
  series('index', prices.index(instrument));
  series('mark', prices.price(instrument));
  series('premiumIndex', premium);
  series('openInterest', marginAccounts.openInterest(instrument));
}

/** Charges interest on what spot positions have borrowed. */
export function chargeInterest(state: State, at: number): void {
  state.timers.add(at + FUNDING_PERIOD_US, INTEREST, 0);
  for (const [instrument, positions] of state.marginAccounts.positionsOn.entries()) {
    const { isContract, baseCurrency, quoteCurrency } = state.instruments[instrument];
    const price = state.prices.price(instrument);
    if (isContract || price === undefined) continue;
    for (const position of [...positions]) {
      const borrowed = position.lots > 0 ? quoteCurrency : baseCurrency;
      const rate = state.rules.dailyRates[borrowed] ?? ZERO;
      if (rate.isZero()) continue;
      const amount = interestCharge(valueAt(position.value, price), rate).negated();
      chargeCarry(state, position, HOUSE, { kind: 'interest', amount, price, rate });
    }
  }
  examineAll(state);
}

/**
 * Expires a contract: cancels its orders and settles its positions at the mean of its index over
 * the last hour.
 */
export function expireContract(state: State, instrument: number): void {
  const contract = state.contracts[instrument];
  if (contract === undefined) return;
  const terms = state.instruments[instrument];
  const { indices } = contract;
  const half = state.prices.half(instrument);
  const ticks =
    indices.length > 0
      ? clearingTicks(
          indices.reduce((sum, one) => sum.plus(one), ZERO),
          indices.length,
          terms.tickSize,
        ).toNumber()
      : Math.ceil(half / 2);
  state.statuses.set(terms.symbol, 'clearing');
  for (let trader = 0; trader < state.ledger.accounts; trader += 1) {
    for (const order of state.index.listed(trader, instrument)) cancelActive(state, order);
  }
  settleAllPositions(state, instrument, ticks);
  if (ticks > 0) state.listener.settled?.(contract, ticks);
  examineAll(state);
}

/** The first multiple of a period after a time. */
const after = (at: number, period: number): number => (Math.floor(at / period) + 1) * period;
