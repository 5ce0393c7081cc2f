import { KnownNonSpotBalances } from '../../engine/account/known-non-spot-balances.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  NON_SPOT_ACCOUNT_TYPES,
  type NonSpotAccountType,
  type NonSpotBalanceSource,
  type NonSpotBalanceListener,
} from '../../model/non-spot-balance.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';

/** How long an operator waits for balances that were not requested before. */
const REPORTED_WITHIN_US = 5 * US_PER_SECOND;

/** The account that the balances belong to. */
export interface NonSpotBalanceOwner {
  readonly name: string;
  readonly venue: { readonly nonSpotBalances?: NonSpotBalanceSource | undefined };
  now(): Micros;
}

/** An account type whose balances are followed. */
export interface FollowedAccountType {
  readonly known: KnownNonSpotBalances;
  /** Why its balances stay unknown. */
  readonly failure: MillraceError | undefined;
}

/**
 * Wallet and derivatives balances of an account, for all readers. The venue is queried once for each
 * account type, when the first strategy or operator reads it.
 */
export class FollowedBalances implements NonSpotBalanceSource {
  readonly #account: NonSpotBalanceOwner;
  readonly #log: Log;
  readonly #followed = new Map<
    NonSpotAccountType,
    { -readonly [M in keyof FollowedAccountType]: FollowedAccountType[M] }
  >();
  readonly #listeners = new Map<NonSpotAccountType, NonSpotBalanceListener[]>();

  constructor(account: NonSpotBalanceOwner, log: Log) {
    this.#account = account;
    this.#log = log;
  }

  follow(accountType: NonSpotAccountType, listener: NonSpotBalanceListener): void {
    this.#listeners.set(accountType, [...this.#of(accountType), listener]);
    const followed = this.#followed.get(accountType);
    if (followed === undefined) this.#ask(accountType);
    else if (followed.failure !== undefined) listener.failed(followed.failure);
    else if (followed.known.isKnown) {
      const balances = followed.known.all;
      listener.reported({ accountType, at: this.#account.now(), isWhole: true, balances });
    }
  }

  /** Known balances of an account type; `undefined` if nobody has requested them. */
  known(accountType: NonSpotAccountType): FollowedAccountType | undefined {
    return this.#followed.get(accountType);
  }

  /**
   * Requests the balances that nobody has requested yet; resolves when they are known, or after some
   * seconds.
   */
  async requestAll(scheduler: Scheduler): Promise<void> {
    const looked = NON_SPOT_ACCOUNT_TYPES.flatMap((accountType) => {
      const { known, failure } = this.#followed.get(accountType) ?? {};
      if (known?.isKnown === true || failure !== undefined) return [];
      return new Promise<void>((resolve) => {
        const done = (): void => {
          cancel();
          this.#listeners.set(
            accountType,
            this.#of(accountType).filter((one) => one !== listener),
          );
          resolve();
        };
        const cancel = scheduler.at(micros(scheduler.now() + REPORTED_WITHIN_US), done);
        const listener: NonSpotBalanceListener = { reported: done, failed: done };
        this.follow(accountType, listener);
      });
    });
    await Promise.all(looked);
  }

  #ask(accountType: NonSpotAccountType): void {
    const { name, venue } = this.#account;
    const followed = {
      known: new KnownNonSpotBalances(),
      failure: undefined as MillraceError | undefined,
    };
    this.#followed.set(accountType, followed);
    const failed = (error: MillraceError): void => {
      followed.failure = error;
      this.#log.warn(`${error.message} (${name})`, { code: error.code });
      for (const listener of this.#of(accountType)) listener.failed(error);
    };
    if (venue.nonSpotBalances === undefined) failed(unreported(accountType));
    venue.nonSpotBalances?.follow(accountType, {
      reported: (report) => {
        followed.known.take(report);
        for (const listener of this.#of(accountType)) listener.reported(report);
      },
      failed,
    });
  }

  #of(accountType: NonSpotAccountType): readonly NonSpotBalanceListener[] {
    return this.#listeners.get(accountType) ?? [];
  }
}

const unreported = (accountType: NonSpotAccountType): MillraceError =>
  new MillraceError(
    'balances-unsupported',
    `The venue of the account reports no ${accountType} balances.`,
    { field: 'accountType' },
  );
