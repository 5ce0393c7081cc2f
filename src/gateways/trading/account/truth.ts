import { MillraceError } from '../../../model/errors.ts';
import type { VenueOrder } from '../../../model/order.ts';
import { isActive } from '../../../model/order.ts';
import type { Fill } from '../../../model/report.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { Truth } from '../../venue-account.ts';
import type { TradingClient } from '../client/client.ts';
import type { RecordReader, WireOrder, WireTrade } from './records.ts';

export interface TruthSetup {
  readonly client: TradingClient;
  readonly records: RecordReader;
  now(): Micros;
  /** By how much the service's clock is ahead. */
  skewUs(): Promise<number>;
  /** Asks until there is an answer; throws what can never be, and once the account is closed. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
}

const PAGE = 1_000;
/** A history may lag behind what happened by half a minute; clocks are not read exactly either. */
const OVERLAP_US = 60 * US_PER_SECOND;
/** An account that does not stand still is looked at so often. */
const LOOKS_MAX = 3;
/** Names are asked for so many at once. */
const NAMES_AT_ONCE = 8;

/** What was read in one look, in the order of the reading. */
interface Look {
  readonly active: readonly WireOrder[];
  readonly history: readonly WireOrder[];
  readonly named: readonly WireOrder[];
  readonly trades: readonly WireTrade[];
  readonly balances: Truth['balances'];
  readonly activeAfter: readonly WireOrder[];
  /** Nothing happened from the first reading to the last. */
  readonly isStill: boolean;
}

/**
 * Reads an account whole. Its parts come by several calls, in this order: active orders, history of
 * orders, orders by name, history of trades, balances, active orders again, the newest trade again.
 *
 * Why nothing is missed that happened before `at`, the time before the first call: an order that had
 * been accepted by then was active when active orders were read, or had ended. If it was active, it is
 * among them. If it had ended, it is in the history, which is read later: among the orders that were
 * accepted since the time asked for, which is read by falling numbers down to the first that surely is
 * older; or, when it is older, by its name, for which whoever asks names the orders that are open to
 * his knowledge. An execution before `at` is in the history of trades, which is read later too. That
 * numbers of orders and of trades rise with time is taken for granted, as the service says they
 * identify and its own order by number says they rank.
 *
 * Why the parts fit together: where active orders and the newest trade are the same before and after,
 * nothing happened between, so all parts are of one moment. Where they are not, everything is
 * read again, three times at most. After that what is newest counts: trades and balances may be ahead
 * of the orders then, never behind, and what happened meanwhile is told by reports anyway.
 *
 * A history may lag behind (the service speaks of up to 30 s): it is asked for a minute more than was
 * asked for, and so much more as the clocks are apart. Of two views of one order the later counts. An
 * order that only the history calls active had ended before; it is left out until the history knows.
 */
export class TruthReader {
  readonly #setup: TruthSetup;

  constructor(setup: TruthSetup) {
    this.#setup = setup;
  }

  async read(since: Micros, open: readonly string[]): Promise<Truth> {
    const skewUs = await this.#setup.skewUs();
    const bound = micros(since - OVERLAP_US - Math.abs(skewUs));
    for (let looks = 1; ; looks += 1) {
      // Of both clocks the one that shows less: neither is ahead of the service then.
      const at = micros(this.#setup.now() + Math.min(0, skewUs));
      const look = await this.#look(bound, open);
      if (look.isStill || looks === LOOKS_MAX) return this.#truth(at, bound, look);
    }
  }

  async #look(bound: Micros, open: readonly string[]): Promise<Look> {
    const { ask, client } = this.#setup;
    const active = await ask(() => client.rest.getSpotOrders());
    const history = await this.#ordersSince(bound);
    const known = new Set([...active, ...history].map((order) => order.client_order_id));
    const named = await this.#ordersNamed(open.filter((name) => !known.has(name)));
    const trades = await this.#tradesSince(bound);
    const balances = await ask(() => client.rest.getSpotBalances());
    const activeAfter = await ask(() => client.rest.getSpotOrders());
    const [newest] = await ask(() =>
      client.rest.getSpotTradeHistory({ by: 'id', sort: 'DESC', limit: 1 }),
    );
    const isStill = isSame(active, activeAfter) && newest?.id === trades[0]?.id;
    return { active, history, named, trades, balances, activeAfter, isStill };
  }

