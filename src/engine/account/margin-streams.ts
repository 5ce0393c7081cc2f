import type { Observable } from 'rxjs';
import type { MarginReport, MarginAccountState } from '../../model/margin-account.ts';
import { MARGIN_MODES } from '../../model/margin-terms.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import type { SetMargin } from '../../strategy/commands.ts';
import type { MarginAccount, MarginEvent, MarginPosition } from '../../strategy/positions.ts';
import type { MarginSymbol } from '../../strategy/where.ts';
import type { MarginGateway } from './margin-gateway.ts';
import { FUNDED, INDEXED, MARKED } from '../../model/derivative-state.ts';
import { PRICE, TOP } from '../../model/instrument-state.ts';
import type { Markets } from '../market/markets.ts';
import { MarketTopic } from '../market/topic.ts';
import { valueText } from '../commands/shown.ts';
import { notOnMargin } from './not-on-margin.ts';
import { StrategyMarginAccounts, type MarginMarket, type MissedReport } from './margin-accounts.ts';

/** Latest emitted values of one market. */
interface Emitted {
  readonly market: MarginMarket;
  readonly positions: MarketTopic<MarginPosition>;
  readonly accounts: MarketTopic<MarginAccount>;
  readonly events: MarketTopic<MarginEvent>;
  /** The last emitted mark price. */
  mark: string | undefined;
  /** The last emitted position. */
  position: string | undefined;
}

/** Changes that can move the price that positions are checked by. */
const MOVED = TOP | PRICE | MARKED | INDEXED | FUNDED;

/** Margin accounts, positions and their events as a strategy sees them. */
export class MarginStreams {
  readonly accounts: StrategyMarginAccounts;
  readonly #markets: Markets;
  readonly #events = new MarketTopic<MarginEvent>();
  readonly #emitted = new Map<string, Emitted>();
  #isAwaited = false;
  /** Events not emitted yet. */
  #pending: { readonly report: MarginReport; readonly events: readonly MarginEvent[] }[] = [];

  constructor(markets: Markets, gateway: MarginGateway | undefined) {
    this.#markets = markets;
    this.accounts = new StrategyMarginAccounts({
      instrument: (symbol) =>
        markets.find(symbol)?.instrument ??
        gateway?.instrument?.(symbol) ??
        markets.get(symbol).instrument,
      markPrice: (symbol) => gateway?.markPrice(symbol),
    });
  }

  position(where: MarginSymbol): Observable<MarginPosition> {
    return this.#of(where).positions.$;
  }

  margin(where: MarginSymbol): Observable<MarginAccount> {
    return this.#of(where).accounts.$;
  }

  events(where?: MarginSymbol): Observable<MarginEvent> {
    return where === undefined ? this.#events.$ : this.#of(where).events.$;
  }

  /** Restores the accounts at the start. */
  restore(accounts: readonly MarginAccountState[]): void {
    this.accounts.restore(accounts);
    this.#awaitMarks();
  }

  /** Applies a report and returns its events; `emit` emits the changes. */
  take(report: MarginReport): readonly MarginEvent[] {
    const events = this.accounts.take(report);
    this.#awaitMarks();
    this.#pending.push({ report, events });
    return events;
  }

  /**
   * Queues the events of a report that came before anybody listened and is applied already; `emit`
   * emits them.
   */
  missed(missed: MissedReport): readonly MarginEvent[] {
    const events = this.accounts.missed(missed);
    this.#pending.push({ report: missed.report, events });
    return events;
  }

  /** Emits changed positions and accounts, and then their events. */
  emit(): void {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    for (const emitted of this.#emitted.values()) {
      const isNews = pending.some(
        ({ report }) =>
          report.kind === 'marginAccount' &&
          this.accounts.isAccountOf(emitted.market, report.account),
      );
      if (isNews) this.#show(emitted);
    }
    for (const { report, events } of pending) {
      for (const event of events) {
        this.#events.emit(event);
        for (const { market, events: topic } of this.#emitted.values()) {
          if (isOf(market, event, report, this.accounts)) topic.emit(event);
        }
      }
    }
  }

  /** Emits the rejection of a command before sending. */
  reject({ symbol, margin: mode }: SetMargin, rejection: Rejection, at: Micros): void {
    const event: MarginEvent = Object.freeze({ kind: 'rejected', at, mode, symbol, rejection });
    this.#events.emit(event);
    this.#emitted.get(`${mode} ${symbol}`)?.events.emit(event);
  }

