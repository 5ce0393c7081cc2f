import { ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { marginAccountKey, marginAccountId } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { readRow, TABLES } from './checked-rows.ts';
import { readStored } from './stored-json.ts';
import { JournalFile, type Row } from './file.ts';
import { StoredHoldings } from './holdings.ts';
import { takeIn, type ReportRecorder } from './report-recorder.ts';
import { InstrumentRows } from './instrument-rows.ts';
import { marginRows } from './stored-margin.ts';
import { Intended } from './intended.ts';
import type { Order } from '../../model/order.ts';
import type { StoredOrder } from './order.ts';
import { OrderRows, type GriddedOrder } from './order-rows.ts';
import type {
  JournaledFill,
  JournaledDiscrepancy,
  JournaledHolding,
  JournaledMargin,
  JournaledState,
} from './records.ts';
import { differenceOf, replayed } from './replay.ts';
import { WHOLE } from './tables.ts';
import { StateTable } from './state-table.ts';
import type { ReportedOrder } from './order-event-log.ts';

/** Rows that are read at a time. */
const PAGE_ROWS = 500;

/** An event with its number in the log. */
export type ReadEvent = ReportedOrder & { readonly sequence: number };

/**
 * Reads a journal, whether its bot runs or not: it writes nothing and takes no lock. Reports of the last 50
 * ms are not in the file yet.
 */
export class JournalReader {
  readonly account: string;
  readonly identity: string;
  readonly #file: JournalFile;
  readonly #instruments: InstrumentRows;
  readonly #rows: OrderRows;
  readonly #holdings: StoredHoldings;
  readonly #stateTable: StateTable;
  readonly #intended: Intended;

  private constructor(file: JournalFile) {
    this.#file = file;
    this.#instruments = new InstrumentRows(file);
    this.#rows = new OrderRows(file, this.#instruments);
    this.#holdings = new StoredHoldings(file);
    this.#stateTable = new StateTable(file);
    this.account = this.#stateTable.fact('account') ?? '';
    this.identity = this.#stateTable.fact('identity') ?? '';
    this.#intended = new Intended(file);
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

  /** When the bot last received something of the account. */
  get lastReceivedAt(): Micros | undefined {
    return this.#stateTable.time('lastHeardAt');
  }

  /** When journal and venue were compared last. */
  get reconciledAt(): Micros | undefined {
    return this.#stateTable.time('reconciledAt');
  }

  get states(): readonly JournaledState[] {
    return this.#stateTable.states.values();
  }

  /**
   * Orders that ended since a time, as they ended, then the open ones, in the order of their requests. All
   * are as of the first read, except orders that end at that moment. They are read a few at a time: neither
   * memory nor the bot's log grows with them.
   */
  *orders(since: Micros): Generator<GriddedOrder> {
    const { open, until } = this.#openNow();
    const isOpen = new Set(open.map(({ order }) => order.clientOrderId));
    let after = { endedAt: micros(since - 1), clientOrderId: '\u{10ffff}' };
    for (;;) {
      const page = this.#rows.ended(after, until, PAGE_ROWS);
      for (const one of page) if (!isOpen.has(one.order.clientOrderId)) yield one;
      const last = page.at(-1)?.order;
      if (last?.endedAt === undefined) break;
      after = { endedAt: last.endedAt, clientOrderId: last.clientOrderId };
    }
    yield* open;
  }

  /** The same, but only the last `most` of the ended ones, and how many earlier ones were skipped. */
  latestOrders(
    since: Micros,
    most: number,
  ): { readonly orders: readonly GriddedOrder[]; readonly leftOut: number } {
    return this.#file.snapshot(() => {
      const ended = this.#rows.lastEnded(since, most);
      const skipped = this.#rows.endedCount(since) - ended.length;
      return { orders: [...ended, ...this.#openNow().open], leftOut: skipped };
    });
  }

  order(clientOrderId: string): Order | undefined {
    return this.#file.snapshot(() => {
      return this.#keptOf(clientOrderId)?.order ?? this.#rows.order(clientOrderId);
    });
  }

  fills(clientOrderId: string): readonly JournaledFill[] {
    return this.#rows.fills(clientOrderId);
  }

  /** Discrepancies since a time, in order; read a few at a time. */
  *discrepancies(since: Micros): Generator<JournaledDiscrepancy> {
    const until = this.#lastSequence();
    let after: { readonly at: number; readonly sequence: number } = { at: since - 1, sequence: Number.MAX_SAFE_INTEGER }; // prettier-ignore
    for (;;) {
      const rows = this.#file.all`SELECT * FROM events
        WHERE kind = 'found' AND (at, sequence) > (${after.at}, ${after.sequence})
        AND sequence <= ${until} ORDER BY at, sequence LIMIT ${PAGE_ROWS}`;
      const page = rows.map((row) => this.#eventOf(row));
      for (const event of page) yield discrepancyOf(event);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  /** The same, but only the last `most`, and how many earlier ones were skipped. */
  latestDiscrepancies(
    since: Micros,
    most: number,
  ): { readonly discrepancies: readonly JournaledDiscrepancy[]; readonly leftOut: number } {
    return this.#file.snapshot(() => {
      const rows = this.#file.all`SELECT * FROM events WHERE kind = 'found' AND at >= ${since}
        ORDER BY at DESC, sequence DESC LIMIT ${most}`;
      const count = this.#file.number`SELECT count(*) FROM events WHERE kind = 'found' AND at >= ${since}`; // prettier-ignore
      const leftOut = count - rows.length;
      return {
        discrepancies: rows.toReversed().map((row) => discrepancyOf(this.#eventOf(row))),
        leftOut,
      };
    });
  }

  holdings(): readonly JournaledHolding[] {
    return this.#holdings.all();
  }

  /** The instrument of a symbol by its latest terms in the journal. */
  instrument(symbol: string): Instrument | undefined {
    return this.#instruments.find(symbol);
  }

  /** All margin accounts, also closed ones; one that was only just requested has no state yet. */
  marginAccounts(): readonly JournaledMargin[] {
    return this.#file.snapshot(() => {
      const accounts = new Map(
        marginRows(this.#file)
          .values()
          .map((one) => [marginAccountKey(one.marginAccount), one]),
      );
      const { orders, margin } = this.#intake();
      const claim = (instrument: Instrument, mode: MarginMode, strategy: string): void => {
        const marginAccount = marginAccountId(instrument, mode);
        const kept = accounts.get(marginAccountKey(marginAccount));
        if (kept?.strategy !== undefined) return;
        const none = { transferred: ZERO, moves: [] };
        accounts.set(marginAccountKey(marginAccount), {
          ...none,
          ...kept,
          marginAccount,
          strategy,
        });
      };
      for (const { order, instrumentId } of orders.values()) {
        const instrument = this.#instruments.byId(instrumentId);
        if (order.margin !== undefined) claim(instrument, order.margin.mode, order.strategy);
      }
      for (const { request, strategy } of margin) {
        const instrument = this.#instruments.find(request.symbol);
        if (instrument !== undefined) claim(instrument, request.mode, strategy);
      }
      return [...accounts.values()];
    });
  }

  /** All that was intended, sent, received and found of an order, in order. */
  log(clientOrderId: string): readonly ReadEvent[] {
    return this.#file.snapshot(() => {
      const order = this.order(clientOrderId);
      const list = order?.orderListId ?? null;
      // A list and a replacement stand in the story under one of their ids; the body names the others.
      const rows = this.#file.all`SELECT * FROM events WHERE client_order_id = ${clientOrderId}
        OR (client_order_id IN (SELECT ${list} UNION SELECT ${order?.replacedBy ?? null})
        AND instr(body, ${`"${clientOrderId}"`}) > 0) ORDER BY sequence`;
      const written = rows.map((row) => this.#eventOf(row));
      const last = this.#lastSequence();
      const more = this.#intake().reported.map((reported, i) => ({
        ...reported,
        sequence: last + 1 + i,
      }));
      const isOf = ({ clientOrderId: name, body }: ReadEvent): boolean =>
        name === clientOrderId ||
        ((name === list || name === order?.replacedBy) &&
          JSON.stringify(body).includes(`"${clientOrderId}"`));
      return [...written, ...more.filter(isOf)];
    });
  }

  /** The terms on whose grid an order's ticks and lots are. */
  instrumentOf(clientOrderId: string): Instrument | undefined {
    return this.#file.snapshot(() => {
      const kept = this.#keptOf(clientOrderId) ?? this.#rows.read(clientOrderId);
      return kept === undefined ? undefined : this.#instruments.byId(kept.instrumentId);
    });
  }

  /**
   * The order that its logged events add up to, with its replacements and the members of its list, computed
   * by the same reducer. Returns only those whose events are complete.
   */
  replay(clientOrderId: string): ReadonlyMap<string, Order> {
    return this.#file.snapshot(() => this.#replay(this.#groupOf(clientOrderId), this.#startsNow()));
  }

  /**
   * Reads the whole file, each page and each row, and returns the number of rows; replays the events of
   * each order and compares the result with its row. Throws `journal-invalid` for the first that is damaged
   * or differs. While it reads, the bot's log of the last commits only grows.
   */
  check(): number {
    this.#file.checkPages();
    let count = 0;
    for (const table of TABLES) {
      for (const row of this.#file.each(`SELECT * FROM ${table}`)) {
        readRow(this.#file, table, row, () => undefined);
        count += 1;
      }
    }
    this.#file.snapshot(() => this.#checkStories());
    return count;
  }

  #checkStories(): void {
    const done = new Set<string>();
    const starts = this.#startsNow();
    for (const id of this.#rows.ids()) {
      if (done.has(id)) continue;
      const group = this.#groupOf(id);
      for (const one of group) done.add(one);
      for (const [clientOrderId, reported] of this.#replay(group, starts)) {
        const row = this.#rows.order(clientOrderId);
        const difference = row && differenceOf(row, reported);
        if (difference === undefined) continue;
        throw this.#file.damaged(`the row "${clientOrderId}" of the table orders: ${difference}`);
      }
    }
  }

  /** Orders whose events depend on each other. */
  #groupOf(clientOrderId: string): ReadonlySet<string> {
    const group = new Set([clientOrderId]);
    // Includes ids added by the loop itself.
    for (const id of group) {
      const order = this.#rows.order(id);
      if (order === undefined) continue;
      const { replaces, replacedBy, orderListId } = order;
      if (replaces !== undefined) group.add(replaces);
      if (replacedBy !== undefined) group.add(replacedBy);
      if (orderListId !== undefined) for (const one of this.#rows.idsOfList(orderListId)) group.add(one); // prettier-ignore
    }
    return group;
  }

  /** All process starts in the log; reads every event. */
  #startsNow(): readonly ReadEvent[] {
    const rows = this.#file.all`SELECT * FROM events WHERE kind = 'started'`;
    return rows.map((row) => this.#eventOf(row));
  }

  #replay(group: ReadonlySet<string>, starts: readonly ReadEvent[]): ReadonlyMap<string, Order> {
    const whole = Number(this.#stateTable.fact(WHOLE) ?? Number.POSITIVE_INFINITY);
    const rows = [...group].flatMap((id) => this.#file.all`SELECT * FROM events WHERE client_order_id = ${id}`); // prettier-ignore
    const events = rows.map((row) => this.#eventOf(row));
    const isWhole = events.every(({ sequence }) => sequence > whole);
    const isMoved = [...group].some((id) => {
      const order = this.#rows.order(id);
      return order !== undefined && this.#instruments.hasChanged(order.symbol);
    });
    if (!isWhole || isMoved) return new Map();
    const log = [...events, ...starts].sort((one, other) => one.sequence - other.sequence);
    const orders = replayed(log);
    return new Map([...orders].filter(([id]) => group.has(id)));
  }

  close(): void {
    this.#file.close();
  }

  /** Number of the last event; 0 where there is none. */
  #lastSequence(): number {
    return this.#file.number`SELECT max(sequence) FROM events`;
  }

  #eventOf(row: Row): ReadEvent {
    return readRow(this.#file, 'events', row, () => eventOf(row));
  }

  #openNow(): { readonly open: readonly GriddedOrder[]; readonly until: Micros } {
    return this.#file.snapshot(() => {
      const intended = Array.from(this.#intake().orders.values(), ({ order, instrumentId }) => ({
        order,
        instrument: this.#instruments.byId(instrumentId),
      }));
      return { open: [...this.#rows.open(), ...intended], until: this.#rows.lastEndedAt() };
    });
  }

  /** The bot's last requests that are not in the tables yet. */
  #intake(): ReportRecorder {
    return takeIn(this.#intended.all(), this.#instruments, {
      kept: (id) => this.#rows.read(id),
    });
  }

  #keptOf(clientOrderId: string): StoredOrder | undefined {
    return this.#intake().orders.get(clientOrderId);
  }
}

const discrepancyOf = ({ at, body }: ReadEvent): JournaledDiscrepancy => ({
  at,
  ...(body as Omit<JournaledDiscrepancy, 'at'>),
});

/** The bot's own JSON as it was, except that decimals stay text. */
const eventOf = (row: Row): ReadEvent =>
  ({
    sequence: Number(row['sequence']),
    at: micros(Number(row['at'])),
    // Earlier releases stored a report as `heard`.
    kind: row['kind'] === 'heard' ? 'received' : row['kind'],
    ...(row['strategy'] === null ? {} : { strategy: row['strategy'] }),
    ...(row['client_order_id'] === null ? {} : { clientOrderId: row['client_order_id'] }),
    body: readStored(String(row['body'])),
  }) as ReadEvent;