  /** Orders that were accepted since a time, and maybe some before, newest first. */
  async #ordersSince(bound: Micros): Promise<readonly WireOrder[]> {
    const { ask, client } = this.#setup;
    const found: WireOrder[] = [];
    for (let till: number | undefined; ;) {
      const page = await ask(() =>
        client.rest.getSpotOrderHistory({
          ...{ by: 'id', sort: 'DESC', limit: PAGE },
          till: till === undefined ? undefined : { kind: 'number', value: till },
        }),
      );
      found.push(...page);
      const oldest = page.at(-1);
      if (till !== undefined && oldest !== undefined && oldest.id > till) throw unread('orders');
      const isOver = page.some((order) => wasAcceptedBefore(order, bound));
      if (oldest === undefined || page.length < PAGE || isOver || oldest.id === 0) return found;
      till = oldest.id - 1;
    }
  }

  /** The latest order of each name. */
  async #ordersNamed(names: readonly string[]): Promise<readonly WireOrder[]> {
    const { ask, client } = this.#setup;
    const found: WireOrder[] = [];
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const answers = await Promise.all(
        names
          .slice(at, at + NAMES_AT_ONCE)
          .map((name) => ask(() => client.rest.getSpotOrderHistory({ client_order_id: name }))),
      );
      for (const [newest] of answers) if (newest !== undefined) found.push(newest);
    }
    return found;
  }

  /** Trades since a time, and maybe some before, newest first, none twice. */
  async #tradesSince(bound: Micros): Promise<readonly WireTrade[]> {
    const { ask, client } = this.#setup;
    const found = new Map<string, WireTrade>();
    for (let till: number | undefined; ;) {
      const before = found.size;
      const page = await ask(() =>
        client.rest.getSpotTradeHistory({
          ...{ by: 'id', sort: 'DESC', limit: PAGE },
          till: till === undefined ? undefined : { kind: 'number', value: till },
        }),
      );
      for (const trade of page) found.set(`${trade.order_id} ${trade.id}`, trade);
      const oldest = page.at(-1);
      if (till !== undefined && oldest !== undefined && oldest.id > till) throw unread('trades');
      const isOver = page.some(({ timestamp }) => timestamp < bound);
      if (oldest === undefined || page.length < PAGE || isOver) return [...found.values()];
      // Two orders of one account that trade with each other share a number, and a page may end between.
      till = found.size === before ? oldest.id - 1 : oldest.id;
      if (till < 0) return [...found.values()];
    }
  }

  #truth(at: Micros, bound: Micros, look: Look): Truth {
    const { records } = this.#setup;
    const orders = mergedOrders(look);
    const active = new Set([...look.active, ...look.activeAfter].map(({ id }) => id));
    const named = new Set(look.named.map(({ id }) => id));
    const read = (given: readonly WireOrder[]): readonly VenueOrder[] =>
      given.flatMap((one) => records.order(one) ?? []);
    const fills = look.trades
      .filter(({ timestamp }) => timestamp >= bound)
      .toReversed()
      .flatMap((trade): readonly Fill[] => {
        const fill = records.fill(trade);
        return fill === undefined ? [] : [fill];
      });
    return {
      at,
      orders: read(orders.filter(({ id, status }) => isActive(status) && active.has(id))),
      ended: read(
        orders.filter(
          ({ id, status, updated_at }) =>
            !isActive(status) && (updated_at >= bound || named.has(id)),
        ),
      ),
      fills,
      balances: look.balances.map(({ currency, available, reserved }) => ({
        currency,
        available,
        reserved,
      })),
    };
  }
}

/** A history that shows what was not asked for would be read for ever. */
const unread = (what: string): MillraceError =>
  new MillraceError(
    'answer-invalid',
    `The history of ${what} cannot be read to its end: the service shows numbers above the one up to which it was asked.`,
    { field: 'till' },
  );

/** An order that was changed last before a time was accepted before it, whatever it replaced. */
function wasAcceptedBefore(order: WireOrder, bound: Micros): boolean {
  if (order.updated_at < bound) return true;
  // A replacement has the time of creation of the order that it replaced.
  return order.original_client_order_id === undefined && order.created_at < bound;
}

/** Every order once, in its latest view, in the order of numbers. */
function mergedOrders({ active, history, named }: Look): readonly WireOrder[] {
  const merged = new Map<number, WireOrder>();
  for (const order of [...active, ...history, ...named]) {
    const before = merged.get(order.id);
    if (before === undefined || isLater(order, before)) merged.set(order.id, order);
  }
  return [...merged.values()].sort((one, other) => one.id - other.id);
}

/** Times are told to the millisecond, and an order never goes back: more is later, and so is an end. */
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
