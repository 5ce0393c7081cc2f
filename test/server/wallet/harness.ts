import { expect } from 'vitest';
import { HOUSE } from '../../../src/exchange/ledger/ledger.ts';
import type { CurrencyTerms, NetworkTerms } from '../../../src/model/currency.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import type { ChainsOptions } from '../../../src/server/trading/wallet/chains.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Right } from '../../../src/wire/trading/rights.ts';
import { ALL_RIGHTS, openVenue, type TestVenue } from '../kit.ts';

export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;

const networkOf = (network: string, change: Partial<NetworkTerms> = {}): NetworkTerms => ({
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

const currencyOf = (code: string, change: Partial<CurrencyTerms>): CurrencyTerms => ({
  code,
  name: code,
  payinEnabled: true,
  payoutEnabled: true,
  transferEnabled: true,
  precisionTransfer: '0.000001',
  networks: [networkOf(code)],
  ...change,
});

/** Of BTC addresses must be of a form; USDT has several networks, XRP payment ids, and EUR nothing. */
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
    payoutDayLimit: '50000',
    networks: [
      networkOf('ETH', { payoutFee: '3', payinConfirmations: 3 }),
      networkOf('TRX', { payoutFee: '1', payinConfirmations: 1 }),
    ],
  }),
  currencyOf('XRP', {
    networks: [
      networkOf('XRP', {
        payoutFee: '0.25',
        payinConfirmations: 1,
        payinPaymentId: true,
        payoutIsPaymentId: true,
        paymentIdRegex: '\\d{1,10}',
      }),
    ],
  }),
  currencyOf('EUR', { payinEnabled: false, payoutEnabled: false, transferEnabled: false }),
];

/** An address outside that BTC and all others take. */
export const OUTSIDE = 'bc1qoutsideoutside';

/** What an account of these tests has in its wallet. */
const FUNDS = { BTC: '10', USDT: '10000', XRP: '1000' } as const;

export type Query = Readonly<Record<string, string>>;

/** A venue whose members `ann` and `bob` have money in their wallets, and short ways to ask it. */
export class WalletHarness {
  readonly venue: TestVenue;
  readonly accounts = new Map<string, number>();

  constructor(venue: TestVenue) {
    this.venue = venue;
  }

  /** Takes a member in, with money in its wallet. */
  join(name: string, rights: readonly Right[] = ALL_RIGHTS, funds: Query = FUNDS): number {
    const account = this.venue.join(name, { rights, spot: {} });
    this.accounts.set(name, account);
    for (const [currency, amount] of Object.entries(funds)) this.credit(name, currency, amount);
    return account;
  }

  /** Opens a sub-account with a key of its own. */
  sub(name: string, of: string): number {
    const { trading } = this.venue;
    const email = `${name}@example.com`;
    const account = trading.act(({ subAccounts }, at) =>
      subAccounts.open(this.account(of), { email, username: name }, at),
    );
    trading.members.join({ name, email, account });
    const rights = new Set(ALL_RIGHTS);
    trading.members.grant({ key: name, secret: `${name}-secret`, account, rights });
    this.accounts.set(name, account);
    return account;
  }

  account(name: string): number {
    const account = this.accounts.get(name);
    if (account === undefined) throw new Error(`nobody is called ${name}`);
    return account;
  }

  /** Money comes into a wallet by another way than a chain. */
  credit(name: string, currency: string, amount: string): void {
    const credit = { currency, amount: decimal(amount), subtype: 'UNCLASSIFIED' } as const;
    const id = this.venue.trading.act(({ wallet }, at) =>
      wallet.credit(this.account(name), credit, at),
    );
    if (isRejection(id)) throw new Error(id.message);
  }

  /** An answer that must be a success. */
  async ok<T>(as: string, method: string, path: string, params: unknown = {}): Promise<T> {
    const { status, body } = await this.#call(as, method, path, params);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body as T;
  }

  /** The status and the code of an answer that must be an error, and what is wrong. */
  async rejected(
    as: string,
    method: string,
    path: string,
    params: unknown = {},
  ): Promise<readonly [number, number]> {
    const { status, body } = await this.#call(as, method, path, params);
    const { error } = body as { readonly error: { readonly code: number } };
    return [status, error.code];
  }

  /** What a wallet has of a currency, as available and reserved, by REST. */
  async balance(as: string, currency: string, place = 'wallet'): Promise<string> {
    const path = `/api/3/${place}/balance/${currency}`;
    const { available, reserved } = await this.ok<Query>(as, 'GET', path);
    return `${available} ${reserved}`;
  }

  /** What the house has of a currency: the fees of withdrawals. */
  house(currency: string): string {
    const { wallets } = this.venue.trading.exchange;
    return wallets.available(HOUSE, wallets.currency(currency)).toFixed();
  }

  pass(us: number): void {
    this.venue.pass(us);
  }

  /** Lets the clock come to a time. */
  passTo(us: number): void {
    this.venue.scheduler.advanceTo(micros(us));
  }

  #call(as: string, method: string, path: string, params: unknown) {
    const inQuery = method === 'GET' || method === 'DELETE';
    if (!inQuery) return this.venue.call(method, path, { as, json: params });
    const query = new URLSearchParams(params as Query).toString();
    return this.venue.call(method, query === '' ? path : `${path}?${query}`, { as });
  }
}

export async function openHarness(chains: ChainsOptions = {}): Promise<WalletHarness> {
  const venue = await openVenue({ exchange: { currencies: CURRENCIES }, chains });
  const branch = new WalletHarness(venue);
  branch.join('ann');
  branch.join('bob');
  return branch;
}

export interface TransactionRow {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly subtype: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_activity_at: string;
  readonly operation_id: string;
  readonly operation_type: string;
  readonly attempt_hashes: readonly string[];
  readonly native: {
    readonly tx_id: string;
    readonly index: number;
    readonly currency: string;
    readonly amount: string;
    readonly hash?: string;
    readonly senders?: readonly string[];
  };
}
