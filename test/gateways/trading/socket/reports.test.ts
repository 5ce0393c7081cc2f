import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { micros } from '../../../../src/platform/time.ts';
import { tradingBench } from './listener.ts';
import { Service, until, defaults } from './service.ts';

const T = 'client:trading-v3.stream-trading';

/** The members that every report has, as text. */
const ALWAYS =
  '"id":19592625059,"client_order_id":"abc12345","symbol":"BTCUSDT","side":"buy","status":"new",' +
  '"type":"market","time_in_force":"FOK","quantity":"0.00150","quantity_cumulative":"0.0005000",' +
  '"post_only":false,"created_at":"2024-01-02T10:59:40.65Z","updated_at":"2024-01-02T10:59:41Z"';

const ALWAYS_READ = {
  id: 19592625059,
  client_order_id: 'abc12345',
  symbol: 'BTCUSDT',
  side: 'buy',
  status: 'new',
  type: 'market',
  time_in_force: 'FOK',
  post_only: false,
  quantity: decimal('0.0015'),
  quantity_cumulative: decimal('0.0005'),
  created_at: micros(Date.UTC(2024, 0, 2, 10, 59, 40, 650) * 1_000),
  updated_at: micros(Date.UTC(2024, 0, 2, 10, 59, 41) * 1_000),
};

