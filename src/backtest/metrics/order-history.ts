import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  ORDER_TYPES,
  TIMES_IN_FORCE,
  type NewOrder,
  type VenueOrder,
  isActive,
} from '../../model/order.ts';
import type { OrderRequest, ReplaceRequest } from '../../model/order-request.ts';
import type { RejectReport, Report } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type { OrderRow } from '../result.ts';
import { NumberTable } from '../tables/number-table.ts';
import { OrderTable } from '../tables/order-table.ts';
import { TextColumn } from '../tables/text-column.ts';

/** Fields of an order; NaN for an absent one. */
const SENT_AT = 0;
const TRIGGERED_AT = 1;
const ENDED_AT = 2;
const LOTS = 3;
const EXECUTED = 4;
const TICKS = 5;
const STOP_TICKS = 6;
/** Row of the order that it replaces. */
const REPLACES = 7;
/** Symbol, side, type and time in force as one number. */
const TERMS = 8;
const STATUS = 9;
const WIDTH = 10;

const STATUSES: readonly OrderRow['status'][] = [
  ...(['sent', 'replaced', 'rejected', 'new', 'suspended', 'partiallyFilled'] as const),
  ...(['filled', 'canceled', 'expired'] as const),
];
const STATUS_CODES: ReadonlyMap<string, number> = new Map(
  STATUSES.map((status, code) => [status, code]),
);
const SENT = STATUSES.indexOf('sent');

type ListMembership = Pick<OrderRow, 'list' | 'contingencyType' | 'listIndex'>;
type Rates = Pick<NewOrder, 'takeRate' | 'makeRate'>;

/** Ended orders whose ids are kept until they are dropped together. */
const ENDED_MAX = 1_024;

const ALONE: ListMembership = { list: null, contingencyType: null, listIndex: null };

/** One row for each sent order, with its result, as numbers until it is read. */
export class OrderHistory {
  /** Symbols with a sent stop order. */
  readonly stopSymbols = new Set<string>();
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #limit: number;
  readonly #table = new NumberTable(WIDTH);
  readonly #ids = new TextColumn();
  readonly #symbols: string[] = [];
  readonly #codes = new Map<string, number>();
  /** Lists of orders, and own rates of orders. */
  readonly #lists = new Map<number, ListMembership>();
  readonly #rates = new Map<number, Rates>();
  /** Rows of orders that may still change, and of some ended ones, which are dropped together. */
  readonly #known = new Map<string, number>();
  #ended = 0;

  /** `rows` has the first `limit` orders as rows. */
  constructor(instruments: readonly Instrument[], limit: number) {
    this.#instruments = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    this.#limit = limit;
  }

  get rows(): OrderTable {
    return new OrderTable(
      this.#table.length,
      this.#limit,
      (index) => this.#row(index),
      this.#lists.keys(),
    );
  }

  /** Adds the orders of a sent request. */
  request(at: Micros, request: OrderRequest): void {
    switch (request.kind) {
      case 'place':
        this.#add(at, request);
        break;
      case 'placeList': {
        const { orderListId: list, contingencyType, orders } = request;
        for (const [listIndex, order] of orders.entries()) {
          this.#lists.set(this.#add(at, order), { list, contingencyType, listIndex });
        }
        break;
      }
      case 'replace':
        this.#replacement(at, request);
        break;
      case 'cancel':
        break;
    }
  }

  /** Applies a report of the venue. */
  report(report: Report): void {
    if (report.kind === 'balance' || report.kind === 'outcome-unknown') return;
    if (report.kind === 'rejected') {
      this.#rejected(report);
      return;
    }
    const { at, order } = report;
    if (report.kind === 'replaced') this.#end(order.originalClientOrderId, 'replaced', at);
    const row = this.#open(order.clientOrderId);
    if (row === undefined) return;
    if (report.kind === 'new' && order.stopTicks !== undefined) this.#triggered(row, at);
    this.#follow(row, order, at);
  }

  #triggered(row: number, at: Micros): void {
    if (Number.isNaN(this.#table.get(row, TRIGGERED_AT))) this.#table.set(row, TRIGGERED_AT, at);
  }

  #follow(row: number, { status, filledLots }: VenueOrder, at: Micros): void {
    this.#table.set(row, EXECUTED, filledLots);
    if (isActive(status)) this.#table.set(row, STATUS, STATUS_CODES.get(status) ?? SENT);
    else this.#endRow(row, status, at);
  }

