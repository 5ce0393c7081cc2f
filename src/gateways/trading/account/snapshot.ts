import type { VenueOrder } from '../../../model/order.ts';
import { isActive } from '../../../model/order.ts';
import type { Fill } from '../../../model/report.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { MarginSnapshot, AccountSnapshot } from '../../venue-account.ts';
import type { TradingClient } from '../client/client.ts';
import type { MarginBook } from './margin/book.ts';
import {
  isSameAccounts,
  liquidationOrders,
  MarginReader,
  marginSnapshot,
  type MarginRead,
} from './margin/snapshot.ts';
import type { AccountMarketApi } from './market.ts';
import { MarketReader, type MarketRead } from './market-reader.ts';
import type { RecordReader, WireOrder, WireTrade } from './records.ts';

export interface SnapshotSetup {
  readonly client: TradingClient;
  readonly records: RecordReader;
  /** Markets that can be traded; only spot if absent. */
  readonly markets?: (() => readonly AccountMarketApi[]) | undefined;
  /** Known margin accounts; required with margin markets. */
  readonly book?: MarginBook | undefined;
  now(): Micros;
  /** By how much the service's clock is ahead. */
  skewUs(): Promise<number>;
  /** Repeats a read until it succeeds; throws errors that do not pass, and once the account is closed. */
  readonly ask: MarketRead;
}

/** A history may lag behind what happened by half a minute; clocks are not read exactly either. */
const OVERLAP_US = 60 * US_PER_SECOND;
/** Most reads of an account that keeps changing. */
const READS_MAX = 3;

/** A market as read once. */
interface MarketRecords {
  readonly market: AccountMarketApi;
  readonly active: readonly WireOrder[];
  readonly history: readonly WireOrder[];
  readonly named: readonly WireOrder[];
  readonly trades: readonly WireTrade[];
  readonly activeAfter: readonly WireOrder[];
}

/** An account as read once. */
interface AccountRead {
  readonly markets: readonly MarketRecords[];
  readonly margins: readonly MarginRead[];
  readonly balances: AccountSnapshot['balances'];
  /** Nothing happened from the first reading to the last. */
  readonly isStill: boolean;
}

/**
 * Reads an account whole. Its parts come by several calls, in this order: active orders of each market, margin
 * accounts, and of each market the history of orders, orders by name, and the history of trades; then ended
 * positions, payments of positions, the lives of open positions of which something is not known, balances, margin accounts again, active orders again, the newest trades
 * again.
 *
 * Why nothing is missed that happened before `at`, the time before the first call: an order that had
 * been accepted by then was active when active orders were read, or had ended. If it was active, it is
 * among them. If it had ended, it is in the history, which is read later: among the orders that were
 * accepted since the time asked for, which is read by falling numbers down to the first that surely is
 * older; or, when it is older, by its name, for which whoever asks names the orders that are open to
 * his knowledge. An execution before `at` is in the history of trades, which is read later too. That
 * numbers of orders and of trades rise with time within a market is taken for granted, as the service says
 * they identify and its own order by number says they rank. Markets are kept apart: their numbers may be
 * the same. A position that was open at `at` is among the accounts, or ended later and may be in the history
 * of positions; one that ended before is in that history, which is read later and by the time of the end. So it
 * is with payments.
 *
 * Why the parts fit together: where active orders, the newest trades and the margin accounts are the same
 * before and after, nothing happened between, so all parts are of one moment. Accounts are compared by what
 * events change (funds, leverage, quantities, times), not by what prices do to what they hold: a payment or
 * a settlement, which is no trade, changes funds and times. Where they are not the same, everything is read
 * again, three times at most. After that what is newest counts: trades, balances and margin accounts may be
 * ahead of the orders then, never behind, and reports cover what happened meanwhile.
 *
 * What is not shown by this: two changes of an account within one millisecond, of which the second is after
 * the second reading, look like one; the reports of the connection cover it. A position that began and
 * ended between two looks is in the histories alone.
 *
 * A history may lag behind (the service speaks of up to 30 s): it is asked for a minute more than was
 * asked for, and so much more as the clocks are apart. Of two views of one order the later counts. An
 * order that only the history calls active had ended before; it is left out until the history knows.
 *
 * Liquidations trade by orders that nobody sent. They are no executions of own orders and are left out, with
 * their orders; what they did stands with the positions.
 */
export class SnapshotReader {
  readonly #setup: SnapshotSetup;

  constructor(setup: SnapshotSetup) {
    this.#setup = setup;
  }

