import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { price, quantity } from '../../src/strategy/numbers.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { OrderList, Order } from '../../src/model/order.ts';
import { aon, oco, oto, placeList } from '../../src/strategy/lists.ts';
import { cancel, cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { target } from '../../src/strategy/managed-orders.ts';
import { rig, TERMS, type Rig } from './rig.ts';

interface OrderManager extends Rig {
  readonly orders: Order[];
  readonly lists: OrderList[];
  give(command: Command): void;
  /** What was sent since the last look. */
  sent(): readonly unknown[];
}

const ETH = { ...TERMS, symbol: 'ETHUSDT', baseCurrency: 'ETH' };

function orderManager(options: { warmUpUntil?: never } = {}): OrderManager {
  const commands = new Subject<Command>();
  const orders: Order[] = [];
  const lists: OrderList[] = [];
  let read = 0;
  const parts = rig(
    ({ account }) => {
      account.orders().subscribe((order) => orders.push(order));
      account.lists('BTCUSDT').subscribe((list) => lists.push(list));
      return commands;
    },
    { terms: [TERMS, ETH], ...options },
  );
  parts.engine.start();
  return {
    ...parts,
    orders,
    lists,
    give: (command) => {
      commands.next(command);
    },
    sent: () => {
      const fresh = parts.wire.requests.slice(read);
      read = parts.wire.requests.length;
      return fresh.map((request) =>
        request.kind === 'placeList'
          ? [request.kind, ...request.orders.map(({ clientOrderId }) => clientOrderId)]
          : [request.kind, request.clientOrderId],
      );
    },
  };
}

const [ENTRY, PROFIT, LOSS] = ['test-0000001', 'test-0000002', 'test-0000003'];

const BRACKET = bracket('BTCUSDT', {
  entry: { side: 'buy', type: 'limit', ticks: 1_000 },
  takeProfit: { ticks: 1_100 },
  stopLoss: { stopTicks: 950 },
  lots: 10,
});

const sell = { type: 'limit', side: 'sell', ticks: 1_050, lots: 10 } as const;
const stop = { type: 'stopMarket', side: 'sell', stopTicks: 950, lots: 10 } as const;
const buy = { type: 'market', side: 'buy', lots: 10 } as const;

/** An active bracket, its entry waiting or filled. */
function bracketed(filled: boolean): OrderManager {
  const one = orderManager();
  one.give(BRACKET);
  one.wire.accept();
  if (filled) {
    one.wire.fill(ENTRY, 10, 1_000);
    one.wire.activate(PROFIT);
    one.wire.activate(LOSS);
  }
  one.sent();
  return one;
}

const statuses = ({ orders, active }: OrderList): unknown[] => [
  active,
  ...orders.map(({ status, inactive }) => (inactive === true ? `${status} inactive` : status)),
];

describe('placing a list', () => {
  test('sends one request with an id for every order, the first being that of the list', () => {
    const { give, wire, received } = orderManager();
    give(BRACKET);
    expect(wire.requests).toEqual([
      {
        kind: 'placeList',
        orderListId: ENTRY,
        contingencyType: 'oneTriggerOneCancelOther',
        orders: [
          {
            clientOrderId: ENTRY,
            symbol: 'BTCUSDT',
            side: 'buy',
            type: 'limit',
            timeInForce: 'GTC',
            lots: 10,
            ticks: 1_000,
            postOnly: false,
          },
          {
            clientOrderId: PROFIT,
            symbol: 'BTCUSDT',
            side: 'sell',
            type: 'limit',
            timeInForce: 'GTC',
            lots: 10,
            ticks: 1_100,
            postOnly: false,
          },
          {
            clientOrderId: LOSS,
            symbol: 'BTCUSDT',
            side: 'sell',
            type: 'stopMarket',
            timeInForce: 'IOC',
            lots: 10,
            stopTicks: 950,
            postOnly: false,
          },
        ],
      },
    ]);
    expect(received('request')).toMatchObject([{ managed: false }]);
  });

  test('takes the ids that the strategy gives, and makes the others', () => {
    const { give, sent } = orderManager();
    give(oco('BTCUSDT', [{ ...sell, clientOrderId: 'profit-001' }, stop]));
    expect(sent()).toEqual([['placeList', 'profit-001', 'test-0000001']]);
  });

  test('takes decimals of the grid, and a span from now on', () => {
    const { give, wire, play } = orderManager();
    play([{ at: '00:10', trade: 10 }]);
    give(
      bracket('BTCUSDT', {
        entry: { side: 'sell', type: 'stopLimit', stopPrice: price('10'), price: price('9.95') },
        takeProfit: price('9'),
        stopLoss: price('11.01'),
        quantity: quantity('0.01'),
        within: 90_000,
      }),
    );
    expect(wire.last).toMatchObject({
      orders: [
        { stopTicks: 1_000, ticks: 995, lots: 10, timeInForce: 'GTD', expireAt: 690_000_000 },
        { ticks: 900, lots: 10, timeInForce: 'GTC' },
        { stopTicks: 1_101, lots: 10 },
      ],
    });
  });

  test('shows every order with its list and its place, and the list after them', () => {
    const { give, wire, orders, lists } = orderManager();
    give(BRACKET);
    const list = { orderListId: ENTRY, contingencyType: 'oneTriggerOneCancelOther' };
    expect(orders).toMatchObject([
      { clientOrderId: ENTRY, status: 'pending', type: 'limit', ...list, listIndex: 0 },
      { clientOrderId: PROFIT, status: 'pending', type: 'limit', ...list, listIndex: 1 },
      { clientOrderId: LOSS, type: 'stopMarket', stopTicks: 950, ...list, listIndex: 2 },
    ]);
    expect(lists).toEqual([{ ...list, orders, active: true }]);
    wire.accept();
    expect(lists.map(statuses)).toEqual([
      [true, 'pending', 'pending', 'pending'],
      [true, 'new', 'pending', 'pending'],
      [true, 'new', 'suspended inactive', 'pending'],
      [true, 'new', 'suspended inactive', 'suspended inactive'],
    ]);
    expect(Object.isFrozen(lists[0]) && Object.isFrozen(lists[0].orders)).toBe(true);
  });

  test('follows it through its fills to the end of the last order', () => {
    const { wire, lists } = bracketed(true);
    wire.end(LOSS, 'canceled');
    wire.fill(PROFIT, 10, 1_100);
    expect(lists.slice(4).map(statuses)).toEqual([
      [true, 'filled', 'suspended inactive', 'suspended inactive'],
      [true, 'filled', 'new', 'suspended inactive'],
      [true, 'filled', 'new', 'suspended'],
      [true, 'filled', 'new', 'canceled'],
      [false, 'filled', 'filled', 'canceled'],
    ]);
  });

  test('an order that takes the place of another stands where that stood', () => {
    const { give, wire, orders, lists } = bracketed(false);
    give(replace(LOSS, { stopTicks: 960, newClientOrderId: 'tighter-1' }));
    expect(wire.last).toEqual({
      kind: 'replace',
      clientOrderId: LOSS,
      newClientOrderId: 'tighter-1',
      symbol: 'BTCUSDT',
      lots: 10,
      stopTicks: 960,
    });
    expect(lists.at(-1)?.orders[2].clientOrderId).toBe(LOSS);
    wire.accept();
    const last = lists.at(-1);
    expect(last?.orders[2]).toMatchObject({ clientOrderId: 'tighter-1', stopTicks: 960 });
    expect(orders.at(-1)).toMatchObject({ orderListId: ENTRY, listIndex: 2, inactive: true });
    give(replace('tighter-1', { stopPrice: price('9.7'), lots: 5 }));
    expect(wire.last).toMatchObject({ stopTicks: 970, lots: 5 });
    wire.reject();
    expect(lists.at(-1)?.orders[2].clientOrderId).toBe('tighter-1');
  });

  test('a stop price is changed by one face of it only', () => {
    const { give, wire, received } = bracketed(false);
    const before = wire.requests.length;
    give(replace(LOSS, { stopTicks: 960, stopPrice: price('9.6') } as never));
    give(replace(LOSS, { stopPrice: price('9.605') }));
    give(replace(LOSS, { stopTicks: 950 }));
    give(replace(PROFIT, { stopTicks: 950 }));
    expect(received('refused').map(({ rejection: { code, field } }) => [code, field])).toEqual([
      ['stop-price-invalid', 'stopPrice'],
      ['stop-price-off-tick', 'stopPrice'],
      ['order-unchanged', undefined],
      ['type-invalid', 'stopPrice'],
    ]);
    expect(wire.requests).toHaveLength(before);
  });

  test('is emitted under every symbol that it has', () => {
    const { give, lists } = orderManager();
    give(
      aon([
        { symbol: 'ETHUSDT', type: 'market', side: 'buy', lots: 1 },
        { symbol: 'BTCUSDT', type: 'market', side: 'sell', lots: 1 },
      ]),
    );
    give(oco('ETHUSDT', [sell, stop]));
    expect(lists).toHaveLength(1);
  });

  test('is dropped in warm-up, as plain orders are', () => {
    const { give, wire, lists } = orderManager({ warmUpUntil: 60_000_000 as never });
    give(BRACKET);
    expect(wire.requests).toEqual([]);
    expect(lists).toEqual([]);
  });
});

describe('a list that breaks a rule is not sent, and every order of it is shown as rejected', () => {
  const cases: [string, Command, string, string][] = [
    [
      'a rule of lists',
      placeList('oneCancelOther', [
        { ...sell, symbol: 'BTCUSDT' },
        { ...sell, symbol: 'BTCUSDT' },
      ]),
      'type-invalid',
      'orders[1].type',
    ],
    [
      'an unknown symbol',
      placeList('oneTriggerOther', [
        { ...buy, symbol: 'BTCUSDT' },
        { ...sell, symbol: 'NOPE' },
      ]),
      'symbol-unknown',
      'orders[1].symbol',
    ],
    [
      'a price off the grid',
      oco('BTCUSDT', [stop, { ...sell, ticks: undefined as never, price: price('10.005') }]),
      'price-off-tick',
      'orders[1].price',
    ],
    [
      'an id twice',
      oco('BTCUSDT', [
        { ...sell, clientOrderId: 'order-001' },
        { ...stop, clientOrderId: 'order-001' },
      ]),
      'client-order-id-taken',
      'orders[1].clientOrderId',
    ],
    [
      'an id of no good form',
      oco('BTCUSDT', [sell, { ...stop, clientOrderId: 'no' }]),
      'client-order-id-invalid',
      'orders[1].clientOrderId',
    ],
    [
      'a bracket that cannot win',
      bracket('BTCUSDT', {
        entry: { side: 'buy', type: 'limit', ticks: 1_000 },
        takeProfit: { ticks: 1_100 },
        stopLoss: { stopTicks: 1_050 },
        lots: 10,
      }),
      'bracket-prices-invalid',
      'orders[2].stopPrice',
    ],
  ];
  test.each(cases)('%s', (_, command, code, field) => {
    const { give, wire, orders, lists, received } = orderManager();
    give(command);
    expect(wire.requests).toEqual([]);
    expect(received('refused')).toMatchObject([{ rejection: { code, field } }]);
    expect(orders.map(({ status, rejection }) => [status, rejection?.code])).toEqual(
      (command.kind === 'placeList' ? command.orders : []).map(() => ['rejected', code]),
    );
    expect(lists).toMatchObject([{ active: false, orderListId: orders[0].clientOrderId, orders }]);
  });

  test('a bracket with a market entry is held against the last price, once there is one', () => {
    const { give, sent, received, play } = orderManager();
    const late = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'market' },
      takeProfit: { ticks: 1_100 },
      stopLoss: { stopTicks: 1_050 },
      lots: 10,
    });
    give(late);
    expect(sent()).toHaveLength(1);
    play([{ at: '00:01', trade: 10 }]);
    give(late);
    expect(sent()).toEqual([]);
    expect(received('refused')).toMatchObject([
      { rejection: { code: 'bracket-prices-invalid', field: 'orders[2].stopPrice' } },
    ]);
  });

  test('before a trade the last price of a bracket is the middle of the quote, also between two ticks', () => {
    const { give, sent, received, play } = orderManager();
    play([{ at: '00:01', bid: '10', ask: '10.01' }]);
    const late = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'market' },
      takeProfit: { ticks: 1_100 },
      stopLoss: { stopTicks: 1_001 },
      lots: 10,
    });
    give(late);
    expect(sent()).toEqual([]);
    expect(received('refused')).toMatchObject([
      { rejection: { code: 'bracket-prices-invalid', limit: '10.005' } },
    ]);
  });

  test('the same prices without bracket are the strategy’s own affair', () => {
    const { give, sent } = orderManager();
    give(oto('BTCUSDT', [{ ...sell, side: 'buy', ticks: 900 }, stop]));
    expect(sent()).toHaveLength(1);
  });

  test('a span that is none is refused, in a list and alone', () => {
    for (const within of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { give, received } = orderManager();
      give(oco('BTCUSDT', [{ ...sell, within }, stop]));
      give(place('BTCUSDT', { ...sell, within }));
      expect(received('refused')).toMatchObject([
        { rejection: { code: 'expire-time-invalid', field: 'orders[0].within' } },
        { rejection: { code: 'expire-time-invalid', field: 'within' } },
      ]);
    }
    const { give, received } = orderManager();
    give(place('BTCUSDT', { ...sell, within: 5, timeInForce: 'GTC' } as never));
    give(place('BTCUSDT', { ...sell, within: 5, expireAt: 5 } as never));
    expect(received('refused').map(({ rejection }) => rejection.message)).toEqual([
      'within is given together with timeInForce GTC; give one of them.',
      'within is given together with expireAt; give one of them.',
    ]);
  });

  test('an id of an order that stands is taken for a list too', () => {
    const { give, wire, received } = orderManager();
    give(place('BTCUSDT', { ...sell, clientOrderId: 'order-001' }));
    wire.accept();
    give(oco('BTCUSDT', [{ ...sell, clientOrderId: 'order-001' }, stop]));
    expect(received('refused')).toMatchObject([
      { rejection: { field: 'orders[0].clientOrderId' } },
    ]);
    expect(wire.requests).toHaveLength(1);
  });

  test('what the venue refuses is rejected whole, with its reason', () => {
    const { give, wire, orders, lists } = orderManager();
    give(BRACKET);
    wire.reject();
    expect(orders.slice(3)).toMatchObject(
      [ENTRY, PROFIT, LOSS].map((clientOrderId) => ({
        clientOrderId,
        status: 'rejected',
        rejection: { code: 'funds-insufficient' },
      })),
    );
    expect(lists.slice(1).map(statuses)).toEqual([[false, 'rejected', 'rejected', 'rejected']]);
    give(cancelAll());
    expect(wire.requests).toHaveLength(1);
  });
});

