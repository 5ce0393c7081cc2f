import type { BacktestResult } from '../../src/backtest/result.ts';
import type { OrderRequest } from '../../src/model/order-request.ts';
import type { Instrument } from '../../src/model/instrument.ts';
import type { NewOrder, Order, OrderList, VenueOrder } from '../../src/model/order.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import type { Fill, Report } from '../../src/model/report.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import { isoTime, type Micros } from '../../src/platform/time.ts';

/**
 * Rows of a run as plain data, named field by field: prices, quantities and money as decimal text,
 * times in ISO 8601. However the product holds these inside, the same behaviour gives the same rows.
 */
export type Line = Readonly<Record<string, unknown>>;

export type InstrumentOf = (symbol: string) => Instrument;

/** Digits of statistics that are binary floats: sums in another order agree to as many. */
const STATISTIC_DIGITS = 11;

/** One row a line; floats are rounded, absent fields are left out. */
export const textOf = (line: Line): string =>
  JSON.stringify(line, (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value)
      ? Number(value.toPrecision(STATISTIC_DIGITS))
      : value,
  );

const timeOf = (at: Micros | undefined): string | undefined =>
  at === undefined ? undefined : isoTime(at);

const priceOf = (instrument: Instrument, ticks: Ticks | undefined): string | undefined =>
  ticks === undefined ? undefined : instrument.price(ticks).toFixed();

const sizeOf = (instrument: Instrument, lots: Lots): string => instrument.size(lots).toFixed();

const reasonOf = (rejection: Rejection | undefined): Line | undefined =>
  rejection && { code: rejection.code, field: rejection.field, message: rejection.message };

/** An order of a strategy as the strategy sees it. */
export function trackedLine(instrument: Instrument, order: Order): Line {
  return {
    id: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    status: order.status,
    quantity: sizeOf(instrument, order.lots),
    filled: sizeOf(instrument, order.filledLots),
    price: priceOf(instrument, order.ticks),
    stopPrice: priceOf(instrument, order.stopTicks),
    list: order.orderListId,
    contingency: order.contingencyType,
    listIndex: order.listIndex,
    inactive: order.inactive,
    managed: order.managed,
    replacedBy: order.replacedBy,
    reason: reasonOf(order.rejection),
    venue: order.venueOrder && venueLine(instrument, order.venueOrder),
  };
}

export const trackedListLine = (instrumentOf: InstrumentOf, list: OrderList): Line => ({
  list: list.orderListId,
  contingency: list.contingencyType,
  active: list.active,
  orders: list.orders.map((order) => {
    const instrument = instrumentOf(order.symbol);
    return `${order.clientOrderId} ${order.status} ${sizeOf(instrument, order.filledLots)}`;
  }),
});

export function venueLine(instrument: Instrument, order: VenueOrder): Line {
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    replaces: order.originalClientOrderId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    status: order.status,
    quantity: sizeOf(instrument, order.lots),
    filled: sizeOf(instrument, order.filledLots),
    price: priceOf(instrument, order.ticks),
    stopPrice: priceOf(instrument, order.stopTicks),
    expireAt: timeOf(order.expireAt),
    postOnly: order.postOnly,
    list: order.orderListId,
    contingency: order.contingencyType,
    inactive: order.inactive,
    createdAt: timeOf(order.createdAt),
    updatedAt: timeOf(order.updatedAt),
  };
}

export const fillLine = (instrument: Instrument, fill: Fill): Line => ({
  id: fill.id,
  order: fill.clientOrderId,
  symbol: fill.symbol,
  side: fill.side,
  price: priceOf(instrument, fill.ticks),
  quantity: sizeOf(instrument, fill.lots),
  fee: fill.fee.toFixed(),
  feeCurrency: fill.feeCurrency,
  taker: fill.taker,
  at: timeOf(fill.at),
});

const requestedLine = (instrument: Instrument, order: NewOrder): Line => ({
  id: order.clientOrderId,
  symbol: order.symbol,
  side: order.side,
  type: order.type,
  timeInForce: order.timeInForce,
  quantity: sizeOf(instrument, order.lots),
  price: priceOf(instrument, order.ticks),
  stopPrice: priceOf(instrument, order.stopTicks),
  expireAt: timeOf(order.expireAt),
  postOnly: order.postOnly,
});

export function requestLine(instrumentOf: InstrumentOf, request: OrderRequest): Line {
  switch (request.kind) {
    case 'place':
      return { request: 'place', ...requestedLine(instrumentOf(request.symbol), request) };
    case 'placeList':
      return {
        request: 'placeList',
        list: request.orderListId,
        contingency: request.contingencyType,
        orders: request.orders.map((order) => requestedLine(instrumentOf(order.symbol), order)),
      };
    case 'replace': {
      const instrument = instrumentOf(request.symbol);
      return {
        request: 'replace',
        id: request.clientOrderId,
        newId: request.newClientOrderId,
        symbol: request.symbol,
        quantity: sizeOf(instrument, request.lots),
        price: priceOf(instrument, request.ticks),
        stopPrice: priceOf(instrument, request.stopTicks),
      };
    }
    case 'cancel':
      return { request: 'cancel', id: request.clientOrderId, symbol: request.symbol };
  }
}

export function reportLine(instrumentOf: InstrumentOf, report: Report): Line {
  const at = timeOf(report.at);
  switch (report.kind) {
    case 'balance':
      return {
        report: 'balance',
        at,
        currency: report.currency,
        available: report.available.toFixed(),
        reserved: report.reserved.toFixed(),
      };
    case 'rejected':
    case 'outcome-unknown':
      return {
        report: report.kind,
        at,
        request: report.request,
        id: report.clientOrderId,
        symbol: report.symbol,
        reason: report.kind === 'rejected' ? reasonOf(report.rejection) : undefined,
      };
    default: {
      const instrument = instrumentOf(report.order.symbol);
      return {
        report: report.kind,
        at,
        order: venueLine(instrument, report.order),
        fill: report.kind === 'trade' ? fillLine(instrument, report.fill) : undefined,
      };
    }
  }
}

/** What a backtest found, without its run hash and without sentences that only explain. */
export function resultLines(result: BacktestResult): Line[] {
  const { sampleUs, samplesPerPoint, instruments, plots, ...series } = result.series;
  return [
    { result: 'plan', strategy: result.strategy.parameters, ...result.plan },
    { result: 'counts', ...result.orders },
    { result: 'metrics', ...result.metrics },
    ...result.recordings.map(
      ({ name, symbol, rows, trades, quotes, levels, candles, quality }) => ({
        result: 'recording',
        name,
        symbol,
        rows,
        trades,
        quotes,
        levels,
        candles,
        quality,
      }),
    ),
    ...result.balances.map((balance) => ({ result: 'balance', ...balance })),
    ...result.warnings.map((warning) => ({ result: 'warning', warning })),
    { result: 'failure', failure: result.failure ?? null, samples: [sampleUs, samplesPerPoint] },
    ...series.at.map((at, point) => ({
      result: 'equity',
      at,
      equity: series.equity[point],
      drawdown: series.drawdown[point],
      close: instruments.map(({ close }) => close[point]),
      position: instruments.map(({ position }) => position[point]),
      plots: plots.length === 0 ? undefined : plots.map(({ values }) => values[point]),
    })),
    ...result.orderHistory.rows.map((row) => ({ result: 'order', ...row })),
    ...result.fills.rows.map((row) => ({ result: 'fill', ...row })),
    ...result.trades.rows.map((row) => ({ result: 'trade', ...row })),
    ...result.logs.rows.map((row) => ({ result: 'log', ...row })),
  ];
}
