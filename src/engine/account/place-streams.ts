import type { Observable } from 'rxjs';
import { MillraceError } from '../../model/errors.ts';
import {
  OTHER_PLACES,
  type OtherPlace,
  type PlaceBalance,
  type PlaceBalances,
  type PlaceReport,
} from '../../model/place-balance.ts';
import { shown } from '../commands/shown.ts';
import { MarketTopic } from '../market/topic.ts';
import { KnownPlace } from './known-place.ts';

export interface PlaceStreamsSetup {
  /** Absent where the venue does not report these balances. */
  readonly gateway: PlaceBalances | undefined;
  /** Lets a report be seen: it comes from outside of event time. */
  readonly take: (report: PlaceReport) => void;
  readonly failed: (error: MillraceError) => void;
}

/** A place that the strategy looks at. */
interface Followed {
  readonly known: KnownPlace;
  readonly topics: Map<string, MarketTopic<PlaceBalance>>;
  /** Currencies that are to be shown. */
  readonly moved: Set<string>;
}

/** Balances of wallet and derivatives. A venue is asked for those of a place when a strategy first subscribes to one. */
export class PlaceStreams {
  readonly #setup: PlaceStreamsSetup;
  readonly #followed = new Map<OtherPlace, Followed>();
  readonly #asked = new Set<OtherPlace>();

  constructor(setup: PlaceStreamsSetup) {
    this.#setup = setup;
  }

  /** Throws `balances-unsupported` where the venue reports none of the place, and `request-invalid` for no place. */
  balances(currency: string, place: OtherPlace): Observable<PlaceBalance> {
    if (!OTHER_PLACES.includes(place)) throw noPlace(place);
    if (this.#setup.gateway === undefined) throw unsupported(place);
    const { topics, known } = this.#of(place);
    let topic = topics.get(currency);
    if (topic === undefined) {
      topic = new MarketTopic(
        () => known.balance(currency),
        () => this.#follow(place),
      );
      topics.set(currency, topic);
    }
    return topic.$;
  }

  /** Takes a report in; `emit` shows it. */
  report(report: PlaceReport): void {
    const { known, topics, moved } = this.#of(report.place);
    const wasKnown = known.isKnown;
    const changed = known.take(report);
    // The first balance is news even where it is 0.
    for (const currency of wasKnown ? changed : topics.keys()) moved.add(currency);
  }

  /** Shows balances that moved. */
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

  #follow(place: OtherPlace): void {
    if (this.#asked.has(place)) return;
    this.#asked.add(place);
    const { take, failed } = this.#setup;
    this.#setup.gateway?.follow(place, { reported: take, failed });
  }

  #of(place: OtherPlace): Followed {
    let followed = this.#followed.get(place);
    if (followed === undefined) {
      followed = { known: new KnownPlace(), topics: new Map(), moved: new Set() };
      this.#followed.set(place, followed);
    }
    return followed;
  }
}

const noPlace = (place: unknown): MillraceError =>
  new MillraceError(
    'request-invalid',
    `${shown(place)} is no place of balances; write spot, ${OTHER_PLACES.join(' or ')}.`,
    { field: 'place' },
  );

const unsupported = (place: OtherPlace): MillraceError =>
  new MillraceError(
    'balances-unsupported',
    `The venue of this run reports no ${place} balances; a strategy can see those of spot and its margin accounts there.`,
    { field: 'place' },
  );
