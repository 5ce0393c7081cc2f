import { KnownPlace } from '../../engine/account/known-place.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  OTHER_PLACES,
  type OtherPlace,
  type PlaceBalances,
  type PlaceListener,
} from '../../model/place-balance.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';

/** How long an operator waits for balances that nobody has looked at before. */
const REPORTED_WITHIN_US = 5 * US_PER_SECOND;

/** Whose they are. */
export interface PlaceOwner {
  readonly name: string;
  readonly venue: { readonly places?: PlaceBalances | undefined };
  now(): Micros;
}

/** A place that somebody looks at. */
export interface FollowedPlace {
  readonly known: KnownPlace;
  /** Why nothing will be known of it. */
  readonly failure: MillraceError | undefined;
}

/**
 * Wallet and derivatives balances of an account, for all who look at them. The venue is asked for those of a
 * place once, when the first of them does: a strategy, or an operator.
 */
export class FollowedBalances implements PlaceBalances {
  readonly #account: PlaceOwner;
  readonly #log: Log;
  readonly #followed = new Map<
    OtherPlace,
    { -readonly [M in keyof FollowedPlace]: FollowedPlace[M] }
  >();
  readonly #listeners = new Map<OtherPlace, PlaceListener[]>();

  constructor(account: PlaceOwner, log: Log) {
    this.#account = account;
    this.#log = log;
  }

  follow(place: OtherPlace, listener: PlaceListener): void {
    this.#listeners.set(place, [...this.#of(place), listener]);
    const followed = this.#followed.get(place);
    if (followed === undefined) this.#ask(place);
    else if (followed.failure !== undefined) listener.failed(followed.failure);
    else if (followed.known.isKnown) {
      const balances = followed.known.all;
      listener.reported({ place, at: this.#account.now(), isWhole: true, balances });
    }
  }

  /** What is known of a place; `undefined` where nobody has looked at it. */
  known(place: OtherPlace): FollowedPlace | undefined {
    return this.#followed.get(place);
  }

  /** Asks for what nobody has looked at; kept when it is known, or after some seconds. */
  async look(scheduler: Scheduler): Promise<void> {
    const looked = OTHER_PLACES.flatMap((place) => {
      const { known, failure } = this.#followed.get(place) ?? {};
      if (known?.isKnown === true || failure !== undefined) return [];
      return new Promise<void>((resolve) => {
        const done = (): void => {
          cancel();
          this.#listeners.set(
            place,
            this.#of(place).filter((one) => one !== listener),
          );
          resolve();
        };
        const cancel = scheduler.at(micros(scheduler.now() + REPORTED_WITHIN_US), done);
        const listener: PlaceListener = { reported: done, failed: done };
        this.follow(place, listener);
      });
    });
    await Promise.all(looked);
  }

  #ask(place: OtherPlace): void {
    const { name, venue } = this.#account;
    const followed = { known: new KnownPlace(), failure: undefined as MillraceError | undefined };
    this.#followed.set(place, followed);
    const failed = (error: MillraceError): void => {
      followed.failure = error;
      this.#log.warn(`${error.message} (${name})`, { code: error.code });
      for (const listener of this.#of(place)) listener.failed(error);
    };
    if (venue.places === undefined) failed(unreported(place));
    venue.places?.follow(place, {
      reported: (report) => {
        followed.known.take(report);
        for (const listener of this.#of(place)) listener.reported(report);
      },
      failed,
    });
  }

  #of(place: OtherPlace): readonly PlaceListener[] {
    return this.#listeners.get(place) ?? [];
  }
}

const unreported = (place: OtherPlace): MillraceError =>
  new MillraceError(
    'balances-unsupported',
    `The venue of the account reports no ${place} balances.`,
    { field: 'place' },
  );
