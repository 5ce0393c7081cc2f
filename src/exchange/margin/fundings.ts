import type { Decimal } from '../../model/decimal.ts';
import { joinRate, type SplitNumber } from '../../model/derivative.ts';
import type { Instrument } from '../../model/instrument.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../platform/time.ts';
import { fundingPayment } from '../../rules/margin/funding.ts';
import { FUNDING_PERIOD_US } from '../../rules/margin/mark-price.ts';
import type { TimerQueue } from '../queues/timers.ts';
import { HOUSE, TAPE, type Ledger } from '../ledger/ledger.ts';
import { AVAILABLE } from '../ledger/balances.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { Contract, FundedLots, Funding } from '../positions/contract.ts';
import type { MarkPrices } from '../positions/prices.ts';

/** What a venue says of a funding. */
export interface ToldFunding {
  readonly rate: SplitNumber;
  /** When it is paid, and the payment after it; 0 where that is not said. */
  readonly at: number;
  readonly nextAt: number;
}

/** A venue whose clock is ahead of ours speaks of the next funding before this one: so long at most. */
const EARLY_US = US_PER_MINUTE;

/**
 * Pays the funding of contracts: at 00:00, 08:00 and 16:00 UTC at the exchange's own rate, or from the
 * first rate that a venue tells on at the times and rates that it tells. Each funding is paid once, for
 * the lots and at the mark price of its time, also where its rate is told a moment later: where nobody
 * has said when the next one is, those of each full hour are kept, as venues fund at full hours.
 */
