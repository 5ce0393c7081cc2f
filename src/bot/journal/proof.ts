import type { Instrument } from '../../model/instrument.ts';
import type { VenueOrder } from '../../model/order.ts';
import { micros } from '../../platform/time.ts';
import { confirmed, settle, type Difference } from './confirmation.ts';
import type { JournalFiles } from './files.ts';
import type { JournalOptions } from './options.ts';
import { keepMark, prove, type ProvenanceSetup } from './provenance.ts';
import type { JournalTables } from './tables.ts';

/** How many of the last ended orders are looked up at a venue to identify the account. */
const EVIDENCE_MAX = 5;

/** Terms of an instrument as the journal has them, and as they are now. */
export interface ChangedTerms {
  readonly before: Instrument;
  readonly after: Instrument;
}

/**
 * Identity of a journal: compared when it is opened and once the venue is connected; stores the result for
 * the next start.
 */
export class JournalProof {
  readonly identity: string;
  /** True if the journal was never compared with a venue: nothing was sent by it. */
  readonly isNew: boolean;
  readonly #files: JournalFiles;
  readonly #tables: JournalTables;
  readonly #setup: Omit<ProvenanceSetup, 'lastSequence'>;
  readonly #notice: (sentence: string) => void;
  /** The last event that the state file knows of. */
  #marked = -1;

  /** Throws `journal-invalid` and `journal-unconfirmed`. */
  constructor(files: JournalFiles, tables: JournalTables, options: JournalOptions) {
    const { account, random, notice } = options;
    const { stateTable, log } = tables;
    this.#files = files;
    this.#tables = tables;
    this.#notice = (sentence) => notice?.(sentence);
    this.isNew = stateTable.fact('reconciledAt') === undefined;
    this.#setup = { path: files.path, account, random, state: files.state, stateTable };
    const { identity, notices } = prove({ ...this.#setup, lastSequence: log.lastSequence() });
    this.identity = identity;
    for (const sentence of notices) this.#notice(sentence);
  }

  /** Stores the journal's progress in the state file; its content is on disk first. */
  mark(): void {
    const sequence = this.#tables.log.lastSequence();
    if (sequence === this.#marked) return;
    this.#files.database.sync();
    keepMark(this.#setup, sequence);
    this.#marked = sequence;
  }

  /** Throws `journal-unwritable` if the file is not at its path, or takes no commit. */
  checkWritable(): void {
    this.#files.database.checkPlace();
    this.#files.database.touch();
  }

  /** Fingerprint of the key that the account was traded with last. */
  get key(): string | undefined {
    return this.#tables.stateTable.fact('key');
  }

  /** Stores the fingerprint with the next commit. */
  setKey(fingerprint: string): void {
    this.#tables.stateTable.setFact('key', fingerprint);
  }

  /** Throws `journal-unconfirmed` unless all differences are confirmed; logs the confirmed ones. */
  confirm(differences: readonly Difference[]): void {
    for (const one of confirmed(this.#files.path, this.#files.state, differences))
      this.#notice(one);
  }

  /** All comparisons are done: the confirmations are no longer needed. */
  settle(): void {
    settle(this.#files.state);
  }

  /** Orders that the venue reported: the open ones and the last ended ones. */
  evidence(): readonly VenueOrder[] {
    const { orders, rows } = this.#tables;
    const ended = rows.lastEnded(micros(0), EVIDENCE_MAX).map(({ order }) => order.venueOrder);
    return [...orders.open().map(({ venueOrder }) => venueOrder), ...ended].flatMap(
      (one) => one ?? [],
    );
  }

  /** Symbols with open orders, or with lots that a strategy has bought. */
  symbols(): ReadonlySet<string> {
    const { orders, holdings } = this.#tables;
    return new Set([...orders.open().map(({ symbol }) => symbol), ...holdings.symbols]);
  }

  /** Instruments whose terms differ from the journal's. */
  changedTerms(instruments: readonly Instrument[]): readonly ChangedTerms[] {
    return this.#tables.instruments.unknown(instruments).flatMap((after) => {
      const before = this.#tables.instruments.find(after.symbol);
      return before === undefined ? [] : [{ before, after }];
    });
  }
}
