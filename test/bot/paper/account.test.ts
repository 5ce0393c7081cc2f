import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros, US_PER_DAY } from '../../../src/platform/time.ts';
import { Bench, order, START } from './bench.ts';

const replace = (from: string, to: string, size: number, price = 100) =>
  ({
    kind: 'replace',
    clientOrderId: from,
    newClientOrderId: to,
    symbol: 'BTCUSDT',
    lots: lots(size),
    ticks: ticks(price),
  }) as const;

describe('an account of its own', () => {
  test('reports its balances when it is opened, and is live', async () => {
    const bench = await Bench.open();
    expect(bench.hearings).toEqual(['live']);
    expect(Object.fromEntries(bench.balances)).toEqual({ BTC: '20', USDT: '1000' });
    expect(await bench.account.clockSkewUs()).toBe(0);
  });

  test('orders reach the exchange and reports come back by their latencies', async () => {
    const bench = await Bench.open();
    bench.quote(99, 101);
    const sentAt = bench.scheduler.now();
    bench.send(order('buy-order-1'));
    bench.pass(499);
    expect(bench.reported('buy-order-1')).toEqual([]);
    bench.pass(1);
    expect(bench.reported('buy-order-1')).toEqual(['new new 0/2']);
    expect(bench.order('buy-order-1').createdAt).toBe(sentAt + 300);
  });

  test('fills by the market that it is fed', async () => {
    const bench = await Bench.open();
    bench.quote(99, 101);
    bench.place('buy-order-1', { lots: 5 });
    bench.trade(99, 3);
    expect(bench.reported('buy-order-1')).toEqual(['new new 0/5', 'trade partiallyFilled 3/5']);
    expect(Object.fromEntries(bench.balances)).toEqual({ BTC: '23', USDT: '700' });
  });

  test('the snapshot has what is active, what ended and what was filled since', async () => {
    const bench = await Bench.open();
    bench.quote(99, 101);
    bench.place('buy-order-1', { lots: 1 });
    bench.place('buy-order-2', { lots: 3, ticks: 98 });
    bench.place('buy-order-3', { ticks: 97 });
    bench.send({ kind: 'cancel', clientOrderId: 'buy-order-3', symbol: 'BTCUSDT' });
    bench.pass();
    bench.trade(99, 1);
    const snapshot = await bench.snapshot();
    expect(snapshot.orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['buy-order-2']);
    expect(snapshot.ended.map((one) => `${one.clientOrderId} ${one.status}`)).toEqual([
      'buy-order-3 canceled',
      'buy-order-1 filled',
    ]);
    expect(snapshot.fills).toEqual(
      bench.received.flatMap((report) => (report.kind === 'trade' ? [report.fill] : [])),
    );
    expect(
      snapshot.balances.map((one) => [
        one.currency,
        one.available.toFixed(),
        one.reserved.toFixed(),
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['BTC', '21', '0'],
        ['USDT', '606', '294'],
      ]),
    );
    const later = await bench.snapshot(bench.scheduler.now());
    expect([later.ended, later.fills]).toEqual([[], []]);
    expect(later.orders).toHaveLength(1);
  });

  test('the snapshot comes after the reports of what happened before it', async () => {
    const bench = await Bench.open();
    bench.quote(99, 101);
    bench.send(order('buy-order-1'));
    const asked = bench.account.snapshot(START);
    let reported = -1;
    void asked.then(() => (reported = bench.reported('buy-order-1').length));
    bench.pass();
    const { at, orders } = await asked;
    expect(orders).toHaveLength(1);
    expect(reported).toBe(1);
    expect(at).toBe(bench.scheduler.now() - 700);
  });

  test('what ended more than an hour ago is forgotten', async () => {
    const bench = await Bench.open();
    bench.quote(99, 101);
    bench.place('sell-order', { side: 'sell', type: 'market', timeInForce: 'IOC', lots: 1 });
    expect((await bench.snapshot()).ended).toHaveLength(1);
    bench.pass(4_000_000_000);
    bench.place('sell-order-2', { side: 'sell', type: 'market', timeInForce: 'IOC', lots: 1 });
    expect((await bench.snapshot()).ended.map((one) => one.clientOrderId)).toEqual([
      'sell-order-2',
    ]);
  });

  test('it is opened once, and after close emits nothing more', async () => {
    const bench = await Bench.open();
    const listener = {
      report: () => undefined,
      margin: () => undefined,
      connectionState: () => undefined,
    };
    expect(() => bench.account.open(listener)).toThrow('opened twice');
    expect(() => bench.account.restore({ balances: new Map(), orders: [], margin: [] })).toThrow(
      'restored',
    );
    await bench.account.close();
    const before = bench.received.length;
    bench.place('buy-order-1');
    expect(bench.received).toHaveLength(before);
  });
});

