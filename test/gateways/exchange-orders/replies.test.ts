import { describe, expect, test } from 'vitest';
import type { ExchangeOrdersClient } from '../../../src/clients.ts';
import { answer, breakOff } from '../trading/kit/raw-service.ts';
import { openScripted } from './scripted.ts';

type Act = (client: ExchangeOrdersClient) => Promise<unknown>;

const create: Act = (client) =>
  client.createTransaction({ from: 'btc', to: 'eth', amountFrom: '1', address: '0xA' });
const createFixed: Act = (client) =>
  client.createFixTransaction({
    from: 'btc',
    to: 'eth',
    rateId: 'rate',
    amountFrom: '1',
    address: '0xA',
    refundAddress: 'bc1',
  });
const currencies: Act = (client) => client.getCurrencies();

describe('a reply that is not JSON', () => {
  const PAGE = '<html><body>Unauthorized</body></html>';

  test(
    'is reported as such, with what it may mean',
    { tags: ['client:exchange-orders.error.non-json-reply'] },
    async () => {
      const reading = await openScripted([answer(200, PAGE, { 'Content-Type': 'text/html' })]);
      await expect(currencies(reading.client)).rejects.toMatchObject({ code: 'answer-invalid' });
      await expect(create(reading.client)).rejects.toThrow('may have been done');
    },
  );

  test.each([
    [401, 'service-refused', 'authorization'],
    [429, 'rate-limited', 'rate-limit'],
    [503, 'outcome-unknown', 'unavailable'],
    [502, 'outcome-unknown', 'outcome-unknown'],
  ])(
    'under the status %s is %s to who creates',
    { tags: ['client:exchange-orders.error.non-json-reply'] },
    async (status, code, meaning) => {
      const { client } = await openScripted([answer(status, PAGE)]);
      await expect(create(client)).rejects.toMatchObject({
        code,
        class: meaning,
        serviceCode: undefined,
        httpStatus: status,
      });
    },
  );

  test.each(['[]', '7', 'null', '"text"', '{"jsonrpc":"2.0","id":"1"}', '{"error":{}}'])(
    'or that is no reply: %s',
    async (body) => {
      const { client } = await openScripted([answer(200, body)]);
      await expect(currencies(client)).rejects.toMatchObject({ code: 'answer-invalid' });
    },
  );
});

describe('an answer that does not come', () => {
  test('leaves the outcome of a create unknown, and it is not sent again', async () => {
    const { client, service } = await openScripted([breakOff], {
      retries: { attempts: 5, firstUs: 1, longestUs: 1 },
    });
    await expect(create(client)).rejects.toMatchObject({ code: 'outcome-unknown' });
    await expect(createFixed(client)).rejects.toMatchObject({ code: 'outcome-unknown' });
    await expect(
      client.createPrivateSendTransaction({ currency: 'btc', amount: '1', address: 'bc1' }),
    ).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(service.requests).toHaveLength(3);
  });

  test('to a question is asked for again', async () => {
    const { client, service } = await openScripted([breakOff], {
      retries: { attempts: 3, firstUs: 1, longestUs: 1 },
    });
    await expect(currencies(client)).rejects.toMatchObject({ code: 'service-unavailable' });
    expect(service.requests).toHaveLength(3);
  });
});
