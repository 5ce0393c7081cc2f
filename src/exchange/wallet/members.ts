import { MillraceError } from '../../model/errors.ts';
import { withDefaults } from '../../model/members.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * Status of a sub-account: `new` until money reaches it or it is activated, which changes nothing
 * else; `frozen` until it is activated; `disabled` for good.
 */
export type SubAccountState = 'new' | 'active' | 'frozen' | 'disabled';

/** Names of an account for internal transfers. */
export interface MemberIdentity {
  readonly email?: string;
  readonly username?: string;
}

const NOBODY = -1;

interface Member {
  readonly super: number | undefined;
  readonly subs: number[];
  identity: MemberIdentity;
  status: SubAccountState;
}

/** Owners of accounts: their names, their sub-accounts, and which are frozen. */
export class Members {
  /** Number of frozen or disabled accounts. */
  stopped = 0;
  readonly #members = new Map<number, Member>();
  readonly #byEmail = new Map<string, number>();
  readonly #byUsername = new Map<string, number>();

  /** Sets the names of an account. Throws if another account has one of them. */
  name(account: number, identity: MemberIdentity): void {
    const email = identity.email?.toLowerCase();
    const username = identity.username?.toLowerCase();
    claim(this.#byEmail, email, account);
    claim(this.#byUsername, username, account);
    const member = this.#member(account);
    const { email: oldEmail, username: oldName } = member.identity;
    if (oldEmail !== undefined) this.#byEmail.delete(oldEmail.toLowerCase());
    if (oldName !== undefined) this.#byUsername.delete(oldName.toLowerCase());
    if (email !== undefined) this.#byEmail.set(email, account);
    if (username !== undefined) this.#byUsername.set(username, account);
    member.identity = identity;
  }

  /** The account of that email or user name, ignoring case. */
  find(by: 'email' | 'username', identifier: string): number | undefined {
    const names = by === 'email' ? this.#byEmail : this.#byUsername;
    return names.get(identifier.toLowerCase());
  }

  identity(account: number): MemberIdentity {
    return this.#members.get(account)?.identity ?? {};
  }

  /** Throws if the account is a sub-account, which can have none, or if a name is taken. */
  check(superAccount: number, { email, username }: MemberIdentity): void {
    if (this.superOf(superAccount) !== undefined) {
      throw new MillraceError(
        'internal',
        `Account ${superAccount} is a sub-account and has none of its own.`,
      );
    }
    claim(this.#byEmail, email?.toLowerCase(), NOBODY);
    claim(this.#byUsername, username?.toLowerCase(), NOBODY);
  }

  /** Makes a newly opened account a sub-account. */
  subordinate(account: number, superAccount: number): void {
    this.#member(superAccount).subs.push(account);
    this.#members.set(account, {
      super: superAccount,
      subs: [],
      identity: {},
      status: 'new',
    });
  }

  /** Super account of a sub-account, `undefined` for other accounts. */
  superOf(account: number): number | undefined {
    return this.#members.get(account)?.super;
  }

  /** The sub-accounts of an account, oldest first. */
  subsOf(account: number): readonly number[] {
    return this.#members.get(account)?.subs ?? [];
  }

  status(account: number): SubAccountState {
    return this.#members.get(account)?.status ?? 'active';
  }

  setStatus(account: number, status: SubAccountState): void {
    const member = this.#member(account);
    this.stopped -= this.isStopped(account) ? 1 : 0;
    member.status = status;
    this.stopped += this.isStopped(account) ? 1 : 0;
  }

  /** True for a frozen or disabled account. */
  isStopped(account: number): boolean {
    const status = this.status(account);
    return status === 'frozen' || status === 'disabled';
  }

  /** Activates a new sub-account that receives money. */
  activateNew(account: number): void {
    if (this.status(account) === 'new') this.setStatus(account, 'active');
  }

  /** Rejects every request of a frozen or disabled account. */
  rejection(account: number): Rejection | undefined {
    return this.stopped === 0 ? undefined : this.#rejection(account);
  }

  #rejection(account: number): Rejection | undefined {
    if (!this.isStopped(account)) return undefined;
    const verb = this.status(account) === 'frozen' ? 'frozen' : 'disabled';
    return { code: 'account-frozen', message: `Account ${account} is ${verb}.` };
  }

  #member(account: number): Member {
    const known = this.#members.get(account);
    if (known !== undefined) return known;
    const member: Member = { super: undefined, subs: [], identity: {}, status: 'active' };
    this.#members.set(account, member);
    return member;
  }
}

function claim(
  names: ReadonlyMap<string, number>,
  name: string | undefined,
  account: number,
): void {
  if (name === undefined) return;
  const holder = names.get(name);
  if (holder === undefined || holder === account) return;
  throw new MillraceError('internal', `Account ${holder} is called "${name}" already.`);
}

/** Permissions of a sub-account. */
export interface Permission {
  readonly withdrawEnabled: boolean;
  readonly depositAddressGenerationEnabled: boolean;
  readonly description: string;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** A change of permissions; absent members stay. */
export type PermissionChange = Partial<
  Pick<Permission, 'withdrawEnabled' | 'depositAddressGenerationEnabled' | 'description'>
>;

/** Permissions of sub-accounts, none at first; other accounts may do everything. */
export class Permissions {
  readonly #permissions = new Map<number, Permission>();

  /** Creates the permissions of a sub-account. */
  open(account: number, at: Micros): void {
    this.#permissions.set(account, {
      withdrawEnabled: false,
      depositAddressGenerationEnabled: false,
      description: '',
      createdAt: at,
      updatedAt: at,
    });
  }

  /** Permissions of a sub-account, `undefined` for other accounts. */
  of(account: number): Permission | undefined {
    return this.#permissions.get(account);
  }

  /** Changes the permissions of a sub-account. */
  change(account: number, change: PermissionChange, at: Micros): void {
    const old = this.of(account);
    if (old === undefined) return;
    this.#permissions.set(account, { ...withDefaults<Permission>(old, change), updatedAt: at });
  }

  /** Rejects what a sub-account may not do. */
  rejection(
    account: number,
    action: 'withdrawEnabled' | 'depositAddressGenerationEnabled',
  ): Rejection | undefined {
    const permission = this.of(account);
    if (permission === undefined || permission[action]) return undefined;
    const what = action === 'withdrawEnabled' ? 'withdraw' : 'make deposit addresses';
    return {
      code: 'action-forbidden',
      message: `The super account does not let account ${account} ${what}.`,
    };
  }
}
