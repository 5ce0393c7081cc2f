import { describe, expect, test } from 'vitest';
import type { ExchangeOrderFault, ExchangeOrdersClient } from '../../../src/clients.ts';
import { d } from '../trading/kit/values.ts';
import { error, openScripted, rejectionOf } from './scripted.ts';
import { eachRow } from '../../conformance/each-row.ts';

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
const rates: Act = (client) => client.getFixRate([{ from: 'btc', to: 'eth' }]);
const rateForAmount: Act = (client) =>
  client.getFixRateForAmount({ from: 'btc', to: 'eth', amountFrom: '1' });
const currencies: Act = (client) => client.getCurrencies();

interface Reported {
  readonly row: string;
  readonly act: Act;
  readonly code: number;
  readonly message: string;
  readonly fault: ExchangeOrderFault;
  /** What is known of the request; it was refused where absent. */
  readonly became?: string;
  readonly limit?: string;
}

const REPORTED: readonly Reported[] = [
  {
    row: 'error.32601-method-not-found',
    act: currencies,
    code: -32_601,
    message: 'Method not found',
    fault: 'method-unknown',
  },
  {
    row: 'error.32603-not-allowed',
    act: create,
    code: -32_603,
    message: 'The method is not allowed for api key',
    fault: 'method-forbidden',
  },
  {
    row: 'error.create-invalid-amount',
    act: create,
    code: -32_602,
    message: 'Invalid amount for pair btc->eth',
    fault: 'amount-invalid',
  },
  {
    row: 'error.create-invalid-amount-minimal',
    act: create,
    code: -32_602,
    message: 'Invalid amount for pair btc->eth. Minimal amount is 0.0015 btc',
    fault: 'amount-below-minimum',
    limit: '0.0015',
  },
  {
    row: 'error.create-invalid-amount-maximal',
    act: create,
    code: -32_602,
    message: 'Invalid amount for pair btc->eth. Maximum amount is 12 btc',
    fault: 'amount-above-maximum',
    limit: '12',
  },
  {
    row: 'error.create-currency-disabled',
    act: create,
    code: -32_602,
    message: 'Invalid currency: btc temporary disabled',
    fault: 'currency-disabled',
  },
  {
    row: 'error.create-currency-disabled-output',
    act: create,
    code: -32_602,
    message: 'Invalid currency: eth is temporary disabled on API as output currency',
    fault: 'currency-disabled',
  },
  {
    row: 'error.create-currency-disabled-input',
    act: create,
    code: -32_602,
    message: 'Invalid currency: btc is temporary disabled on API as input currency',
    fault: 'currency-disabled',
  },
  {
    row: 'error.create-currency-not-found',
    act: create,
    code: -32_602,
    message: 'Invalid currency: btc not found',
    fault: 'currency-unknown',
  },
  {
    row: 'error.create-invalid-pair',
    act: create,
    code: -32_602,
    message: 'Invalid pair: btc->eth not available or temporary disabled',
    fault: 'pair-unavailable',
  },
  {
    row: 'error.create-invalid-param',
    act: create,
    code: -32_602,
    message: 'Invalid amountFrom',
    fault: 'parameter-invalid',
  },
  {
    row: 'error.create-invalid-params',
    act: create,
    code: -32_602,
    message: 'Invalid params',
    fault: 'parameter-invalid',
  },
  {
    row: 'error.create-invalid-payout-address',
    act: create,
    code: -32_602,
    message: 'Invalid payout address',
    fault: 'address-invalid',
  },
  {
    row: 'error.create-invalid-refund-address',
    act: create,
    code: -32_602,
    message: 'Invalid refund address',
    fault: 'address-invalid',
  },
  {
    row: 'error.create-not-enough-liquidity',
    act: create,
    code: -32_602,
    message: 'Not enough liquidity in pair btc->eth. Max amount is 3.5 btc.',
    fault: 'liquidity-insufficient',
    limit: '3.5',
  },
  {
    row: 'error.create-address-generation',
    act: create,
    code: -32_603,
    message: 'An error encountered during address generation. Please try again later',
    fault: 'address-generation',
    became: 'service-unavailable',
  },
  {
    row: 'error.fix-rate-maximal-amount',
    act: rates,
    code: -32_600,
    message: 'Invalid amount: maximal amount is 40.25',
    fault: 'amount-above-maximum',
    limit: '40.25',
  },
  {
    row: 'error.fix-rate-currency-disabled',
    act: rates,
    code: -32_602,
    message: 'Invalid currency: btc temporary disabled',
    fault: 'currency-disabled',
  },
  {
    row: 'error.fix-rate-currency-disabled-fix',
    act: rates,
    code: -32_602,
    message: 'Invalid currency: btc temporary disabled for fix rate transactions',
    fault: 'currency-disabled',
  },
  {
    row: 'error.fix-rate-currency-disabled-output',
    act: rates,
    code: -32_602,
    message: 'Invalid currency: eth is temporary disabled on API as output currency',
    fault: 'currency-disabled',
  },
  {
    row: 'error.fix-rate-currency-disabled-input',
    act: rates,
    code: -32_602,
    message: 'Invalid currency: btc is temporary disabled on API as input currency',
    fault: 'currency-disabled',
  },
  {
    row: 'error.fix-rate-currency-not-found',
    act: rates,
    code: -32_602,
    message: 'Invalid currency: btc not found',
    fault: 'currency-unknown',
  },
  {
    row: 'error.fix-rate-invalid-pair',
    act: rates,
    code: -32_602,
    message: 'Invalid pair: btc->eth not available or temporary disabled',
    fault: 'pair-unavailable',
  },
  {
    row: 'error.fix-rate-parameter-invalid',
    act: rates,
    code: -32_602,
    message: 'Parameter from is invalid',
    fault: 'parameter-invalid',
  },
  {
    row: 'error.fix-rate-id-expired-message',
    act: createFixed,
    code: -32_602,
    message:
      'Error: rateId was expired or already used. Use method getFixRateForAmount to generate new rateId',
    fault: 'rate-id-expired',
  },
  {
    row: 'error.fix-limit-exceeded',
    act: createFixed,
    code: -32_603,
    message: 'Error: Creating fix transactions limit exceeds, wait 5 minute',
    fault: 'fix-limit',
    became: 'rate-limited',
  },
  {
    row: 'error.for-amount-limits',
    act: rateForAmount,
    code: -32_600,
    message: 'Invalid amount: minimal amount is 0.01',
    fault: 'amount-below-minimum',
    limit: '0.01',
  },
  {
    row: 'error.for-amount-limits',
    act: rateForAmount,
    code: -32_600,
    message: 'Invalid amount: maximal amount for btc->eth is 7',
    fault: 'amount-above-maximum',
    limit: '7',
  },
];

