import type { MarginGateway } from '../engine/account/margin-gateway.ts';
import { MarginStore } from '../engine/account/margin-store.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { MarginRequest } from '../model/order-request.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Fill } from '../model/report.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { micros } from '../platform/time.ts';
import { UnreportedFills } from '../risk/margin/unreported-fills.ts';
import type { MarginView } from '../risk/view.ts';

export interface MarginLimitsSetup {
  readonly venue: MarginGateway;
  readonly scheduler: Scheduler;
  /** Latency of a rejection. */
  readonly delayUs: number;
  /** Why a request may not be sent. */
  readonly rejection: (request: MarginRequest) => Rejection | undefined;
  /** Receives every rejection when it is made. */
  readonly observer: (report: MarginReport) => void;
}

/** Margin accounts of a backtest with limits: checks requests and records reports. */
export class MarginLimits implements MarginGateway {
  readonly #setup: MarginLimitsSetup;
  readonly #store = new MarginStore();
  readonly #fills = new UnreportedFills();
  #listener: (report: MarginReport) => void = () => undefined;

  constructor(setup: MarginLimitsSetup) {
    this.#setup = setup;
  }

  connect(listener: (report: MarginReport) => void): ReturnType<MarginGateway['connect']> {
    this.#listener = listener;
    const accounts = this.#setup.venue.connect((report) => {
      if (report.kind === 'marginAccount') {
        this.#store.take(report);
        this.#fills.reported(report.account);
      }
      listener(report);
    });
    for (const account of accounts) this.#store.load(account, { state: account });
    return accounts;
  }

  set(request: MarginRequest): void {
    const { scheduler, delayUs, rejection: rejectionOf, venue, observer } = this.#setup;
    const rejection = rejectionOf(request);
    if (rejection === undefined) {
      venue.set(request);
      return;
    }
    const { symbol, mode } = request;
    const at = scheduler.now();
    const report: MarginReport = { kind: 'marginRejected', at, symbol, mode, rejection, request };
    observer(report);
    scheduler.at(micros(at + delayUs), () => this.#listener(report));
  }

  markPrice(symbol: string): ReturnType<MarginGateway['markPrice']> {
    return this.#setup.venue.markPrice(symbol);
  }

  contract(symbol: string): ReturnType<NonNullable<MarginGateway['contract']>> {
    return this.#setup.venue.contract?.(symbol);
  }

  /** Counts a fill until its account is reported. */
  fill(instrument: Instrument, fill: Fill): void {
    if (fill.margin !== undefined) this.#fills.fill(instrument, fill.margin, fill);
  }

  /** The accounts as known now. */
  view(): MarginView {
    return {
      accounts: this.#store
        .all()
        .flatMap(({ state }) => (state?.isOpen === true ? [this.#fills.counted(state)] : [])),
      find: (instrument, mode) => {
        const state = this.#store.bearing(instrument, mode)?.state;
        return state?.isOpen === true ? this.#fills.counted(state) : undefined;
      },
      markPrice: (symbol) => this.markPrice(symbol),
    };
  }
}