/** What a client gives of a notification whose params are this text. */
async function read(method: string, params: string): Promise<unknown> {
  const service = await Service.open();
  const { socket, ear } = tradingBench(service.url);
  await socket.open();
  service.peer.send(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`);
  const [one] = await until(() => {
    const all = [...ear.reported, ...ear.failures];
    if (all.length === 0) throw new Error('nothing was told');
    return all;
  });
  return one;
}

describe('a report', () => {
  test('has the members that each one has', { tags: [`${T}.report-fields`] }, async () => {
    expect(await read('spot_order', `{${ALWAYS},"report_type":"new"}`)).toEqual([
      'spot_order',
      { ...ALWAYS_READ, report_type: 'new' },
    ]);
  });

  // A report without post_only is read as one of an order that is not.
  const always = Object.keys(JSON.parse(`{${ALWAYS}}`) as object).filter(
    (member) => member !== 'post_only',
  );
  test.each(always)('without its %s is none', { tags: [`${T}.report-fields`] }, async (member) => {
    const whole = JSON.parse(`{${ALWAYS},"report_type":"new"}`) as Record<string, unknown>;
    const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member));
    expect(await read('spot_order', JSON.stringify(rest))).toMatchObject({
      code: 'answer-invalid',
      message: expect.stringContaining(`${member} is required`),
    });
  });

  test(
    'has a price, a stop price, an expiry and its list where there are such',
    { tags: [`${T}.report-conditional-fields`] },
    async () => {
      const more =
        '"price":"16731.00","stop_price":"16800.5","expire_time":"2024-01-03T00:00:00Z",' +
        '"order_list_id":"abc12345","contingency_type":"oneCancelOther"';
      expect(await read('spot_order', `{${ALWAYS},"report_type":"suspended",${more}}`)).toEqual([
        'spot_order',
        {
          ...ALWAYS_READ,
          report_type: 'suspended',
          price: decimal('16731'),
          stop_price: decimal('16800.5'),
          expire_time: micros(Date.UTC(2024, 0, 3) * 1_000),
          order_list_id: 'abc12345',
          contingency_type: 'oneCancelOther',
        },
      ]);
    },
  );

  test.each(
    ['status', 'new', 'suspended', 'canceled', 'rejected', 'expired', 'replaced', 'trade'].map(
      (type) => [type],
    ),
  )('may be of the type %s', { tags: [`${T}.report-types`] }, async (type) => {
    expect(await read('spot_order', `{${ALWAYS},"report_type":"${type}"}`)).toMatchObject([
      'spot_order',
      { report_type: type },
    ]);
  });

  test.each(['spot_order', 'margin_order'])(
    'of a trade has the trade, and on margin its position (%s)',
    { tags: [`${T}.report-trade-fields`] },
    async (method) => {
      const trade =
        '"trade_id":1068784,"trade_quantity":"0.00150","trade_price":"16724.16",' +
        '"trade_fee":"-0.022577616","trade_taker":true,"trade_position_id":485267';
      const position = method === 'margin_order' ? { trade_position_id: 485267 } : {};
      expect(await read(method, `{${ALWAYS},"report_type":"trade",${trade}}`)).toEqual([
        method,
        {
          ...ALWAYS_READ,
          report_type: 'trade',
          trade_id: 1068784,
          trade_taker: true,
          trade_quantity: decimal('0.0015'),
          trade_price: decimal('16724.16'),
          trade_fee: decimal('-0.022577616'),
          ...position,
        },
      ]);
    },
  );

  test.each(['taker', 'trade_taker'])(
    'says who took as %s',
    { tags: [`${T}.report-taker`] },
    async (name) => {
      for (const value of [true, false]) {
        const params = `{${ALWAYS},"report_type":"trade","${name}":${value}}`;
        expect(await read('spot_order', params)).toMatchObject(['spot_order', { [name]: value }]);
      }
    },
  );

  test(
    'of a replacement names the order that it replaced',
    { tags: [`${T}.spot-replace-report`] },
    async () => {
      const params = `{${ALWAYS},"report_type":"replaced","original_client_order_id":"abc00000"}`;
      expect(await read('spot_order', params)).toEqual([
        'spot_order',
        { ...ALWAYS_READ, report_type: 'replaced', original_client_order_id: 'abc00000' },
      ]);
    },
  );
});

describe('frames of the trading socket', () => {
  test(
    'requests have method, params and id; replies and notifications are distinguished',
    { tags: [`${T}.envelope`] },
    async () => {
      const service = await Service.open({
        hears: (asked) => {
          if (asked.method === 'login') defaults(asked);
        },
      });
      const { socket, ear } = tradingBench(service.url);
      await socket.open();
      const asked = socket.request('spot_balances');
      const { text, peer } = await service.received('spot_balances');
      expect(text).toBe('{"method":"spot_balances","params":{},"id":2}');
      peer.send('{"jsonrpc":"2.0","method":"spot_orders","params":[]}');
      peer.send(
        '{"jsonrpc":"2.0","result":[{"currency":"BTC","available":"1","reserved":"0"}],"id":2}',
      );
      expect(await asked).toMatchObject([{ currency: 'BTC', available: decimal('1') }]);
      expect([ear.reported, ear.failures]).toEqual([[['spot_orders', []]], []]);
    },
  );

  test(
    'a reply belongs to a request only where its id is the same number',
    { tags: [`${T}.id-echo`] },
    async () => {
      const service = await Service.open({
        hears: (asked) => {
          if (asked.method === 'login') defaults(asked);
        },
      });
      const { socket, ear } = tradingBench(service.url);
      await socket.open();
      const asked = socket.request('spot_balances');
      const { peer, id } = await service.received('spot_balances');
      expect(typeof id).toBe('number');
      for (const other of ['"2"', '3', 'null']) {
        peer.send(`{"jsonrpc":"2.0","result":[],"id":${other}}`);
      }
      await until(() => {
        expect(ear.failures).toHaveLength(3);
      });
      peer.send(
        `{"jsonrpc":"2.0","result":[{"currency":"BTC","available":"1","reserved":"0"}],"id":2}`,
      );
      expect(await asked).toHaveLength(1);
    },
  );

  test(
    'an error has code, message and description',
    {
      tags: [
        `${T}.error-envelope`,
        'client:trading-v3.error.client-typed-error',
        'client:trading-v3.error.20001',
      ],
    },
    async () => {
      const service = await Service.open({
        hears: (asked) => {
          if (asked.method === 'login') defaults(asked);
          else {
            asked.peer.send(
              '{"jsonrpc":"2.0","error":{"code":20001,"message":"Insufficient funds",' +
                `"description":"Check that the funds are sufficient"},"id":${asked.id}}`,
            );
          }
        },
      });
      const { socket } = tradingBench(service.url);
      await socket.open();
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '1' } as const;
      await expect(socket.request('spot_new_order', order)).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 20001,
        class: 'refused',
        serviceMessage: 'Insufficient funds',
        httpStatus: undefined,
        description: 'Check that the funds are sufficient',
      });
    },
  );

  test(
    'a list is done when each of its orders has a reply',
    { tags: [`${T}.spot-new-order-list-replies`] },
    async () => {
      const service = await Service.open({
        hears: (asked) => {
          if (asked.method === 'login') defaults(asked);
        },
      });
      const { socket } = tradingBench(service.url);
      await socket.open();
      let isDone = false;
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '1' } as const;
      const asked = socket.request('spot_new_order_list', {
        contingency_type: 'allOrNone',
        orders: [order, order, order],
      });
      asked.finally(() => (isDone = true)).catch(() => undefined);
      const { peer, id } = await service.received('spot_new_order_list');
      for (const name of ['abc00001', 'abc00002', 'abc00003']) {
        expect(isDone).toBe(false);
        const report = `{${ALWAYS.replace('abc12345', name)},"report_type":"new"}`;
        peer.send(`{"jsonrpc":"2.0","result":${report},"id":${id}}`);
      }
      const names = (await asked).map((one) => one.client_order_id);
      expect(names).toEqual(['abc00001', 'abc00002', 'abc00003']);
    },
  );
});