describe('after a restart', () => {
  test('balances go on, and open orders stand again under the same names', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.place('buy-order-1', { lots: 3, ticks: 90, postOnly: true });
    first.place('sell-order', { side: 'sell', type: 'market', timeInForce: 'IOC', lots: 4 });
    const second = await first.restart();
    expect(Object.fromEntries(second.balances)).toEqual({ BTC: '16', USDT: '1396' });
    second.pass();
    expect(second.reported('buy-order-1')).toEqual(['status new 0/3']);
    expect(second.order('buy-order-1')).toMatchObject({
      postOnly: true,
      createdAt: first.order('buy-order-1').createdAt,
    });
    const { orders, balances } = await second.snapshot();
    expect(orders).toEqual([second.order('buy-order-1')]);
    const usdt = balances.find(({ currency }) => currency === 'USDT');
    expect([usdt?.available.toFixed(), usdt?.reserved.toFixed()]).toEqual(['1126', '270']);
  });

  test('what had been executed of an order stays executed, once', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.place('buy-order-1', { lots: 5 });
    first.trade(99, 2);
    const second = await first.restart();
    second.pass();
    expect(second.reported('buy-order-1')).toEqual(['status partiallyFilled 2/5']);
    second.quote(99, 101);
    second.trade(99, 9);
    expect(second.reported('buy-order-1').at(-1)).toBe('trade filled 5/5');
    expect(Object.fromEntries(second.balances)).toEqual({ BTC: '25', USDT: '500' });
    expect(second.fillIds.filter((id) => first.fillIds.includes(id))).toEqual([]);
    expect((await second.snapshot()).ended.map((one) => one.filledLots)).toEqual([5]);
  });

  test('what is left of an order pays the fee rates that it asked for, and so does what replaces it', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.place('buy-order-1', { lots: 5, makeRate: decimal('0.02') });
    first.trade(99, 2);
    const second = await first.restart();
    second.pass();
    second.quote(99, 101);
    second.trade(99, 1);
    second.send(replace('buy-order-1', 'buy-order-2', 5, 98));
    second.pass();
    const third = await second.restart();
    third.pass();
    third.quote(97, 101);
    third.trade(96, 9);
    const fees = [first, second, third].flatMap(({ received }) =>
      received.flatMap((one) => (one.kind === 'trade' ? [one.fill.fee.toFixed()] : [])),
    );
    // 2 % of 2 × 100, of 1 × 100, and of 2 × 98.
    expect(fees).toEqual(['4', '2', '3.92']);
  });

  test('a replacement of a continued order means its whole quantity', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.place('buy-order-1', { lots: 5 });
    first.trade(99, 2);
    const second = await first.restart();
    second.pass();
    second.send(replace('buy-order-1', 'buy-order-2', 2));
    second.pass();
    expect(second.reported('buy-order-2')).toEqual(['rejected quantity-below-executed']);
    second.send(replace('buy-order-1', 'buy-order-3', 4, 98));
    second.pass();
    expect(second.reported('buy-order-3')).toEqual(['replaced partiallyFilled 2/4']);
    expect(second.order('buy-order-3').originalClientOrderId).toBe('buy-order-1');
    second.quote(96, 99);
    second.trade(97, 9);
    expect(second.reported('buy-order-3').at(-1)).toBe('trade filled 4/4');
    expect(Object.fromEntries(second.balances)).toEqual({ BTC: '24', USDT: '604' });
    expect((await second.snapshot()).orders).toEqual([]);
  });

  test('a cancel of a continued order cancels it', async () => {
    const first = await Bench.open();
    first.place('buy-order-1');
    const second = await first.restart();
    second.pass();
    second.send({ kind: 'cancel', clientOrderId: 'buy-order-1', symbol: 'BTCUSDT' });
    second.pass();
    expect(second.reported('buy-order-1').at(-1)).toBe('canceled canceled 0/2');
  });

  test('a third run continues the second', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.place('buy-order-1', { lots: 5 });
    first.trade(99, 1);
    const second = await first.restart();
    second.quote(99, 101);
    second.trade(99, 1);
    const third = await second.restart();
    third.pass();
    expect(third.reported('buy-order-1')).toEqual(['status partiallyFilled 2/5']);
    expect(third.order('buy-order-1').createdAt).toBe(first.order('buy-order-1').createdAt);
  });

  test('an order without any report was never active', async () => {
    const first = await Bench.open();
    first.send(order('buy-order-1'));
    const second = await first.restart();
    second.pass();
    expect(second.reported('buy-order-1')).toEqual(['rejected order-lost']);
    expect((await second.snapshot()).orders).toEqual([]);
    expect((await second.snapshot()).ended).toEqual([]);
  });

  test('what cannot be placed again is reported as canceled', async () => {
    const first = await Bench.open();
    first.place('buy-order-1', { lots: 5 });
    const second = await first.restart((life) => ({ ...life, balances: new Map() }));
    second.pass();
    expect(second.reported('buy-order-1')).toEqual(['status canceled 0/5']);
    expect((await second.snapshot()).orders).toEqual([]);
  });

  test('an order whose time came meanwhile is expired', async () => {
    const first = await Bench.open();
    first.place('gtd-order', { timeInForce: 'GTD', expireAt: micros(START + 10_000) });
    first.place('day-order', { timeInForce: 'Day' });
    first.place('gtd-later', { timeInForce: 'GTD', expireAt: micros(START + 2 * US_PER_DAY) });
    first.scheduler.advanceTo(micros(START + 4_000));
    const { orders } = first;
    const second = await first.restart((life) => ({
      ...life,
      orders: [...orders.values()].map((one) => ({
        ...one,
        ...(one.venueOrder === undefined
          ? {}
          : { venueOrder: { ...one.venueOrder, createdAt: micros(START - US_PER_DAY) } }),
      })),
    }));
    second.scheduler.advanceTo(micros(START + 11_000));
    expect(second.reported('gtd-order')).toEqual(['status new 0/2', 'expired expired 0/2']);
    expect(second.reported('day-order')).toEqual(['status expired 0/2']);
    expect(second.reported('gtd-later')).toEqual(['status new 0/2']);
    const third = await second.restart((life) => ({ ...life, orders: [...orders.values()] }));
    expect(third.reported('gtd-order')).toEqual(['status expired 0/2']);
  });

  test('a stop order waits again, and one that was triggered stands as it stood', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.place('stop-order', { type: 'stopLimit', stopTicks: 105, ticks: 90 });
    first.place('done-order', { type: 'stopLimit', stopTicks: 102, ticks: 95 });
    first.trade(103, 1, 'buy');
    expect(first.order('done-order').status).toBe('new');
    const second = await first.restart();
    second.pass();
    expect(second.reported('stop-order')).toEqual(['status suspended 0/2']);
    expect(second.reported('done-order')).toEqual(['status new 0/2']);
    expect(second.order('done-order')).toMatchObject({ type: 'stopLimit', stopTicks: 102 });
    second.send({ ...replace('done-order', 'done-order-2', 3, 94), stopTicks: ticks(102) });
    second.pass();
    expect(second.reported('done-order-2')).toEqual(['replaced new 0/3']);
    expect(second.order('done-order-2')).toMatchObject({ type: 'stopLimit', stopTicks: 102 });
  });
});

