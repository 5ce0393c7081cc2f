import type { Micros } from '../../../platform/time.ts';
import type { Right } from '../../../wire/trading/rights.ts';

/** An API key, its secret, whose account it opens and what for. */
export interface ApiKey {
  readonly key: string;
  readonly secret: string;
  readonly account: number;
  readonly rights: ReadonlySet<Right>;
  /** What its owner calls it. */
  readonly name: string;
  readonly createdAt: Micros;
}

/** A key to give out; it is called by itself and is made now, unless it says otherwise. */
export type KeyGrant = Omit<ApiKey, 'name' | 'createdAt'> &
  Partial<Pick<ApiKey, 'name' | 'createdAt'>>;

/** Somebody with an account. */
export interface Member {
  readonly name: string;
  readonly email: string;
  readonly account: number;
}

/** Who has accounts here, and the keys that open them. */
export class ServiceMembers {
  readonly #keys = new Map<string, ApiKey>();
  readonly #members = new Map<number, Member>();
  readonly #now: () => Micros;

  /** `now` says when a key is made. */
  constructor(now: () => Micros) {
    this.#now = now;
  }

  /** Takes somebody in. */
  join(member: Member): void {
    this.#members.set(member.account, member);
  }

  /** Gives out a key, in place of one of the same name. */
  grant(key: KeyGrant): void {
    this.#keys.set(key.key, { name: key.key, createdAt: this.#now(), ...key });
  }

  /** Revokes a key; `revoke` of `stopping.ts` also notifies the sessions logged in with it. */
  revoke(name: string): void {
    this.#keys.delete(name);
  }

  /** The key of that name. */
  key(name: string): ApiKey | undefined {
    return this.#keys.get(name);
  }

  /** The keys of an account, in the order in which they were given out. */
  keysOf(account: number): readonly ApiKey[] {
    return [...this.#keys.values()].filter((key) => key.account === account);
  }

  get all(): readonly Member[] {
    return [...this.#members.values()];
  }
}
