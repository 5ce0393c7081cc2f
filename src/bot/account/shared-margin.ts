import type { StoredMarginAccount, MarginStore } from '../../engine/account/margin-store.ts';
import { requestedOrders } from '../../engine/orders/requested-orders.ts';
import { brief, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  emptyAccount,
  marginAccountKey,
  marginAccountId,
  type MarginAccountId,
  type MarginAccountState,
} from '../../model/margin-account.ts';
import type { AccountRequest, MarginRequest, OrderRequest } from '../../model/order-request.ts';
import { outstandingLots, type NewOrder, type Order } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import { leverageRejection, marginInsufficient } from '../../rules/margin/margin-setting.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';
import { lotsAt, NO_PARTS, shareOf } from '../../rules/margin/shared-account.ts';
import type { Micros } from '../../platform/time.ts';
import { isReducing } from '../../risk/margin/risk-position.ts';
import { waitsForList } from '../../risk/view.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { SharedMarginSettings } from '../settings/settings.ts';
import type { AccountInstruments } from './instruments.ts';
import { marginName } from './margin-name.ts';

export interface SharedMarginSetup {
  /** Name of the account. */
  readonly name: string;
  readonly journal: Journal;
  readonly instruments: Pick<AccountInstruments, 'find' | 'known'>;
  readonly log: Log;
  readonly now: () => Micros;
  /** Open orders of all strategies that have passed the limits. */
  readonly openOrders: () => readonly Order[];
}

/** Strategies that may use a shared account, and their leverage; without it none may set one. */
type Rule = Pick<SharedMarginSettings, 'strategies' | 'leverage'>;

/**
 * Margin accounts that the configuration shares among strategies: checks each strategy's use of its part,
 * and converts its requests to those sent to the venue.
 */
export class SharedMargin {
  readonly #setup: SharedMarginSetup;
  readonly #rules = new Map<string, Rule>();

  constructor(setup: SharedMarginSetup) {
    this.#setup = setup;
  }