describe('what no compiler has read', () => {
  const list = (orders: unknown, contingencyType: unknown = 'oneCancelOther'): Command =>
    ({ kind: 'placeList', contingencyType, orders }) as never;
  const cases: [string, Command, string, string, number][] = [
    ['no orders', list(undefined), 'order-count-invalid', 'orders', 0],
    ['orders that are none', list('x'), 'order-count-invalid', 'orders', 0],
    ['an empty list', list([]), 'order-count-invalid', 'orders', 0],
    ['a million orders', list(new Array(1_000_000)), 'order-count-invalid', 'orders[0]', 100],
    ['an order that is none', list([null, stop]), 'order-count-invalid', 'orders[0]', 2],
    [
      'a field of the wrong type',
      list([sell, { ...stop, symbol: 'BTCUSDT', lots: '5' }]),
      'symbol-unknown',
      'orders[0].symbol',
      2,
    ],
    [
      'a span of the wrong type',
      list([{ ...sell, symbol: 'BTCUSDT', within: '5' }, stop]),
      'expire-time-invalid',
      'orders[0].within',
      2,
    ],
    [
      'no contingency type',
      list([sell, stop], null),
      'contingency-type-invalid',
      'contingencyType',
      2,
    ],
    [
      'an unknown one',
      list([{ ...sell, symbol: 'BTCUSDT' }], 'nope'),
      'contingency-type-invalid',
      'contingencyType',
      1,
    ],
  ];
  test.each(cases)('%s is refused', (_, command, code, field, shown) => {
    const { give, wire, orders, received, engine } = orderManager();
    give(command);
    expect(received('refused')).toMatchObject([{ rejection: { code, field } }]);
    expect(orders.filter(({ status }) => status === 'rejected')).toHaveLength(shown);
    expect(wire.requests).toEqual([]);
    expect(engine.state).toBe('running');
  });

  test('a list is what it was when it was given, whatever becomes of its orders', () => {
    const order = { ...sell, symbol: 'BTCUSDT' };
    const { give, received } = orderManager();
    give(list([order, { ...stop, symbol: 'BTCUSDT' }]));
    Object.assign(order, { ticks: 5 });
    const [{ command }] = received('command');
    expect(command).toMatchObject({ orders: [{ ticks: 1_050 }, {}] });
    expect(command.kind === 'placeList' && Object.isFrozen(command.orders[0])).toBe(true);
  });
});

