import { brief, Decimal } from '../../model/decimal.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Rejection } from '../../model/rejections.ts';
import {
  accountUnknown,
  leverageInvalid,
  leverageRejection,
  marginBalanceRejection,
  marginForbidden,
  marginInsufficient,
  marginModeRejection,
} from '../../rules/margin/margin-setting.ts';
import { availableFor, fundMargin } from '../clearing/funds.ts';
import { reportMargin } from '../clearing/reports.ts';
import {
  activeMarginOrders,
  ordersRequirement,
  positionsRequirement,
} from '../clearing/requirement.ts';
import { MarginAccount, type MarginKey } from '../positions/account.ts';
import { isAtLeverage, unpricedSymbol } from '../stages/margin-check.ts';
import { cancelActive } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';

/** Requested state of a margin account, which is opened if it does not exist. */
export interface MarginSetting {
  readonly mode: MarginMode;
  /** Symbol of an isolated account; of a cross account any symbol that it can trade. */
  readonly symbol: string;
  /** Target funds; 0 closes the account and returns its funds to the trader. */
  readonly marginBalance: Decimal;
  /**
   * The most that its symbols allow if absent; required to open a contract's isolated account. An
   * open account keeps its leverage.
   */
  readonly leverage?: Decimal;
}

/** Applies a requested margin account setting to an instrument's account. */
export function setMarginAccount(
  state: State,
  trader: number,
  instrument: number,
  setting: MarginSetting,
): Rejection | undefined {
  const { mode, marginBalance } = setting;
  const { leverage } = setting;
  const traded = state.instruments[instrument];
  const rejection =
    marginModeRejection(traded, mode) ??
    marginBalanceRejection(marginBalance) ??
    (leverage === undefined ? undefined : leverageRejection(traded, mode, leverage));
  if (rejection !== undefined) return rejection;
  const key = state.marginAccounts.keyOn(trader, instrument, mode);
  const account = state.marginAccounts.find(key);
  if (account === undefined) {
    return marginBalance.isZero()
      ? accountUnknown(accountName(state, key, instrument), mode)
      : openAccount(state, key, instrument, setting);
  }
  return marginBalance.isZero()
    ? closeAccount(state, account, instrument)
    : changeAccount(state, account, instrument, setting);
}

/** Records that an account was closed: the next one with its key is reported as reopened. */
export function rememberClosed(state: State, key: MarginKey): void {
  state.marginAccounts.closed.add(JSON.stringify(key));
}

function openAccount(
  state: State,
  key: MarginKey,
  instrument: number,
  { marginBalance, leverage }: MarginSetting,
): Rejection | undefined {
  const { isContract, quoteCurrency, margin, symbol } = state.instruments[instrument];
  const rules = margin[key.mode];
  if (rules?.enabled !== true || state.marginAccounts.closing.has(instrument)) {
    return marginForbidden(symbol, key.mode);
  }
  if (leverage === undefined && isContract && key.mode === 'isolated') {
    return leverageInvalid(
      'is missing, which a new isolated account of a contract needs; it',
      rules.maxInitialLeverage,
    );
  }
  const currency = state.ledger.currency(quoteCurrency);
  const chosen = key.mode === 'isolated' ? (leverage ?? rules.maxInitialLeverage) : leverage;
  const account = new MarginAccount(key, currency, chosen, state.now);
  const rejection = lackRejection(state, account, quoteCurrency, marginBalance);
  if (rejection !== undefined) return rejection;
  state.marginAccounts.add(account);
  fundMargin(state, account, marginBalance);
  const text = JSON.stringify(key);
  reportMargin(state, account, state.marginAccounts.closed.delete(text) ? 'reopened' : 'created');
  return undefined;
}

function changeAccount(
  state: State,
  account: MarginAccount,
  instrument: number,
  { marginBalance, leverage = account.leverage }: MarginSetting,
): Rejection | undefined {
  const { quoteCurrency } = state.instruments[instrument];
  const more = marginBalance.minus(account.balance);
  const isSame = leverage === account.leverage || leverage?.equals(account.leverage ?? 0) === true;
  if (more.isZero() && isSame) {
    return { code: 'position-unchanged', message: 'The margin account has that already.' };
  }
  const rejection =
    lackRejection(state, account, quoteCurrency, more) ??
    withdrawRejection(state, account, quoteCurrency, marginBalance, leverage);
  if (rejection !== undefined) return rejection;
  account.leverage = leverage;
  fundMargin(state, account, more);
  state.marginAccounts.dirty.add(account);
  reportMargin(state, account, 'marginChanged');
  return undefined;
}

function closeAccount(
  state: State,
  account: MarginAccount,
  instrument: number,
): Rejection | undefined {
  const { quoteCurrency } = state.instruments[instrument];
  const { leverage } = account;
  const rejection = withdrawRejection(state, account, quoteCurrency, new Decimal(0), leverage);
  if (rejection !== undefined) return rejection;
  for (const order of activeMarginOrders(state, account)) cancelActive(state, order);
  fundMargin(state, account, account.balance.negated());
  state.marginAccounts.remove(account);
  rememberClosed(state, account.key);
  reportMargin(state, account, 'closed');
  return undefined;
}

function lackRejection(
  state: State,
  account: MarginAccount,
  currency: string,
  more: Decimal,
): Rejection | undefined {
  const available = availableFor(state, account);
  if (available.greaterThanOrEqualTo(more)) return undefined;
  return {
    code: 'funds-insufficient',
    field: 'marginBalance',
    message: `${brief(available)} ${currency} is available and must be at least ${brief(more)}.`,
    limit: brief(more),
  };
}

/**
 * Funds or leverage can be reduced while the rest covers positions and orders and the effective
 * leverage stays below the initial one allowed.
 */
function withdrawRejection(
  state: State,
  account: MarginAccount,
  currency: string,
  balance: Decimal,
  leverage: Decimal | undefined,
): Rejection | undefined {
  const previous = account.leverage;
  const takes = balance.lessThan(account.balance);
  const lessens = previous !== undefined && leverage?.lessThan(previous) === true;
  if (!takes && !lessens) return undefined;
  const unpriced = unpricedSymbol(state, account);
  if (unpriced !== undefined) {
    return {
      code: 'funds-insufficient',
      field: 'marginBalance',
      message: `No price of ${unpriced} is known yet, so nothing can be taken from what its position needs.`,
    };
  }
  account.leverage = leverage;
  const held = ordersRequirement(state, account).plus(positionsRequirement(state, account));
  account.leverage = previous;
  if (balance.lessThan(held)) return marginInsufficient(currency, balance, held, 'marginBalance');
  for (const { instrument } of account.positions.values()) {
    const { maxInitialLeverage } = state.marginAccounts.deal(account, instrument).rules;
    if (!isAtLeverage(state, account, maxInitialLeverage, balance)) continue;
    return {
      code: 'funds-insufficient',
      field: 'marginBalance',
      message: `With ${brief(balance)} ${currency} the effective leverage would not be below ${maxInitialLeverage.toFixed()}.`,
      limit: maxInitialLeverage.toFixed(),
    };
  }
  return undefined;
}

function accountName(state: State, { mode }: MarginKey, instrument: number): string {
  const { symbol, quoteCurrency } = state.instruments[instrument];
  return mode === 'isolated' ? symbol : quoteCurrency;
}
