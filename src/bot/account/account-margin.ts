import type { MissedReport } from '../../engine/account/margin-accounts.ts';
import type {
  StoredMarginAccount,
  MarginStore,
  OwnMargin,
} from '../../engine/account/margin-store.ts';
import type { ReplenishingMemory } from '../../engine/account/replenishing.ts';
import type { VenueMargin } from '../../gateways/venue-account.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  isSetting,
  marginAccountKey,
  marginAccountId,
  movedToMargin,
  type MarginAccountId,
  type MarginAccountReport,
  type MarginAccountState,
  type MarginReport,
} from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { AccountRequest, MarginRequest } from '../../model/order-request.ts';
import type { Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Fill } from '../../model/report.ts';
import { lotsAt, NO_PARTS } from '../../rules/margin/shared-account.ts';
import type { Micros } from '../../platform/time.ts';
import { heldForPositions } from '../../risk/margin/reserves.ts';
import { withThresholds } from '../../risk/margin/threshold-prices.ts';
import { UnreportedFills } from '../../risk/margin/unreported-fills.ts';
import type { MarginView } from '../../risk/view.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { CaughtUp, ReceivedMargin } from '../journal/records.ts';
import type { AccountInstruments } from './instruments.ts';
import { placesOf, taken, unowned } from './margin-claims.ts';
import type { MarginNews } from './margin-news.ts';
import { MarginRelease } from './margin-release.ts';
import type { MarketHub } from './market-hub.ts';
import type { AnyQueued } from './request-queue.ts';
import { SharedMargin } from './shared-margin.ts';
import { WaitingSettings } from './waiting-settings.ts';

export interface AccountMarginOptions {
  /** A venue knows what it has when it is open. */
  readonly venue: () => VenueMargin | undefined;
  readonly journal: Journal;
  readonly instruments: Pick<AccountInstruments, 'find' | 'known'>;
  /** Emits to a strategy its margin account; false if it is not there yet. */
  readonly emit: (strategy: string, report: MarginReport) => boolean;
  /** Notifies operators; called once the accounts are known. */
  readonly news: (margin: AccountMargin) => MarginNews;
  /** Called with the amount moved from the balances to a margin account; negative if it came back. */
  readonly moved: (currency: string, amount: Decimal) => void;
  /** Amount that a strategy's open orders reserve of its part of a shared account. */
  readonly heldForOrders: (strategy: string, state: MarginAccountState) => Decimal;
  /** The part of a strategy in a shared account has changed. */
  readonly partChanged: (strategy: string) => void;
  /** Sends a setting again that waited for the answer to an earlier one. */
  readonly again: (queued: AnyQueued) => void;
  /** Name of the account. */
  readonly name: string;
  readonly log: Log;
  readonly now: () => Micros;
  /** Open orders of all strategies that have passed the limits. */
  readonly openOrders: () => readonly Order[];
}

/** A margin account setting that was requested. */
interface RequestedSetting {
  readonly strategy: string;
  readonly currency: string;
  /** Amount that it moves to the account, negative for a withdrawal; none if the balance stays. */
  readonly amount: Decimal;
  /** When its outcome was reported unknown. */
  readonly unknownAt?: Micros | undefined;
}

/** The margin accounts of an account: their owners, reports and mark prices. */
export class AccountMargin {
  readonly store: MarginStore;
  /** News for people. */
  readonly news: MarginNews;
  readonly #options: AccountMarginOptions;
  /** Reports that a strategy missed, as it was not running yet. */
  readonly #missed = new Map<string, MissedReport[]>();
  /** Fills of which the accounts were not reported yet. */
  readonly #fills = new UnreportedFills();
  /** Unanswered settings by account, oldest first; they are answered in this order. */
  readonly #asked = new Map<string, readonly RequestedSetting[]>();
  readonly shared: SharedMargin;
  readonly #release: MarginRelease;
  readonly #waiting = new WaitingSettings();
  /** Amount reserved for a strategy's orders in its part of a shared account, as last reported. */
  readonly #heldBefore = new Map<string, string>();
  #hub: MarketHub | undefined;

