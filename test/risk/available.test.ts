import { expect, test } from 'vitest';
import type { OrderRequest } from '../../src/model/order-request.ts';
import { decimal } from '../../src/model/decimal.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import { availableRejection } from '../../src/risk/limits/available.ts';
import { amounts, limitsOf, marketOf, open, place, placeList, viewOf } from './view.ts';

/** The code and the amount of a rejection, with so much available; what is not named is not known. */
function outcome(
  request: OrderRequest,
  texts: Readonly<Record<string, string>>,
  view = viewOf(),
): string | undefined {
  const left = amounts(texts);
  const found = availableRejection(request, view, (currency) => left.get(currency), limitsOf());
  return found && `${found.code} ${found.limit ?? ''}`;
}

test('a buy needs more than price × quantity and the fee, a sell its quantity', () => {
  // 3 × 100 × 1.01 = 303
  expect(outcome(place({ lots: 30 }), { USDT: '303' })).toBe('budget-exceeded 303');
  expect(outcome(place({ lots: 30 }), { USDT: '303.0001' })).toBeUndefined();
  const sell = place({ side: 'sell', lots: 30 });
  expect(outcome(sell, { BTC: '3', USDT: '0' })).toBeUndefined();
  expect(outcome(sell, { BTC: '2.9999' })).toBe('budget-exceeded 3');
});

test('it says whose balance does not suffice, and that a fee is in it where one is', () => {
  const messageOf = (request: OrderRequest) =>
    availableRejection(request, viewOf(), () => decimal('1'), limitsOf())?.message;
  expect(messageOf(place({ lots: 30 }))).toBe(
    'Of the account 1 USDT is available and must exceed 303, fee included.',
  );
  expect(messageOf(place({ side: 'sell', lots: 30 }))).toBe(
    'Of the account 1 BTC is available and must be at least 3.',
  );
});

test('a balance that is not known is left to the venue, and so is a cancel', () => {
  expect(outcome(place({ lots: 30 }), { BTC: '0' })).toBeUndefined();
  const cancel = { kind: 'cancel', clientOrderId: 'order-1', symbol: 'BTCUSDT' } as const;
  expect(outcome(cancel, { USDT: '0', BTC: '0' })).toBeUndefined();
});

test('a stop market buy needs its stop price', () => {
  const stop = place({ type: 'stopMarket', lots: 10, stopTicks: 200 });
  expect(outcome(stop, { USDT: '202' })).toBe('budget-exceeded 202');
  expect(outcome(stop, { USDT: '202.01' })).toBeUndefined();
});

test('a market buy that fills whole needs the best ask, and none where no market is known', () => {
  const whole = place({ type: 'market', timeInForce: 'FOK', lots: 10 });
  // 1 × 101 × 1.01 = 102.01
  expect(outcome(whole, { USDT: '102.01' })).toBe('budget-exceeded 102.01');
  expect(outcome(whole, { USDT: '102.02' })).toBeUndefined();
  expect(outcome(whole, { USDT: '0' }, viewOf({ markets: {} }))).toBeUndefined();
});

test('what a market order takes that takes what it gets is not measured, alone or in a list', () => {
  const taker = { type: 'market', timeInForce: 'IOC', lots: 10 } as const;
  expect(outcome(place(taker), { USDT: '0' })).toBeUndefined();
  expect(outcome(place({ ...taker, side: 'sell' }), { BTC: '0' })).toBeUndefined();
  const list = placeList('allOrNone', taker, { lots: 10 });
  expect(outcome(list, { USDT: '101' })).toBe('budget-exceeded 101');
  // A limit order may be partial too: what it does not get at once it still needs.
  expect(outcome(place({ timeInForce: 'IOC', lots: 10 }), { USDT: '0' })).toBe(
    'budget-exceeded 101',
  );
});

