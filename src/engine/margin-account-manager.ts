import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import { isSetting, type MarginAccountState, type MarginReport } from '../model/margin-account.ts';
import type { MarginMode, OrderMargin } from '../model/margin-terms.ts';
import type { Side } from '../model/order.ts';
import type { MarginRequest } from '../model/order-request.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Fill } from '../model/report.ts';
import type { Micros } from '../platform/time.ts';
import { leverageRejection } from '../rules/margin/margin-setting.ts';
import type { OrderMarket, SetMargin } from '../strategy/commands.ts';
import type { Log } from '../strategy/context.ts';
import type { MarginEvent } from '../strategy/positions.ts';
import { asWritten } from './account/as-written.ts';
import { notOnMargin } from './account/not-on-margin.ts';
import type { MarginMarket } from './account/margin-accounts.ts';
import type { MarginGateway } from './account/margin-gateway.ts';
import { Replenishing, type ConfiguredReplenish } from './account/replenishing.ts';
import { MarginStreams } from './account/margin-streams.ts';
import type { Emit } from './audit.ts';
import type { InstrumentMarket } from './market/instrument-market.ts';
import type { Markets } from './market/markets.ts';
import { unknownSymbol } from './orders/requested.ts';
import { MarginHolding } from './managed-orders/holding.ts';

export interface MarginOrderManagerSetup {
  readonly markets: Markets;
  /** Absent if nothing is traded on margin. */
  readonly gateway: MarginGateway | undefined;
  /** Accounts that the configuration replenishes. */
  readonly replenish: readonly ConfiguredReplenish[];
  readonly log: Log;
  readonly emit: Emit;
  readonly now: () => Micros;
  /** Spot funds of a currency that may be moved; `undefined` while unknown. */
  readonly available: (currency: string) => Decimal | undefined;
  /** Called when a position was closed by force, which ends its managed orders. */
  readonly ended: (market: OrderMarket) => void;
}

/** A rejected setting; without a market if the strategy does not trade its symbol. */
interface RejectedSetting {
  readonly market: MarginMarket | undefined;
  readonly why: string;
}

/** Requests of a strategy about margin accounts, and their reports. */
export class MarginAccountManager {
  readonly streams: MarginStreams;
  readonly #setup: MarginOrderManagerSetup;
  readonly #replenishing: Replenishing;
  /** Rejected settings, by mode and symbol, until one of the same account is done. */
  readonly #rejectedSettings = new Map<string, RejectedSetting>();

