import type { VenueAccount } from '../../gateways/venue-account.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Journal } from '../journal/journal.ts';

/** The instruments of an account: those of its venue, and those that its journal knows. */
export class AccountInstruments {
  readonly #account: string;
  readonly #venue: VenueAccount;
  readonly #journal: Journal;

  constructor(account: string, venue: VenueAccount, journal: Journal) {
    this.#account = account;
    this.#venue = venue;
    this.#journal = journal;
  }

  /** Those that can be traded. */
  get all(): readonly Instrument[] {
    return this.#venue.instruments;
  }

  /** A tradable instrument. */
  find(symbol: string): Instrument | undefined {
    return this.all.find((one) => one.symbol === symbol);
  }

  /** A tradable instrument; throws `symbol-unknown`. */
  get(symbol: string): Instrument {
    const instrument = this.find(symbol);
    if (instrument !== undefined) return instrument;
    throw new MillraceError(
      'symbol-unknown',
      `The venue of account ${this.#account} has no symbol "${symbol}" that can be traded.`,
      { field: 'symbols' },
    );
  }

  /** The instrument of a symbol, or its last terms in the journal; throws `symbol-unknown`. */
  known(symbol: string): Instrument {
    return this.find(symbol) ?? this.#journal.instrument(symbol) ?? this.get(symbol);
  }
}
