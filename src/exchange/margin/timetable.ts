import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { US_PER_MINUTE } from '../../platform/time.ts';
import { clearingTicks } from '../../rules/margin/clearing-price.ts';
import { premiumIndex } from '../../rules/margin/funding.ts';
import { interestCharge } from '../../rules/margin/interest.ts';
import { FUNDING_PERIOD_US } from '../../rules/margin/mark-price.ts';
import { valueAt } from '../../rules/margin/position-value.ts';
import type { TimerQueue } from '../queues/timers.ts';
import { HOUSE, type Ledger } from '../ledger/ledger.ts';
import type { BookSource } from '../market-data/book-source.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { Contract, Funding } from '../positions/contract.ts';
import { Fundings } from './fundings.ts';
import { impactPrice, type MarkPrices } from '../positions/prices.ts';

/** What happens by time alone, told when it has. */
export interface TimetableListener {
  /** A minute's sample of a contract was taken; its price may have changed with time. */
  sampled(contract: Contract): void;
  /** Interest was charged. */
  paid(): void;
  /** A contract's funding was paid. */
  funded(contract: Contract, funding: Funding): void;
  /** A cash-settled contract expires at a price in ticks: its orders end, nothing opens any more. */
  expiring(contract: Contract, ticks: number): void;
}

/**
 * What margin accounts and contracts meet by time: each minute a sample of every contract, at 00:00,
 * 08:00 and 16:00 UTC interest and funding, and the end of contracts that expire. At one time contracts
 * expire first, then comes interest, then funding, then the sample, which belongs to the new period.
 */
export class Timetable {
  readonly #instruments: readonly Instrument[];
  readonly #contracts: readonly (Contract | undefined)[];
  readonly #accounts: MarginAccounts;
  readonly #clearing: Clearing;
  readonly #prices: MarkPrices;
  readonly #sources: readonly BookSource[];
  readonly #dailyRates: Readonly<Record<string, Decimal>>;
  readonly #impactValue: Decimal;
  readonly #listener: TimetableListener;
  readonly #due: TimerQueue;
  readonly #expiry: number;
  readonly #interest: number;
  /** When funding is paid, and by which rates. */
  readonly fundings: Fundings;
  readonly #sample: number;
  /** True from the first time that is known, and where nothing is ever due. */
  #hasStarted: boolean;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly contracts: readonly (Contract | undefined)[];
    readonly accounts: MarginAccounts;
    readonly clearing: Clearing;
    readonly prices: MarkPrices;
    readonly sources: readonly BookSource[];
    readonly derivatives: Ledger;
    readonly dailyRates: Readonly<Record<string, Decimal>>;
    readonly impactValue: Decimal;
    readonly listener: TimetableListener;
    readonly due: TimerQueue;
  }) {
    this.#instruments = setup.instruments;
    this.#contracts = setup.contracts;
    this.#accounts = setup.accounts;
    this.#clearing = setup.clearing;
    this.#prices = setup.prices;
    this.#sources = setup.sources;
    this.#dailyRates = setup.dailyRates;
    this.#impactValue = setup.impactValue;
    this.#listener = setup.listener;
    this.#due = setup.due;
    // The first call that tells a time is what everything else is reckoned from.
    this.#hasStarted =
      Object.keys(this.#dailyRates).length === 0 &&
      this.#contracts.every((one) => one === undefined);
    if (!this.#hasStarted)
      this.#due.add(
        0,
        this.#due.kind(() => undefined),
        0,
      );
    this.#expiry = this.#due.kind((instrument) => {
      this.#expire(instrument);
    });
    this.#interest = this.#due.kind((_, at) => {
      this.#due.add(at + FUNDING_PERIOD_US, this.#interest, 0);
      this.#chargeInterest();
      this.#listener.paid();
    });
    this.fundings = new Fundings({
      ...setup,
      funded: (contract, funding) => {
        setup.listener.funded(contract, funding);
      },
    });
    this.#sample = this.#due.kind((instrument, at) => {
      this.#takeSample(instrument, at);
    });
  }

  /** Begins at the first time that is known; until then nothing could be due. */
  start(at: number): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const period = after(at, FUNDING_PERIOD_US);
    if (Object.keys(this.#dailyRates).length > 0) this.#due.add(period, this.#interest, 0);
    for (const contract of this.#contracts) {
      if (contract === undefined) continue;
      const { instrument } = contract;
      const { terms, expiresAt } = this.#instruments[instrument];
      this.#due.add(after(at, US_PER_MINUTE), this.#sample, instrument);
      if (terms.contractType === 'perpetual') {
        this.fundings.start(contract, at);
      } else {
        this.#due.add(expiresAt, this.#expiry, instrument);
      }
    }
  }

  #takeSample(instrument: number, at: number): void {
    const contract = this.#contracts[instrument];
    if (contract === undefined) return;
    const terms = this.#instruments[instrument];
    if (at >= terms.expiresAt) return;
    this.#due.add(at + US_PER_MINUTE, this.#sample, instrument);
    this.#prices.refresh(instrument);
    const index = this.#prices.index(instrument);
    if (index === undefined) return;
    const source = this.#sources[instrument];
    const bid = impactPrice(terms, source, BUY, this.#impactValue);
    const ask = impactPrice(terms, source, SELL, this.#impactValue);
    contract.sample(index, premiumIndex(index, bid, ask));
    this.#listener.sampled(contract);
  }

  #chargeInterest(): void {
    for (const [instrument, positions] of this.#accounts.positionsOn.entries()) {
      const { isContract, baseCurrency, quoteCurrency } = this.#instruments[instrument];
      const price = this.#prices.price(instrument);
      if (isContract || price === undefined) continue;
      for (const position of [...positions]) {
        const borrowed = position.lots > 0 ? quoteCurrency : baseCurrency;
        const rate = this.#dailyRates[borrowed] ?? ZERO;
        if (rate.isZero()) continue;
        const amount = interestCharge(valueAt(position.value, price), rate).negated();
        this.#clearing.carry(position, HOUSE, { kind: 'interest', amount, price, rate });
      }
    }
  }

  /** Settles a contract at the mean of its index over the last hour. */
  #expire(instrument: number): void {
    const contract = this.#contracts[instrument];
    if (contract === undefined) return;
    const terms = this.#instruments[instrument];
    const { indices } = contract;
    const half = this.#prices.half(instrument);
    const ticks =
      indices.length > 0
        ? clearingTicks(
            indices.reduce((sum, one) => sum.plus(one), ZERO),
            indices.length,
            terms.tickSize,
          ).toNumber()
        : Math.ceil(half / 2);
    this.#listener.expiring(contract, ticks);
  }
}

/** The first multiple of a period after a time. */
const after = (at: number, period: number): number => (Math.floor(at / period) + 1) * period;