  constructor(options: AccountMarginOptions) {
    this.store = options.journal.margin;
    this.#options = options;
    this.shared = new SharedMargin(options);
    this.#release = new MarginRelease({
      ...options,
      isAwaited: (marginAccount) => this.#asked.has(marginAccountKey(marginAccount)),
    });
    this.news = options.news(this);
  }

  /** Set if something can be traded on margin. */
  get venue(): VenueMargin | undefined {
    return this.#options.venue();
  }

  /** Sets the market data of the account. */
  trade(hub: MarketHub): void {
    this.#hub = hub;
  }

  /** Releases what is left of strategies that are no longer configured; called once, when all are added. */
  releaseLeft(configured: ReadonlySet<string>): void {
    this.#release.start(configured);
  }

  /** Mark price of a symbol; `undefined` while it is unknown. */
  markPrice(symbol: string): Decimal | undefined {
    const { venue } = this;
    if (venue?.prices !== undefined) return venue.prices.markPrice(symbol);
    return this.#hub?.states.get(symbol)?.markPrice();
  }

  instrument(symbol: string): Instrument | undefined {
    return this.#options.instruments.find(symbol);
  }

  /** True if a symbol's trades go to a margin account of this mode. */
  isUsed(symbol: string, mode: MarginMode): boolean {
    const instrument = this.#options.instruments.find(symbol);
    return instrument !== undefined && this.store.bearing(instrument, mode) !== undefined;
  }

  /** The margin accounts of a strategy, or all of the account, after fills and unanswered requests. */
  view(strategy?: string): MarginView | undefined {
    return this.#view((kept) =>
      strategy === undefined
        ? present(kept.state)
        : this.#owned(kept).filter((one) => one.strategy === strategy),
    );
  }

  /** Margin accounts of all strategies. Foreign funds do not count as results here. */
  ownView(): MarginView | undefined {
    return this.#view((kept) => this.#owned(kept));
  }

  #view(
    seen: (
      kept: StoredMarginAccount,
    ) => readonly { readonly strategy?: string; readonly state: MarginAccountState }[],
  ): MarginView | undefined {
    if (this.venue === undefined) return undefined;
    const shown = (kept: StoredMarginAccount): readonly MarginAccountState[] =>
      seen(kept)
        .filter(({ state }) => state.isOpen)
        .map(({ state, strategy }) =>
          kept.parts === undefined || strategy === undefined
            ? this.#counted(state, undefined)
            : this.#thresholds(this.#counted(state, strategy)),
        );
    return {
      accounts: this.store.all().flatMap(shown),
      find: (instrument, mode) => shown(this.store.bearing(instrument, mode) ?? {})[0],
      markPrice: (symbol) => this.markPrice(symbol),
    };
  }

  #owned({ state, strategy, parts }: StoredMarginAccount): readonly OwnMargin[] {
    if (parts !== undefined) return parts.shares;
    return state === undefined || strategy === undefined ? [] : [{ state, strategy }];
  }

  /** The open accounts of each strategy, as reported to it. */
  owned(): readonly OwnMargin[] {
    return this.store.owned().map(({ strategy, state }) => ({
      strategy,
      state: this.#isShared(state) ? this.#part(strategy, state) : state,
    }));
  }

  #isShared(marginAccount: MarginAccountId): boolean {
    return this.store.find(marginAccount)?.parts !== undefined;
  }

  /** A part of a shared account with the funds of its own position and orders, and its own thresholds. */
  #part(strategy: string, state: MarginAccountState): MarginAccountState {
    const instrument = (symbol: string): Instrument => this.#options.instruments.known(symbol);
    const markPrice = (symbol: string): Decimal | undefined => this.markPrice(symbol);
    return {
      ...this.#thresholds(state),
      reservedPositions: heldForPositions(state, markPrice, instrument),
      reservedOrders: this.#options.heldForOrders(strategy, state),
    };
  }

  /** A part with its own threshold prices. */
  #thresholds(state: MarginAccountState): MarginAccountState {
    return withThresholds(state, {
      instrument: (symbol) => this.#options.instruments.known(symbol),
      markPrice: (symbol) => this.markPrice(symbol),
    });
  }

  /** The orders of a strategy changed: reports how much of its parts of shared accounts they reserve. */
  ordersChanged(strategy: string, at: Micros): void {
    for (const key of this.#waiting.keys()) this.#resend(key);
    for (const one of this.owned()) {
      if (one.strategy !== strategy || !this.#isShared(one.state)) continue;
      const key = `${strategy} ${marginAccountKey(one.state)}`;
      const held = one.state.reservedOrders.toFixed();
      if ((this.#heldBefore.get(key) ?? '0') === held) continue;
      this.#heldBefore.set(key, held);
      const { state: account } = one;
      this.#options.emit(strategy, { kind: 'marginAccount', at, reason: 'updated', account });
    }
  }

  /** The same at the market of an order; `undefined` if its margin account is not shared. */
  sharedLotsOf({ strategy, symbol, margin }: Order): number | undefined {
    if (margin === undefined || !this.shared.isAt({ symbol, mode: margin.mode })) return undefined;
    return this.lotsOf(strategy, this.#options.instruments.known(symbol), margin.mode);
  }

  /** Lots that a strategy holds on margin in a symbol, negative for a short. */
  lotsOf(strategy: string, instrument: Instrument, mode: MarginMode): number {
    const kept = this.store.bearing(instrument, mode) ?? {};
    const own = this.#owned(kept).find((one) => one.strategy === strategy);
    return own === undefined ? 0 : lotsAt(own.state, instrument.symbol);
  }

  /**
   * An account with the fills that its report did not include, and without the funds requested back. A part
   * always includes all fills.
   */
  #counted(state: MarginAccountState, strategy: string | undefined): MarginAccountState {
    const counted = strategy === undefined ? this.#fills.counted(state) : state;
    const asked = (this.#asked.get(marginAccountKey(state)) ?? []).filter(
      (one) => strategy === undefined || one.strategy === strategy,
    );
    const least = Decimal.min(ZERO, ...asked.map(({ amount }) => amount));
    if (least.isZero()) return counted;
    return { ...counted, balance: counted.balance.plus(least) };
  }

  /** Counts a fill until its account is reported. */
  fill(instrument: Instrument, fill: Fill): void {
    if (fill.margin !== undefined) this.#fills.fill(instrument, fill.margin, fill);
  }

  /**
   * A request has passed: the margin account belongs to the strategy from now on, and the request counts.
   */
  passed(strategy: string, request: AccountRequest): void {
    if (request.kind === 'setMargin' && this.shared.isAt(request)) {
      const { currency } = marginAccountId(this.#options.instruments.known(request.symbol), request.mode); // prettier-ignore
      const amount = this.shared.changeOf(strategy, request);
      const key = this.#keyAt(request.symbol, request.mode);
      this.#asked.set(key, [...(this.#asked.get(key) ?? []), { strategy, currency, amount }]);
      return;
    }
    for (const { symbol, mode } of placesOf(request)) {
      const instrument = this.#options.instruments.known(symbol);
      const marginAccount = marginAccountId(instrument, mode);
      this.store.claim(marginAccount, strategy);
      if (request.kind !== 'setMargin') continue;
      const present = this.store.find(marginAccount)?.state?.balance ?? ZERO;
      const amount = (request.balance ?? present).minus(present);
      const asked = { strategy, currency: marginAccount.currency, amount };
      const key = marginAccountKey(marginAccount);
      this.#asked.set(key, [...(this.#asked.get(key) ?? []), asked]);
    }
  }

  /**
   * True for a setting of a shared account that has to wait. The venue takes the target balance of the
   * whole account, so the account and all its parts must be known. Each setting is therefore computed after
   * the previous one, after a pending reconciliation, and after the reports of fills and orders in flight.
   * It is retried automatically.
   */
  waits(queued: AnyQueued): boolean {
    const { request } = queued;
    if (request.kind !== 'setMargin' || !this.shared.isAt(request)) return false;
    const marginAccount = marginAccountId(
      this.#options.instruments.known(request.symbol),
      request.mode,
    );
    const key = marginAccountKey(marginAccount);
    const isTurn =
      !this.#asked.has(key) &&
      !this.#options.journal.marginWaits(marginAccount) &&
      !this.#fills.has(marginAccount) &&
      !this.#waiting.awaitsOrders(queued, this.#ordersAt(key), this.#options.now());
    if (!isTurn) this.#waiting.add(key, queued);
    return !isTurn;
  }

  /** Open orders on a margin account. */
  #ordersAt(key: string): readonly Order[] {
    return this.#options
      .openOrders()
      .filter(({ symbol, margin }) => margin && this.#keyAt(symbol, margin.mode) === key);
  }

  /** A request that had passed was not sent. */
  kept({ symbol, mode }: Pick<MarginRequest, 'symbol' | 'mode'>): void {
    const key = this.#keyAt(symbol, mode);
    this.#keepAsked(key, (this.#asked.get(key) ?? []).slice(0, -1));
  }

  /**
   * Journal and venue were reconciled by a snapshot of this time: outcomes unknown until then are settled,
   * and the reports held for it are emitted.
   */
  compared(at: Micros, caughtUp: readonly CaughtUp[]): void {
    for (const { report, received } of caughtUp) this.#reported(report, received, undefined);
    const known = new Set(caughtUp.map(({ report }) => marginAccountKey(report.account)));
    for (const [key, asked] of [...this.#asked]) {
      const isOpen = ({ unknownAt }: RequestedSetting): boolean =>
        unknownAt === undefined || (unknownAt >= at && !known.has(key));
      this.#keepAsked(key, asked.filter(isOpen)); // prettier-ignore
    }
    this.#fills.known(at);
    for (const key of this.#waiting.keys()) this.#resend(key);
  }

  /**
   * Amount of a currency that a strategy's unanswered settings take. Of one account only the largest
   * counts, as each sets the target balance.
   */
  taking(strategy: string, currency: string): Decimal {
    let sum = ZERO;
    for (const asked of this.#asked.values()) {
      const own = asked.filter((one) => one.strategy === strategy && one.currency === currency);
      sum = sum.plus(Decimal.max(ZERO, ...own.map(({ amount }) => amount)));
    }
    return sum;
  }

  #keyAt(symbol: string, mode: MarginMode): string {
    return marginAccountKey(marginAccountId(this.#options.instruments.known(symbol), mode));
  }

  #keepAsked(key: string, asked: readonly RequestedSetting[]): void {
    if (asked.length > 0) {
      this.#asked.set(key, asked);
      return;
    }
    this.#asked.delete(key);
    this.#resend(key);
  }

  /** Resends settings that wait for something else than an answer. */
  #resend(key: string): void {
    if (this.#asked.has(key)) return;
    for (const queued of this.#waiting.take(key)) this.#options.again(queued);
  }

  /** The oldest unanswered setting of an account was answered, or its outcome is unknown. */
  #answered(key: string, unknownAt?: Micros): RequestedSetting | undefined {
    const asked = [...(this.#asked.get(key) ?? [])];
    const index = asked.findIndex((one) => one.unknownAt === undefined);
    const oldest = asked[index];
    if (oldest === undefined) return undefined;
    if (unknownAt === undefined) asked.splice(index, 1);
    else asked[index] = { ...oldest, unknownAt };
    this.#keepAsked(key, asked);
    return oldest;
  }

  /** Why a strategy may not trade there: the margin account belongs to another strategy. */
  rejection(strategy: string, request: AccountRequest): Rejection | undefined {
    const shared = this.shared.rejection(strategy, request, (state) => this.#need(strategy, state));
    if (shared !== undefined) return shared;
    for (const { symbol, mode } of placesOf(request)) {
      const instrument = this.#options.instruments.known(symbol);
      if (this.shared.isAt({ symbol, mode })) continue;
      const owner = this.store.bearing(instrument, mode)?.strategy;
      if (owner !== undefined && owner !== strategy) return taken(instrument, mode, owner);
      const funds = owner === undefined ? this.#fundsAt(instrument, mode) : ZERO;
      if (request.kind === 'setMargin' && request.balance === undefined && !funds.isZero()) {
        return unowned(instrument, mode, funds);
      }
    }
    return undefined;
  }

  /** Amount that a part must keep for its positions and orders. */
  #need(strategy: string, state: MarginAccountState): Decimal {
    const { reservedPositions, reservedOrders } = this.#part(strategy, state);
    return reservedPositions.plus(reservedOrders);
  }

  #fundsAt(instrument: Instrument, mode: MarginMode): Decimal {
    const { state } = this.store.bearing(instrument, mode) ?? {};
    return state?.isOpen === true ? state.balance : ZERO;
  }

  /** Stored replenishing state of a strategy's accounts. */
  replenished(strategy: string): ReplenishingMemory {
    const { journal } = this.#options;
    const all = (): Record<string, string> =>
      JSON.parse(journal.kept('replenished') ?? '{}') as Record<string, string>;
    return {
      kept: () => all()[strategy],
      save: (text) => {
        journal.keep('replenished', JSON.stringify({ ...all(), [strategy]: text }));
        // On disk before the request leaves; if the write fails, the request does not leave.
        try {
          journal.flush({ isDurable: true });
        } catch (error) {
          if (!(error instanceof MillraceError)) throw error;
        }
      },
    };
  }

  /** Reports that a strategy missed, oldest first; from now on it receives each as it arrives. */
  missed(strategy: string): readonly MissedReport[] {
    const missed = this.#missed.get(strategy) ?? [];
    this.#missed.delete(strategy);
    return missed;
  }

  /** Receives a report: first the journal, then the strategies that own the account. */
  receive(report: MarginReport, at: Micros): void {
    const { journal, moved } = this.#options;
    const isAccount = report.kind === 'marginAccount';
    const before = isAccount ? this.store.find(report.account)?.state : undefined;
    const isHeld = isAccount && report.missed === undefined && journal.marginWaits(report.account);
    const received = journal.receivedMargin(report, at);
    if (isAccount) {
      this.#fills.reported(report.account);
      if (isAnswer(report)) {
        const asked = this.#answered(marginAccountKey(report.account), isHeld ? at : undefined);
        if (asked !== undefined) this.news.moved(asked, received);
      }
      const amount = movedToMargin(report, before);
      if (!amount.isZero()) moved(report.account.currency, amount);
    } else {
      const isUnknown = report.rejection.code === 'outcome-unknown';
      this.#answered(this.#keyAt(report.symbol, report.mode), isUnknown ? at : undefined);
    }
    // An account that was not there may need market data from here on.
    if (before === undefined) this.#hub?.used();
    this.#reported(isHeld ? asUpdate(report) : report, received, before);
  }

  /** Emits a report that the journal has recorded to strategies and people. */
  #reported(
    report: MarginReport,
    received: readonly ReceivedMargin[],
    before: MarginAccountState | undefined,
  ): void {
    const reported = received.map((one) => ({
      before,
      ...one,
      isReceived: this.#emit({ before, ...one }),
    }));
    const isAccount = report.kind === 'marginAccount';
    const parts = isAccount
      ? this.store.find(report.account)?.parts
      : this.shared.isAt(report) && NO_PARTS;
    const sharers = parts ? parts.shares.map(({ strategy }) => strategy) : undefined;
    this.news.take(report, reported, sharers);
    if (report.kind === 'marginAccount') {
      this.#release.check(this.store.find(report.account) ?? {});
      this.#resend(marginAccountKey(report.account));
    }
  }

  /** False if the strategy is not running. */
  #emit({ strategy, report, before }: ReceivedMargin): boolean {
    const isAccount = report.kind === 'marginAccount';
    const own =
      isAccount && this.#isShared(report.account)
        ? { ...report, account: this.#part(strategy, report.account) }
        : report;
    const isReceived = this.#options.emit(strategy, own);
    if (!isReceived && own.kind === 'marginAccount')
      this.#record(strategy, { report: own, before });
    if (own !== report) this.#options.partChanged(strategy);
    return isReceived;
  }

  #record(strategy: string, missed: MissedReport): void {
    const before = this.#missed.get(strategy);
    if (before === undefined) this.#missed.set(strategy, [missed]);
    else before.push(missed);
  }
}

const isAnswer = (report: MarginAccountReport): boolean =>
  isSetting(report) && report.byOthers === undefined;

/** A held report is emitted once the owner of the account is known. */
const asUpdate = ({ kind, at, account }: MarginAccountReport): MarginAccountReport => ({
  kind,
  at,
  account,
  reason: 'updated',
});

const present = (
  state: MarginAccountState | undefined,
): readonly { readonly state: MarginAccountState }[] => (state === undefined ? [] : [{ state }]);