  constructor(setup: MarginOrderManagerSetup) {
    this.#setup = setup;
    const { markets, gateway, log, now, available } = setup;
    this.streams = new MarginStreams(markets, gateway);
    this.#replenishing = new Replenishing({
      accounts: this.streams.accounts,
      log,
      now,
      available,
      memory: gateway?.replenished,
      ask: (market, request) => this.#send(market, request),
      configured: setup.replenish,
      marketOf: (symbol, mode) => {
        const instrument = markets.find(symbol)?.instrument;
        return instrument && { instrument, mode };
      },
    });
  }

  /** Why a margin account differs from its request; `undefined` if none does, as far as known. */
  get trouble(): string | undefined {
    const [first] = this.#rejectedSettings.values();
    return first?.why;
  }

  /** Requests a margin setting, or returns why not; `form` is a rejection known already. */
  set(command: SetMargin, form: Rejection | undefined): Rejection | undefined {
    const rejection = form ?? this.#ask(command);
    if (rejection !== undefined) this.#rejected(command.symbol, command.margin, rejection);
    return rejection;
  }

  #ask({ symbol, margin: mode, balance, leverage, replenish }: SetMargin): Rejection | undefined {
    const { markets, gateway } = this.#setup;
    const instrument = markets.find(symbol)?.instrument;
    if (instrument === undefined) return unknownSymbol(symbol);
    if (gateway === undefined) return notOnMargin(instrument, mode);
    const rejection =
      (instrument.margin[mode]?.active === true ? undefined : notOnMargin(instrument, mode)) ??
      (leverage === undefined ? undefined : leverageRejection(instrument, mode, leverage)) ??
      ((balance ?? leverage ?? replenish) === undefined ? nothingSet(symbol) : undefined);
    if (rejection !== undefined) return asWritten(rejection);
    const market = { instrument, mode };
    if (replenish !== undefined && this.#replenishing.isConfigured(market))
      return configured(symbol);
    const isSent = (balance ?? leverage) !== undefined;
    const request: MarginRequest = { kind: 'setMargin', symbol, mode, balance, leverage };
    if (replenish !== undefined) {
      this.#replenishing.want(market, replenish, isSent ? request : undefined);
    }
    if (isSent) this.#send(market, request);
    else this.replenish();
    return undefined;
  }

  #send(market: MarginMarket, request: MarginRequest): void {
    const { gateway, emit } = this.#setup;
    this.streams.accounts.requested(market, request);
    emit({ kind: 'margin-request', request });
    gateway?.set(request);
  }

  /** Applies new mark prices and emits the changes. True if a margin call started or ended. */
  marked(at: Micros): boolean {
    const events = this.streams.emitMarks(at);
    this.#emit(events);
    return events.length > 0;
  }

  /** Replenishes accounts; called when an account or the available balance changed. */
  replenish(): void {
    this.#replenishing.replenish();
  }

  /** Applies a margin report; `streams.emit` emits it. */
  report(report: MarginReport): void {
    this.missed();
    this.#setup.emit({ kind: 'margin-report', report });
    const request = this.streams.accounts.answered(report);
    const moved = this.streams.accounts.moved(report);
    this.#emit(this.streams.take(report));
    if (report.kind === 'marginAccount' && isSetting(report)) this.#done(report.account);
    if (request !== undefined) this.#replenishing.answered(request, report, moved);
  }

  /** Drops what waits for a rejected setting. Returns the rejection as a sentence. */
  #rejected(symbol: string, mode: MarginMode, rejection: Rejection): string {
    const instrument = this.#setup.markets.find(symbol)?.instrument;
    const market = instrument && { instrument, mode };
    const isOpen = market && this.streams.accounts.account(market).state !== 'none';
    const left = isOpen === true ? 'it is unchanged' : 'there is none, and managed orders for it keep waiting'; // prettier-ignore
    const why = `The ${mode} margin account of ${symbol} was not set; ${left}: ${rejection.message}`;
    const key = `${mode} ${symbol}`;
    this.#rejectedSettings.delete(key);
    this.#rejectedSettings.set(key, { market, why });
    return why;
  }

  /** Notes that an account has the settings requested last. */
  #done(account: MarginAccountState): void {
    for (const [key, { market }] of this.#rejectedSettings) {
      if (market && this.streams.accounts.isAccountOf(market, account))
        this.#rejectedSettings.delete(key);
    }
  }

  /** Applies the reports before anybody listened, once; `streams.emit` emits them. */
  missed(): void {
    for (const missed of this.#setup.gateway?.missed?.() ?? []) {
      this.#setup.emit({ kind: 'margin-report', report: missed.report });
      this.#emit(this.streams.missed(missed));
    }
  }

  #emit(events: readonly MarginEvent[]): void {
    const { log, ended } = this.#setup;
    for (const event of events) {
      const { kind, symbol, mode } = event;
      if (event.kind === 'rejected') {
        log.warn(this.#rejected(symbol ?? '', mode, event.rejection), { ...event });
      } else if (ENDINGS.has(kind)) {
        const how = kind === 'changedByOthers' ? 'changed by others' : kind;
        log.warn(`The position in ${symbol ?? ''} on ${mode} margin was ${how}.`, { ...event });
        if (symbol !== undefined) ended({ symbol, margin: mode });
      } else if (kind === 'marginCall') {
        log.warn(`There is a margin call on ${mode} margin.`, { ...event });
      }
    }
  }

  /** Counts a fill until its account is reported. */
  fill(fill: Fill, mode: MarginMode): void {
    const { instrument } = this.#setup.markets.get(fill.symbol);
    this.streams.accounts.fill({ instrument, mode }, fill);
  }

  /** Why an order with these margin terms is not possible; without terms it is a spot order. */
  rejection(
    instrument: Instrument,
    margin: OrderMargin | undefined,
    side?: Side,
  ): Rejection | undefined {
    const rejection = this.streams.accounts.rejection(instrument, margin, side);
    return rejection && asWritten(rejection);
  }

  /** Logs that a target is reduced to what the funds of its account cover. */
  cut({ symbol, margin }: OrderMarket, to: number, wanted: number): void {
    this.#setup.log.info(
      `The target of ${symbol} on ${margin ?? 'spot'} is ${to} lots and not ${wanted}: the funds of its account bear no more.`,
      { symbol, margin, lots: to, wanted },
    );
  }

  /** The position of a target. */
  holding(market: InstrumentMarket, mode: MarginMode): MarginHolding {
    const { instrument } = market;
    return new MarginHolding(market, this.streams.accounts, { instrument, mode });
  }
}

/** Events that end every managed order of a position: the strategy has to set it again. */
const ENDINGS: ReadonlySet<MarginEvent['kind']> = new Set([
  'liquidated',
  'deleveraged',
  'settled',
  'changedByOthers',
]);

const configured = (symbol: string): Rejection => ({
  code: 'replenish-configured',
  field: 'replenish',
  message: `The configuration says how the margin account of ${symbol} is replenished; leave replenish out of setMargin, or out of the configuration.`,
});

const nothingSet = (symbol: string): Rejection => ({
  code: 'request-invalid',
  field: 'balance',
  message: `setMargin of ${symbol} sets nothing; give a balance, a leverage or how it is replenished.`,
});
