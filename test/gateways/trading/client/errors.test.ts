import { describe, expect, test } from 'vitest';
import { MillraceError, ServiceError } from '../../../../src/clients.ts';
import { openVenue } from '../../../server/kit.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { answer, openRawService } from '../kit/raw-service.ts';
import { clientOf } from './client-of.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '2' } as const;

/** What a call fails with. */
async function failing(call: Promise<unknown>): Promise<MillraceError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** How a client tells an answer to a read and to an order. */
async function reported(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const service = await openRawService(answer(status, body, headers));
  const { rest } = clientOf(service.url, { retries: { attempts: 1 } });
  return {
    read: await failing(rest.getSpotBalances()),
    order: await failing(rest.createSpotOrder(ORDER)),
  };
}

const errorBody = (code: number | string, message: string, description?: string) => ({
  error: { code, message, description },
});

describe('errors of the venue', () => {
  test(
    'what is answered with 200 is the answer',
    { tags: ['client:trading-v3.error.http-200'] },
    async () => {
      const { rest } = await openSubscriptions(await openVenue());
      expect((await rest.getSpotOrders()).length).toBe(0);
    },
  );

  eachRow('client:trading-v3.error.', [
    [
      'http-400 10001',
      { code: 10_001, message: 'Validation error', httpStatus: 400, class: 'bad-request' },
      (rest: Rest) => rest.createSpotOrderList({ contingency_type: 'allOrNone', orders: [] }),
    ],
    [
      '20001',
      { code: 20_001, message: 'Insufficient funds', httpStatus: 400, class: 'refused' },
      (rest: Rest) => rest.createSpotOrder({ ...ORDER, quantity: '1000000' }),
    ],
    [
      '20002',
      { code: 20_002, message: 'Order not found', httpStatus: 400, class: 'refused' },
      (rest: Rest) => rest.cancelSpotOrder({ client_order_id: 'no-such-order' }),
    ],
  ] as const)('are told with its words: %j', async (words, call) => {
    const { rest } = await openSubscriptions(await openVenue());
    const error = await failing(call(rest));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'service-refused',
      serviceCode: words.code,
      serviceMessage: words.message,
      httpStatus: words.httpStatus,
      class: words.class,
    });
    expect(error.message).toContain(`${words.message} (${words.code})`);
  });

  test(
    'a lack of funds names commissions in its description',
    { tags: ['client:trading-v3.error.20001'] },
    async () => {
      const { rest } = await openSubscriptions(await openVenue());
      const error = await failing(rest.createSpotOrder({ ...ORDER, quantity: '1000000' }));
      expect(error).toMatchObject({ description: expect.stringMatching(/commission/) as string });
    },
  );

  test(
    'a wrong secret is answered with a failed authorization',
    { tags: ['client:trading-v3.error.http-401', 'client:trading-v3.error.1002'] },
    async () => {
      const { base } = await openVenue();
      const credentials = { key: 'demo', secret: 'not-the-secret', scheme: 'basic' as const };
      const error = await failing(clientOf(base, { credentials }).rest.getSpotBalances());
      expect(error).toMatchObject({
        code: 'service-refused',
        serviceCode: 1_002,
        serviceMessage: 'Authorization is required or has been failed',
        httpStatus: 401,
        class: 'authorization',
      });
    },
  );

  test(
    'a key without the right is answered with forbidden',
    { tags: ['client:trading-v3.error.http-403', 'client:trading-v3.error.1003'] },
    async () => {
      const venue = await openVenue();
      venue.join('reader', { rights: ['read'] });
      const { rest } = await openSubscriptions(venue, 'reader');
      expect(await failing(rest.createSpotOrder(ORDER))).toMatchObject({
        code: 'service-refused',
        serviceCode: 1_003,
        serviceMessage: 'Action is forbidden for this API key',
        httpStatus: 403,
        class: 'authorization',
      });
    },
  );

  test(
    'an internal error is reported, of an order as an unknown outcome',
    { tags: ['client:trading-v3.error.http-500'] },
    async () => {
      const fault = { kind: 'answer', status: 500 } as const;
      const venue = await openVenue({ faults: { http: [{ path: '/api/3/*', fault }] } });
      const { rest } = clientOf(venue.base, { retries: { attempts: 1 } });
      const words = { serviceCode: 500, serviceMessage: 'Internal Server Error', httpStatus: 500 };
      expect(await failing(rest.getSpotBalances())).toMatchObject({
        code: 'service-unavailable',
        ...words,
      });
      expect(await failing(rest.createSpotOrder(ORDER))).toMatchObject({
        code: 'outcome-unknown',
        ...words,
      });
    },
  );

  test('maintenance is reported', { tags: ['client:trading-v3.error.http-503'] }, async () => {
    const venue = await openVenue({ faults: { maintenance: true } });
    const { rest } = clientOf(venue.base, { retries: { attempts: 1 } });
    expect(await failing(rest.getSpotBalances())).toMatchObject({
      code: 'service-unavailable',
      serviceCode: 503,
      httpStatus: 503,
      class: 'unavailable',
    });
  });

  test(
    'a timeout behind the gateway does not mean that an order was refused',
    { tags: ['client:trading-v3.error.http-504'] },
    async () => {
      const fault = { kind: 'answer', status: 504 } as const;
      const rule = { path: '/api/3/spot/order', method: 'POST', when: 'after', count: 1, fault };
      const venue = await openVenue({ faults: { http: [rule as never] } });
      const { rest } = await openSubscriptions(venue);
      const order = { ...ORDER, client_order_id: 'was-it-done' };
      const error = await failing(rest.createSpotOrder(order));
      expect(error).toMatchObject({
        code: 'outcome-unknown',
        httpStatus: 504,
        class: 'outcome-unknown',
      });
      const { status } = await rest.getSpotOrder({ client_order_id: 'was-it-done' });
      expect(status).toBe('new');
    },
  );
});

