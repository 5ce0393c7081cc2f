import { describe, expect, test } from 'vitest';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { decimal } from '../../src/model/decimal.ts';
import { eventColumns, LAST, QUOTE, TRADE } from '../../src/model/events.ts';
import type { Report } from '../../src/model/report.ts';
import { lots, ticks, type Lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import type {
  OrderRequest,
  PlaceListRequest,
  PlaceRequest,
} from '../../src/model/order-request.ts';
import type { NewOrder } from '../../src/model/order.ts';
import { instrumentOf } from '../exchange/kit.ts';

const START = 1_000;

class Bench {
  readonly scheduler = new VirtualScheduler(micros(START));
  readonly venue: SimulatedVenue;
  readonly received: { readonly at: number; readonly report: Report }[] = [];

  constructor(latency = { orderUs: 300, reportUs: 200 }) {
    this.venue = new SimulatedVenue({
      venue: 'simulated',
      instruments: [instrumentOf()],
      scheduler: this.scheduler,
      latency,
      balances: new Map([
        ['USDT', decimal('1000')],
        ['BTC', decimal('0')],
      ]),
      exchange: { nameHoldUs: 0 },
    });
    this.venue.connect((report) => this.received.push({ at: this.scheduler.now(), report }));
  }

  place(name: string, change: Partial<PlaceRequest> = {}): void {
    this.venue.send({
      kind: 'place',
      clientOrderId: name,
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      lots: lots(2),
      ticks: ticks(100),
      postOnly: false,
      ...change,
    });
  }

  quote(bid: number, ask: number): void {
    const columns = eventColumns(1);
    columns.kind[0] = QUOTE;
    columns.flags[0] = LAST;
    columns.price[0] = bid;
    columns.size[0] = 9;
    columns.askPrice[0] = ask;
    columns.askSize[0] = 9;
    this.venue.market(0, columns, 0);
  }

  kinds(): string[] {
    return this.received.map(({ at, report }) => `${at} ${report.kind}`);
  }
}

describe('a request', () => {
  test('arrives after the order latency and its reports come after the report latency', () => {
    const bench = new Bench();
    bench.place('order-01');
    bench.scheduler.advanceTo(micros(1_299));
    expect(bench.venue.exchange.orders.issued).toBe(0);
    bench.scheduler.advanceTo(micros(1_499));
    expect(bench.venue.exchange.orders.issued).toBe(1);
    bench.scheduler.advanceTo(micros(1_500));
    expect(bench.kinds()).toEqual(['1000 balance', '1000 balance', '1500 new', '1500 balance']);
  });

  test('without latency is answered still, but never before send has returned', () => {
    const bench = new Bench({ orderUs: 0, reportUs: 0 });
    bench.place('order-01');
    expect(bench.received).toHaveLength(2);
    bench.scheduler.advanceTo(micros(START));
    expect(bench.kinds().slice(2)).toEqual(['1000 new', '1000 balance']);
  });

  test('that is refused is answered by what it named and why', () => {
    const bench = new Bench();
    bench.place('order-01', { lots: lots(20) });
    bench.venue.send({ kind: 'cancel', clientOrderId: 'order-02', symbol: 'BTCUSDT' });
    bench.venue.send({
      kind: 'replace',
      clientOrderId: 'order-02',
      newClientOrderId: 'order-03',
      symbol: 'BTCUSDT',
      lots: lots(1),
    });
    bench.scheduler.advanceTo(micros(2_000));
    expect(bench.received.slice(2).map(({ report }) => report)).toEqual([
      {
        kind: 'rejected',
        at: 1_300,
        request: 'place',
        clientOrderId: 'order-01',
        symbol: 'BTCUSDT',
        rejection: {
          code: 'funds-insufficient',
          field: 'quantity',
          message: '1000 USDT is available and must exceed 2004, fee included.',
          limit: '2004',
        },
      },
      expect.objectContaining({ request: 'cancel', clientOrderId: 'order-02' }),
      expect.objectContaining({ request: 'replace', clientOrderId: 'order-03' }),
    ]);
  });
});

test('a trade is reported with its fee, the order after it, and the balances', () => {
  const bench = new Bench();
  bench.quote(98, 100);
  bench.place('order-01', { lots: lots(1) });
  bench.scheduler.advanceTo(micros(1_500));
  const order = {
    id: 1,
    clientOrderId: 'order-01',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    status: 'new',
    lots: 1,
    filledLots: 0,
    ticks: 100,
    postOnly: false,
    createdAt: 1_300,
    updatedAt: 1_300,
  };
  // 1 × 100, fee 0.002 × 100 = 0.2.
  expect(JSON.parse(JSON.stringify(bench.received.slice(2).map(({ report }) => report)))).toEqual([
    { kind: 'new', at: 1_300, order },
    {
      kind: 'trade',
      at: 1_300,
      order: { ...order, status: 'filled', filledLots: 1 },
      fill: {
        id: 1,
        clientOrderId: 'order-01',
        symbol: 'BTCUSDT',
        side: 'buy',
        ticks: 100,
        lots: 1,
        fee: '0.2',
        feeCurrency: 'USDT',
        taker: true,
        at: 1_300,
      },
    },
    { kind: 'balance', at: 1_300, currency: 'USDT', available: '899.8', reserved: '0' },
    { kind: 'balance', at: 1_300, currency: 'BTC', available: '1', reserved: '0' },
  ]);
});

test('a resting order fills by the tape with the fee of a maker', () => {
  const bench = new Bench({ orderUs: 0, reportUs: 50 });
  bench.place('order-01');
  bench.scheduler.advanceTo(micros(1_100));
  bench.quote(98, 99);
  bench.scheduler.advanceTo(micros(1_150));
  // 2 × 100 × 0.001.
  const trade = bench.received.map(({ report }) => report).find((r) => r.kind === 'trade');
  expect(trade?.kind === 'trade' && [trade.fill.taker, trade.fill.fee.toFixed()]).toEqual([
    false,
    '0.2',
  ]);
});

test('a replacement and a cancel return the order after them', () => {
  const bench = new Bench({ orderUs: 10, reportUs: 0 });
  bench.place('order-01');
  bench.venue.send({
    kind: 'replace',
    clientOrderId: 'order-01',
    newClientOrderId: 'order-02',
    symbol: 'BTCUSDT',
    lots: lots(3),
    ticks: ticks(90),
  });
  bench.venue.send({ kind: 'cancel', clientOrderId: 'order-02', symbol: 'BTCUSDT' });
  bench.scheduler.advanceTo(micros(2_000));
  const orders = bench.received.flatMap(({ report }) => ('order' in report ? [report] : []));
  expect(
    orders.map((r) => [r.kind, r.order.id, r.order.status, r.order.ticks, r.order.lots]),
  ).toEqual([
    ['new', 1, 'new', 100, 2],
    ['replaced', 2, 'new', 90, 3],
    ['canceled', 2, 'canceled', 90, 3],
  ]);
  expect(orders[1].order.originalClientOrderId).toBe('order-01');
});

test('an order expires at its time, with no market event and in the order of the times', () => {
  const bench = new Bench({ orderUs: 0, reportUs: 5 });
  bench.place('order-01', { timeInForce: 'GTD', expireAt: micros(5_000), lots: lots(1) });
  bench.place('order-02', { timeInForce: 'GTD', expireAt: micros(3_000), lots: lots(1) });
  bench.place('order-03', { timeInForce: 'GTD', expireAt: micros(9_000), lots: lots(1) });
  bench.scheduler.advanceTo(micros(7_000));
  const ends = bench.received.flatMap(({ at, report }) =>
    report.kind === 'expired' ? [[at, report.at, report.order.clientOrderId]] : [],
  );
  expect(ends).toEqual([
    [3_005, 3_000, 'order-02'],
    [5_005, 5_000, 'order-01'],
  ]);
  const expired = bench.received.flatMap(({ report }) =>
    report.kind === 'expired' ? [report] : [],
  );
  expect(expired[0].order.expireAt).toBe(3_000);
});

test('a market order is reported without a price', () => {
  const bench = new Bench({ orderUs: 0, reportUs: 0 });
  bench.venue.send({
    kind: 'place',
    clientOrderId: 'order-01',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    timeInForce: 'FOK',
    lots: lots(1),
    postOnly: false,
  });
  bench.scheduler.advanceTo(micros(2_000));
  const report = bench.received.map((h) => h.report).find((r) => r.kind === 'expired');
  expect(report?.kind === 'expired' && report.order.ticks).toBeUndefined();
});

test('a stop order is reported as suspended with its stop price, and as new at its trigger', () => {
  const bench = new Bench({ orderUs: 0, reportUs: 0 });
  bench.quote(99, 101);
  bench.place('order-01', { type: 'stopLimit', stopTicks: ticks(105), ticks: ticks(90) });
  bench.scheduler.advanceTo(micros(1_500));
  const columns = eventColumns(1);
  columns.kind[0] = TRADE;
  columns.price[0] = 105;
  columns.size[0] = 1;
  bench.venue.market(0, columns, 0);
  bench.scheduler.advanceTo(micros(2_000));
  const orders = bench.received.flatMap(({ report }) => ('order' in report ? [report.order] : []));
  expect(orders.map(({ status, updatedAt }) => [status, updatedAt])).toEqual([
    ['suspended', START],
    ['new', 1_500],
  ]);
  expect(orders[0]).toMatchObject({ type: 'stopLimit', stopTicks: 105, ticks: 90 });
});

test('a latency that is not a whole number of microseconds is an error', () => {
  expect(() => new Bench({ orderUs: 1.5, reportUs: 0 })).toThrow('latency.orderUs is 1.5');
  expect(() => new Bench({ orderUs: 0, reportUs: -1 })).toThrow('latency.reportUs is -1');
});

describe('an order list', () => {
  const LIST: PlaceListRequest = {
    kind: 'placeList',
    orderListId: 'entry-01',
    contingencyType: 'oneTriggerOneCancelOther',
    orders: [
      requested('entry-01', { side: 'buy', ticks: ticks(100) }),
      requested('profit-1', { side: 'sell', ticks: ticks(110) }),
      requested('loss-001', { side: 'sell', type: 'stopMarket', stopTicks: ticks(95) }),
    ],
  };

  function requested(clientOrderId: string, change: Partial<NewOrder>): NewOrder {
    return {
      clientOrderId,
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      lots: lots(2),
      postOnly: false,
      ...change,
    };
  }

  const reported = (bench: Bench): unknown[] =>
    bench.received.flatMap(({ at, report }) =>
      'order' in report
        ? [[at, report.kind, report.order.clientOrderId, report.order.inactive ?? false]]
        : [],
    );

  test('arrives as one request, and every report of its orders names the list', () => {
    const bench = new Bench({ orderUs: 10, reportUs: 5 });
    bench.venue.send(LIST);
    bench.scheduler.advanceTo(micros(2_000));
    // The other side comes to the entry, which fills whole.
    bench.quote(98, 100);
    bench.scheduler.advanceTo(micros(3_000));
    bench.venue.send({ kind: 'cancel', clientOrderId: 'profit-1', symbol: 'BTCUSDT' });
    bench.scheduler.advanceTo(micros(4_000));
    expect(reported(bench)).toEqual([
      [1_015, 'new', 'entry-01', false],
      [1_015, 'suspended', 'profit-1', true],
      [1_015, 'suspended', 'loss-001', true],
      [2_005, 'trade', 'entry-01', false],
      [2_005, 'new', 'profit-1', false],
      [2_005, 'suspended', 'loss-001', false],
      [3_015, 'canceled', 'profit-1', false],
      [3_015, 'canceled', 'loss-001', false],
    ]);
    for (const { report } of bench.received) {
      if (!('order' in report)) continue;
      expect(report.order).toMatchObject({
        orderListId: 'entry-01',
        contingencyType: 'oneTriggerOneCancelOther',
      });
    }
  });

  test('that is refused is answered once, by its id and the order that broke the rule', () => {
    const bench = new Bench({ orderUs: 0, reportUs: 0 });
    const [entry, profit, loss] = LIST.orders;
    bench.venue.submit({ ...LIST, orders: [entry, { ...profit, lots: lots(0) }, loss] });
    bench.scheduler.advanceTo(micros(2_000));
    expect(bench.received.slice(2).map(({ report }) => report)).toMatchObject([
      {
        kind: 'rejected',
        request: 'placeList',
        clientOrderId: 'entry-01',
        symbol: 'BTCUSDT',
        rejection: { code: 'quantity-below-minimum', field: 'orders[1].quantity' },
      },
    ]);
    expect(bench.venue.exchange.orders.issued).toBe(0);
  });

  test('has a stop price of it replaced with the place in the list', () => {
    const bench = new Bench({ orderUs: 0, reportUs: 0 });
    bench.venue.send(LIST);
    bench.venue.send({
      kind: 'replace',
      clientOrderId: 'loss-001',
      newClientOrderId: 'loss-002',
      symbol: 'BTCUSDT',
      lots: lots(2),
      stopTicks: ticks(97),
    });
    bench.scheduler.advanceTo(micros(2_000));
    const report = bench.received.at(-1)?.report;
    expect(report).toMatchObject({
      kind: 'replaced',
      order: { clientOrderId: 'loss-002', stopTicks: 97, orderListId: 'entry-01', inactive: true },
    });
  });
});

describe('a request that no rule lets pass', () => {
  const base = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', postOnly: false } as const;
  const order = { ...base, clientOrderId: 'order-01', timeInForce: 'GTC' } as const;
  const cases: readonly [string, OrderRequest][] = [
    ['an order without a price', { kind: 'place', ...order, lots: lots(1) }],
    [
      'a fraction of a lot',
      { kind: 'place', ...order, type: 'market', timeInForce: 'IOC', lots: 1.5 as Lots },
    ],
    [
      'a list with an order of nothing',
      {
        kind: 'placeList',
        orderListId: 'order-01',
        contingencyType: 'oneTriggerOther',
        orders: [
          { ...order, lots: lots(1), ticks: ticks(5) },
          { ...order, clientOrderId: 'order-02', lots: lots(0), ticks: ticks(5) },
        ],
      },
    ],
    [
      'a stop price for an order that has none',
      {
        kind: 'replace',
        clientOrderId: 'standing',
        newClientOrderId: 'order-02',
        symbol: 'BTCUSDT',
        lots: lots(1),
        ticks: ticks(5),
        stopTicks: ticks(6),
      },
    ],
  ];

  function sent(send: (venue: SimulatedVenue) => void): Bench {
    const bench = new Bench({ orderUs: 0, reportUs: 0 });
    bench.place('standing', { lots: lots(1) });
    send(bench.venue);
    return bench;
  }

  test.each(cases)('is a defect where an engine sent it: %s', (_, request) => {
    const bench = sent((venue) => venue.send(request));
    expect(() => bench.scheduler.advanceTo(micros(2_000))).toThrow(
      expect.objectContaining({ code: 'internal' }),
    );
  });

  test.each(cases)('is rejected where nobody has checked it: %s', (_, request) => {
    const bench = sent((venue) => venue.submit(request));
    bench.scheduler.advanceTo(micros(2_000));
    expect(bench.received.at(-1)?.report.kind).toBe('rejected');
  });
});

test('a GTD order whose time passes on its way is rejected when it arrives', () => {
  const bench = new Bench({ orderUs: 300, reportUs: 0 });
  bench.place('order-01', { timeInForce: 'GTD', expireAt: micros(START + 300) });
  bench.scheduler.advanceTo(micros(2_000));
  expect(bench.received.at(-1)?.report).toMatchObject({
    kind: 'rejected',
    rejection: { code: 'expire-time-invalid', field: 'expireAt' },
  });
});
