import { Exchange, type ExchangeOptions } from '../../exchange/exchange.ts';
import type { MarketData } from '../../exchange/market-data/market-data.ts';
import type { Currency } from '../../model/currency.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { UNLOGGED, type Inputs } from '../data/inputs.ts';
import { ServiceMembers } from './accounts/members.ts';
import type { ServiceLimits } from './limits.ts';
import { Clearings } from './margin/clearings.ts';
import { Fundings } from './market/fundings.ts';
import { News } from './news.ts';
import type { AccountHistory, Retention } from './orders/account-history.ts';
import { History } from './orders/history.ts';
import type { OrderReport } from './orders/order-record.ts';
import { Reporter } from './orders/reporter.ts';
import { Airdrops } from './wallet/airdrops.ts';
import { Chains, type ChainsOptions } from './wallet/chains.ts';

export interface TradingServiceSetup {
  readonly instruments: readonly Instrument[];
  readonly scheduler: Scheduler;
  /**
   * Timers of waiting requests and followers, which are not part of the state; those of `scheduler` if
   * absent.
   */
  readonly timers?: Scheduler;
  /** Log of inputs that change the state; none if absent. */
  readonly inputs?: Inputs;
  readonly exchange?: ExchangeOptions;
  /** Timing of the external chains. */
  readonly chains?: ChainsOptions;
  /** Rate limits; none apply if absent. */
  readonly limits?: ServiceLimits;
  /** Retention of the accounts' histories. */
  readonly kept?: Partial<Retention>;
}

/** Result of a request: the exchange's answer, and its reports on the account's orders. */
export interface Done<T> {
  readonly outcome: T;
  readonly reports: readonly OrderReport[];
}

/**
 * The trading service without its sockets: the exchange, the accounts on it, their histories, and their
 * followers. Every version of the protocol, REST or streaming, uses it.
 */
export class TradingService {
  readonly exchange: Exchange;
  readonly members = new ServiceMembers(() => this.now());
  readonly history: History;
  readonly news = new News();
  readonly airdrops = new Airdrops();
  /** Carries withdrawals and confirms deposits. */
  readonly chains: Chains;
  /** Fundings of contracts. */
  readonly fundings: Fundings;
  /** Payments of margin accounts without orders of their holders. */
  readonly clearings: Clearings;
  /** Public market data; `look` lets time advance first. */
  readonly marketData: MarketData;
  readonly scheduler: Scheduler;
  readonly timers: Scheduler;
  readonly inputs: Inputs;
  readonly limits: ServiceLimits | undefined;
  /** Cleanups of waiting requests, called when the service closes. */
  readonly closing = new Set<() => void>();
  /** When the timer for due events runs. */
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancelWake: () => void = () => undefined;

  /** Throws `config-invalid` for a symbol or currency that a request cannot name. */
  constructor({
    instruments,
    scheduler,
    timers = scheduler,
    inputs = UNLOGGED,
    exchange = {},
    limits,
    chains,
    kept,
  }: TradingServiceSetup) {
    this.scheduler = scheduler;
    this.timers = timers;
    this.inputs = inputs;
    this.history = new History(kept);
    this.limits = limits;
    this.fundings = new Fundings(instruments);
    this.clearings = new Clearings(instruments);
    this.news.followMarginAccounts((report) => {
      this.clearings.record(report);
    });
    const { market } = this.news;
    const listener = {
      trade: (...trade: readonly [number, number, number, number, number, number]) => {
        for (const one of market) one.trade?.(...trade);
      },
      book: (instrument: number) => {
        for (const one of market) one.book?.(instrument);
      },
    };
    this.exchange = new Exchange({
      instruments,
      listener: new Reporter(
        () => this.exchange,
        this.history,
        this.news,
        (contract, funding) => {
          this.fundings.record(contract.instrument, funding);
        },
      ),
      options: { ...exchange, marketData: { ...exchange.marketData, listener } },
    });
    const { marketData } = this.exchange;
    if (marketData === undefined) {
      throw new MillraceError('internal', 'The exchange publishes nothing.');
    }
    this.marketData = marketData;
    refuseSmallLetters(instruments, this.exchange.wallet.currencies);
    this.chains = new Chains(this, chains);
    this.exchange.advance(this.now());
  }

  /** Time of the service. */
  now(): Micros {
    return this.scheduler.now();
  }

  /**
   * The only way to the exchange for requests that change something, or that must see all due events: `act`
   * is called when everything due by now has happened. A change is part of an input.
   */
  act<T>(act: (exchange: Exchange, at: Micros) => T): T {
    return this.inputs.look(() => this.#act(act));
  }

  #act<T>(act: (exchange: Exchange, at: Micros) => T): T {
    const at = this.now();
    this.exchange.advance(at);
    const outcome = act(this.exchange, at);
    for (const one of this.news.market) one.over?.();
    this.#watch();
    return outcome;
  }

  /** Public data now: everything due by now has happened. */
  look(): MarketData {
    this.act(() => undefined);
    return this.marketData;
  }

  /** The orders and trades of an account up to now. */
  past(account: number): AccountHistory {
    this.act(() => undefined);
    return this.history.at(this.now(), account);
  }

  /** Executes a request of an account, and returns the reports on its orders during it. */
  during<T>(account: number, act: (exchange: Exchange, at: Micros) => T): Done<T> {
    const reports: OrderReport[] = [];
    // Due events first: they are no part of the request's effects.
    this.exchange.advance(this.now());
    const stop = this.news.follow(account, { report: (report) => reports.push(report) });
    try {
      return { outcome: this.act(act), reports };
    } finally {
      stop();
    }
  }

  /** The currencies of every ledger, by index. */
  get currencies(): readonly string[] {
    return this.exchange.ledger.balances.map(({ currency }) => currency);
  }

  /** Ends its timers, and all waiting requests. */
  close(): void {
    for (const end of this.closing) end();
    this.chains.close();
    this.#cancelWake();
    this.#wakeAt = Number.POSITIVE_INFINITY;
  }

  /** Sets a timer, so that events happen when due, not with the next request. */
  #watch(): void {
    const at = this.exchange.nextExpiryAt;
    if (at >= this.#wakeAt || at === Number.POSITIVE_INFINITY) return;
    this.#cancelWake();
    this.#wakeAt = at;
    this.#cancelWake = this.scheduler.at(micros(at), () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.act(() => undefined);
    });
  }
}

/** The service reads codes in any letter case, as capitals, so one with small letters cannot be reached. */
function refuseSmallLetters(
  instruments: readonly Instrument[],
  currencies: readonly Currency[],
): void {
  const codes = [...instruments.map(({ symbol }) => symbol), ...currencies.map(({ code }) => code)];
  const small = codes.find((code) => code !== code.toUpperCase());
  if (small === undefined) return;
  throw new MillraceError(
    'config-invalid',
    `The code ${small} has small letters; the service knows symbols and currencies in capitals, as ${small.toUpperCase()}.`,
    { field: 'symbol' },
  );
}