  /**
   * Shares the configured accounts among strategies, once the instruments are known. A formerly shared
   * account goes to the one strategy that has something on it; if several have, it stays theirs and a
   * warning is logged. Throws `config-invalid` for a symbol that the account does not have, or a leverage
   * that it does not allow.
   */
  open(shared: readonly SharedMarginSettings[]): void {
    const { journal, log, name } = this.#setup;
    for (const rule of shared) {
      const marginAccount = this.#marginAccountOf(rule);
      this.#rules.set(marginAccountKey(marginAccount), rule);
      journal.marginAccounts((margin) => margin.share(marginAccount));
    }
    for (const { state, parts } of journal.margin.all()) {
      if (parts === undefined || state === undefined) continue;
      if (this.#rules.has(marginAccountKey(state))) continue;
      if (journal.marginAccounts((margin) => margin.unshare(state))) continue;
      const strategies = parts.shares.map(({ strategy }) => strategy);
      this.#rules.set(marginAccountKey(state), { strategies, leverage: state.leverage });
      log.warn(
        `Account ${name} shares ${marginName(state)} no more by its configuration, and several strategies have funds or positions on it, or asked for some: ${strategies.join(', ')} share it until all but one have set their balance to 0.`,
      );
    }
  }

  /** Why a strategy's request for a shared account is rejected; `undefined` for any other account. */
  rejection(
    strategy: string,
    request: AccountRequest,
    needOf: (state: MarginAccountState) => Decimal,
  ): Rejection | undefined {
    if (request.kind === 'setMargin') return this.#settingRejection(strategy, request, needOf);
    const { journal, now } = this.#setup;
    const requester = { strategy, managed: false, requestedAt: now() };
    const asked = requestedOrders(request, (id) => journal.orders.find(id), requester);
    for (const order of asked) {
      const rejection = this.#orderRejection(strategy, order, asked);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /** True for a market whose margin account is shared. */
  isAt({ symbol, mode }: Pick<MarginRequest, 'symbol' | 'mode'>): boolean {
    return this.#ruleAt(this.#marginAccountAt(symbol, mode)) !== undefined;
  }

  /**
   * A setting as the venue takes it: the balance of the whole account with the change of this part, and the
   * configured leverage. It is computed on sending, as others change the account until then.
   */
  sent(strategy: string, request: MarginRequest): MarginRequest {
    const marginAccount = this.#marginAccountAt(request.symbol, request.mode);
    const rule = this.#ruleAt(marginAccount);
    if (rule === undefined) return request;
    const { account, own } = this.#partOf(marginAccount, strategy);
    const { balance } = request;
    const leverage = rule.leverage ?? request.leverage;
    if (balance === undefined) return { ...request, leverage };
    const all = account.balance.plus(balance).minus(own.balance);
    return { ...request, leverage, balance: rounded(all, AMOUNT_PLACES, 'down') };
  }

  /** A setting of a part as the target of the whole account. */
  whole(strategy: string, request: MarginRequest): MarginRequest {
    const { balance } = this.sent(strategy, request);
    return { ...request, balance };
  }

  /** True for an order that only closes its strategy's own position on a shared account. */
  closes(strategy: string, request: OrderRequest): boolean {
    if (request.kind !== 'place' || request.margin === undefined) return false;
    const { symbol, margin, side, lots } = request;
    const marginAccount = this.#marginAccountAt(symbol, margin.mode);
    if (this.#ruleAt(marginAccount) === undefined) return false;
    const held = lotsAt(this.#partOf(marginAccount, strategy).own, symbol);
    return lots <= (side === 'sell' ? held : -held);
  }

  /** Change of a strategy's own part by a setting. */
  changeOf(strategy: string, { symbol, mode, balance }: MarginRequest): Decimal {
    const { own } = this.#partOf(this.#marginAccountAt(symbol, mode), strategy);
    return (balance ?? own.balance).minus(own.balance);
  }

  /**
   * An order as the venue takes it. Reduce-only means the strategy's own position, but the venue would
   * compare it with the net one, so the flag is removed.
   */
  sentOrder(request: OrderRequest): OrderRequest {
    if (request.kind === 'place') return this.#unflagged(request);
    if (request.kind !== 'placeList') return request;
    return { ...request, orders: request.orders.map((order) => this.#unflagged(order)) };
  }

  #unflagged<T extends Pick<NewOrder, 'symbol' | 'margin'>>(order: T): T {
    const { symbol, margin } = order;
    if (margin?.reduceOnly !== true) return order;
    const { mode } = margin;
    return this.isAt({ symbol, mode }) ? { ...order, margin: { mode } } : order;
  }

  #settingRejection(
    strategy: string,
    { symbol, mode, balance, leverage }: MarginRequest,
    needOf: (state: MarginAccountState) => Decimal,
  ): Rejection | undefined {
    const marginAccount = this.#marginAccountAt(symbol, mode);
    const rule = this.#ruleAt(marginAccount);
    if (rule === undefined) return undefined;
    if (!rule.strategies.includes(strategy)) return notListed(marginAccount, rule);
    if (leverage !== undefined && rule.leverage?.equals(leverage) !== true) {
      return otherLeverage(marginAccount, rule, leverage);
    }
    const { account, own } = this.#partOf(marginAccount, strategy);
    if (balance === undefined || !balance.lessThan(own.balance)) return undefined;
    const need = needOf(own);
    if (balance.lessThan(need))
      return marginInsufficient(marginAccount.currency, balance, need, 'balance');
    const left = account.balance.minus(own.balance).plus(balance);
    return left.isNegative()
      ? marginInsufficient(
          marginAccount.currency,
          account.balance,
          own.balance.minus(balance),
          'balance',
        )
      : undefined;
  }

  #orderRejection(strategy: string, order: Order, asked: readonly Order[]): Rejection | undefined {
    const { symbol, margin, side } = order;
    if (margin === undefined) return undefined;
    const marginAccount = this.#marginAccountAt(symbol, margin.mode);
    const rule = this.#ruleAt(marginAccount);
    if (rule === undefined) return undefined;
    if (!rule.strategies.includes(strategy)) return notListed(marginAccount, rule);
    if (margin.closePosition === true) return noClosePosition(marginAccount);
    if (!isReducing(order)) return undefined;
    const own = lotsAt(this.#partOf(marginAccount, strategy).own, symbol);
    if (waitsForList(order)) {
      // It may fill as soon as its entry has, before anybody could cancel it.
      const then = own + this.#entryLots(order, asked);
      const open = Math.max(0, side === 'sell' ? then : -then);
      return outstandingLots(order) > open ? exitTooLarge(marginAccount, symbol, open) : undefined;
    }
    const held = Math.abs(own);
    const left = Math.max(0, held - this.#closing(strategy, order));
    return outstandingLots(order) > left ? tooLarge(marginAccount, symbol, held, left) : undefined;
  }

  /** Lots by which the entry of an exit that waits for it is still to change the position. */
  #entryLots({ orderListId = '', symbol, margin }: Order, asked: readonly Order[]): number {
    const entry =
      asked.find((one) => one.clientOrderId === orderListId) ??
      this.#setup.journal.orders.find(orderListId);
    if (entry?.symbol !== symbol || entry.margin?.mode !== margin?.mode) return 0;
    const lots = outstandingLots(entry);
    return entry.side === 'buy' ? lots : -lots;
  }

  /** Lots that other reduce-only market orders of a strategy are closing. */
  #closing(strategy: string, { symbol, side, margin }: Order): number {
    return this.#setup
      .openOrders()
      .filter(
        (one) =>
          one.strategy === strategy &&
          one.symbol === symbol &&
          one.side === side &&
          one.margin?.mode === margin?.mode &&
          one.type === 'market' &&
          isReducing(one) &&
          !waitsForList(one),
      )
      .reduce((sum, one) => sum + outstandingLots(one), 0);
  }

  #partOf(
    marginAccount: MarginAccountId,
    strategy: string,
  ): { readonly account: MarginAccountState; readonly own: MarginAccountState } {
    const kept: StoredMarginAccount = this.#store.find(marginAccount) ?? {};
    const account = kept.state ?? emptyAccount(marginAccount);
    const { state: own } = shareOf(kept.parts ?? NO_PARTS, strategy, account);
    return { account, own };
  }

  get #store(): MarginStore {
    return this.#setup.journal.margin;
  }

  #ruleAt(marginAccount: MarginAccountId): Rule | undefined {
    return this.#rules.get(marginAccountKey(marginAccount));
  }

  #marginAccountAt(symbol: string, mode: MarginRequest['mode']): MarginAccountId {
    return marginAccountId(this.#setup.instruments.known(symbol), mode);
  }

  #marginAccountOf(rule: SharedMarginSettings): MarginAccountId {
    if (rule.mode === 'cross') {
      const { currency, market } = rule;
      return { mode: 'cross', currency, isContract: market === 'futures', symbol: undefined };
    }
    const { name, instruments } = this.#setup;
    const instrument: Instrument | undefined = instruments.find(rule.symbol);
    if (instrument === undefined) {
      throw invalid(name, `names ${rule.symbol}, which the account does not have.`);
    }
    const { leverage } = rule;
    const rejection = leverage && leverageRejection(instrument, 'isolated', leverage);
    if (rejection !== undefined) throw invalid(name, `of ${rule.symbol}: ${rejection.message}`);
    return marginAccountId(instrument, 'isolated');
  }
}

