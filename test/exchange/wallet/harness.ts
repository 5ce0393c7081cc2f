import { Exchange, type ExchangeOptions } from '../../../src/exchange/exchange.ts';
import type { ExchangeListener } from '../../../src/exchange/state/listener.ts';
import type { Transaction } from '../../../src/exchange/wallet/transaction.ts';
import type { AccountType } from '../../../src/model/non-spot-balance.ts';
import type { CurrencyTerms, NetworkTerms } from '../../../src/model/currency.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros, type Micros } from '../../../src/platform/time.ts';
import { idOf, instrumentOf } from '../kit.ts';

export const networkOf = (network: string, change: Partial<NetworkTerms> = {}): NetworkTerms => ({
  network,
  payinEnabled: true,
  payoutEnabled: true,
  precisionPayout: '0.000001',
  payoutFee: '0',
  payinConfirmations: 2,
  payinPaymentId: false,
  payoutIsPaymentId: false,
  ...change,
});

export const currencyOf = (code: string, change: Partial<CurrencyTerms> = {}): CurrencyTerms => ({
  code,
  name: code,
  payinEnabled: true,
  payoutEnabled: true,
  transferEnabled: true,
  precisionTransfer: '0.000001',
  networks: [networkOf(code)],
  ...change,
});

/** BTC and USDT are traded; XRP tells accounts apart by payment ids; EUR does nothing at all. */
export const CURRENCIES: readonly CurrencyTerms[] = [
  currencyOf('BTC', {
    precisionTransfer: '0.00000001',
    networks: [
      networkOf('BTC', {
        payoutFee: '0.0005',
        feeLevels: [{ id: 'fast', fee: '0.002' }],
        addressRegex: 'bc1[0-9a-z]{10,39}',
        addressPrefix: 'bc1',
        addressLength: 20,
      }),
    ],
  }),
  currencyOf('USDT', {
    payoutDayLimit: '500',
    networks: [
      networkOf('ETH', { payoutFee: '3', payinConfirmations: 3 }),
      networkOf('TRX', { payoutFee: '1', payinConfirmations: 0 }),
      networkOf('OMNI', { payinEnabled: false, payoutEnabled: false }),
    ],
  }),
  currencyOf('XRP', {
    networks: [
      networkOf('XRP', {
        payoutFee: '0.25',
        payinPaymentId: true,
        payoutIsPaymentId: true,
        paymentIdRegex: '\\d{1,10}',
      }),
    ],
  }),
  currencyOf('EUR', { payinEnabled: false, payoutEnabled: false, transferEnabled: false }),
];

/** An address outside that every network takes. */
export const OUTSIDE = 'bc1qoutsideoutside';

/** An exchange with its wallet side, a log of all that it tells, and short ways to ask it. */
export class WalletHarness {
  readonly exchange: Exchange;
  readonly log: string[] = [];
  at: Micros = micros(1_000_000);

  constructor(options: ExchangeOptions = {}) {
    const listener: ExchangeListener = {
      order: (event, order) => {
        this.log.push(`${event} ${this.exchange.orders.clientOrderId(order)}`);
      },
      fill: () => undefined,
      balance: (account, currency) => {
        this.#emit('spot', account, currency);
      },
      walletBalance: (account, currency) => {
        this.#emit('wallet', account, currency);
      },
      derivativesBalance: (account, currency) => {
        this.#emit('derivatives', account, currency);
      },
      transaction: (transaction) => {
        this.log.push(line(transaction));
      },
    };
    this.exchange = new Exchange({
      instruments: [instrumentOf()],
      listener,
      options: { currencies: CURRENCIES, ...options },
    });
  }

  get wallet(): Exchange['wallet'] {
    return this.exchange.wallet;
  }

  get subAccounts(): Exchange['subAccounts'] {
    return this.exchange.subAccounts;
  }

  /** Opens an account with these amounts in its wallet. */
  account(amounts: Readonly<Record<string, string>> = {}): number {
    return this.#fill(this.exchange.openAccount(), amounts);
  }

  /** Opens a sub-account with these amounts in its wallet. */
  sub(superAccount: number, email: string, amounts: Readonly<Record<string, string>> = {}): number {
    return this.#fill(this.subAccounts.open(superAccount, { email }, this.at), amounts);
  }

  transfer(
    account: number,
    amount: string,
    currency: string,
    source: AccountType,
    destination: AccountType,
  ): readonly string[] | Rejection {
    const request = { currency, amount: decimal(amount), source, destination };
    return this.wallet.transfer(account, request, this.at);
  }

  withdraw(
    account: number,
    amount: string,
    currency: string,
    more: Partial<Parameters<Exchange['wallet']['withdraw']>[1]> = {},
  ): string | Rejection {
    const request = { currency, amount: decimal(amount), address: OUTSIDE, ...more };
    return this.wallet.withdraw(account, request, this.at);
  }

  /** A withdrawal that is not refused; gives its id. */
  withdrawn(...request: Parameters<WalletHarness['withdraw']>): string {
    return given(this.withdraw(...request));
  }

  /** Places a limit order of the BTCUSDT book. */
  order(account: number, name: string, side: 'buy' | 'sell', quantity: number, price: number) {
    const order = { symbol: 'BTCUSDT', side, type: 'limit', timeInForce: 'GTC' } as const;
    return this.exchange.place(
      account,
      {
        ...order,
        clientOrderId: idOf(name),
        lots: lots(quantity),
        ticks: ticks(price),
        postOnly: false,
      },
      this.at,
    );
  }

  status(txId: string): string {
    const account = this.#accounts().find(
      (each) => !isRejection(this.wallet.transaction(each, txId)),
    );
    return given(this.wallet.transaction(account ?? 0, txId)).status;
  }

  /** What is available and reserved. */
  balance(account: number, currency: string, place: AccountType = 'wallet'): string {
    const { available, reserved } = given(this.wallet.balance(account, currency, place));
    return `${available.toFixed()} ${reserved.toFixed()}`;
  }

  /** What was told since the last call. */
  reported(): string[] {
    return this.log.splice(0);
  }

  #accounts(): number[] {
    return Array.from({ length: this.exchange.ledger.accounts }, (_, account) => account);
  }

  #fill(account: number, amounts: Readonly<Record<string, string>>): number {
    for (const [currency, amount] of Object.entries(amounts)) {
      const credit = { currency, amount: decimal(amount), subtype: 'UNCLASSIFIED' } as const;
      given(this.wallet.credit(account, credit, this.at));
    }
    this.log.length = 0;
    return account;
  }

  #emit(place: AccountType, account: number, currency: number): void {
    const { code } = this.wallet.currencies[currency];
    this.log.push(`${place} ${account} ${code} ${this.balance(account, code, place)}`);
  }
}

/** What was asked for, where it was not refused. */
export function given<T>(outcome: T | Rejection): T {
  if (isRejection(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

/** The code of a rejection, `undefined` where nothing was refused. */
export const codeOf = (outcome: unknown): string | undefined =>
  isRejection(outcome) ? outcome.code : undefined;

const line = ({ account, type, subtype, status, direction, ...rest }: Transaction): string =>
  [
    `#${rest.id} ${account} ${type}/${subtype} ${status} ${direction}`,
    `${rest.amount.toFixed()} ${rest.currency}`,
    ...(rest.fee === undefined ? [] : [`fee ${rest.fee.toFixed()}`]),
    ...(rest.confirmations === undefined ? [] : [`confirmed ${rest.confirmations}`]),
    ...(rest.errorCode === undefined ? [] : [rest.errorCode]),
    ...(rest.hash === undefined ? [] : [rest.hash]),
  ].join(' ');
