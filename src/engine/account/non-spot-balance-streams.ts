import type { Observable } from 'rxjs';
import { MillraceError } from '../../model/errors.ts';
import {
  NON_SPOT_ACCOUNT_TYPES,
  type NonSpotAccountType,
  type NonSpotBalance,
  type NonSpotBalanceSource,
  type NonSpotBalanceReport,
} from '../../model/non-spot-balance.ts';
import { valueText } from '../commands/shown.ts';
import { MarketTopic } from '../market/topic.ts';
import { KnownNonSpotBalances } from './known-non-spot-balances.ts';

export interface NonSpotBalanceStreamsSetup {
  /** Absent if the venue does not report these balances. */
  readonly gateway: NonSpotBalanceSource | undefined;
  /** Emits a report in event time, as it comes from outside. */
  readonly take: (report: NonSpotBalanceReport) => void;
  readonly failed: (error: MillraceError) => void;
}

/** A followed account type. */
interface Followed {
  readonly known: KnownNonSpotBalances;
  readonly topics: Map<string, MarketTopic<NonSpotBalance>>;
  /** Currencies to be emitted. */
  readonly moved: Set<string>;
}

/**
 * Wallet and derivatives balances. The venue is asked for those of an account type at the first
 * subscription.
 */
export class NonSpotBalanceStreams {
  readonly #setup: NonSpotBalanceStreamsSetup;
  readonly #followed = new Map<NonSpotAccountType, Followed>();
  readonly #requested = new Set<NonSpotAccountType>();

  constructor(setup: NonSpotBalanceStreamsSetup) {
    this.#setup = setup;
  }

  /**
   * Throws `balances-unsupported` if the venue does not report the account type, and
   * `request-invalid` for an unknown one.
   */
  balances(currency: string, accountType: NonSpotAccountType): Observable<NonSpotBalance> {
    if (!NON_SPOT_ACCOUNT_TYPES.includes(accountType)) throw unknownAccountType(accountType);
    if (this.#setup.gateway === undefined) throw unsupported(accountType);
    const { topics, known } = this.#of(accountType);
    let topic = topics.get(currency);
    if (topic === undefined) {
      topic = new MarketTopic(
        () => known.balance(currency),
        () => this.#follow(accountType),
      );
      topics.set(currency, topic);
    }
    return topic.$;
  }

  /** Applies a report; `emit` emits it. */
  report(report: NonSpotBalanceReport): void {
    const { known, topics, moved } = this.#of(report.accountType);
    const wasKnown = known.isKnown;
    const changed = known.take(report);
    // The first balance is emitted even if it is 0.
    for (const currency of wasKnown ? changed : topics.keys()) moved.add(currency);
  }

  /** Emits changed balances. */
  emit(): void {
    for (const { known, topics, moved } of this.#followed.values()) {
      if (moved.size === 0) continue;
      const currencies = [...moved];
      moved.clear();
      for (const currency of currencies) {
        const balance = known.balance(currency);
        if (balance !== undefined) topics.get(currency)?.emit(balance);
      }
    }
  }

  #follow(accountType: NonSpotAccountType): void {
    if (this.#requested.has(accountType)) return;
    this.#requested.add(accountType);
    const { take, failed } = this.#setup;
    this.#setup.gateway?.follow(accountType, { reported: take, failed });
  }

  #of(accountType: NonSpotAccountType): Followed {
    let followed = this.#followed.get(accountType);
    if (followed === undefined) {
      followed = { known: new KnownNonSpotBalances(), topics: new Map(), moved: new Set() };
      this.#followed.set(accountType, followed);
    }
    return followed;
  }
}

const unknownAccountType = (place: unknown): MillraceError =>
  new MillraceError(
    'request-invalid',
    `${valueText(place)} is not an account type; write spot, ${NON_SPOT_ACCOUNT_TYPES.join(' or ')}.`,
    { field: 'accountType' },
  );

const unsupported = (accountType: NonSpotAccountType): MillraceError =>
  new MillraceError(
    'balances-unsupported',
    `The venue of this run reports no ${accountType} balances; a strategy can see those of spot and its margin accounts there.`,
    { field: 'accountType' },
  );