const invalid = (account: string, what: string): MillraceError =>
  new MillraceError('config-invalid', `accounts.${account}.sharedMargin ${what}`, {
    field: 'sharedMargin',
  });

const notListed = (marginAccount: MarginAccountId, { strategies }: Rule): Rejection => ({
  code: 'margin-account-taken',
  field: 'margin',
  message: `By the configuration ${strategies.join(', ')} share ${marginName(marginAccount)}; name the strategy there too, or use another margin account.`,
});

const otherLeverage = (
  marginAccount: MarginAccountId,
  { leverage: is }: Rule,
  leverage: Decimal,
): Rejection => ({
  code: 'margin-account-shared',
  field: 'leverage',
  message: `Strategies share ${marginName(marginAccount)}, and its leverage is that of the configuration, ${is === undefined ? 'which says none' : brief(is)}: ${brief(leverage)} cannot be set. Leave the leverage out, or change it in sharedMargin.`,
  ...(is === undefined ? {} : { limit: brief(is) }),
});

const noClosePosition = (marginAccount: MarginAccountId): Rejection => ({
  code: 'margin-account-shared',
  field: 'closePosition',
  message: `Strategies share ${marginName(marginAccount)}, and closePosition would close what others hold there too; give the lots of the own position with reduceOnly.`,
});

const exitTooLarge = (marginAccount: MarginAccountId, symbol: string, open: number): Rejection => ({
  code: 'margin-account-shared',
  field: 'quantity',
  message: `Strategies share ${marginName(marginAccount)}, and an exit may be as large as what it can close of the own position in ${symbol} once the entry of its list has filled, which is ${open} lots.`,
  limit: String(open),
});

const tooLarge = (
  marginAccount: MarginAccountId,
  symbol: string,
  held: number,
  left: number,
): Rejection => ({
  code: 'margin-account-shared',
  field: 'quantity',
  message: `Strategies share ${marginName(marginAccount)}, and an order that only reduces may be as large as the own position in ${symbol}, which is ${held} lots${left === held ? '' : `, of which market orders are closing ${held - left}`}.`,
  limit: String(left),
});
