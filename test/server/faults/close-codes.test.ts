import { expect, test } from 'vitest';
import { openVenue } from '../kit.ts';

const TOKEN = 'of-the-venue';

const open = () => openVenue({ faults: {}, setup: { adminToken: TOKEN } });

const plan = (code: number) => ({ streams: [{ fault: { kind: 'close', code } }] });

test.each([1004, 1005, 1006, 1015, 2999])(
  'no plan closes sockets with %d, which no frame may carry',
  async (code) => {
    const venue = await open();
    const { status, body } = await venue.call('POST', '/admin/faults', {
      json: plan(code),
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: {
        code: 10001,
        description: 'streams[0].fault.code must be 1000 to 1003, 1007 to 1014 or 3000 to 4999',
      },
    });
  },
);

test.each([1000, 1003, 1007, 1014, 3000, 4999])(
  'a plan closes a socket with %d, between requests too',
  async (code) => {
    const venue = await open();
    const socket = await venue.socket('/api/3/ws/public');
    await socket.request('subscribe', { symbols: ['BTCUSDT'] }, { ch: 'orderbook/top/100ms' });
    await venue.call('POST', '/admin/faults', {
      json: plan(code),
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const json = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.01', price: '100' };
    expect(await venue.call('POST', '/api/3/spot/order', { as: 'demo', json })).toMatchObject({
      status: 200,
    });
    venue.pass(200_000);
    expect((await socket.closed).code).toBe(code);
  },
);
