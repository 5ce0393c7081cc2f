import type { StatementSync } from 'node:sqlite';
import type { Instrument } from '../../model/instrument.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { JournalFile } from './file.ts';
import { KeptHoldings } from './holdings.ts';
import { takeIn, type Intake } from './intake.ts';
import { InstrumentRows } from './instrument-rows.ts';
import { Intended } from './intended.ts';
import { journaled, type KeptOrder } from './order.ts';
import { OrderRows } from './order-rows.ts';
import type {
  JournaledFill,
  JournaledFinding,
  JournaledHolding,
  JournaledOrder,
  JournaledState,
} from './records.ts';
import type { Row } from './rows.ts';
import { Standing } from './standing.ts';
import type { Told } from './story.ts';

/** An event of the story with its place in it. */
export type ReadEvent = Told & { readonly sequence: number };

/**
 * A look at a journal, while its bot runs or when there is none: it writes nothing and takes no
 * lock. What the bot has heard in the last 50 ms is not in the file yet.
 */
export class JournalReader {
  readonly account: string;
  readonly identity: string;
  readonly #file: JournalFile;
  readonly #instruments: InstrumentRows;
  readonly #rows: OrderRows;
  readonly #holdings: KeptHoldings;
  readonly #standing: Standing;
  readonly #intended: Intended;
  readonly #since: StatementSync;
  readonly #findings: StatementSync;
  readonly #story: StatementSync;
  readonly #last: StatementSync;

  private constructor(file: JournalFile) {
    this.#file = file;
    this.#instruments = new InstrumentRows(file);
    this.#rows = new OrderRows(file, this.#instruments);
    this.#holdings = new KeptHoldings(file);
    this.#standing = new Standing(file);
    this.account = this.#standing.fact('account') ?? '';
    this.identity = this.#standing.fact('identity') ?? '';
    this.#intended = new Intended(file);
    this.#since = file.prepare(
      `SELECT client_order_id FROM orders WHERE ended_at IS NULL OR ended_at >= ?
       ORDER BY intended_at, client_order_id`,
    );
    this.#findings = file.prepare(
      "SELECT * FROM events WHERE kind = 'found' AND at >= ? ORDER BY sequence",
    );
    this.#last = file.prepare('SELECT max(sequence) AS last FROM events');
    // A list and a replacement stand in the story under one of their ids; the body names the others.
    this.#story = file.prepare(
      `SELECT * FROM events WHERE client_order_id = ?1
       OR (client_order_id IN (SELECT ?2 UNION SELECT ?3) AND instr(body, '"' || ?1 || '"') > 0)
       ORDER BY sequence`,
    );
  }

  /** Throws `file-missing` and `journal-invalid`. */
  static open(path: string): JournalReader {
    const file = JournalFile.read(path);
    try {
      return new JournalReader(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** When the bot heard of the account last. */
  get lastHeardAt(): Micros | undefined {
    return this.#standing.time('lastHeardAt');
  }

  /** When journal and venue were compared last. */
  get reconciledAt(): Micros | undefined {
    return this.#standing.time('reconciledAt');
  }

  get states(): readonly JournaledState[] {
    return this.#standing.states.values();
  }

  /** The open orders, and those that ended since, as they were intended. */
  orders(since: Micros): readonly JournaledOrder[] {
    return this.#file.snapshot(() => {
      const ids = this.#since.all(since).map((row) => String(row['client_order_id']));
      const written = ids.flatMap((id) => this.#rows.order(id) ?? []);
      return [...written, ...Array.from(this.#intake().orders.values(), journaled)];
    });
  }

  order(clientOrderId: string): JournaledOrder | undefined {
    return this.#file.snapshot(() => {
      const intended = this.#keptOf(clientOrderId);
      return intended === undefined ? this.#rows.order(clientOrderId) : journaled(intended);
    });
  }

  fills(clientOrderId: string): readonly JournaledFill[] {
    return this.#rows.fills(clientOrderId);
  }

  findings(since: Micros): readonly JournaledFinding[] {
    return this.#findings.all(since).map((row) => {
      const event = eventOf(row);
      return { at: event.at, ...(event.body as Omit<JournaledFinding, 'at'>) };
    });
  }

  holdings(): readonly JournaledHolding[] {
    return this.#holdings.all();
  }

  /** All that was intended, sent, heard and found of an order, in order. */
  story(clientOrderId: string): readonly ReadEvent[] {
    return this.#file.snapshot(() => {
      const order = this.order(clientOrderId);
      const list = order?.membership?.orderListId ?? null;
      const written = this.#story.all(clientOrderId, list, order?.replacedBy ?? null).map(eventOf);
      const last = Number(this.#last.get()?.['last'] ?? 0);
      const more = this.#intake().told.map((told, i) => ({ ...told, sequence: last + 1 + i }));
      const isOf = ({ clientOrderId: name, body }: ReadEvent): boolean =>
        name === clientOrderId ||
        ((name === list || name === order?.replacedBy) &&
          JSON.stringify(body).includes(`"${clientOrderId}"`));
      return [...written, ...more.filter(isOf)];
    });
  }

  /** The terms on whose grid an order's ticks and lots are. */
  instrumentOf(clientOrderId: string): Instrument | undefined {
    return this.#file.snapshot(
      () => (this.#keptOf(clientOrderId) ?? this.#rows.read(clientOrderId)?.kept)?.own.instrument,
    );
  }

  close(): void {
    this.#file.close();
  }

  /** What the bot intended last and has not brought into the tables yet. */
  #intake(): Intake {
    return takeIn(this.#intended.all(), this.#instruments, (id) => this.#rows.read(id)?.kept);
  }

  #keptOf(clientOrderId: string): KeptOrder | undefined {
    return this.#intake().orders.get(clientOrderId);
  }
}

/** What the bot wrote itself comes back as it was, but for decimals, which stay text. */
const eventOf = (row: Row): ReadEvent =>
  ({
    sequence: Number(row['sequence']),
    at: micros(Number(row['at'])),
    kind: row['kind'],
    ...(row['strategy'] === null ? {} : { strategy: row['strategy'] }),
    ...(row['client_order_id'] === null ? {} : { clientOrderId: row['client_order_id'] }),
    body: JSON.parse(String(row['body'])) as unknown,
  }) as ReadEvent;
