import { Amount } from '../../src/model/amount.ts';
import { NEVER, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../src/model/order-request.ts';
import type { UnknownOutcomeReport } from '../../src/model/report.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Order, OrderList, VenueOrder } from '../../src/model/order.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import { cancel, place, replace } from '../../src/strategy/orders.ts';
import { reportedOrder } from '../kit/orders.ts';
import { rig, type RestoredLife } from './rig.ts';

const BUY: VenueOrder = {
  id: 7,
  clientOrderId: 'test-0000004',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  status: 'partiallyFilled',
  lots: lots(10),
  filledLots: lots(4),
  ticks: ticks(1_000),
  postOnly: false,
  createdAt: micros(0),
  updatedAt: micros(0),
};

const restored = reportedOrder;

function born(life: Partial<RestoredLife>) {
  const commands = new Subject<Command>();
  const orders: Order[] = [];
  const lists: OrderList[] = [];
  const fills: number[] = [];
  const parts = rig(
    ({ account }) => {
      account.orders().subscribe((order) => orders.push(order));
      account.lists().subscribe((list) => lists.push(list));
      account.fills().subscribe(({ id }) => fills.push(id));
      return commands;
    },
    { previousLife: { orders: [], lastOrderNumber: 4, entries: new Map(), ...life } },
  );
  parts.engine.start();
  return { ...parts, commands, orders, lists, fills };
}

describe('a strategy that goes on after the process ended', () => {
  test('is shown the orders that stand, and can cancel them', () => {
    const { commands, orders, wire } = born({ orders: [restored(BUY)] });
    expect(orders).toMatchObject([
      { clientOrderId: 'test-0000004', status: 'partiallyFilled', filledLots: 4, managed: false },
    ]);
    commands.next(cancel('test-0000004'));
    expect(wire.last).toEqual({
      kind: 'cancel',
      clientOrderId: 'test-0000004',
      symbol: 'BTCUSDT',
    });
  });

  test('gives its next order the number after the last', () => {
    const { commands, wire } = born({});
    commands.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 900 }));
    expect(wire.last).toMatchObject({ clientOrderId: 'test-0000005' });
  });

  test('gets fills of an active order, but not again those before', () => {
    const { orders, fills, wire, clock } = born({ orders: [restored(BUY)] });
    const filled: VenueOrder = { ...BUY, status: 'filled', filledLots: lots(10) };
    wire.report({
      kind: 'trade',
      at: clock.now(),
      order: filled,
      fill: {
        id: 21,
        clientOrderId: BUY.clientOrderId,
        symbol: 'BTCUSDT',
        side: 'buy',
        ticks: ticks(1_000),
        lots: lots(6),
        fee: Amount.count(0),
        feeCurrency: 'USDT',
        taker: false,
        at: clock.now(),
      },
    });
    expect(fills).toEqual([21]);
    expect(orders.at(-1)).toMatchObject({ status: 'filled', filledLots: 10 });
  });

  test('holds what it held, at the mean price that it was bought at', () => {
    const seen: unknown[] = [];
    const { engine, wire } = rig(
      ({ account }) => {
        account.position('BTCUSDT').subscribe(({ lots: held, entryTicks }) => {
          seen.push([held, entryTicks]);
        });
        return NEVER;
      },
      {
        previousLife: {
          orders: [],
          lastOrderNumber: 0,
          entries: new Map([['BTCUSDT', { lots: 5, ticks: 1_000.5 }]]),
        },
      },
    );
    wire.balance('BTC', '0.005');
    engine.start();
    expect(seen).toEqual([[5, 1_000.5]]);
  });

  test('knows a fill that it saw before, and one that the venue counted before it was seen', () => {
    const { orders, fills, wire, clock } = born({
      orders: [restored(BUY, { receivedLots: 3, fillIds: [5] })],
    });
    const trade = (id: number, size: number, executed: number): void => {
      wire.report({
        kind: 'trade',
        at: clock.now(),
        order: { ...BUY, filledLots: lots(executed) },
        fill: {
          id,
          clientOrderId: BUY.clientOrderId,
          symbol: 'BTCUSDT',
          side: 'buy',
          ticks: ticks(1_000),
          lots: lots(size),
          fee: Amount.count(0),
          feeCurrency: 'USDT',
          taker: false,
          at: clock.now(),
        },
      });
    };
    trade(5, 3, 4);
    expect(fills).toEqual([]);
    trade(6, 1, 4);
    expect(fills).toEqual([6]);
    expect(orders.at(-1)).toMatchObject({ status: 'partiallyFilled', filledLots: 4 });
    trade(7, 6, 10);
    expect(orders.at(-1)).toMatchObject({ filledLots: 10 });
  });

  test('sees an order end for a replacement that nobody had answered', () => {
    const pending: Order = {
      ...restored({ ...BUY, clientOrderId: 'test-0000005' }),
      status: 'unknown',
      venueOrder: undefined,
      filledLots: lots(0),
      receivedLots: 0,
      replaces: BUY.clientOrderId,
    };
    const { orders, wire, clock } = born({ orders: [restored(BUY), pending] });
    const order = { ...BUY, id: 8, clientOrderId: 'test-0000005', lots: lots(20) };
    wire.report({ kind: 'status', at: clock.now(), order });
    expect(orders.slice(-2)).toMatchObject([
      { clientOrderId: BUY.clientOrderId, status: 'canceled', replacedBy: 'test-0000005' },
      { clientOrderId: 'test-0000005', status: 'partiallyFilled', lots: 20, filledLots: 4 },
    ]);
  });

  test('takes an order back that was taken for lost, and for canceled where it was known', () => {
    const { orders, wire, clock } = born({ orders: [restored(BUY)] });
    const rejection = { code: 'order-lost', message: 'The venue does not know it.' } as const;
    const named = { clientOrderId: BUY.clientOrderId, symbol: 'BTCUSDT' };
    wire.report({ kind: 'rejected', at: clock.now(), request: 'place', ...named, rejection });
    expect(orders.at(-1)).toMatchObject({ status: 'canceled', filledLots: 4, rejection });
    wire.report({ kind: 'status', at: clock.now(), order: BUY });
    expect(orders.at(-1)).toMatchObject({ status: 'partiallyFilled', filledLots: 4 });
    expect(orders.at(-1)?.rejection).toBeUndefined();
  });

  test('restores an order that the venue has active although it had reported its end', () => {
    const { orders, wire, clock } = born({ orders: [restored(BUY)] });
    const end: VenueOrder = { ...BUY, status: 'canceled' };
    wire.report({ kind: 'canceled', at: clock.now(), order: end });
    wire.report({ kind: 'status', at: clock.now(), order: BUY });
    expect(orders.at(-1)).toMatchObject({ status: 'canceled' });
    wire.report({ kind: 'status', at: clock.now(), order: { ...BUY, updatedAt: micros(1) } });
    expect(orders.at(-1)).toMatchObject({ status: 'partiallyFilled' });
  });

  test('has a list without the replacement that came to nothing', () => {
    const membership = (listIndex: number) =>
      ({ orderListId: 'test-0000001', contingencyType: 'oneCancelOther', listIndex }) as const;
    const one = { ...BUY, clientOrderId: 'test-0000001' };
    const other = { ...BUY, clientOrderId: 'test-0000002' };
    const vain = { ...BUY, clientOrderId: 'test-0000003' };
    const { lists } = born({
      orders: [
        restored(one, membership(0)),
        restored(other, membership(1)),
        restored(vain, {
          ...membership(0),
          status: 'rejected',
          replaces: 'test-0000001',
          venueOrder: undefined,
        }),
      ],
    });
    expect(lists[0].orders.map(({ clientOrderId }) => clientOrderId)).toEqual([
      'test-0000001',
      'test-0000002',
    ]);
  });

  test('has its lists back, with the orders of them that ended', () => {
    const member = (
      index: number,
      status: VenueOrder['status'],
      more: Partial<VenueOrder> = {},
    ): Order => {
      const venueOrder: VenueOrder = { ...BUY, clientOrderId: `list-000${index}`, status, ...more };
      return restored(venueOrder, {
        orderListId: 'list-0000',
        contingencyType: 'oneTriggerOther',
        listIndex: index,
      });
    };
    const { lists } = born({
      orders: [member(0, 'filled', { filledLots: lots(10) }), member(1, 'new', { side: 'sell' })],
    });
    expect(lists).toMatchObject([
      {
        orderListId: 'list-0000',
        active: true,
        orders: [{ status: 'filled' }, { status: 'new', side: 'sell' }],
      },
    ]);
  });
});