  /**
   * Emits positions with a changed mark price, and the margin calls that started or ended with it,
   * which are returned.
   */
  emitMarks(at: Micros): readonly MarginEvent[] {
    this.#showMarks();
    const changes = this.accounts.marked(at);
    for (const { account, event } of changes) {
      for (const emitted of this.#emitted.values()) {
        if (this.accounts.isAccountOf(emitted.market, account)) this.#show(emitted);
      }
      this.#events.emit(event);
      for (const { market, events } of this.#emitted.values()) {
        if (this.accounts.isAccountOf(market, account)) events.emit(event);
      }
    }
    return changes.map(({ event }) => event);
  }

  #showMarks(): void {
    for (const emitted of this.#emitted.values()) {
      const { market, positions, accounts } = emitted;
      if (!positions.awaited && !accounts.awaited) continue;
      if (!this.accounts.hasPositions(market)) continue;
      if (this.accounts.markPrice(market)?.toString() !== emitted.mark) this.#show(emitted);
    }
  }

  #show(emitted: Emitted): void {
    const { market, positions, accounts } = emitted;
    emitted.mark = this.accounts.markPrice(market)?.toString();
    if (positions.awaited) this.#showPosition(emitted);
    if (accounts.awaited) accounts.emit(this.accounts.account(market));
  }

  /** Emits the position if it changed; not every report of an account changes it. */
  #showPosition(emitted: Emitted): void {
    const position = this.accounts.position(emitted.market);
    const reported = reportedOf(position);
    if (reported === emitted.position) return;
    emitted.position = reported;
    emitted.positions.emit(position);
  }

  #of(where: MarginSymbol): Emitted {
    const market = this.market(where);
    const key = `${market.mode} ${market.instrument.symbol}`;
    const known = this.#emitted.get(key);
    if (known !== undefined) return known;
    const awaited = (): void => this.#awaitMarks();
    const emitted: Emitted = {
      market,
      positions: new MarketTopic(() => this.#present(market, emitted), awaited),
      accounts: new MarketTopic(() => this.accounts.account(market), awaited),
      events: new MarketTopic(),
      mark: undefined,
      position: undefined,
    };
    this.#emitted.set(key, emitted);
    return emitted;
  }

  #present(market: MarginMarket, emitted: Emitted): MarginPosition {
    const position = this.accounts.position(market);
    emitted.position = reportedOf(position);
    return position;
  }

  /**
   * Throws `margin-mode-invalid` for an invalid mode, `symbol-unknown`, and `margin-forbidden` if
   * the symbol is not traded on margin.
   */
  market(where: MarginSymbol): MarginMarket {
    const given: unknown = where;
    if (!isMarket(given)) throw unknownMarket(given);
    const { symbol, margin } = where;
    const { instrument } = this.#markets.get(symbol);
    if (!MARGIN_MODES.includes(margin)) throw unknownMarket(where);
    if (instrument.margin[margin] !== undefined) return { instrument, mode: margin };
    const { message } = notOnMargin(instrument, margin);
    throw new MillraceError('margin-forbidden', message, { field: 'symbol' });
  }

  /** Subscribes to all markets, as the price of a contract can follow another symbol. */
  #awaitMarks(): void {
    const isAwaited =
      this.accounts.derivesCalls ||
      [...this.#emitted.values()].some(
        ({ positions, accounts }) => positions.awaited || accounts.awaited,
      );
    if (isAwaited === this.#isAwaited) return;
    this.#isAwaited = isAwaited;
    for (const market of this.#markets.all) market.await(this, MOVED, isAwaited);
  }
}

const isMarket = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'symbol' in given && 'margin' in given;

/** Error for a margin stream of something other than a margin market, such as a plain symbol. */
function unknownMarket(given: unknown): MillraceError {
  const reported =
    typeof given === 'string' ? given : (Object(given) as { symbol?: unknown }).symbol;
  const symbol = typeof reported === 'string' ? reported : 'BTCUSDT';
  return new MillraceError(
    'margin-mode-invalid',
    `${valueText(given)} names no margin account; write isolated('${symbol}') or cross('${symbol}').`,
    { field: 'margin' },
  );
}

/** All changing members of a position, as one text. */
const reportedOf = (position: MarginPosition): string =>
  [
    ...[position.lots, position.markPrice, position.realizedPnl, position.fees, position.carry],
    ...[position.marginCallPrice, position.liquidationPrice],
  ].join(' ');

/** True for events of the market; those of a whole cross account belong to each of its symbols. */
function isOf(
  market: MarginMarket,
  event: MarginEvent,
  report: MarginReport,
  accounts: StrategyMarginAccounts,
): boolean {
  if (market.mode !== event.mode) return false;
  if (event.symbol !== undefined) return event.symbol === market.instrument.symbol;
  return report.kind === 'marginAccount' && accounts.isAccountOf(market, report.account);
}
