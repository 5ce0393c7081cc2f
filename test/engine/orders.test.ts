import { Amount } from '../../src/model/amount.ts';
import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { PlaceRequest } from '../../src/model/order-request.ts';
import { decimal } from '../../src/model/decimal.ts';
import type { Fill } from '../../src/model/report.ts';
import { micros } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Order } from '../../src/model/order.ts';
import { oto } from '../../src/strategy/lists.ts';
import { cancel, cancelAll, place, replace } from '../../src/strategy/orders.ts';
import { quote } from '../../src/strategy/managed-orders.ts';
import { rig, TERMS, type Rig } from './rig.ts';

interface OrderManager extends Rig {
  readonly commands: Subject<Command>;
  readonly orders: Order[];
  readonly fills: Fill[];
  /** Gives a command; the request that it led to, if any. */
  give(command: Command): void;
}

function orderManager(terms = [TERMS]): OrderManager {
  const commands = new Subject<Command>();
  const orders: Order[] = [];
  const fills: Fill[] = [];
  const parts = rig(
    ({ account }) => {
      account.orders().subscribe((order) => orders.push(order));
      account.fills().subscribe((fill) => fills.push(fill));
      return commands;
    },
    { terms },
  );
  parts.engine.start();
  return { ...parts, commands, orders, fills, give: (command) => commands.next(command) };
}

const buy = (lots: number, ticks: number, clientOrderId?: string): Command =>
  place('BTCUSDT', {
    type: 'limit',
    side: 'buy',
    lots,
    ticks,
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
  });

/** The states that an order went through. */
const states = (orders: readonly Order[], id: string): unknown[] =>
  orders
    .filter(({ clientOrderId }) => clientOrderId === id)
    .map(({ status, filledLots }) => [status, filledLots]);

describe('placing', () => {
  test('a limit order is sent with its defaults and an id of the engine', () => {
    const { give, wire, orders } = orderManager();
    give(buy(5, 1_000));
    expect(wire.requests).toEqual([
      {
        kind: 'place',
        clientOrderId: 'test-0000001',
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        lots: 5,
        ticks: 1_000,
        postOnly: false,
      },
    ]);
    expect(orders).toMatchObject([
      {
        clientOrderId: 'test-0000001',
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        status: 'pending',
        lots: 5,
        filledLots: 0,
        managed: false,
        ticks: 1_000,
      },
    ]);
  });

  test('a market order is FOK, a GTD order has its end', () => {
    const { give, wire } = orderManager();
    give(place('BTCUSDT', { type: 'market', side: 'sell', quantity: decimal('0.25') }));
    expect(wire.last).toMatchObject({
      type: 'market',
      timeInForce: 'FOK',
      lots: 250,
      side: 'sell',
    });
    give(
      place('BTCUSDT', {
        type: 'limit',
        side: 'sell',
        price: decimal('10.01'),
        lots: 1,
        timeInForce: 'GTD',
        expireAt: micros(5),
        postOnly: true,
      }),
    );
    expect(wire.last).toMatchObject({
      ticks: 1_001,
      timeInForce: 'GTD',
      expireAt: 5,
      postOnly: true,
    });
  });

  test.each([
    [
      'off the tick',
      place('BTCUSDT', { type: 'limit', side: 'buy', lots: 1, price: decimal('1.001') }),
      'price-off-tick',
    ],
    [
      'off the increment',
      place('BTCUSDT', { type: 'market', side: 'buy', quantity: decimal('0.0001') }),
      'quantity-off-increment',
    ],
    ['of nothing', buy(0, 5), 'quantity-below-minimum'],
    [
      'of another symbol',
      place('ETHUSDT', { type: 'market', side: 'buy', lots: 1 }),
      'symbol-unknown',
    ],
    ['with a bad id', buy(1, 5, 'short'), 'client-order-id-invalid'],
  ])('one %s is refused here, and the strategy goes on', (_, command, code) => {
    const { give, wire, orders, received, engine } = orderManager();
    give(command);
    expect(wire.requests).toEqual([]);
    expect(orders).toMatchObject([{ status: 'rejected', rejection: { code }, managed: false }]);
    expect(received('refused')).toMatchObject([{ command, rejection: { code } }]);
    expect(received('log')).toMatchObject([
      { level: 'warn', message: expect.stringContaining('refused') },
    ]);
    give(buy(1, 5));
    expect(wire.requests).toHaveLength(1);
    expect(engine.state).toBe('running');
  });

  describe('what the venue would reject as too small', () => {
    const LEAST = { ...TERMS, minNotional: '5', minQuantity: '0.002' };
    const least = (side: 'buy' | 'sell', lots: number, ticks: number): Command =>
      place('BTCUSDT', { type: 'limit', side, lots, ticks });

    test.each([
      ['an order', least('buy', 4, 100_000), 'value-below-minimum'],
      ['a quantity', least('buy', 1, 9_000_000), 'quantity-below-minimum'],
      [
        'one of a list',
        oto('BTCUSDT', [
          { type: 'limit', side: 'buy', lots: 5, ticks: 100_000 },
          { type: 'limit', side: 'buy', lots: 4, ticks: 100_000 },
        ]),
        'value-below-minimum',
      ],
    ])('%s is refused here', (_, command, code) => {
      const { give, wire, received } = orderManager([LEAST]);
      give(command);
      expect(wire.requests).toEqual([]);
      expect(received('refused')).toMatchObject([{ rejection: { code } }]);
    });

    test('an order of enough value and a sale are sent', () => {
      const { give, wire } = orderManager([LEAST]);
      give(buy(5, 100_000, 'my-own-id'));
      give(least('sell', 4, 100_000));
      expect(wire.requests).toHaveLength(2);
    });
  });

  test('an id that is taken is refused', () => {
    const { give, wire, orders } = orderManager();
    give(buy(1, 5, 'my-own-id'));
    give(buy(1, 6, 'my-own-id'));
    expect(wire.requests).toHaveLength(1);
    expect(orders.at(-1)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'client-order-id-taken' },
    });
  });
});

