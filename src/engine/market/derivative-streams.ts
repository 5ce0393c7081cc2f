import type { ContractModel } from '../../model/contract-model.ts';
import type { Decimal } from '../../model/decimal.ts';
import { joinRate, joinSteps } from '../../model/derivative.ts';
import {
  FUNDED,
  INDEXED,
  isReported,
  MARKED,
  OPENED,
  type DerivativeState,
  type ReportedNumber,
} from '../../model/derivative-state.ts';
import type { Instrument } from '../../model/instrument.ts';
import { PRICE, TOP } from '../../model/instrument-state.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { DerivativePrice, FundingRate, OpenInterest } from '../../strategy/derivatives.ts';
import { MarketTopic } from './topic.ts';

export interface DerivativeStreamsSetup {
  readonly instrument: Instrument;
  readonly state: DerivativeState;
  readonly now: () => Micros;
  /** The venue's own model of the contract, for data that its feed lacks. */
  readonly model?: (() => ContractModel | undefined) | undefined;
  /** Data in the feed; the rest comes from the model, if there is one. */
  readonly reported: number;
  /** Called for the first subscriber and after the last. */
  readonly awaited: () => void;
}

type Modelled = DerivativePrice | FundingRate;

/** Market changes that can change a modelled price. */
const MODEL_ON = TOP | PRICE;

/**
 * Derivative data as a strategy sees it: from the feed, or else from the venue's model, at each
 * market change that affects it.
 */
export class DerivativeStreams {
  readonly mark: MarketTopic<DerivativePrice>;
  readonly index: MarketTopic<DerivativePrice>;
  readonly funding: MarketTopic<FundingRate>;
  readonly openInterest: MarketTopic<OpenInterest>;
  readonly #setup: DerivativeStreamsSetup;
  /** Last emitted modelled values. */
  readonly #emitted = new Map<number, string>();

