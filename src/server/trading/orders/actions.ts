import type { Exchange } from '../../../exchange/exchange.ts';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import { dayEnd } from '../../../exchange/orders/trading-day.ts';
import { isActive } from '../../../model/order.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Micros } from '../../../platform/time.ts';
import type { ChangeForm, ListForm, OrderForm } from '../../../rules/order-form.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import { rejectionFault, type Version } from '../../../wire/trading/rejections.ts';
import type { TradingService } from '../service.ts';
import type { OrderRecord, OrderReport, TradeRecord } from './order-record.ts';
import { isTradedOn, symbolNotTraded } from './symbols.ts';

/**
 * Requests of an account about its orders. REST and sockets of both versions all use them; they only differ
 * in how they read the request and write the answer.
 */
export interface RequestContext {
  readonly account: number;
  /** Orders of the other two markets count as unknown. */
  readonly market: OrderMarket;
  /** The version of the rejections' wording. */
  readonly version: Version;
}

/** Reports of one order during a request, at least one, oldest first. */
export type OrderReports = readonly [OrderReport, ...OrderReport[]];

/** Places an order. */
export function placeOrder(
  service: TradingService,
  trader: RequestContext,
  form: OrderForm,
): Decoded<OrderReports> {
  const stranger = foreignSymbol(service, trader, form.symbol);
  if (stranger !== undefined) return stranger;
  const used = usedToday(service, trader, form.clientOrderId, 'clientOrderId');
  if (used !== undefined) return used;
  return one(service, trader, (exchange, at) => exchange.forms.place(trader.account, form, at));
}

/** Places an order list; returns the reports of each of its orders, in the order of the request. */
export function placeOrderList(
  service: TradingService,
  trader: RequestContext,
  form: ListForm,
): Decoded<readonly OrderReports[]> {
  for (const [index, { symbol }] of form.orders.entries()) {
    const stranger = foreignSymbol(service, trader, symbol, `orders[${index}].symbol`);
    if (stranger !== undefined) return stranger;
  }
  const done = reported(service, trader, (exchange, at) =>
    exchange.forms.placeList(trader.account, form, at),
  );
  if (done.kind === 'fault') return done;
  const [first] = done.value;
  const listId = first?.order.orderListId;
  const ofList = byOrder(done.value.filter(({ order }) => order.orderListId === listId));
  return decoded(ofList.toSorted(([a], [b]) => a.order.id - b.order.id));
}

/** Replaces an order; returns the reports of the new one. */
export function replaceOrder(
  service: TradingService,
  trader: RequestContext,
  form: ChangeForm,
): Decoded<OrderReports> {
  const known = activeOrder(service, trader, form.clientOrderId);
  if (known.kind === 'fault') return known;
  const used = usedToday(service, trader, form.newClientOrderId, 'requestClientId');
  if (used !== undefined) return used;
  return one(service, trader, (exchange, at) => exchange.forms.replace(trader.account, form, at));
}

/** Cancels an order. */
export function cancelOrder(
  service: TradingService,
  trader: RequestContext,
  clientOrderId: string,
): Decoded<OrderReports> {
  const known = activeOrder(service, trader, clientOrderId);
  if (known.kind === 'fault') return known;
  return one(service, trader, (exchange, at) => exchange.cancel(trader.account, clientOrderId, at));
}

/** Cancels all orders, or those of a symbol; returns the last report of each, oldest order first. */
export function cancelOrders(
  service: TradingService,
  trader: RequestContext,
  symbol?: string,
): Decoded<readonly OrderReport[]> {
  if (symbol !== undefined) {
    const stranger = foreignSymbol(service, trader, symbol);
    if (stranger !== undefined) return stranger;
  }
  const { reports } = service.during(trader.account, (exchange, at) =>
    exchange.cancelAll(trader.account, at, symbol, trader.market),
  );
  return decoded(reports.filter(({ kind }) => kind === 'canceled'));
}

/** The active orders, only those of a symbol if one is given, oldest first. */
export function activeOrders(
  service: TradingService,
  trader: RequestContext,
  symbol?: string,
): Decoded<readonly OrderRecord[]> {
  if (symbol !== undefined) {
    const stranger = foreignSymbol(service, trader, symbol);
    if (stranger !== undefined) return stranger;
  }
  const { active } = service.past(trader.account);
  return decoded(
    active.filter(
      (order) =>
        order.market === trader.market && (symbol === undefined || order.symbol === symbol),
    ),
  );
}

