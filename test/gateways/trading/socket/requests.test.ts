import { describe, expect, test } from 'vitest';
import { US_PER_SECOND } from '../../../../src/platform/time.ts';
import { tradingBench } from './listener.ts';
import { Service, until, type Asked } from './service.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '100' } as const;

const report = (name: string) => ({
  id: 1,
  client_order_id: name,
  symbol: 'BTCUSDT',
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '0.1',
  quantity_cumulative: '0',
  price: '100',
  post_only: false,
  report_type: 'new',
  created_at: '2026-01-05T10:00:00Z',
  updated_at: '2026-01-05T10:00:00Z',
});

/** A service that takes logins and is silent to everything else. */
const silent = (asked: Asked): void => {
  if (asked.method === 'login') asked.peer.answer(asked, true);
};

const open = async (hears: (asked: Asked) => void = silent) => {
  const service = await Service.open({ hears });
  const made = tradingBench(service.url);
  await made.socket.open();
  return { service, ...made };
};

describe('replies', () => {
  test('find their requests by their ids, in whatever order they come', async () => {
    const { service, socket } = await open();
    const names = ['first', 'second', 'third'].map((name) => `order-${name}`);
    const asked = names.map((name) =>
      socket.request('spot_new_order', { ...ORDER, client_order_id: name }),
    );
    await service.received('spot_new_order', 3);
    for (const one of service.asked.slice(1).reverse()) {
      service.peer.answer(one, report(String(one.params['client_order_id'])));
    }
    const reports = await Promise.all(asked);
    expect(reports.map(({ client_order_id: name }) => name)).toEqual(names);
    const ids = service.asked.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  });

  test('to a list of orders are gathered, one for each', async () => {
    const { service, socket } = await open();
    const orders = ['order-one', 'order-two'].map((name) => ({ ...ORDER, client_order_id: name }));
    const asked = socket.request('spot_new_order_list', {
      contingency_type: 'oneCancelOther',
      orders,
    });
    const request = await service.received('spot_new_order_list');
    service.peer.answer(request, report('order-one'));
    service.peer.answer(request, report('order-two'));
    const reports = await asked;
    expect(reports.map(({ client_order_id: name }) => name)).toEqual(['order-one', 'order-two']);
  });

  test('that cannot be read are reported with what was done', async () => {
    const { service, socket } = await open();
    const asked = socket.request('spot_new_order', ORDER);
    service.peer.answer(await service.received('spot_new_order'), { id: 'none' });
    await expect(asked).rejects.toMatchObject({
      code: 'answer-invalid',
      field: 'id',
      message: expect.stringMatching(/spot_new_order cannot be read.*was done/),
    });
  });

  test('to requests that were written as text are the same', async () => {
    const { service, socket } = await open();
    const asked = socket.requestText('spot_new_order', '{"symbol":"BTCUSDT","side":"buy"}');
    const request = await service.received('spot_new_order');
    expect(request.text).toBe(
      '{"method":"spot_new_order","params":{"symbol":"BTCUSDT","side":"buy"},"id":2}',
    );
    service.peer.answer(request, report('order-one'));
    await expect(asked).resolves.toMatchObject({ client_order_id: 'order-one' });
    const list = socket.requestText('spot_new_order_list', '{}', { replies: 2 });
    const many = await service.received('spot_new_order_list');
    service.peer.answer(many, report('order-one'));
    service.peer.answer(many, report('order-two'));
    await expect(list).resolves.toHaveLength(2);
  });
});

describe('errors of the service', () => {
  test.each([
    [20001, 'Insufficient funds', 'service-refused', 'refused'],
    [10001, 'Validation error', 'service-refused', 'bad-request'],
    [1003, 'Action is forbidden for this API key', 'service-refused', 'authorization'],
    [429, 'Too many requests', 'rate-limited', 'rate-limit'],
    [503, 'Service Unavailable', 'service-unavailable', 'unavailable'],
    [20010, 'Exchange temporary closed', 'service-unavailable', 'unavailable'],
    [500, 'Internal Server Error', 'outcome-unknown', 'outcome-unknown'],
    [504, 'Gateway Timeout', 'outcome-unknown', 'outcome-unknown'],
    [77777, 'Never heard of', 'service-refused', 'refused'],
  ])('%i (%s) to an order is %s', async (serviceCode, serviceMessage, code, kind) => {
    const { service, socket } = await open();
    const asked = socket.request('spot_new_order', ORDER);
    const reported = 'as it is said';
    service.peer.refuse(
      await service.received('spot_new_order'),
      serviceCode,
      serviceMessage,
      reported,
    );
    await expect(asked).rejects.toMatchObject({
      code,
      serviceCode,
      serviceMessage,
      description: reported,
      class: kind,
      message: expect.stringContaining(`${serviceMessage} (${serviceCode}): ${reported}`),
    });
  });

  test('that leave open what was done are no matter to a reading', async () => {
    const { service, socket } = await open();
    const asked = socket.request('spot_balances');
    service.peer.refuse(await service.received('spot_balances'), 500, 'Internal Server Error');
    await expect(asked).rejects.toMatchObject({ code: 'service-unavailable' });
  });

  test('never show the secret', async () => {
    const { service, socket, ear } = await open();
    const asked = socket.request('spot_new_order', ORDER);
    const request = await service.received('spot_new_order');
    service.peer.refuse(request, 10001, 'no demo-secret', 'what is demo-secret');
    await expect(asked).rejects.toMatchObject({
      serviceMessage: 'no [secret]',
      description: 'what is [secret]',
      message: expect.not.stringContaining('demo-secret'),
    });
    service.peer.raw.close(4000, 'who said demo-secret?');
    await ear.hears('lost');
    expect(ear.whys[0]?.message).toMatch(/with 4000 \(who said \[secret\]\?\)/);
  });

  test('without a request are reported to listeners', async () => {
    const { service, ear } = await open();
    service.peer.send({ jsonrpc: '2.0', error: { code: 500, message: 'Internal Server Error' } });
    await until(() => {
      expect(ear.failures).toMatchObject([{ code: 'service-unavailable', serviceCode: 500 }]);
    });
  });
});

