import { MillraceError } from '../../model/errors.ts';
import { withDefaults } from '../../model/members.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';

/**
 * How a sub-account stands: `new` until money reaches it or it is activated, which changes nothing
 * else; `frozen` until it is activated; `disabled` for good.
 */
export type SubAccountState = 'new' | 'active' | 'frozen' | 'disabled';

/** By what others name an account when they send money to it. */
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

/** Whose the accounts are: their names, their sub-accounts, and who is stopped. */
export class Members {
  /** How many accounts are frozen or disabled. */
  stopped = 0;
  readonly #members = new Map<number, Member>();
  readonly #byEmail = new Map<string, number>();
  readonly #byUsername = new Map<string, number>();

  /** Gives an account the names by which others find it. Throws where another has one of them. */
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

  /** The account of that email or user name, in whatever case it is written. */
  find(by: 'email' | 'username', identifier: string): number | undefined {
    const names = by === 'email' ? this.#byEmail : this.#byUsername;
    return names.get(identifier.toLowerCase());
  }

  identity(account: number): MemberIdentity {
    return this.#members.get(account)?.identity ?? {};
  }

  /** Throws where an account is a sub-account and can have none, or where the names are taken. */
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

  /** The super account of a sub-account, `undefined` of every other. */
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

  stand(account: number, status: SubAccountState): void {
    const member = this.#member(account);
    this.stopped -= this.isStopped(account) ? 1 : 0;
    member.status = status;
    this.stopped += this.isStopped(account) ? 1 : 0;
  }

  /** True for an account that may do nothing by itself. */
  isStopped(account: number): boolean {
    const status = this.status(account);
    return status === 'frozen' || status === 'disabled';
  }

  /** Money has reached the account: one that is new is in use from now on. */
  welcome(account: number): void {
    if (this.status(account) === 'new') this.stand(account, 'active');
  }

  /** Refuses whatever a frozen or disabled account asks for. */
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

/** What a super account allows to a sub-account. */
export interface Permission {
  readonly withdrawEnabled: boolean;
  readonly depositAddressGenerationEnabled: boolean;
  readonly description: string;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** What a super account wants to allow; what is absent stays. */
export type PermissionChange = Partial<
  Pick<Permission, 'withdrawEnabled' | 'depositAddressGenerationEnabled' | 'description'>
>;

/** What sub-accounts may do. Nothing at first; accounts that are no sub-accounts may do everything. */
export class Permissions {
  readonly #permissions = new Map<number, Permission>();

  /** Begins the permissions of a sub-account. */
  open(account: number, at: Micros): void {
    this.#permissions.set(account, {
      withdrawEnabled: false,
      depositAddressGenerationEnabled: false,
      description: '',
      createdAt: at,
      updatedAt: at,
    });
  }

  /** The permissions of a sub-account, `undefined` of every other account. */
  of(account: number): Permission | undefined {
    return this.#permissions.get(account);
  }

  /** Changes what a sub-account may do. */
  change(account: number, change: PermissionChange, at: Micros): void {
    const old = this.of(account);
    if (old === undefined) return;
    this.#permissions.set(account, { ...withDefaults<Permission>(old, change), updatedAt: at });
  }

  /** Refuses a sub-account what it may not do. */
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