describe('cancelAll ends a list with the fewest requests', () => {
  test('by its first order while that leads the others', () => {
    const { give, sent, wire, lists } = bracketed(false);
    give(cancelAll('BTCUSDT'));
    expect(sent()).toEqual([['cancel', ENTRY]]);
    for (const id of [ENTRY, PROFIT, LOSS]) wire.end(id, 'canceled');
    expect(sent()).toEqual([]);
    expect(lists.at(-1)?.active).toBe(false);
  });

  test('by one of those that exclude each other', () => {
    const { give, sent } = bracketed(true);
    give(cancelAll());
    expect(sent()).toEqual([['cancel', PROFIT]]);
  });

  test('by every one of those that depend on nothing any more', () => {
    const { give, sent, wire } = orderManager();
    give(oto('BTCUSDT', [{ ...buy, clientOrderId: 'first-01' }, sell, stop]));
    wire.accept();
    wire.fill('first-01', 10, 1_000);
    wire.activate('test-0000001');
    wire.activate('test-0000002');
    sent();
    give(cancelAll());
    expect(sent()).toEqual([
      ['cancel', 'test-0000001'],
      ['cancel', 'test-0000002'],
    ]);
  });

  test('and goes on with the exits when the entry filled before its cancel came', () => {
    const { give, sent, wire } = bracketed(false);
    give(cancelAll());
    const [entry] = wire.requests.slice(-1);
    wire.fill(ENTRY, 10, 1_000);
    wire.activate(PROFIT);
    wire.activate(LOSS);
    sent();
    wire.reject(entry, 'order-unknown');
    expect(sent()).toEqual([['cancel', PROFIT]]);
    const [profit] = wire.requests.slice(-1);
    wire.fill(PROFIT, 10, 1_100);
    wire.reject(profit, 'order-unknown');
    // The venue has not told yet that the other is gone: it is asked for too, and then no more.
    expect(sent()).toEqual([['cancel', LOSS]]);
    wire.reject(wire.last, 'order-unknown');
    expect(sent()).toEqual([]);
  });

  test('but not when the cancel was refused for another reason', () => {
    const { give, sent, wire } = bracketed(false);
    give(cancelAll());
    sent();
    wire.reject(wire.last, 'order-limit-reached');
    expect(sent()).toEqual([]);
  });

  test('and leaves a list of other symbols alone', () => {
    const { give, sent } = bracketed(false);
    give(cancelAll('ETHUSDT'));
    expect(sent()).toEqual([]);
  });

  test('a strategy that fails has its lists canceled', () => {
    const { engine, sent } = bracketed(false);
    engine.fail(new Error('x'));
    expect(sent()).toEqual([['cancel', ENTRY]]);
  });
});

