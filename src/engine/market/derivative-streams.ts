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
  /** What the venue itself makes of the contract, where its feed does not say it. */
  readonly model?: (() => ContractModel | undefined) | undefined;
  /** Which of them the feed says: the others are modelled, where there is a model. */
  readonly reported: number;
  /** Somebody began to listen, or ended. */
  readonly awaited: () => void;
}

type Modelled = DerivativePrice | FundingRate;

/** Changes of markets with which a modelled price can change. */
const MODEL_ON = TOP | PRICE;

/**
 * What is said of a derivative beside its market, as a strategy sees it: as the feed has it, or else as
 * the venue makes it, with each move of the market by which that changes.
 */
export class DerivativeStreams {
  readonly mark: MarketTopic<DerivativePrice>;
  readonly index: MarketTopic<DerivativePrice>;
  readonly funding: MarketTopic<FundingRate>;
  readonly openInterest: MarketTopic<OpenInterest>;
  readonly #setup: DerivativeStreamsSetup;
  /** What was shown last of what is modelled. */
  readonly #shown = new Map<number, string>();

  constructor(setup: DerivativeStreamsSetup) {
    const { awaited } = setup;
    this.#setup = setup;
    this.mark = new MarketTopic(() => this.#noted(MARKED, this.#price(MARKED)), awaited);
    this.index = new MarketTopic(() => this.#noted(INDEXED, this.#price(INDEXED)), awaited);
    this.funding = new MarketTopic(() => this.#noted(FUNDED, this.#funding()), awaited);
    this.openInterest = new MarketTopic(() => this.#open(), awaited);
  }

  /** True while somebody listens to any of it. */
  get isAwaited(): boolean {
    const { mark, index, funding, openInterest } = this;
    return mark.awaited || index.awaited || funding.awaited || openInterest.awaited;
  }

  /** The changes of its own rows that somebody waits for. */
  get awaited(): number {
    return (
      ((this.mark.awaited ? MARKED : 0) |
        (this.index.awaited ? INDEXED : 0) |
        (this.funding.awaited ? FUNDED : 0) |
        (this.openInterest.awaited ? OPENED : 0)) &
      this.#setup.reported
    );
  }

  /** The changes of every market that somebody waits for, as what is modelled follows them. */
  get awaitedOfMarkets(): number {
    const { reported } = this.#setup;
    const isModelled =
      (this.mark.awaited && (reported & MARKED) === 0) ||
      (this.index.awaited && (reported & INDEXED) === 0) ||
      (this.funding.awaited && (reported & FUNDED) === 0);
    return isModelled ? MODEL_ON | MARKED | INDEXED | FUNDED : 0;
  }

  /** Shows what a row of the feed changed. */
  emit(changes: number): void {
    const own = changes & this.#setup.reported;
    if ((own & MARKED) !== 0 && this.mark.awaited) emitIf(this.mark, this.#price(MARKED));
    if ((own & INDEXED) !== 0 && this.index.awaited) emitIf(this.index, this.#price(INDEXED));
    if ((own & FUNDED) !== 0 && this.funding.awaited) emitIf(this.funding, this.#funding());
    if ((own & OPENED) !== 0 && this.openInterest.awaited) {
      emitIf(this.openInterest, this.#open());
    }
  }

  /** A market has moved: shows what is modelled and is not what it was. */
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
    if (value === undefined || this.#shown.get(which) === textOf(value)) return;
    this.#noted(which, value);
    topic.emit(value);
  }

  /** Keeps what is shown, so that it is not shown again. */
  #noted<T extends Modelled>(which: number, value: T | undefined): T | undefined {
    if (value !== undefined && (this.#setup.reported & which) === 0) {
      this.#shown.set(which, textOf(value));
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

  /** What is modelled is known the moment it is. */
  #modelled() {
    const { instrument, now } = this.#setup;
    return { instrument, at: now(), stampedAt: now() };
  }
}

/** A price as its row has it; the decimal is made when asked for. */
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
