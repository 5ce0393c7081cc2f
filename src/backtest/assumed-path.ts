import { CANDLE_GRACE } from '../model/candle.ts';
import { CANDLE, type EventColumns } from '../model/events.ts';
import { isActive, type VenueOrder } from '../model/order.ts';
import type { OrderReport, Report } from '../model/report.ts';
import { reachedOn, type CandleWay } from './candle-way.ts';

/** Current state of an order of a list, and when it became active. */
interface Member {
  order: VenueOrder;
  readonly isFirst: boolean;
  /** When it became active; undefined while it waits for the first order. */
  activeAt: number | undefined;
  /** Row of its fill, if it filled. */
  filledIn: number | undefined;
  hasTraded: boolean;
}

type List = Map<string, Member>;

/**
 * Counts the exits that the assumed path inside a candle has decided: both exits of a list, or its
 * entry and an exit, were within the range of one candle, and the other path (first to the other
 * extreme) would have had another result.
 */
export class AssumedPaths {
  /** Exits of lists that traded on a symbol recorded as candles. */
  exits = 0;
  /** How many of them the path decided. */
  decided = 0;
  readonly #lists = new Map<string, List>();
  readonly #symbols: readonly string[];
  #symbol: string | undefined;
  #columns: EventColumns | undefined;
  #row = 0;
  /** Number of the row in progress, to separate its events from earlier ones. */
  #turn = 0;

  /** Symbols of the recordings, in order; undefined for one without candles. */
  constructor(symbols: readonly (string | undefined)[]) {
    this.#symbols = symbols.map((symbol) => symbol ?? '');
  }

  /** Called before the venue applies a row of a recording. */
  enter(source: number, columns: EventColumns, row: number): void {
    if (columns.kind[row] !== CANDLE || this.#symbols[source] === '') return;
    this.#symbol = this.#symbols[source];
    this.#columns = columns;
    this.#row = row;
    this.#turn += 1;
  }

  /** Called after the venue has applied it. */
  leave(): void {
    this.#symbol = undefined;
  }

  /** Applies a report of the venue. */
  report(report: Report): void {
    if (!('order' in report) || report.order.orderListId === undefined) return;
    if (!this.#symbols.includes(report.order.symbol)) return;
    const list = this.#listOf(report.order.orderListId);
    const member = this.#follow(list, report);
    if (report.kind === 'trade' && !member.hasTraded) {
      member.hasTraded = true;
      this.#traded(list, member);
    }
    if ([...list.values()].some(({ order }) => isActive(order.status))) return;
    this.#lists.delete(report.order.orderListId);
  }

  #listOf(id: string): List {
    const known = this.#lists.get(id);
    if (known !== undefined) return known;
    const list: List = new Map();
    this.#lists.set(id, list);
    return list;
  }

  #follow(list: List, { at, order }: OrderReport): Member {
    const { clientOrderId, originalClientOrderId = clientOrderId } = order;
    const before = list.get(originalClientOrderId);
    if (originalClientOrderId !== clientOrderId) list.delete(originalClientOrderId);
    const known = list.get(clientOrderId) ?? before;
    const triggers = order.contingencyType?.startsWith('oneTrigger') === true;
    const member: Member = known ?? {
      order,
      isFirst: triggers && list.size === 0,
      activeAt: undefined,
      filledIn: undefined,
      hasTraded: false,
    };
    member.order = order;
    if (order.inactive !== true) member.activeAt ??= at;
    if (order.status === 'filled' && this.#symbol !== undefined) member.filledIn ??= this.#turn;
    list.set(clientOrderId, member);
    return member;
  }

  /** Notes the first trade of an order of a list. */
  #traded(list: List, exit: Member): void {
    const members = [...list.values()];
    const entry = members.find(({ isFirst }) => isFirst);
    if (!isExit(exit, entry)) return;
    this.exits += 1;
    const way = this.#way(exit.order.symbol);
    if (way === undefined) return;
    const entered = entry?.filledIn === this.#turn ? entry : undefined;
    if (entered === undefined && (exit.activeAt ?? 0) > way.lateAfter) return;
    if (entered !== undefined && (entered.activeAt ?? 0) > way.lateAfter) return;
    const rivals =
      exit.order.contingencyType === 'oneTriggerOther'
        ? [exit]
        : members.filter(
            (one) => isExit(one, entry) && (one === exit || isActive(one.order.status)),
          );
    const orders = rivals.map(({ order }) => order);
    const assumed = reachedOn(way.assumed, orders, entered?.order);
    const other = reachedOn(way.other, orders, entered?.order);
    if (assumed !== other) this.decided += 1;
  }

  /** Paths of the candle in progress. */
  #way(
    symbol: string,
  ): { assumed: CandleWay; other: CandleWay; readonly lateAfter: number } | undefined {
    const columns = this.#columns;
    if (columns === undefined || this.#symbol !== symbol) return undefined;
    const row = this.#row;
    const [open, close] = [columns.open[row], columns.price[row]];
    const [high, low] = [columns.askPrice[row], columns.askSize[row]];
    const [down, up] = [
      [open, low, high, close],
      [open, high, low, close],
    ];
    const openedAt = columns.stampedAt[row];
    const lateAfter = openedAt + CANDLE_GRACE * (columns.receivedAt[row] - openedAt);
    return close >= open
      ? { assumed: down, other: up, lateAfter }
      : { assumed: up, other: down, lateAfter };
  }
}

/** True for an order that closes what the first order of its list entered, or a holding. */
const isExit = ({ order, isFirst }: Member, entry: Member | undefined): boolean =>
  !isFirst && (entry === undefined ? order.side === 'sell' : order.side !== entry.order.side);