test('a cancel of one order asks for that one', () => {
  const { give, sent, received } = bracketed(false);
  give(cancel(PROFIT));
  expect(sent()).toEqual([['cancel', PROFIT]]);
  give(cancel('nobodys-1'));
  expect(received('refused')).toMatchObject([{ rejection: { code: 'order-unknown' } }]);
});

describe('a managed order beside a list', () => {
  test('counts what the list filled, and touches none of its orders', () => {
    const { give, sent, wire, play } = bracketed(true);
    wire.balance('USDT', '1000');
    wire.balance('BTC', '0.01');
    play([{ at: '00:01', trade: 10 }]);
    give(target('BTCUSDT', { lots: 25 }));
    expect(sent()).toEqual([['place', 'test-0000004']]);
    expect(wire.last).toMatchObject({ side: 'buy', lots: 15 });
  });

  test('sells no more than the exits leave available', () => {
    const { give, sent, wire, play } = bracketed(true);
    wire.balance('BTC', '0', '0.01');
    play([{ at: '00:01', trade: 10 }]);
    give(target('BTCUSDT', { lots: 0 }));
    expect(sent()).toEqual([]);
  });
});

test('a stop order of its own goes its way: suspended, new, filled', () => {
  const { give, wire, orders } = orderManager();
  give(place('BTCUSDT', { ...stop, clientOrderId: 'stop-0001' }));
  expect(wire.last).toMatchObject({ type: 'stopMarket', stopTicks: 950, timeInForce: 'FOK' });
  const order = { ...wire.arrived(wire.last), status: 'suspended' as const };
  wire.report({ kind: 'suspended', at: order.createdAt, order });
  wire.report({ kind: 'new', at: order.createdAt, order: { ...order, status: 'new' } });
  wire.fill('stop-0001', 10, 949);
  expect(orders.map(({ status, stopTicks }) => [status, stopTicks])).toEqual([
    ['pending', 950],
    ['suspended', 950],
    ['new', 950],
    ['filled', 950],
  ]);
  expect(orders[0].orderListId).toBeUndefined();
});
