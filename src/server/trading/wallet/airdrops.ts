import type { Decimal } from '../../../model/decimal.ts';
import type { Micros } from '../../../platform/time.ts';

/** A gift of currency that waits until its account claims it. */
export interface Airdrop {
  /** Rising in the order of creation, from 1. */
  readonly id: number;
  readonly account: number;
  readonly currency: string;
  readonly amount: Decimal;
  readonly claimed: boolean;
  readonly createdAt: Micros;
}

/** Amount and receiver of a gift. */
export type Gift = Pick<Airdrop, 'account' | 'currency' | 'amount'>;

/** Gifts of the venue's operator. They are no money of an account before it claims them. */
export class Airdrops {
  readonly #airdrops: Airdrop[] = [];

  /** Offers a gift. */
  offer(gift: Gift, at: Micros): Airdrop {
    const airdrop = { ...gift, id: this.#airdrops.length + 1, claimed: false, createdAt: at };
    this.#airdrops.push(airdrop);
    return airdrop;
  }

  /** The gifts of an account, newest first. */
  of(account: number): readonly Airdrop[] {
    return this.#airdrops.filter((each) => each.account === account).reverse();
  }

  /** One gift of an account. */
  find(account: number, id: number): Airdrop | undefined {
    return this.of(account).find((each) => each.id === id);
  }

  /** Marks a gift as claimed. */
  take({ id }: Airdrop): void {
    const airdrop = this.#airdrops[id - 1];
    this.#airdrops[id - 1] = { ...airdrop, claimed: true };
  }
}
