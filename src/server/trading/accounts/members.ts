import type { Micros } from '../../../platform/time.ts';
import type { Right } from '../../../wire/trading/rights.ts';

/** An API key, its secret, its account and permissions. */
export interface ApiKey {
  readonly key: string;
  readonly secret: string;
  readonly account: number;
  readonly rights: ReadonlySet<Right>;
  /** Its name at its owner. */
  readonly name: string;
  readonly createdAt: Micros;
}

/** A key to issue; without a name it is named after itself, and without a time it is created now. */
export type KeyGrant = Omit<ApiKey, 'name' | 'createdAt'> &
  Partial<Pick<ApiKey, 'name' | 'createdAt'>>;

/** The owner of an account. */
export interface Member {
  readonly name: string;
  readonly email: string;
  readonly account: number;
}

/** The accounts of the service, and the keys that open them. */
export class ServiceMembers {
  readonly #keys = new Map<string, ApiKey>();
  readonly #members = new Map<number, Member>();
  readonly #now: () => Micros;

  /** `now` returns the creation time of a key. */
  constructor(now: () => Micros) {
    this.#now = now;
  }

  /** Adds a member. */
  join(member: Member): void {
    this.#members.set(member.account, member);
  }

  /** Issues a key, replacing one of the same name. */
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

  /** The keys of an account, in the order in which they were issued. */
  keysOf(account: number): readonly ApiKey[] {
    return [...this.#keys.values()].filter((key) => key.account === account);
  }

  get all(): readonly Member[] {
    return [...this.#members.values()];
  }
}