describe('order lists after a restart', () => {
  const limit = order('take-order', { side: 'sell', ticks: 120 });
  const stop = order('stop-order', { side: 'sell', type: 'stopMarket', stopTicks: 80 });

  test('orders that cancel each other still do', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.list('oneCancelOther', limit, stop);
    const second = await first.restart();
    second.quote(99, 101);
    expect(second.reported('stop-order')).toEqual(['status suspended 0/2']);
    expect(second.order('take-order')).toMatchObject({
      orderListId: 'take-order',
      contingencyType: 'oneCancelOther',
    });
    second.trade(121, 9, 'buy');
    expect(second.reported('take-order').at(-1)).toBe('trade filled 2/2');
    expect(second.reported('stop-order').at(-1)).toBe('canceled canceled 0/2');
  });

  test('exits still wait for their entry, and then cancel each other', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.list('oneTriggerOneCancelOther', order('entry-order', { ticks: 98 }), limit, stop);
    const second = await first.restart();
    second.quote(99, 101);
    expect(second.order('take-order')).toMatchObject({ inactive: true });
    second.trade(97, 9);
    expect(second.order('entry-order').status).toBe('filled');
    expect(second.order('take-order').inactive).toBeUndefined();
    const third = await second.restart();
    third.quote(99, 101);
    expect(third.order('take-order')).toMatchObject({
      orderListId: 'entry-order',
      contingencyType: 'oneTriggerOneCancelOther',
      status: 'new',
    });
    third.trade(79, 9);
    expect(third.order('stop-order').status).toBe('filled');
    expect(third.order('take-order').status).toBe('canceled');
  });

  test('an order that waits for one that is gone is canceled', async () => {
    const first = await Bench.open();
    first.quote(99, 101);
    first.list('oneTriggerOther', order('entry-order', { ticks: 98 }), limit);
    const second = await first.restart((life) => ({
      ...life,
      orders: life.orders.filter((one) => one.clientOrderId !== 'entry-order'),
    }));
    second.pass();
    expect(second.reported('take-order')).toEqual(['status canceled 0/2']);
    expect((await second.snapshot()).orders).toEqual([]);
  });

  test('a list that cannot be placed again is reported order by order', async () => {
    const first = await Bench.open();
    first.list('oneCancelOther', limit, stop);
    const second = await first.restart((life) => ({ ...life, balances: new Map() }));
    second.pass();
    expect(second.reported('take-order')).toEqual(['status canceled 0/2']);
    expect(second.reported('stop-order')).toEqual(['status canceled 0/2']);
  });
});