  async read(since: Micros, open: readonly string[]): Promise<AccountSnapshot> {
    const skewUs = await this.#setup.skewUs();
    const bound = micros(since - OVERLAP_US - Math.abs(skewUs));
    for (let looks = 1; ; looks += 1) {
      // The earlier of both clocks: neither is ahead of the service then.
      const at = micros(this.#setup.now() + Math.min(0, skewUs));
      const look = await this.#readOnce(bound, open);
      if (look.isStill || looks === READS_MAX) return this.#snapshot(at, bound, look);
    }
  }

  async #readOnce(bound: Micros, open: readonly string[]): Promise<AccountRead> {
    const { ask, client, book, markets = () => ['spot'] as const } = this.#setup;
    const readers = markets().map((market) => new MarketReader(market, client.rest, ask));
    const marginReaders = markets().flatMap((market) =>
      market === 'spot' ? [] : [new MarginReader(market, client.rest, ask)],
    );
    const active = await inTurn(readers, (reader) => reader.active());
    const accountsBefore = await inTurn(marginReaders, (reader) => reader.accounts());
    const history = await inTurn(readers, (reader) => reader.ordersSince(bound));
    // A page of the history has older orders too, whose ends only a query by id returns.
    const recent = history.flat().filter(({ updated_at: changedAt }) => changedAt >= bound);
    const known = new Set([...active.flat(), ...recent].map((one) => one.client_order_id));
    const named: (readonly WireOrder[])[] = [];
    for (const reader of readers) {
      const found = await reader.ordersNamed(open.filter((name) => !known.has(name)));
      for (const { client_order_id: name } of found) known.add(name);
      named.push(found);
    }
    const trades = await inTurn(readers, (reader) => reader.tradesSince(bound));
    const ended = await inTurn(marginReaders, (reader) => reader.ended(bound));
    const clearings = await inTurn(marginReaders, (reader) => reader.clearings(bound));
    const lives = await inTurn(marginReaders, (reader, at) =>
      reader.lives(
        accountsBefore[at] ?? [],
        (position) => book?.isWhole(reader.market, position) === true,
      ),
    );
    const balances = await ask(() => client.rest.getSpotBalances());
    const accounts = await inTurn(marginReaders, (reader) => reader.accounts());
    const activeAfter = await inTurn(readers, (reader) => reader.active());
    const newest = await inTurn(readers, (reader) => reader.newestTrade());
    return {
      balances,
      markets: readers.map(({ market }, at) => ({
        market,
        active: active[at] ?? [],
        history: history[at] ?? [],
        named: named[at] ?? [],
        trades: trades[at] ?? [],
        activeAfter: activeAfter[at] ?? [],
      })),
      margins: marginReaders.map(({ market }, at) => ({
        market,
        accounts: accounts[at] ?? [],
        ended: ended[at] ?? [],
        clearings: clearings[at] ?? [],
        lives: lives[at] ?? new Map(),
      })),
      isStill:
        readers.every(
          (_, at) =>
            isSame(active[at] ?? [], activeAfter[at] ?? []) && newest[at] === trades[at]?.[0]?.id,
        ) && accounts.every((after, at) => isSameAccounts(accountsBefore[at] ?? [], after)),
    };
  }

  #snapshot(at: Micros, bound: Micros, look: AccountRead): AccountSnapshot {
    const { records, book } = this.#setup;
    const parts = look.markets.map((one) => partOf(one, bound, records));
    const margin: MarginSnapshot | undefined =
      book === undefined || look.margins.length === 0
        ? undefined
        : marginSnapshot(look.margins, bound, { records, book });
    return {
      at,
      orders: parts.flatMap(({ orders }) => orders),
      ended: parts.flatMap(({ ended }) => ended),
      // Each market's are oldest first already; equal times keep their order.
      fills: parts.flatMap(({ fills }) => fills).toSorted((one, other) => one.at - other.at),
      balances: look.balances.map(({ currency, available, reserved }) => ({
        currency,
        available,
        reserved,
      })),
      margin,
    };
  }
}

/** Runs reads one after the other, in order. */
async function inTurn<Of, T>(
  readers: readonly Of[],
  question: (reader: Of, at: number) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  for (const [at, reader] of readers.entries()) answers.push(await question(reader, at));
  return answers;
}

/** The orders and executions of a market in one read. */
function partOf(
  look: MarketRecords,
  bound: Micros,
  records: RecordReader,
): Pick<AccountSnapshot, 'orders' | 'ended' | 'fills'> {
  const { market, trades, named } = look;
  const taken = liquidationOrders(trades);
  const orders = mergedOrders(look).filter(({ id }) => !taken.has(id));
  const active = new Set([...look.active, ...look.activeAfter].map(({ id }) => id));
  const asked = new Set(named.map(({ id }) => id));
  const read = (given: readonly WireOrder[]): readonly VenueOrder[] =>
    given.flatMap((one) => records.order(one, market) ?? []);
  const fills = trades
    .filter(({ timestamp, order_id: id }) => timestamp >= bound && !taken.has(id))
    .toReversed()
    .flatMap((trade): readonly Fill[] => {
      const fill = records.fill(trade, market);
      return fill === undefined ? [] : [fill];
    });
  return {
    orders: read(orders.filter(({ id, status }) => isActive(status) && active.has(id))),
    ended: read(
      orders.filter(
        ({ id, status, updated_at }) => !isActive(status) && (updated_at >= bound || asked.has(id)),
      ),
    ),
    fills,
  };
}

/** Every order once, in its latest view, by id. */
function mergedOrders({ active, history, named }: MarketRecords): readonly WireOrder[] {
  const merged = new Map<number, WireOrder>();
  for (const order of [...active, ...history, ...named]) {
    const before = merged.get(order.id);
    if (before === undefined || isLater(order, before)) merged.set(order.id, order);
  }
  return [...merged.values()].sort((one, other) => one.id - other.id);
}

/** Times are in milliseconds, and an order never goes back: more filled is later, and so is an end. */
function isLater(order: WireOrder, before: WireOrder): boolean {
  if (order.updated_at !== before.updated_at) return order.updated_at > before.updated_at;
  const executed = order.quantity_cumulative.comparedTo(before.quantity_cumulative);
  return executed === 0 ? isActive(before.status) : executed > 0;
}

/** Whether two lists of active orders show the same orders as they stood. */
function isSame(some: readonly WireOrder[], others: readonly WireOrder[]): boolean {
  if (some.length !== others.length) return false;
  const byId = new Map(some.map((order) => [order.id, order]));
  return others.every((order) => {
    const before = byId.get(order.id);
    return (
      before !== undefined &&
      before.status === order.status &&
      before.updated_at === order.updated_at &&
      before.quantity.equals(order.quantity) &&
      before.quantity_cumulative.equals(order.quantity_cumulative)
    );
  });
}