test('the orders of a list need what can execute of them at most, in each currency', () => {
  const exit = { side: 'sell', lots: 10 } as const;
  const pair = placeList('oneCancelOther', exit, { ...exit, lots: 20 });
  expect(outcome(pair, { BTC: '1.9' })).toBe('budget-exceeded 2');
  expect(outcome(pair, { BTC: '2' })).toBeUndefined();
  const both = placeList('allOrNone', { lots: 10 }, { symbol: 'ETHUSDT', lots: 10 }, exit);
  // 100 × 1.01 and 100 × 1.0025
  expect(outcome(both, { USDT: '201.25' })).toBe('budget-exceeded 201.25');
  expect(outcome(both, { USDT: '201.26', BTC: '0.9' })).toBe('budget-exceeded 1');
  expect(outcome(both, { USDT: '201.26', BTC: '1' })).toBeUndefined();
});

test('exits that wait for their entry need nothing yet', () => {
  const exit = { side: 'sell', lots: 10 } as const;
  const bracket = placeList('oneTriggerOneCancelOther', { lots: 10 }, exit, exit);
  expect(outcome(bracket, { USDT: '101.01', BTC: '0' })).toBeUndefined();
});

test('a replacement needs what it takes beyond the order that it replaces, and no other', () => {
  const order = open({ lots: 20 });
  const other = open({ lots: 90 });
  const replaced = (lots: number): OrderRequest => ({
    kind: 'replace',
    clientOrderId: order.clientOrderId,
    newClientOrderId: 'order-new',
    symbol: 'BTCUSDT',
    lots: lots as Lots,
    ticks: 100 as Ticks,
  });
  const view = viewOf({ orders: [other, order] });
  expect(outcome(replaced(30), { USDT: '101' }, view)).toBe('budget-exceeded 101');
  expect(outcome(replaced(30), { USDT: '101.01' }, view)).toBeUndefined();
  expect(outcome(replaced(20), { USDT: '0' }, view)).toBeUndefined();
  // An order that is not open is for others to refuse.
  expect(outcome(replaced(30), { USDT: '0' }, viewOf())).toBeUndefined();
});

test('a new order needs all of what it holds, whatever is open', () => {
  const view = viewOf({ orders: [open({ lots: 90 })] });
  expect(outcome(place({ lots: 10 }), { USDT: '101' }, view)).toBe('budget-exceeded 101');
});

test('orders on margin need nothing of what is available', () => {
  const list = placeList('allOrNone', { lots: 10, margin: { mode: 'cross' } }, { lots: 10 });
  expect(outcome(list, { USDT: '101.01' })).toBeUndefined();
  expect(outcome(list, { USDT: '101' })).toBe('budget-exceeded 101');
});

test('a market whose book has a gap measures no market buy', () => {
  const view = viewOf({ markets: { BTCUSDT: { ...marketOf(99, 101), stale: true } } });
  const whole = place({ type: 'market', timeInForce: 'FOK', lots: 10 });
  expect(outcome(whole, { USDT: '0' }, view)).toBeUndefined();
});

test('a currency that is sold and paid with needs both, and its fee is named', () => {
  // 1 BTC is sold, and 0.5 BTC pay for 5 ETH at 0.1 with a fee of 0.25 %.
  const both = placeList(
    'allOrNone',
    { side: 'sell', lots: 10 },
    { symbol: 'ETHBTC', lots: 50, ticks: 1 },
  );
  expect(outcome(both, { BTC: '1.50125' })).toBeUndefined();
  expect(outcome(both, { BTC: '1.50124' })).toBe('budget-exceeded 1.50125');
  const found = availableRejection(both, viewOf(), () => decimal('1'), limitsOf());
  expect(found?.message).toBe(
    'Of the account 1 BTC is available and must be at least 1.50125, fee included.',
  );
});

test('a replacement is measured by what it takes more, whatever it does at its time in force', () => {
  const order = open({ lots: 10, timeInForce: 'IOC' });
  const request = { kind: 'replace', clientOrderId: order.clientOrderId, newClientOrderId: 'new', symbol: 'BTCUSDT', lots: 20 as Lots } as const; // prettier-ignore
  expect(outcome(request, { USDT: '100' }, viewOf({ orders: [order] }))).toBe(
    'budget-exceeded 101',
  );
});