describe('reports', () => {
  test('an order is followed from its arrival to its end', () => {
    const { give, wire, orders, fills } = orderManager();
    give(buy(5, 1_000));
    wire.accept();
    wire.fill('test-0000001', 2, 1_000);
    wire.fill('test-0000001', 3, 990);
    expect(states(orders, 'test-0000001')).toEqual([
      ['pending', 0],
      ['new', 0],
      ['partiallyFilled', 2],
      ['filled', 5],
    ]);
    expect(fills.map(({ lots, ticks }) => [lots, ticks])).toEqual([
      [2, 1_000],
      [3, 990],
    ]);
    expect(orders.at(-1)?.venueOrder).toMatchObject({ status: 'filled', filledLots: 5 });
  });

  test('a fill before the acknowledgement, and the late acknowledgement', () => {
    const { give, wire, orders, fills } = orderManager();
    give(buy(5, 1_000));
    const order = wire.arrived(wire.last);
    wire.fill('test-0000001', 2, 1_000);
    wire.report({ kind: 'new', at: micros(0), order });
    expect(states(orders, 'test-0000001')).toEqual([
      ['pending', 0],
      ['partiallyFilled', 2],
      ['partiallyFilled', 2],
    ]);
    expect(fills).toHaveLength(1);
  });

  test('a fill that comes twice counts once', () => {
    const { give, wire, fills } = orderManager();
    give(buy(5, 1_000));
    wire.accept();
    wire.fill('test-0000001', 2, 1_000, 77);
    wire.fill('test-0000001', 2, 1_000, 77);
    expect(fills).toHaveLength(1);
  });

  test('what has ended stays ended, and a fill that was late still counts', () => {
    const { give, wire, orders, fills } = orderManager();
    give(buy(5, 1_000));
    wire.accept();
    const before = wire.order('test-0000001');
    wire.end('test-0000001', 'canceled');
    wire.report({
      kind: 'trade',
      at: micros(0),
      order: { ...before, filledLots: 2 as never, status: 'partiallyFilled' },
      fill: {
        id: 9,
        clientOrderId: 'test-0000001',
        symbol: 'BTCUSDT',
        side: 'buy',
        ticks: 1_000 as never,
        lots: 2 as never,
        fee: Amount.count(0),
        feeCurrency: 'USDT',
        taker: false,
        at: micros(0),
      },
    });
    expect(states(orders, 'test-0000001').slice(-2)).toEqual([
      ['canceled', 0],
      ['canceled', 2],
    ]);
    expect(fills).toHaveLength(1);
  });

  test('reports on orders of others go to the audit only', () => {
    const { give, wire, orders, received } = orderManager();
    give(buy(5, 1_000, 'my-own-id'));
    const order = { ...wire.arrived(wire.last), clientOrderId: 'somebody' };
    wire.report({ kind: 'new', at: micros(0), order });
    wire.reject({ kind: 'cancel', clientOrderId: 'somebody', symbol: 'BTCUSDT' });
    expect(orders).toHaveLength(1);
    expect(received('report')).toHaveLength(2);
  });

  test('a rejection ends a pending order and no other', () => {
    const { give, wire, orders } = orderManager();
    give(buy(5, 1_000));
    wire.reject();
    wire.reject();
    expect(states(orders, 'test-0000001')).toEqual([
      ['pending', 0],
      ['rejected', 0],
    ]);
    expect(orders.at(-1)?.rejection?.code).toBe('funds-insufficient');
  });

  test('orders that ended long ago are forgotten, so that their ids may be used again', () => {
    const { give, wire, orders } = orderManager();
    for (let i = 0; i < 1_001; i += 1) {
      give(buy(1, 5, `order-${String(i).padStart(6, '0')}`));
      wire.reject();
    }
    give(buy(1, 5, 'order-000001'));
    expect(orders.at(-1)?.rejection?.code).toBe('client-order-id-taken');
    give(buy(1, 5, 'order-000000'));
    expect(orders.at(-1)?.status).toBe('pending');
  });

  test('streams by symbol hold the orders and fills of that symbol', () => {
    const seen: unknown[] = [];
    const commands = new Subject<Command>();
    const { engine, wire } = rig(
      ({ account }) => {
        account.orders('ETHUSDT').subscribe(({ symbol, status }) => seen.push([symbol, status]));
        account.fills('ETHUSDT').subscribe(({ symbol, lots }) => seen.push([symbol, lots]));
        return commands;
      },
      { terms: [TERMS, { ...TERMS, symbol: 'ETHUSDT', baseCurrency: 'ETH' }] },
    );
    engine.start();
    commands.next(buy(1, 5));
    commands.next(place('ETHUSDT', { type: 'limit', side: 'buy', lots: 1, ticks: 5 }));
    wire.accept();
    wire.fill('test-0000002', 1, 5);
    expect(seen).toEqual([
      ['ETHUSDT', 'pending'],
      ['ETHUSDT', 'new'],
      ['ETHUSDT', 'filled'],
      ['ETHUSDT', 1],
    ]);
  });
});