  constructor(setup: DerivativeStreamsSetup) {
    const { awaited } = setup;
    this.#setup = setup;
    this.mark = new MarketTopic(() => this.#noted(MARKED, this.#price(MARKED)), awaited);
    this.index = new MarketTopic(() => this.#noted(INDEXED, this.#price(INDEXED)), awaited);
    this.funding = new MarketTopic(() => this.#noted(FUNDED, this.#funding()), awaited);
    this.openInterest = new MarketTopic(() => this.#open(), awaited);
  }

  /** True while any of it has a subscriber. */
  get isAwaited(): boolean {
    const { mark, index, funding, openInterest } = this;
    return mark.awaited || index.awaited || funding.awaited || openInterest.awaited;
  }

  /** Changes of its own rows with a subscriber. */
  get awaited(): number {
    return (
      ((this.mark.awaited ? MARKED : 0) |
        (this.index.awaited ? INDEXED : 0) |
        (this.funding.awaited ? FUNDED : 0) |
        (this.openInterest.awaited ? OPENED : 0)) &
      this.#setup.reported
    );
  }

  /** Changes of every market with a subscriber, as modelled values follow them. */
  get awaitedOfMarkets(): number {
    const { reported } = this.#setup;
    const isModelled =
      (this.mark.awaited && (reported & MARKED) === 0) ||
      (this.index.awaited && (reported & INDEXED) === 0) ||
      (this.funding.awaited && (reported & FUNDED) === 0);
    return isModelled ? MODEL_ON | MARKED | INDEXED | FUNDED : 0;
  }

  /** Emits the changes of a row. */
  emit(changes: number): void {
    const own = changes & this.#setup.reported;
    if ((own & MARKED) !== 0 && this.mark.awaited) emitIf(this.mark, this.#price(MARKED));
    if ((own & INDEXED) !== 0 && this.index.awaited) emitIf(this.index, this.#price(INDEXED));
    if ((own & FUNDED) !== 0 && this.funding.awaited) emitIf(this.funding, this.#funding());
    if ((own & OPENED) !== 0 && this.openInterest.awaited) {
      emitIf(this.openInterest, this.#open());
    }
  }

  /** Emits modelled values that a market change has changed. */
  emitModelled(): void {
    const { reported } = this.#setup;
    if ((reported & MARKED) === 0 && this.mark.awaited) {
      this.#emitNew(MARKED, this.mark, this.#price(MARKED));
    }
    if ((reported & INDEXED) === 0 && this.index.awaited) {
      this.#emitNew(INDEXED, this.index, this.#price(INDEXED));
    }
    if ((reported & FUNDED) === 0 && this.funding.awaited) {
      this.#emitNew(FUNDED, this.funding, this.#funding());
    }
  }

  #emitNew<T extends Modelled>(which: number, topic: MarketTopic<T>, value: T | undefined): void {
    if (value === undefined || this.#emitted.get(which) === textOf(value)) return;
    this.#noted(which, value);
    topic.emit(value);
  }

  /** Records an emitted value, so that it is not emitted again. */
  #noted<T extends Modelled>(which: number, value: T | undefined): T | undefined {
    if (value !== undefined && (this.#setup.reported & which) === 0) {
      this.#emitted.set(which, textOf(value));
    }
    return value;
  }

  #price(which: typeof MARKED | typeof INDEXED): DerivativePrice | undefined {
    const { instrument, state, reported } = this.#setup;
    if ((reported & which) !== 0) {
      const number = which === MARKED ? state.mark : state.index;
      return isReported(number) ? new ReportedPrice(instrument, number) : undefined;
    }
    const model = this.#setup.model?.();
    const price = which === MARKED ? model?.markPrice : model?.indexPrice;
    if (price === undefined) return undefined;
    return Object.freeze({ ...this.#modelled(), price });
  }

  #funding(): FundingRate | undefined {
    const { instrument, state, reported } = this.#setup;
    if ((reported & FUNDED) === 0) {
      const model = this.#setup.model?.();
      if (model?.fundingRate === undefined) return undefined;
      const { fundingRate: rate, nextFundingAt, fundingPeriodUs: intervalUs } = model;
      const paidAt = Number.isFinite(nextFundingAt) ? micros(nextFundingAt) : undefined;
      return Object.freeze({ ...this.#modelled(), rate, paidAt, intervalUs });
    }
    const { funding, fundingAt, fundingPeriodUs } = state;
    if (!isReported(funding)) return undefined;
    return Object.freeze({
      ...timesOf(instrument, funding),
      rate: joinRate(funding),
      paidAt: fundingAt === 0 ? undefined : micros(fundingAt),
      intervalUs: fundingPeriodUs === 0 ? undefined : fundingPeriodUs,
    });
  }

  #open(): OpenInterest | undefined {
    const { instrument, state } = this.#setup;
    const { openInterest } = state;
    if (!isReported(openInterest)) return undefined;
    const size = joinSteps(openInterest, instrument.quantityIncrement);
    return Object.freeze({ ...timesOf(instrument, openInterest), size });
  }

  /** Modelled values are known at the time they apply to. */
  #modelled() {
    const { instrument, now } = this.#setup;
    return { instrument, at: now(), stampedAt: now() };
  }
}

/** A price from a row; the decimal is made on demand. */
class ReportedPrice implements DerivativePrice {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stampedAt: Micros;
  readonly #whole: number;
  readonly #rest: number;

  constructor(instrument: Instrument, { receivedAt, stampedAt, whole, rest }: ReportedNumber) {
    this.instrument = instrument;
    this.at = micros(receivedAt);
    this.stampedAt = micros(stampedAt);
    this.#whole = whole;
    this.#rest = rest;
  }

  get price(): Decimal {
    return joinSteps({ whole: this.#whole, rest: this.#rest }, this.instrument.tickSize);
  }
}

const timesOf = (instrument: Instrument, { receivedAt, stampedAt }: ReportedNumber) => ({
  instrument,
  at: micros(receivedAt),
  stampedAt: micros(stampedAt),
});

const textOf = (value: Modelled): string =>
  'price' in value ? value.price.toString() : `${value.rate.toString()} ${value.paidAt ?? ''}`;

function emitIf<T>(topic: MarketTopic<T>, value: T | undefined): void {
  if (value !== undefined) topic.emit(value);
}