const unknownOutcome = (request: OrderRequest): UnknownOutcomeReport => ({
  kind: 'outcome-unknown',
  at: micros(0),
  request: request.kind,
  clientOrderId:
    request.kind === 'replace'
      ? request.newClientOrderId
      : request.kind === 'placeList'
        ? request.orderListId
        : request.clientOrderId,
  symbol: 'BTCUSDT',
});

describe('a request without an answer', () => {
  test('leaves its order unknown, until the venue says that it stands', () => {
    const { commands, orders, wire } = born({});
    commands.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 900 }));
    wire.report(unknownOutcome(wire.last));
    expect(orders.at(-1)).toMatchObject({ status: 'unknown' });
    wire.accept();
    expect(orders.at(-1)).toMatchObject({ status: 'new' });
  });

  test('leaves its order unknown, until it is known to have come to nothing', () => {
    const { commands, orders, wire } = born({});
    commands.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 900 }));
    wire.report(unknownOutcome(wire.last));
    wire.reject(wire.last, 'order-lost');
    expect(orders.at(-1)).toMatchObject({ status: 'rejected', rejection: { code: 'order-lost' } });
  });

  test('leaves every order of a list unknown', () => {
    const { commands, orders, wire } = born({});
    commands.next(
      bracket('BTCUSDT', {
        entry: { side: 'buy', type: 'limit', ticks: 900 },
        takeProfit: { ticks: 1_000 },
        stopLoss: { stopTicks: 800 },
        lots: 1,
      }),
    );
    orders.length = 0;
    wire.report(unknownOutcome(wire.last));
    expect(orders.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  test('leaves the order standing that it was to replace or cancel', () => {
    const { commands, orders, wire } = born({ orders: [restored(BUY)] });
    commands.next(replace('test-0000004', { ticks: ticks(990) }));
    orders.length = 0;
    wire.report(unknownOutcome(wire.last));
    expect(orders).toMatchObject([{ clientOrderId: 'test-0000005', status: 'unknown' }]);
    commands.next(cancel('test-0000004'));
    orders.length = 0;
    wire.report(unknownOutcome(wire.last));
    expect(orders).toEqual([]);
  });

  test('says nothing of an order that was answered meanwhile', () => {
    const { commands, orders, wire } = born({});
    commands.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 900 }));
    wire.accept();
    orders.length = 0;
    wire.report(unknownOutcome(wire.last));
    expect(orders).toEqual([]);
  });
});