describe('an error of the service', () => {
  eachRow(
    'client:exchange-orders.',
    REPORTED.map(
      ({ row, ...reported }) => [row, reported.message, reported.fault, reported] as const,
    ),
  )('"%s" is %s', async (message, fault, { act, code, became = 'service-refused', limit }) => {
    const { client, service } = await openScripted([error(code, message)]);
    const rejection = await rejectionOf(act(client));
    expect(rejection).toMatchObject({
      code: became,
      serviceCode: code,
      serviceMessage: message,
      httpStatus: 200,
      fault,
      limit: limit === undefined ? undefined : d(limit),
    });
    expect(rejection.message).toContain(message);
    expect(service.requests).toHaveLength(1);
  });

  test.each(['Internal Error', 'Error'])(
    '"%s" leaves the outcome of a create unknown, and a read is sent again',
    { tags: ['client:exchange-orders.error.32603-internal'] },
    async (message) => {
      const doubtful = await openScripted([error(-32_603, message)]);
      expect(await rejectionOf(create(doubtful.client))).toMatchObject({
        code: 'outcome-unknown',
        fault: 'internal',
      });
      expect(doubtful.service.requests).toHaveLength(1);
      const reading = await openScripted([error(-32_603, message)], {
        retries: { attempts: 3, firstUs: 1, longestUs: 1 },
      });
      expect(await rejectionOf(currencies(reading.client))).toMatchObject({
        code: 'service-unavailable',
        fault: 'internal',
      });
      expect(reading.service.requests).toHaveLength(3);
    },
  );

  eachRow('client:exchange-orders.', [
    ['error.32603-rps', -32_603],
    ['error.rps-either-code', -32_603],
    ['error.rps-either-code', -32_600],
  ] as const)('"You reached requests limit" under %s says that nothing was done', async (code) => {
    const message = 'Error: You reached requests limit 10 rps';
    const { client } = await openScripted([error(code, message)]);
    expect(await rejectionOf(create(client))).toMatchObject({
      code: 'rate-limited',
      class: 'rate-limit',
      fault: 'requests-limit',
      serviceCode: code,
    });
  });

  test(
    'returns the limits of an amount, as decimals',
    { tags: ['client:exchange-orders.error.error-limits-data'] },
    async () => {
      const data = {
        limits: {
          min: { from: '0.00100000', to: '0.02' },
          max: { from: 5, to: '99999999.123456789' },
        },
      };
      const { client } = await openScripted([
        error(-32_602, 'Invalid amount for pair btc->eth', data),
      ]);
      const rejection = await rejectionOf(create(client));
      expect(rejection.limits).toEqual({
        min: { from: d('0.001'), to: d('0.02') },
        max: { from: d('5'), to: d('99999999.123456789') },
      });
      expect(rejection.data).toEqual(data);
    },
  );

  test(
    'needs no data, and may have any',
    { tags: ['client:exchange-orders.error.error-object'] },
    async () => {
      const { client } = await openScripted([
        error(-32_602, 'Invalid params'),
        error(-32_602, 'Invalid params', 'amountFrom'),
        error(-32_602, 'Invalid params', { limits: { min: 'none' } }),
      ]);
      const rejections = [
        await rejectionOf(create(client)),
        await rejectionOf(create(client)),
        await rejectionOf(create(client)),
      ];
      expect(rejections.map(({ data, limits }) => [data, limits])).toEqual([
        [undefined, undefined],
        ['amountFrom', undefined],
        [{ limits: { min: 'none' } }, undefined],
      ]);
    },
  );

  test.each([200, 400, 401])(
    'is looked for in the body, under the status %s',
    { tags: ['client:exchange-orders.error.http-200-errors'] },
    async (status) => {
      const { client } = await openScripted([
        error(-32_602, 'Invalid payout address', undefined, status),
      ]);
      expect(await rejectionOf(create(client))).toMatchObject({
        code: 'service-refused',
        fault: 'address-invalid',
        httpStatus: status,
      });
    },
  );
});