/** An active order by its client order id. */
export function activeOrder(
  service: TradingService,
  trader: RequestContext,
  clientOrderId: string,
): Decoded<OrderRecord> {
  const order = service.past(trader.account).activeByClientOrderId(clientOrderId);
  return order?.market === trader.market ? decoded(order) : unknownOrder('active', clientOrderId);
}

/** The newest order that has or had a client order id. */
export function newestOrder(
  service: TradingService,
  trader: RequestContext,
  clientOrderId: string,
): Decoded<OrderRecord> {
  const [order] = ordersByClientOrderId(service, trader, clientOrderId);
  return order === undefined ? unknownOrder('known', clientOrderId) : decoded(order);
}

/** All orders that have or had a client order id, newest first. */
export const ordersByClientOrderId = (
  service: TradingService,
  { account, market }: RequestContext,
  clientOrderId: string,
): readonly OrderRecord[] =>
  [...service.past(account).byClientOrderId(clientOrderId)].filter(
    (order) => order.market === market,
  );

const unknownOrder = (what: string, clientOrderId: string): Decoded<never> =>
  undecoded(fault(20002, `There is no ${what} order ${JSON.stringify(clientOrderId)}`));

/**
 * In version 2 a client order id is used once in a trading day; version 3 only requires that its last order
 * ended some time ago, which the exchange checks. A day ends with its Day orders.
 */
function usedToday(
  service: TradingService,
  { account, version }: RequestContext,
  clientOrderId: string | undefined,
  member: string,
): Decoded<never> | undefined {
  if (version !== 2 || clientOrderId === undefined) return undefined;
  const [newest] = service.past(account).byClientOrderId(clientOrderId);
  if (newest === undefined) return undefined;
  const wasToday = dayEnd(newest.updatedAt) === dayEnd(service.now());
  if (!wasToday && !isActive(newest.status)) return undefined;
  const message = `An order of this trading day has the client order id ${clientOrderId}.`;
  const rejection = { code: 'client-order-id-taken', field: member, message } as const;
  return undecoded(rejectionFault(rejection, version));
}

type Act = (exchange: Exchange, at: Micros) => Rejection | undefined;

/** Executes a request, and returns all reports, or why it was rejected. */
function reported(
  service: TradingService,
  trader: RequestContext,
  act: Act,
): Decoded<readonly OrderReport[]> {
  const { outcome, reports } = service.during(trader.account, act);
  return outcome === undefined
    ? decoded(reports)
    : undecoded(rejectionFault(outcome, trader.version));
}

/** The same for a request about one order, whose report is always the first. */
function one(service: TradingService, trader: RequestContext, act: Act): Decoded<OrderReports> {
  const done = reported(service, trader, act);
  if (done.kind === 'fault') return done;
  const [reports] = byOrder(done.value);
  return reports === undefined ? undecoded(fault(500)) : decoded(reports);
}

/** Reports of each order apart, in the order in which they first appear. */
function byOrder(reports: readonly OrderReport[]): readonly OrderReports[] {
  const groups = new Map<number, [OrderReport, ...OrderReport[]]>();
  for (const report of reports) {
    const group = groups.get(report.order.id);
    if (group === undefined) groups.set(report.order.id, [report]);
    else group.push(report);
  }
  return [...groups.values()];
}

/** The last of an order's reports, with its present state. */
export const latest = (reports: OrderReports): OrderReport => reports.at(-1) ?? reports[0];

/** The trades among an order's reports, oldest first. */
export const tradesOf = (reports: OrderReports): readonly TradeRecord[] =>
  reports.flatMap(({ trade }) => trade ?? []);

function foreignSymbol(
  { exchange }: TradingService,
  { market }: RequestContext,
  symbol: string,
  member?: string,
): Decoded<never> | undefined {
  const index = exchange.instrument(symbol);
  if (index >= 0 && isTradedOn(market, exchange.instruments[index])) return undefined;
  return symbolNotTraded(exchange.instruments, market, symbol, member);
}
