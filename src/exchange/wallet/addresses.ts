import type { Currency, Network } from '../../model/currency.ts';

/** Length of the lists of recent addresses. */
const RECENT = 10;
const PAYMENT_ID_DIGITS = 8;

/** A deposit address of an account. */
export interface DepositAddress {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly paymentId?: string | undefined;
}

/** An address that an account has withdrawn to. */
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
 * Makes a deposit address from a counter, for a currency on a network; `undefined` to use the
 * pattern of the network.
 */
export type AddressMaker = (
  currency: string,
  network: string,
  number: number,
) => string | undefined;

/** Addresses of the wallets: their own, those they have withdrawn to, and those they trust. */
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

  /** Latest deposit address of an account, `undefined` without one. */
  current(account: number, currency: Currency, network: Network): DepositAddress | undefined {
    return this.#of(account).findLast(
      (each) => each.currency === currency.code && each.network === network.code,
    );
  }

  /** Makes an address from a counter; on a network with payment ids the payment id is made so. */
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

  /** Latest deposit address of an account for every currency and network. */
  currentOnes(account: number): DepositAddress[] {
    const latest = new Map<string, DepositAddress>();
    for (const each of this.#of(account)) latest.set(`${each.currency} ${each.network}`, each);
    return [...latest.values()];
  }

  /** The last ten deposit addresses of an account for a currency, newest first. */
  recentDeposit(account: number, currency: string): DepositAddress[] {
    const own = this.#of(account).filter((each) => each.currency === currency);
    return own.slice(-RECENT).reverse();
  }

  /** The last ten different addresses that an account withdrew a currency to, newest first. */
  recentWithdraw(account: number, currency: string): UsedAddress[] {
    return [...(this.#used.get(`${account} ${currency}`) ?? [])];
  }

  /** Records a withdrawal address. */
  use(account: number, currency: string, used: UsedAddress): void {
    const key = `${account} ${currency}`;
    const others = (this.#used.get(key) ?? []).filter(
      (each) =>
        keyOf(each.network, each.address, each.paymentId) !==
        keyOf(used.network, used.address, used.paymentId),
    );
    this.#used.set(key, [used, ...others].slice(0, RECENT));
  }

  /** True if the address belongs to the account, on that network if one is given. */
  isMine(account: number, address: string, network?: string): boolean {
    return this.#of(account).some(
      (each) => each.address === address && (network === undefined || each.network === network),
    );
  }

  /** Account that an address belongs to. */
  owner({ currency, network, address, paymentId }: DepositAddress): number | undefined {
    const owner = this.#owners.get(keyOf(network, address, paymentId));
    return owner?.currency === currency ? owner.account : undefined;
  }

  /** Trusted addresses of an account, oldest first. */
  whiteList(account: number): TrustedAddress[] {
    return [...(this.#trusted.get(account) ?? [])];
  }

  /** Adds a trusted address, or renames it. */
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
