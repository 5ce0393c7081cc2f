import { Amount } from '../../../src/model/amount.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import type { JournalOptions } from '../../../src/bot/journal/options.ts';
import type { Order, VenueOrder } from '../../../src/model/order.ts';
import type { Fill, OrderReport } from '../../../src/model/report.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import type { Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { START } from './requests.ts';

export { intent, place, START } from './requests.ts';

export const BTC = instrumentOf();

/** A folder of its own for a test, gone with it. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'millrace-journal-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/**
 * Makes a copied database one that names no state file, as an older release left them: the state
 * file beside the original is not that of the copy.
 */
export function forgetStateFile(path: string): void {
  const database = new DatabaseSync(path);
  const isJournal = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").get();
  if (isJournal !== undefined) database.exec("DELETE FROM facts WHERE name = 'stateFile'");
  database.close();
}

/** All orders of a strategy that a journal has in its file, and those that are open, oldest first. */
export function ordersOf(journal: Journal, strategy: string): readonly Order[] {
  const path = journal.stateFile.path.replace('.state', '.sqlite');
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare('SELECT client_order_id AS id FROM orders WHERE strategy = ? ORDER BY intended_at')
    .all(strategy);
  database.close();
  const open = journal.openOrders().filter((order) => order.strategy === strategy);
  const ids = new Set([
    ...rows.map(({ id }) => String(id)),
    ...open.map((one) => one.clientOrderId),
  ]);
  return [...ids].flatMap((id) => journal.order(id) ?? []);
}

export interface Desk {
  readonly path: string;
  readonly scheduler: VirtualScheduler;
  journal: Journal;
  /** Ends the process as a kill does, as far as a file sees it, and starts another. */
  restart(options?: Partial<JournalOptions>): Journal;
}

export function desk(
  options: Partial<JournalOptions> = {},
  path = join(folder(), 'main.sqlite'),
): Desk {
  const scheduler = new VirtualScheduler(START);
  const open = (more: Partial<JournalOptions> = {}): Journal =>
    Journal.open(path, { account: 'main', scheduler, random: new Random(7), ...options, ...more });
  const made: Desk = {
    path,
    scheduler,
    journal: open(),
    restart(more) {
      made.journal.close();
      made.journal = open(more);
      return made.journal;
    },
  };
  onTestFinished(() => made.journal.close());
  made.journal.learn([BTC]);
  return made;
}

export const venueOrder = (
  clientOrderId: string,
  change: Partial<VenueOrder> = {},
): VenueOrder => ({
  id: 1,
  clientOrderId,
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  status: 'new',
  lots: 10 as Lots,
  filledLots: 0 as Lots,
  ticks: 1_000 as Ticks,
  postOnly: false,
  createdAt: START,
  updatedAt: START,
  ...change,
});

export const fill = (
  clientOrderId: string,
  id: number,
  lots: number,
  change: Partial<Fill> = {},
): Fill => ({
  id,
  clientOrderId,
  symbol: 'BTCUSDT',
  side: 'buy',
  ticks: 1_000 as Ticks,
  lots: lots as Lots,
  fee: Amount.units(1, 4),
  feeCurrency: 'USDT',
  taker: true,
  at: START,
  ...change,
});

export const reported = (
  kind: Exclude<OrderReport['kind'], 'trade'>,
  order: VenueOrder,
  at: Micros = order.updatedAt,
): OrderReport => ({ kind, at, order });

/** A trade of an order that has executed `executed` lots after it. */
export function trade(one: Fill, executed: number, change: Partial<VenueOrder> = {}): OrderReport {
  const status = executed === (change.lots ?? 10) ? 'filled' : 'partiallyFilled';
  const { clientOrderId, side, at } = one;
  const filledLots = executed as Lots;
  const order = venueOrder(clientOrderId, { side, status, filledLots, updatedAt: at, ...change });
  return { kind: 'trade', at, order, fill: one };
}
