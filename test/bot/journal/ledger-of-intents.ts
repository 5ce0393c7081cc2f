import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import type { Lots } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_MS } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { BTC, fill, intent, place, START, trade, forgetStateFile } from './kit.ts';

/** A fill of one lot, and when the journal heard of it. */
interface ReceivedFill {
  readonly order: string;
  readonly id: number;
}

/**
 * A journal and beside it a list of what it must have: every intent from the moment that it
 * returned, fills once they were flushed, and until a kill those that were not.
 */
export class LedgerOfIntents {
  readonly #folder: string;
  readonly #ids: string[] = [];
  #scheduler = new VirtualScheduler(START);
  #journal: Journal;
  #lives = 0;
  #flushed: readonly ReceivedFill[] = [];
  #received: ReceivedFill[] = [];
  #fills = 0;
  /** When what is not flushed will be. */
  #dueAt: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#journal = this.#open();
    this.#journal.learn([BTC]);
  }

  intend(orders: number, isTaken: boolean): void {
    const ids = Array.from({ length: orders }, (_, i) => idOf(this.#ids.length + 1 + i));
    const taken = isTaken ? this.#ids[0] : undefined;
    const named = taken === undefined ? ids : [...ids, taken];
    const call = (): void => this.#journal.intend(named.map((id) => intent(place(id))));
    if (taken !== undefined) {
      expect(call).toThrow(expect.objectContaining({ code: 'request-invalid' }));
      return;
    }
    call();
    this.#ids.push(...ids);
    this.#due();
  }

  replace(pick: number): void {
    const clientOrderId = this.#ids[pick % this.#ids.length];
    if (clientOrderId === undefined) return;
    const newClientOrderId = idOf(this.#ids.length + 1);
    const lots = 100 as Lots;
    const names = { clientOrderId, newClientOrderId, symbol: 'BTCUSDT', lots };
    this.#journal.intend([intent({ kind: 'replace', ...names })]);
    this.#ids.push(newClientOrderId);
    this.#due();
  }

  /** Fills one lot of an order that is large enough never to be filled whole. */
  fill(pick: number): void {
    const order = this.#ids[pick % this.#ids.length];
    if (order === undefined) return;
    this.#fills += 1;
    const executed = this.#fillsOf(order) + 1;
    this.#received.push({ order, id: this.#fills });
    this.#journal.received(this.#trade(order, this.#fills, executed), this.#scheduler.now());
    this.#due();
  }

  pass(ms: number): void {
    const till = this.#scheduler.now() + ms * US_PER_MS;
    this.#scheduler.advanceTo(micros(till));
    if (this.#dueAt !== undefined && this.#dueAt <= till) this.#written();
  }

  setState(): void {
    this.#journal.setState('ema', 'reducing', 'a test', this.#scheduler.now());
    this.#written();
  }

  /** Goes on from a copy of what is in the files now, as after kill -9. */
  kill(): void {
    const from = this.#path();
    this.#lives += 1;
    for (const end of ['', '-wal']) {
      if (existsSync(from + end)) copyFileSync(from + end, this.#path() + end);
    }
    forgetStateFile(this.#path());
    this.#journal.close();
    this.#scheduler = new VirtualScheduler(this.#scheduler.now());
    this.#journal = this.#open();
    this.#received = [];
    this.#dueAt = undefined;
  }

  check(): void {
    const ids = [...this.#ids];
    expect(ids.map((id) => this.#journal.order(id)?.clientOrderId)).toEqual(ids);
    expect(this.#journal.previousLife('ema', 'ema-abcd').lastOrderNumber).toBe(this.#ids.length);
    const fills = [...this.#flushed, ...this.#received];
    for (const clientOrderId of ids) {
      const own = this.#journal.fillsOf(clientOrderId).map(({ id }) => id);
      const wanted = fills.filter(({ order }) => order === clientOrderId).map(({ id }) => id);
      expect(own).toEqual(wanted);
    }
    const [held] = this.#journal.holdings('ema').filter(({ currency }) => currency === 'BTC');
    expect(held?.change.toFixed() ?? '0').toBe(BTC.size(fills.length as Lots).toFixed());
    this.#checkReader();
  }

  close(): void {
    this.#journal.close();
  }

  #checkReader(): void {
    const reader = JournalReader.open(this.#path());
    const seen = Array.from(reader.orders(START), ({ order }) => order.clientOrderId);
    expect([...seen].sort()).toEqual([...this.#ids].sort());
    for (const id of this.#ids) {
      const intended = reader
        .log(id)
        .filter((one) => one.kind === 'intended' && one.clientOrderId === id);
      expect(intended).toHaveLength(1);
    }
    reader.close();
  }

  #fillsOf(order: string): number {
    return [...this.#flushed, ...this.#received].filter((one) => one.order === order).length;
  }

  #trade(order: string, id: number, executed: number): ReturnType<typeof trade> {
    return trade(fill(order, id, 1), executed, { lots: 100 as Lots });
  }

  #due(): void {
    this.#dueAt ??= this.#scheduler.now() + 50 * US_PER_MS;
  }

  #written(): void {
    this.#flushed = [...this.#flushed, ...this.#received];
    this.#received = [];
    this.#dueAt = undefined;
  }

  #path(): string {
    return join(this.#folder, `life-${this.#lives}.sqlite`);
  }

  #open(): Journal {
    const options = { account: 'main', scheduler: this.#scheduler, random: new Random(7) };
    return Journal.open(this.#path(), options);
  }
}

const idOf = (number: number): string => `ema-abcd-${String(number).padStart(7, '0')}`;