  /** Row of an order that may still change. */
  #open(clientOrderId: string): number | undefined {
    const row = this.#known.get(clientOrderId);
    return row === undefined || this.#hasEnded(row) ? undefined : row;
  }

  #hasEnded(row: number): boolean {
    return !Number.isNaN(this.#table.get(row, ENDED_AT));
  }

  #add(sentAt: Micros, order: NewOrder): number {
    const { symbol, clientOrderId, takeRate, makeRate } = order;
    const table = this.#table;
    const row = table.add();
    const code = this.#codes.get(symbol) ?? this.#newSymbol(symbol);
    table.set(row, SENT_AT, sentAt);
    table.set(row, TRIGGERED_AT, Number.NaN);
    table.set(row, ENDED_AT, Number.NaN);
    table.set(row, LOTS, order.lots);
    table.set(row, TICKS, order.ticks ?? Number.NaN);
    table.set(row, STOP_TICKS, order.stopTicks ?? Number.NaN);
    table.set(row, REPLACES, Number.NaN);
    table.set(row, TERMS, termsCode(order, code));
    table.set(row, STATUS, SENT);
    this.#ids.push(clientOrderId);
    if ((takeRate ?? makeRate) !== undefined) this.#rates.set(row, { takeRate, makeRate });
    if (order.stopTicks !== undefined) this.stopSymbols.add(symbol);
    this.#known.set(clientOrderId, row);
    return row;
  }

  #newSymbol(symbol: string): number {
    const code = this.#symbols.push(symbol) - 1;
    this.#codes.set(symbol, code);
    return code;
  }

  #replacement(at: Micros, request: ReplaceRequest): void {
    const { clientOrderId, newClientOrderId, lots } = request;
    const before = this.#open(clientOrderId);
    if (before === undefined) return;
    const table = this.#table;
    const row = table.add();
    for (let field = 0; field < WIDTH; field += 1) table.set(row, field, table.get(before, field));
    table.set(row, SENT_AT, at);
    table.set(row, ENDED_AT, Number.NaN);
    table.set(row, LOTS, lots);
    table.set(row, EXECUTED, 0);
    if (request.ticks !== undefined) table.set(row, TICKS, request.ticks);
    if (request.stopTicks !== undefined) table.set(row, STOP_TICKS, request.stopTicks);
    table.set(row, REPLACES, before);
    table.set(row, STATUS, SENT);
    this.#ids.push(newClientOrderId);
    const [list, rates] = [this.#lists.get(before), this.#rates.get(before)];
    if (list !== undefined) this.#lists.set(row, list);
    if (rates !== undefined) this.#rates.set(row, rates);
    if (!Number.isNaN(table.get(row, STOP_TICKS))) this.stopSymbols.add(request.symbol);
    this.#known.set(newClientOrderId, row);
  }

  /** Rejected cancels change nothing; a rejected list rejects all of its orders. */
  #rejected({ at, request, clientOrderId }: RejectReport): void {
    if (request === 'cancel') return;
    this.#end(clientOrderId, 'rejected', at);
    if (request !== 'placeList') return;
    for (const row of this.#known.values()) {
      if (this.#hasEnded(row) || this.#lists.get(row)?.list !== clientOrderId) continue;
      if (this.#table.get(row, STATUS) === SENT) this.#endRow(row, 'rejected', at);
    }
  }

  #end(clientOrderId: string | undefined, status: OrderRow['status'], at: Micros): void {
    const row = clientOrderId === undefined ? undefined : this.#open(clientOrderId);
    if (row !== undefined) this.#endRow(row, status, at);
  }

  #endRow(row: number, status: OrderRow['status'], at: Micros): void {
    this.#table.set(row, STATUS, STATUS_CODES.get(status) ?? SENT);
    this.#table.set(row, ENDED_AT, at);
    this.#ended += 1;
    if (this.#ended >= ENDED_MAX) this.#clearEnded();
  }

  /** Drops ids of ended orders, unless a later order uses the id again. */
  #clearEnded(): void {
    for (const [id, row] of this.#known) if (this.#hasEnded(row)) this.#known.delete(id);
    this.#ended = 0;
  }

  #row(index: number): OrderRow {
    const field = (name: number): number => this.#table.get(index, name);
    const { symbolCode, ...terms } = termsOf(field(TERMS));
    const symbol = this.#symbols[symbolCode];
    const instrument = this.#instruments.get(symbol);
    const time = (at: number): string | null => (Number.isNaN(at) ? null : isoTime(at as Micros));
    const price = (at: number): string | null =>
      Number.isNaN(at) || instrument === undefined
        ? null
        : instrument.tickAmount.timesCount(at).toFixed();
    const size = (count: number): string =>
      instrument === undefined ? String(count) : instrument.sizeAmount(count as Lots).toFixed();
    const { takeRate, makeRate } = this.#rates.get(index) ?? {};
    return {
      sentAt: isoTime(field(SENT_AT) as Micros),
      triggeredAt: time(field(TRIGGERED_AT)),
      endedAt: time(field(ENDED_AT)),
      symbol,
      order: this.#ids.at(index),
      replaces: Number.isNaN(field(REPLACES)) ? null : this.#ids.at(field(REPLACES)),
      ...(this.#lists.get(index) ?? ALONE),
      ...terms,
      price: price(field(TICKS)),
      stopPrice: price(field(STOP_TICKS)),
      takeRate: rateText(takeRate),
      makeRate: rateText(makeRate),
      size: size(field(LOTS)),
      filled: size(field(EXECUTED)),
      status: STATUSES[field(STATUS)],
    };
  }
}

const rateText = (rate: Decimal | undefined): string | null => rate?.toFixed() ?? null;

/** Types and times in force take three bits each, the side takes one. */
const CODES = 8;

const termsCode = ({ side, type, timeInForce }: NewOrder, symbolCode: number): number => {
  const words = ORDER_TYPES.indexOf(type) * CODES + TIMES_IN_FORCE.indexOf(timeInForce);
  return (symbolCode * CODES * CODES + words) * 2 + (side === 'buy' ? 0 : 1);
};

function termsOf(
  code: number,
): Pick<OrderRow, 'side' | 'type' | 'timeInForce'> & { readonly symbolCode: number } {
  const words = Math.floor(code / 2) % (CODES * CODES);
  return {
    symbolCode: Math.floor(code / (2 * CODES * CODES)),
    side: code % 2 === 0 ? 'buy' : 'sell',
    type: ORDER_TYPES[Math.floor(words / CODES)],
    timeInForce: TIMES_IN_FORCE[words % CODES],
  };
}