type Rest = Awaited<ReturnType<typeof openSubscriptions>>['rest'];

describe('the words of an error', () => {
  test.each([
    [400, 'is above the best price.', /^[^.]*is above the best price\.$/],
    [400, 'did you mean price?', /did you mean price\?$/],
    [429, 'wait.', /: wait\.$/],
    [503, 'try later.', /: try later\.(?: Look before asking again\.)?$/],
  ])('of status %d end a sentence once: %s', async (status, description, sentence) => {
    const { read, order } = await reported(
      status,
      errorBody(10_001, 'Validation error', description),
    );
    expect(read.message).toMatch(sentence);
    expect(order.message).toMatch(sentence);
  });

  test(
    'are there: status, code, message, description',
    { tags: ['client:trading-v3.error.body-shape', 'client:trading-v3.error.client-typed-error'] },
    async () => {
      const { order } = await reported(
        400,
        errorBody(20_001, 'Insufficient funds', 'Check the funds'),
      );
      expect(order).toBeInstanceOf(ServiceError);
      expect(order).toMatchObject({
        code: 'service-refused',
        serviceCode: 20_001,
        serviceMessage: 'Insufficient funds',
        description: 'Check the funds',
        httpStatus: 400,
        class: 'refused',
        message: 'createSpotOrder was refused: Insufficient funds (20001): Check the funds.',
      });
      const { read } = await reported(400, errorBody(2_001, 'Symbol not found'));
      expect(read).toMatchObject({ serviceCode: 2_001, description: undefined });
    },
  );

  test(
    'may have members beside them, and a code that is text',
    { tags: ['client:trading-v3.error.body-siblings'] },
    async () => {
      const siblings = {
        timestamp: '2026-01-05T10:00:00Z',
        path: '/x',
        request_id: 'r',
        status: 400,
      };
      const { order } = await reported(400, {
        ...errorBody('20002', 'Order not found'),
        ...siblings,
      });
      expect(order).toMatchObject({ serviceCode: 20_002, serviceMessage: 'Order not found' });
    },
  );

  eachRow('client:trading-v3.error.', [
    ['http-404', 404, 'service-refused', 'service-refused', 'bad-request'],
    ['client-unknown-code', 400, 'service-refused', 'service-refused', 'bad-request'],
    ['client-unknown-code', 502, 'service-unavailable', 'outcome-unknown', 'outcome-unknown'],
  ])('may have a code that nobody knows: %i', async (status, read, order, kind) => {
    const both = await reported(status, errorBody(99_999, 'Of the future'));
    const words = { serviceCode: 99_999, serviceMessage: 'Of the future', class: kind };
    expect(both.read).toMatchObject({ ...words, code: read, httpStatus: status });
    expect(both.order).toMatchObject({ ...words, code: order, httpStatus: status });
  });

  test.each([
    [404, '<html>not here</html>', 'service-refused', 'service-refused'],
    [502, '<html>bad gateway</html>', 'service-unavailable', 'outcome-unknown'],
    [503, '', 'service-unavailable', 'outcome-unknown'],
    [504, 'timeout', 'service-unavailable', 'outcome-unknown'],
    [400, '{"error":', 'service-refused', 'service-refused'],
    [400, '{"error":{"code":[],"message":"x"}}', 'service-refused', 'service-refused'],
    [302, '', 'service-refused', 'service-refused'],
  ])(
    'may be missing: %i with %j',
    { tags: ['client:trading-v3.error.client-non-json-body'] },
    async (status, body, read, order) => {
      const both = await reported(status, body, { 'Content-Type': 'text/html' });
      const words = { serviceCode: undefined, httpStatus: status };
      expect(both.read).toMatchObject({ ...words, code: read });
      expect(both.order).toMatchObject({ ...words, code: order });
      expect(both.order.message).toContain(`(HTTP ${status})`);
    },
  );

  eachRow('client:trading-v3.error.', [
    ['1005', 1_005, 401, 'service-refused', 'authorization'],
    ['2003', 2_003, 400, 'service-refused', 'bad-request'],
    ['10022', 10_022, 400, 'service-refused', 'bad-request'],
    ['20044', 20_044, 403, 'service-refused', 'authorization'],
    ['20047', 20_047, 400, 'service-refused', 'refused'],
    ['20080', 20_080, 400, 'service-refused', 'refused'],
    ['21003', 21_003, 400, 'service-refused', 'authorization'],
    ['22008', 22_008, 504, 'outcome-unknown', 'outcome-unknown'],
  ])('%i with %i is of an order %s, in the class %s', async (code, status, kind, group) => {
    const { order } = await reported(status, errorBody(code, 'As the service says'));
    expect(order).toMatchObject({ code: kind, serviceCode: code, class: group });
  });

  test('20010 says of an order that nothing was done, as the market is closed', async () => {
    const { order } = await reported(400, errorBody(20_010, 'Exchange temporary closed'));
    expect(order).toMatchObject({ code: 'service-unavailable', class: 'unavailable' });
  });
});
