import { brief, Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Refusal } from '../../model/refusals.ts';
import {
  accountUnknown,
  leverageInvalid,
  marginForbidden,
  marginInsufficient,
  leverageRefusal,
  marginBalanceRefusal,
  marginModeRefusal,
} from '../../rules/margin/margin-setting.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MarginAccount, type MarginKey } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Admission } from '../stages/margin-check.ts';
import type { Chronicle } from '../clearing/reports.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { Hands } from './system-orders.ts';
import type { Reserves } from '../clearing/requirement.ts';
import type { Vault } from '../clearing/funds.ts';

/** What a margin account is to have; it is opened where there is none. */
export interface MarginSetting {
  readonly mode: MarginMode;
  /** Of an isolated account its symbol; of a cross account any symbol that it is to trade. */
  readonly symbol: string;
  /** Funds that it has then; 0 closes it, and what it has goes back to its trader. */
  readonly marginBalance: Decimal;
  /**
   * The most that its symbols allow where absent; a contract's isolated account needs one when it is
   * opened. An open account keeps what it has.
   */
  readonly leverage?: Decimal;
}

/** Opens, funds and closes margin accounts. */
export class Treasury {
  readonly #instruments: readonly Instrument[];
  readonly #ledger: Ledger;
  readonly #accounts: MarginAccounts;
  readonly #vault: Vault;
  readonly #reserves: Reserves;
  readonly #admission: Admission;
  readonly #clearing: Clearing;
  readonly #chronicle: Chronicle;
  readonly #now: () => number;
  readonly #hands: Hands;
  /** Accounts that existed once, by their keys. */
  readonly #closed = new Set<string>();

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly ledger: Ledger;
    readonly accounts: MarginAccounts;
    readonly vault: Vault;
    readonly reserves: Reserves;
    readonly admission: Admission;
    readonly clearing: Clearing;
    readonly chronicle: Chronicle;
    readonly now: () => number;
    readonly hands: Hands;
  }) {
    this.#instruments = setup.instruments;
    this.#ledger = setup.ledger;
    this.#accounts = setup.accounts;
    this.#vault = setup.vault;
    this.#reserves = setup.reserves;
    this.#admission = setup.admission;
    this.#clearing = setup.clearing;
    this.#chronicle = setup.chronicle;
    this.#now = setup.now;
    this.#hands = setup.hands;
  }

  /** Brings a margin account to what is asked for; the instrument is found already. */
  set(trader: number, instrument: number, setting: MarginSetting): Refusal | undefined {
    const { mode, marginBalance } = setting;
    const { leverage } = setting;
    const traded = this.#instruments[instrument];
    const refusal =
      marginModeRefusal(traded, mode) ??
      marginBalanceRefusal(marginBalance) ??
      (leverage === undefined ? undefined : leverageRefusal(traded, mode, leverage));
    if (refusal !== undefined) return refusal;
    const key = this.#accounts.keyOn(trader, instrument, mode);
    const account = this.#accounts.find(key);
    if (account === undefined) {
      return marginBalance.isZero()
        ? accountUnknown(this.#nameOf(key, instrument), mode)
        : this.#openNew(key, instrument, setting);
    }
    return marginBalance.isZero()
      ? this.#close(account, instrument)
      : this.#change(account, instrument, setting);
  }

  /** Remembers that there was an account once: the next one of its key is told of as reopened. */
  remember(key: MarginKey): void {
    this.#closed.add(JSON.stringify(key));
  }

  #openNew(
    key: MarginKey,
    instrument: number,
    { marginBalance, leverage }: MarginSetting,
  ): Refusal | undefined {
    const { isContract, quoteCurrency, margin, symbol } = this.#instruments[instrument];
    const rules = margin[key.mode];
    if (rules?.enabled !== true || this.#accounts.closing.has(instrument)) {
      return marginForbidden(symbol, key.mode);
    }
    if (leverage === undefined && isContract && key.mode === 'isolated') {
      return leverageInvalid('is missing;', rules.maxInitialLeverage);
    }
    const currency = this.#ledger.currency(quoteCurrency);
    const chosen = key.mode === 'isolated' ? (leverage ?? rules.maxInitialLeverage) : leverage;
    const account = new MarginAccount(key, currency, chosen, this.#now());
    const refusal = this.#lackRefusal(account, quoteCurrency, marginBalance);
    if (refusal !== undefined) return refusal;
    this.#accounts.add(account);
    this.#vault.fund(account, marginBalance);
    const text = JSON.stringify(key);
    this.#chronicle.report(account, this.#closed.delete(text) ? 'reopened' : 'created');
    return undefined;
  }

  #change(
    account: MarginAccount,
    instrument: number,
    { marginBalance, leverage = account.leverage }: MarginSetting,
  ): Refusal | undefined {
    const { quoteCurrency } = this.#instruments[instrument];
    const more = marginBalance.minus(account.balance);
    const isSame =
      leverage === account.leverage || leverage?.equals(account.leverage ?? 0) === true;
    if (more.isZero() && isSame) {
      return { code: 'position-unchanged', message: 'The margin account has that already.' };
    }
    const refusal =
      this.#lackRefusal(account, quoteCurrency, more) ??
      this.#withdrawRefusal(account, quoteCurrency, marginBalance, leverage);
    if (refusal !== undefined) return refusal;
    account.leverage = leverage;
    this.#vault.fund(account, more);
    this.#clearing.stirred.add(account);
    this.#chronicle.report(account, 'marginChanged');
    return undefined;
  }

  #close(account: MarginAccount, instrument: number): Refusal | undefined {
    const { quoteCurrency } = this.#instruments[instrument];
    const { leverage } = account;
    const refusal = this.#withdrawRefusal(account, quoteCurrency, new Decimal(0), leverage);
    if (refusal !== undefined) return refusal;
    for (const order of this.#reserves.active(account)) this.#hands.withdraw(order);
    this.#vault.fund(account, account.balance.negated());
    this.#accounts.remove(account);
    this.remember(account.key);
    this.#chronicle.report(account, 'closed');
    return undefined;
  }

  #lackRefusal(account: MarginAccount, currency: string, more: Decimal): Refusal | undefined {
    const available = this.#vault.available(account);
    if (available.greaterThanOrEqualTo(more)) return undefined;
    return {
      code: 'funds-insufficient',
      field: 'marginBalance',
      message: `${brief(available)} ${currency} is available and must be at least ${brief(more)}.`,
      limit: brief(more),
    };
  }

  /**
   * Funds or leverage can be taken away while what is left covers positions and orders, and while
   * the effective leverage stays below the initial one that is allowed.
   */
  #withdrawRefusal(
    account: MarginAccount,
    currency: string,
    balance: Decimal,
    leverage: Decimal | undefined,
  ): Refusal | undefined {
    const former = account.leverage;
    const takes = balance.lessThan(account.balance);
    const lessens = former !== undefined && leverage?.lessThan(former) === true;
    if (!takes && !lessens) return undefined;
    const unpriced = this.#admission.unpriced(account);
    if (unpriced !== undefined) {
      return {
        code: 'funds-insufficient',
        field: 'marginBalance',
        message: `No price of ${unpriced} is known yet, so nothing can be taken from what its position needs.`,
      };
    }
    account.leverage = leverage;
    const held = this.#reserves.ofOrders(account).plus(this.#reserves.ofPositions(account));
    account.leverage = former;
    if (balance.lessThan(held)) return marginInsufficient(currency, balance, held, 'marginBalance');
    for (const { instrument } of account.positions.values()) {
      const { maxInitialLeverage } = this.#accounts.deal(account, instrument).rules;
      if (!this.#admission.isAtLimit(account, maxInitialLeverage, balance)) continue;
      return {
        code: 'funds-insufficient',
        field: 'marginBalance',
        message: `With ${brief(balance)} ${currency} the effective leverage would not be below ${maxInitialLeverage.toFixed()}.`,
        limit: maxInitialLeverage.toFixed(),
      };
    }
    return undefined;
  }

  #nameOf({ mode }: MarginKey, instrument: number): string {
    const { symbol, quoteCurrency } = this.#instruments[instrument];
    return mode === 'isolated' ? symbol : quoteCurrency;
  }
}
