import type { ReadEvent } from '../../bot/journal/reader.ts';
import type { MarginReport } from '../../model/margin-account.ts';
import type { OrderMargin } from '../../model/margin-terms.ts';
import type { MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { NewOrder, Order } from '../../model/order.ts';
import type { Report } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';

/** Formats prices and quantities; whole numbers if the instrument is unknown. */
export interface InstrumentFormat {
  readonly size: (lots: Lots) => string;
  readonly price: (ticks: Ticks | undefined) => string;
}

export const numbersOf = (instrument: Instrument | undefined): InstrumentFormat =>
  instrument === undefined
    ? {
        size: (lots) => `${lots} lots`,
        price: (ticks) => (ticks === undefined ? '-' : `${ticks} ticks`),
      }
    : {
        size: (lots) => instrument.size(lots).toFixed(),
        price: (ticks) => (ticks === undefined ? '-' : instrument.price(ticks).toFixed()),
      };

/** Describes a logged event. */
export function formatEvent(event: ReadEvent, numbers: InstrumentFormat): string {
  switch (event.kind) {
    case 'intended':
      return formatRequest(event.body, numbers);
    case 'sent':
      return 'handed to the connection';
    case 'adopted':
      return `adopted by ${event.strategy ?? 'nobody'}`;
    case 'inherited':
      return `fill ${event.body.id} now belongs to this strategy`;
    case 'started':
      return 'a new process continues the journal';
    case 'received':
      return formatReport(event.body, numbers);
    case 'found':
      return `${event.body.kind}: ${event.body.message}`;
    case 'state':
      return `${event.body.scope} is ${event.body.state}: ${event.body.why}`;
  }
}

function formatRequest(request: OrderRequest | MarginRequest, numbers: InstrumentFormat): string {
  switch (request.kind) {
    case 'setMargin': {
      const { symbol, mode, balance, leverage } = request;
      const funds = balance === undefined ? '' : ` to ${String(balance)}`;
      const more = leverage === undefined ? '' : `, leverage ${String(leverage)}`;
      return `set the ${mode} margin account of ${symbol}${funds}${more}`;
    }
    case 'place':
      return `place: ${formatOrder(request, numbers)}`;
    case 'placeList':
      return `place a list (${request.contingencyType}): ${request.orders
        .map((order) => `${order.clientOrderId} ${formatOrder(order, numbers)}`)
        .join('; ')}`;
    case 'replace': {
      const { clientOrderId, newClientOrderId, lots, ticks } = request;
      return `replace ${clientOrderId} by ${newClientOrderId}: ${numbers.size(lots)} at ${numbers.price(ticks)}`;
    }
    case 'cancel':
      return 'cancel';
  }
}

/** `isolated margin, reduce-only`. */
export const formatMargin = ({ mode, reduceOnly }: OrderMargin): string =>
  reduceOnly === true ? `${mode} margin, reduce-only` : `${mode} margin`;

function formatOrder(order: NewOrder, { size, price }: InstrumentFormat): string {
  const { side, symbol, type, timeInForce, lots, ticks, stopTicks, margin } = order;
  const { takeRate, makeRate } = order;
  const at = ticks === undefined ? '' : ` at ${price(ticks)}`;
  const stop = stopTicks === undefined ? '' : `, stop ${price(stopTicks)}`;
  // As read from the story they are the text that the journal wrote.
  const taker = takeRate === undefined ? '' : `, taker fee rate ${String(takeRate)}`;
  const maker = makeRate === undefined ? '' : `, maker fee rate ${String(makeRate)}`;
  const quantity = margin?.closePosition === true ? 'the whole position in' : size(lots);
  const terms = [type, timeInForce, ...(margin === undefined ? [] : [formatMargin(margin)])];
  return `${side} ${quantity} ${symbol}${at}${stop}${taker}${maker} (${terms.join(', ')})`;
}

function formatReport(report: Report | MarginReport, { size, price }: InstrumentFormat): string {
  switch (report.kind) {
    case 'marginAccount': {
      const { reason, account, position, carry, end, byOthers, missed } = report;
      const about = position === undefined ? '' : `, ${position.lots} lots of ${position.symbol}`;
      const more = [
        ...(carry === undefined ? [] : [`${carry.kind} of ${String(carry.amount)}`]),
        ...(end === undefined ? [] : [end]),
        ...(byOthers === true ? ['by others'] : []),
        ...(missed === true ? ['while it was disconnected'] : []),
      ].map((one) => `, ${one}`);
      return `margin account (${reason}): ${String(account.balance)} ${account.currency}${about}${more.join('')}`;
    }
    case 'marginRejected':
      return `refused (${report.mode} margin of ${report.symbol}): ${report.rejection.message} [${report.rejection.code}]`;
    case 'rejected':
      return `refused (${report.request}): ${report.rejection.message} [${report.rejection.code}]`;
    case 'outcome-unknown':
      return `no answer to the ${report.request}: nobody knows whether it was done`;
    case 'balance':
      return `balance of ${report.currency}: ${String(report.available)} available, ${String(report.reserved)} reserved`;
    default: {
      const { status, filledLots, lots } = report.order;
      const stands = `${status}, ${size(filledLots)} of ${size(lots)} executed`;
      if (report.kind !== 'trade') return `${report.kind}: ${stands}`;
      const { id, lots: filled, ticks, fee, feeCurrency } = report.fill;
      return `trade ${id}: ${size(filled)} at ${price(ticks)}, fee ${String(fee)} ${feeCurrency}; ${stands}`;
    }
  }
}

/** An order with decimal text instead of ticks and lots. */
export function orderWithDecimals(order: Order, { size, price }: InstrumentFormat): object {
  const { ticks, stopTicks, orderListId, contingencyType, listIndex, venueOrder } = order;
  return {
    clientOrderId: order.clientOrderId,
    strategy: order.strategy,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    status: order.status,
    managed: order.managed,
    ...(orderListId === undefined
      ? {}
      : { membership: { orderListId, contingencyType, listIndex } }),
    ...(order.margin === undefined ? {} : { margin: order.margin }),
    takeRate: order.takeRate,
    makeRate: order.makeRate,
    replaces: order.replaces,
    replacedBy: order.replacedBy,
    rejection: order.rejection,
    intendedAt: order.requestedAt,
    endedAt: order.endedAt,
    quantity: size(order.lots),
    executed: size(order.filledLots),
    received: size(order.receivedLots as Lots),
    ...(ticks === undefined ? {} : { price: price(ticks) }),
    ...(stopTicks === undefined ? {} : { stopPrice: price(stopTicks) }),
    fills: order.fillIds,
    ...(venueOrder === undefined ? {} : { venueId: venueOrder.id }),
  };
}
