import type { Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';

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
    if (old !== undefined) this.#permissions.set(account, { ...old, ...change, updatedAt: at });
  }

  /** Refuses a sub-account what it may not do. */
  refusal(
    account: number,
    action: 'withdrawEnabled' | 'depositAddressGenerationEnabled',
  ): Refusal | undefined {
    const permission = this.of(account);
    if (permission === undefined || permission[action]) return undefined;
    const what = action === 'withdrawEnabled' ? 'withdraw' : 'make deposit addresses';
    return {
      code: 'action-forbidden',
      message: `The super account does not let account ${account} ${what}.`,
    };
  }
}