describe('a request whose reply does not come', () => {
  test('has an unknown outcome after its timeout, and a reply that comes later is reported', async () => {
    const { service, socket, ear, pass } = await open();
    const order = { ...ORDER, client_order_id: 'order-one' };
    const slow = socket.request('spot_new_order', order);
    const named = { client_order_id: 'order-one' };
    const fast = socket.request('spot_cancel_order', named, { timeoutUs: 2 * US_PER_SECOND });
    const settled = Promise.allSettled([slow, fast]);
    const cancel = await service.received('spot_cancel_order');
    pass(2 * US_PER_SECOND);
    await expect(fast).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringMatching(/spot_cancel_order was sent.*within 2 s/),
    });
    service.peer.refuse(cancel, 20002, 'Order not found');
    await until(() => {
      expect(ear.lateReplies).toEqual([
        {
          method: 'spot_cancel_order',
          params: named,
          outcome: { kind: 'error', error: { code: 20002, message: 'Order not found' } },
        },
      ]);
    });
    pass(8 * US_PER_SECOND);
    await expect(slow).rejects.toMatchObject({ code: 'outcome-unknown' });
    service.peer.answer(await service.received('spot_new_order'), report('order-one'));
    await until(() => {
      expect(ear.lateReplies).toMatchObject([{}, { method: 'spot_new_order', params: order }]);
    });
    await settled;
    expect(ear.failures).toEqual([]);
    expect(service.methods()).toEqual(['login', 'spot_new_order', 'spot_cancel_order']);
  });

  test('has an unknown outcome when the connection ends, and is not sent again', async () => {
    const { service, socket, ear, pass } = await open();
    const asked = socket.request('spot_new_order', ORDER);
    const rejected = expect(asked).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringMatching(/spot_new_order was sent and may have been done/),
      cause: expect.objectContaining({ message: expect.stringMatching(/with 1011/) }),
    });
    await service.received('spot_new_order');
    service.peer.raw.close(1011);
    await rejected;
    pass(30 * US_PER_SECOND);
    await ear.hears('live', 2);
    expect(service.methods(1)).toEqual(['login']);
  });

  test('has an unknown outcome when the connection ends among the replies to its list', async () => {
    const { service, socket } = await open();
    const orders = [ORDER, ORDER];
    const list = { contingency_type: 'oneCancelOther', orders } as const;
    const asked = socket.request('spot_new_order_list', list);
    const rejected = expect(asked).rejects.toMatchObject({ code: 'outcome-unknown' });
    const request = await service.received('spot_new_order_list');
    service.peer.answer(request, report('order-one'));
    service.peer.raw.close(1001);
    await rejected;
  });
});

describe('a request that is not sent', () => {
  test('as its params do not fit is reported with the member that does not', async () => {
    const { service, socket } = await open();
    const orders = [ORDER, { ...ORDER, price: 'much' }];
    const wrong = [
      [socket.request('spot_new_order', { ...ORDER, price: 'much' }), 'price'],
      [socket.request('spot_new_order', { ...ORDER, prize: 1 } as never), 'prize'],
      [
        socket.request('spot_new_order_list', { contingency_type: 'allOrNone', orders }),
        'orders[1].price',
      ],
    ] as const;
    for (const [asked, field] of wrong) {
      await expect(asked).rejects.toMatchObject({ code: 'request-invalid', field });
    }
    expect(service.methods()).toEqual(['login']);
  });

  test('as the socket is not live is unreachable', async () => {
    const service = await Service.open({ hears: () => undefined });
    const { socket, ear } = tradingBench(service.url);
    const never = { code: 'unreachable', message: expect.stringMatching(/not sent.*idle/) };
    await expect(socket.request('spot_new_order', ORDER)).rejects.toMatchObject(never);
    socket.open().catch(() => undefined);
    await service.received('login');
    expect(socket.state).toBe('connecting');
    await expect(socket.request('spot_new_order', ORDER)).rejects.toMatchObject({
      code: 'unreachable',
    });
    service.peer.raw.close(1012);
    await ear.hears('lost');
    await expect(socket.request('spot_new_order', ORDER)).rejects.toMatchObject({
      code: 'unreachable',
      cause: expect.objectContaining({ message: expect.stringMatching(/1012/) }),
    });
    expect(service.methods()).toEqual(['login']);
  });

  test('as the service does not read is unreachable', async () => {
    const service = await Service.open({ hears: silent });
    const { socket } = tradingBench(service.url, {
      waitingBytesMax: 10_000,
      limiter: { limitOf: () => undefined } as never,
    });
    await socket.open();
    service.peer.raw.pause();
    const long = JSON.stringify({ client_order_id: 'x'.repeat(100_000) });
    const asked = Array.from({ length: 200 }, async () =>
      socket.requestText('spot_new_order', long).catch((error: unknown) => error),
    );
    const outcomes = await asked[199];
    expect(outcomes).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/does not read what was sent before/),
    });
    expect(socket.waitingBytes).toBeLessThan(10_000 + 2 * long.length);
    expect(socket.state).toBe('live');
  });
});