export class Fundings {
  readonly #instruments: readonly Instrument[];
  readonly #contracts: readonly (Contract | undefined)[];
  readonly #accounts: MarginAccounts;
  readonly #clearing: Clearing;
  readonly #prices: MarkPrices;
  readonly #derivatives: Ledger;
  readonly #funded: (contract: Contract, funding: Funding) => void;
  readonly #due: TimerQueue;
  readonly #kind: number;
  /** By instrument the ticket of the coming funding, -1 without one. */
  readonly #tickets: Int32Array;
  /** By instrument what was told of the funding after the coming one. */
  readonly #early = new Map<number, ToldFunding>();

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly contracts: readonly (Contract | undefined)[];
    readonly accounts: MarginAccounts;
    readonly clearing: Clearing;
    readonly prices: MarkPrices;
    readonly derivatives: Ledger;
    readonly funded: (contract: Contract, funding: Funding) => void;
    readonly due: TimerQueue;
  }) {
    this.#instruments = setup.instruments;
    this.#contracts = setup.contracts;
    this.#accounts = setup.accounts;
    this.#clearing = setup.clearing;
    this.#prices = setup.prices;
    this.#derivatives = setup.derivatives;
    this.#funded = setup.funded;
    this.#due = setup.due;
    this.#tickets = new Int32Array(setup.instruments.length).fill(-1);
    this.#kind = this.#due.kind((instrument, at) => {
      this.#tickets[instrument] = -1;
      this.#reach(instrument, at);
    });
  }

  /** Begins at the first time that is known. */
  start(contract: Contract, at: number): void {
    if (contract.isTold) this.#schedule(contract, Number.POSITIVE_INFINITY, at);
    else this.#schedule(contract, boundaryAfter(at), at);
  }

  /** Takes what a venue says of a funding, now. */
  take(contract: Contract, told: ToldFunding, now: number): void {
    if (this.#instruments[contract.instrument].terms.contractType !== 'perpetual') return;
    const isFirst = !contract.isTold;
    contract.isTold = true;
    // The rate of the exchange's own is none of the venue's.
    if (isFirst) contract.isRateKnown = false;
    if (told.at === 0) this.#timeless(contract, told, now);
    else if (told.at <= contract.fundedAt) {
      // It was paid; at most it says when the next one is.
      if (isFirst) this.#schedule(contract, told.nextAt > now ? told.nextAt : Infinity, now);
    } else if (told.at <= now) this.#late(contract, told, now);
    else if (isFirst || !this.#isEarly(contract, told, now)) this.#coming(contract, told, now);
    else this.#early.set(contract.instrument, told);
  }

  #isEarly({ isRateKnown, nextFundingAt }: Contract, told: ToldFunding, now: number): boolean {
    return isRateKnown && told.at > nextFundingAt && nextFundingAt - now <= EARLY_US;
  }

  /** A rate without a time is that of every funding until another is told. */
  #timeless(contract: Contract, { rate }: ToldFunding, now: number): void {
    contract.isTimeless = true;
    contract.fundingRate = joinRate(rate);
    contract.isRateKnown = true;
    if (!Number.isFinite(contract.nextFundingAt)) this.#schedule(contract, boundaryAfter(now), now);
  }

  #coming(contract: Contract, { rate, at, nextAt }: ToldFunding, now: number): void {
    this.#miss(contract);
    contract.isTimeless = false;
    contract.fundingRate = joinRate(rate);
    contract.isRateKnown = true;
    contract.afterNextAt = nextAt > at ? nextAt : Infinity;
    contract.periodUs = periodOf(contract, at, nextAt);
    this.#schedule(contract, at, now);
    this.#prices.refresh(contract.instrument);
  }

  /** The rate of a funding whose time has passed: whoever was there then pays and is paid. */
  #late(contract: Contract, { rate, at, nextAt }: ToldFunding, now: number): void {
    const { pending } = contract;
    let lots: readonly FundedLots[] = this.#lotsOf(contract).filter(
      ({ position }) => position.openedAt < at,
    );
    let mark = this.#prices.price(contract.instrument);
    if (pending?.at === at) {
      ({ lots, mark } = pending);
      contract.pending = undefined;
    } else this.#miss(contract);
    contract.isTimeless = false;
    contract.fundingRate = joinRate(rate);
    contract.periodUs = periodOf(contract, at, nextAt);
    contract.afterNextAt = nextAt > now ? nextAt : Infinity;
    const isThere = (one: FundedLots): boolean =>
      this.#accounts.find(one.position.account.key) === one.position.account;
    this.#pay(contract, lots.filter(isThere), mark, at, now);
  }

  #reach(instrument: number, at: number): void {
    const contract = this.#contracts[instrument];
    if (contract === undefined) return;
    this.#prices.refresh(instrument);
    const mark = this.#prices.price(instrument);
    const lots = this.#lotsOf(contract);
    if (contract.isRateKnown) {
      this.#pay(contract, lots, mark, at, at);
      return;
    }
    // Its rate is told when it is paid, a moment later.
    const isDue = at === contract.nextFundingAt;
    if (isDue || contract.pending?.isDue !== true) {
      this.#miss(contract);
      contract.pending = { at, mark, lots, isDue };
    }
    this.#schedule(contract, Number.POSITIVE_INFINITY, at);
  }

  /** Pays a funding and turns to the next one. */
  #pay(
    contract: Contract,
    lots: readonly FundedLots[],
    mark: Decimal | undefined,
    at: number,
    now: number,
  ): void {
    const { instrument, fundingRate, avgPremiumIndex, isTold, isTimeless } = contract;
    if (mark !== undefined) this.#exchange(contract, lots, mark);
    contract.fundedAt = at;
    contract.turn();
    if (!isTold || isTimeless) this.#schedule(contract, at + FUNDING_PERIOD_US, now);
    else {
      contract.isRateKnown = false;
      this.#schedule(contract, contract.afterNextAt, now);
      contract.afterNextAt = Number.POSITIVE_INFINITY;
      const early = this.#early.get(instrument);
      this.#early.delete(instrument);
      if (early !== undefined) this.#coming(contract, early, now);
    }
    this.#prices.refresh(instrument);
    const { nextFundingAt } = contract;
    this.#funded(contract, { at, fundingRate, avgPremiumIndex, nextFundingAt });
  }

  /**
   * The open positions pay each other; the tape, which holds the opposite of their sum, pays and is
   * paid like them. What rounding leaves, which is never negative, is the house's.
   */
  #exchange(contract: Contract, lots: readonly FundedLots[], mark: Decimal): void {
    const { instrument, fundingRate: rate } = contract;
    const { quantityIncrement, quoteCurrency } = this.#instruments[instrument];
    let sum = 0n;
    for (const { position, lots: held } of lots) {
      const amount = fundingPayment(quantityIncrement.times(held), mark, rate);
      sum += BigInt(held);
      this.#clearing.carry(position, HOUSE, { kind: 'funding', amount, price: mark, rate });
    }
    const tape = quantityIncrement.times((-sum).toString());
    const payment = fundingPayment(tape, mark, rate);
    const purse = this.#derivatives.purses[this.#derivatives.currency(quoteCurrency)];
    purse.change(TAPE, AVAILABLE, payment);
    purse.change(HOUSE, AVAILABLE, payment.negated());
  }

  #lotsOf({ instrument }: Contract): readonly FundedLots[] {
    return this.#accounts.positionsOn[instrument].map((position) => ({
      position,
      lots: position.lots,
    }));
  }

  /** A funding whose rate never came is not paid. */
  #miss(contract: Contract): void {
    contract.missed += missedIn(contract);
    contract.pending = undefined;
  }

  /** The next funding is then; where that is not known, the next full hour is looked at. */
  #schedule(contract: Contract, at: number, now: number): void {
    const { instrument } = contract;
    if (this.#tickets[instrument] !== -1) {
      if (at === contract.nextFundingAt) return;
      this.#due.remove(this.#tickets[instrument]);
    }
    contract.nextFundingAt = at;
    const next = Number.isFinite(at) ? at : (Math.floor(now / US_PER_HOUR) + 1) * US_PER_HOUR;
    this.#tickets[instrument] = this.#due.add(next, this.#kind, instrument);
  }
}

/** 1 where a funding was due, for lots that were held, and its rate has not been told yet. */
export const missedIn = ({ pending }: Contract): number =>
  pending?.isDue === true && pending.lots.length > 0 ? 1 : 0;

/** How far apart fundings are: as told, or from the one before; as before where neither is known. */
function periodOf({ fundedAt, periodUs }: Contract, at: number, nextAt: number): number {
  if (nextAt > at) return nextAt - at;
  return Number.isFinite(fundedAt) && at > fundedAt ? at - fundedAt : periodUs;
}

/** The first of the exchange's own funding times after a time. */
export const boundaryAfter = (at: number): number =>
  (Math.floor(at / FUNDING_PERIOD_US) + 1) * FUNDING_PERIOD_US;