describe('replacing', () => {
  const standing = (): OrderManager => {
    const parts = orderManager();
    parts.give(buy(5, 1_000, 'order-one'));
    parts.wire.accept();
    return parts;
  };

  test('the new order takes over what was executed, the old one is canceled', () => {
    const { give, wire, orders } = standing();
    wire.fill('order-one', 2, 1_000);
    give(replace('order-one', { price: decimal('9.9') }));
    expect(wire.last).toEqual({
      kind: 'replace',
      clientOrderId: 'order-one',
      newClientOrderId: 'test-0000001',
      symbol: 'BTCUSDT',
      lots: 5,
      ticks: 990,
    });
    wire.accept();
    wire.fill('test-0000001', 3, 990);
    expect(states(orders, 'order-one').at(-1)).toEqual(['canceled', 2]);
    // What tells a replaced order from one that is gone for good.
    expect(orders.filter(({ replacedBy }) => replacedBy !== undefined)).toMatchObject([
      { clientOrderId: 'order-one', replacedBy: 'test-0000001' },
    ]);
    expect(states(orders, 'test-0000001')).toEqual(
      [
        ['pending', 0],
        ['new', 2],
        ['filled', 5],
      ].map(([status, executed]) =>
        status === 'new' ? ['partiallyFilled', executed] : [status, executed],
      ),
    );
  });

  test('a late fill of the old order counts for the new one too', () => {
    const { give, wire, orders } = standing();
    give(replace('order-one', { quantity: decimal('0.008'), newClientOrderId: 'order-two' }));
    wire.accept();
    wire.fill('order-one', 2, 1_000);
    wire.fill('order-two', 1, 1_000);
    expect(states(orders, 'order-one').at(-1)).toEqual(['canceled', 2]);
    expect(orders.at(-1)).toMatchObject({ clientOrderId: 'order-two', filledLots: 3 });
  });

  test('a refused replacement leaves the old order as it was', () => {
    const { give, wire, orders } = standing();
    give(replace('order-one', { lots: 9 }));
    wire.reject();
    expect(orders.slice(-2)).toMatchObject([
      { clientOrderId: 'test-0000001', status: 'rejected' },
      { clientOrderId: 'order-one', status: 'new' },
    ]);
  });

  test('an order that the venue does not know has an unknown outcome until a report of it comes', () => {
    const { give, wire, orders } = standing();
    give(replace('order-one', { lots: 9 }));
    wire.reject(wire.last, 'order-unknown');
    expect(orders.at(-1)).toMatchObject({ clientOrderId: 'order-one', status: 'unknown' });
    give(cancel('order-one'));
    wire.reject(wire.last, 'order-unknown');
    expect(orders.at(-1)?.status).toBe('unknown');
    wire.report({
      kind: 'status',
      at: micros(0),
      order: { ...wire.order('order-one'), status: 'filled', filledLots: 5 as never },
    });
    expect(orders.at(-1)).toMatchObject({
      clientOrderId: 'order-one',
      status: 'filled',
      filledLots: 5,
    });
  });

  test.each([
    ['of an order that is not there', replace('order-two', { lots: 9 }), 'order-unknown', 0],
    ['that changes nothing', replace('order-one', { lots: 5 }), 'order-unchanged', 1],
    ['off the tick', replace('order-one', { price: decimal('0.001') }), 'price-off-tick', 1],
    [
      'off the increment',
      replace('order-one', { quantity: decimal('0.0001') }),
      'quantity-off-increment',
      1,
    ],
    [
      'with a taken id',
      replace('order-one', { lots: 9, newClientOrderId: 'order-one' }),
      'client-order-id-taken',
      1,
    ],
  ])('one %s is refused here', (_, command, code, shown) => {
    const { give, wire, orders, received } = standing();
    const before = orders.length;
    give(command);
    expect(wire.requests).toHaveLength(1);
    expect(received('refused')).toMatchObject([{ rejection: { code } }]);
    expect(orders.slice(before)).toMatchObject(
      Array.from({ length: shown }, () => ({ status: 'rejected', rejection: { code } })),
    );
  });

  test('a market order has no price to replace', () => {
    const { give, wire, received } = orderManager();
    give(place('BTCUSDT', { type: 'market', side: 'buy', lots: 3, clientOrderId: 'order-one' }));
    give(replace('order-one', { ticks: 5 }));
    expect(received('refused')).toHaveLength(1);
    give(replace('order-one', { lots: 4 }));
    expect(wire.last).toEqual({
      kind: 'replace',
      clientOrderId: 'order-one',
      newClientOrderId: 'test-0000002',
      symbol: 'BTCUSDT',
      lots: 4,
    });
  });
});

