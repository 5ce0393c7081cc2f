import type { Currency, Network } from '../../model/currency.ts';

/** How many addresses the lists of recent ones hold. */
const RECENT = 10;
const PAYMENT_ID_DIGITS = 8;

/** Where money for an account is sent to. */
export interface DepositAddress {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly paymentId?: string | undefined;
}

/** An address that an account has sent money to. */
export interface UsedAddress {
  readonly address: string;
  readonly paymentId?: string | undefined;
  readonly network: string;
}

/** An address that its owner trusts. */
export interface TrustedAddress {
  readonly address: string;
  readonly currency: string;
  readonly name: string;
  readonly network: string;
}

/**
 * Makes the deposit address of a number, for a currency on a network; `undefined` where the pattern
 * of the network shall make it.
 */
export type AddressMaker = (
  currency: string,
  network: string,
  number: number,
) => string | undefined;

/** The addresses of the wallets: their own, those they have sent to, and those they trust. */
export class Addresses {
  readonly #maker: AddressMaker;
  readonly #owners = new Map<string, { readonly account: number; readonly currency: string }>();
  readonly #mine = new Map<number, DepositAddress[]>();
  readonly #used = new Map<string, UsedAddress[]>();
  readonly #trusted = new Map<number, TrustedAddress[]>();
  #count = 0;

  constructor(maker: AddressMaker = () => undefined) {
    this.#maker = maker;
  }

  /** The address that an account was given last, `undefined` when it has none there. */
  current(account: number, currency: Currency, network: Network): DepositAddress | undefined {
    return this.#of(account).findLast(
      (each) => each.currency === currency.code && each.network === network.code,
    );
  }

  /** Makes an address. It is made from a counter; in a network with payment ids the payment id is. */
  make(account: number, currency: Currency, network: Network): DepositAddress {
    this.#count += 1;
    const shared = network.terms.payinPaymentId;
    const number = shared ? 1 : this.#count;
    const made: DepositAddress = {
      currency: currency.code,
      network: network.code,
      address: this.#maker(currency.code, network.code, number) ?? network.address(number),
      paymentId: shared ? String(this.#count).padStart(PAYMENT_ID_DIGITS, '0') : undefined,
    };
    this.#owners.set(keyOf(made.network, made.address, made.paymentId), {
      account,
      currency: currency.code,
    });
    this.#mine.set(account, [...this.#of(account), made]);
    return made;
  }

  /** The latest address of every currency and network where the account has one. */
  currentOnes(account: number): DepositAddress[] {
    const latest = new Map<string, DepositAddress>();
    for (const each of this.#of(account)) latest.set(`${each.currency} ${each.network}`, each);
    return [...latest.values()];
  }

  /** The last ten addresses that an account was given for a currency, newest first. */
  recentDeposit(account: number, currency: string): DepositAddress[] {
    const own = this.#of(account).filter((each) => each.currency === currency);
    return own.slice(-RECENT).reverse();
  }

  /** The last ten different addresses that an account has sent a currency to, newest first. */
  recentWithdraw(account: number, currency: string): UsedAddress[] {
    return [...(this.#used.get(`${account} ${currency}`) ?? [])];
  }

  /** Remembers that an account has sent a currency to an address. */
  use(account: number, currency: string, used: UsedAddress): void {
    const key = `${account} ${currency}`;
    const others = (this.#used.get(key) ?? []).filter(
      (each) =>
        keyOf(each.network, each.address, each.paymentId) !==
        keyOf(used.network, used.address, used.paymentId),
    );
    this.#used.set(key, [used, ...others].slice(0, RECENT));
  }

  /** True when the account was given that address, on that network where one is named. */
  isMine(account: number, address: string, network?: string): boolean {
    return this.#of(account).some(
      (each) => each.address === address && (network === undefined || each.network === network),
    );
  }

  /** The account that money sent to an address belongs to. */
  owner({ currency, network, address, paymentId }: DepositAddress): number | undefined {
    const owner = this.#owners.get(keyOf(network, address, paymentId));
    return owner?.currency === currency ? owner.account : undefined;
  }

  /** The addresses that an account trusts, oldest first. */
  whiteList(account: number): TrustedAddress[] {
    return [...(this.#trusted.get(account) ?? [])];
  }

  /** Adds an address to those that an account trusts, or gives it another name. */
  trust(account: number, trusted: TrustedAddress): void {
    const others = this.whiteList(account).filter(
      (each) =>
        each.address !== trusted.address ||
        each.currency !== trusted.currency ||
        each.network !== trusted.network,
    );
    this.#trusted.set(account, [...others, trusted]);
  }

  #of(account: number): readonly DepositAddress[] {
    return this.#mine.get(account) ?? [];
  }
}

const keyOf = (network: string, address: string, paymentId: string | undefined): string =>
  JSON.stringify([network, address, paymentId ?? null]);