describe('canceling', () => {
  test('one order', () => {
    const { give, wire, orders } = orderManager();
    give(buy(5, 1_000, 'order-one'));
    wire.accept();
    give(cancel('order-one'));
    expect(wire.last).toEqual({ kind: 'cancel', clientOrderId: 'order-one', symbol: 'BTCUSDT' });
    wire.end('order-one', 'canceled');
    expect(orders.at(-1)?.status).toBe('canceled');
    give(cancel('order-one'));
    expect(wire.requests).toHaveLength(2);
  });

  test('all of a symbol, or all', () => {
    const { give, wire } = orderManager([
      TERMS,
      { ...TERMS, symbol: 'ETHUSDT', baseCurrency: 'ETH' },
    ]);
    give(buy(1, 5, 'order-one'));
    give(
      place('ETHUSDT', {
        type: 'limit',
        side: 'buy',
        lots: 1,
        ticks: 5,
        clientOrderId: 'order-two',
      }),
    );
    give(cancelAll('ETHUSDT'));
    expect(wire.requests.slice(2)).toMatchObject([{ kind: 'cancel', clientOrderId: 'order-two' }]);
    give(cancelAll());
    expect(wire.requests.slice(3)).toMatchObject([
      { kind: 'cancel', clientOrderId: 'order-one' },
      { kind: 'cancel', clientOrderId: 'order-two' },
    ]);
  });

  test('orders of a managed order are out of reach, and end with cancelAll', () => {
    const { give, wire, received, orders } = orderManager();
    give(quote('BTCUSDT', { bid: { ticks: 100, lots: 5 } }));
    wire.accept();
    const id = (wire.last as PlaceRequest).clientOrderId;
    expect(orders.at(-1)?.managed).toBe(true);
    give(cancel(id));
    give(replace(id, { lots: 7 }));
    expect(received('refused').map(({ rejection }) => rejection.code)).toEqual([
      'order-unknown',
      'order-unknown',
    ]);
    expect(wire.requests).toHaveLength(1);
    give(cancelAll('BTCUSDT'));
    expect(wire.requests.slice(1)).toMatchObject([{ kind: 'cancel', clientOrderId: id }]);
    expect(received('request').map(({ managed }) => managed)).toEqual([true, true]);
  });
});

test('prefixes of client order ids leave room for the number', () => {
  for (const clientOrderIdPrefix of ['', 'seventeen-letters', 'blank space']) {
    expect(() => rig(() => new Subject(), { clientOrderIdPrefix })).toThrow(/1 to 16/);
  }
});
