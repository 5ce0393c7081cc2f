import { describe, expect, onTestFinished, test } from 'vitest';
import { ExchangeOrdersClient, type ExchangeOrderFault } from '../../../src/clients.ts';
import {
  openExchangeVenue,
  PRIVATE_KEY,
  UNKNOWN_KEY,
  type ExchangeVenue,
} from '../../server/exchange-orders/kit.ts';
import { d } from '../trading/kit/values.ts';
import { openSubscriptions, pem, managedOrderOf } from './service.ts';
import { rejectionOf } from './scripted.ts';
import { eachRow } from '../../conformance/each-row.ts';

describe('what the service refuses', () => {
  type Change = (venue: ExchangeVenue) => void;
  interface Case {
    readonly row: string;
    readonly change?: Change;
    readonly managedOrder?: Readonly<Record<string, string>>;
    readonly fault: ExchangeOrderFault;
    readonly code?: string;
  }
  const change =
    (ticker: string, to: Parameters<ExchangeVenue['service']['currencies']['change']>[1]): Change =>
    ({ service }) => {
      service.currencies.change(ticker, to);
    };
  const CASES: readonly Case[] = [
    {
      row: 'create-invalid-amount-minimal',
      managedOrder: { amountFrom: '1' },
      fault: 'amount-below-minimum',
    },
    {
      row: 'create-invalid-amount-maximal',
      managedOrder: { amountFrom: '900000' },
      fault: 'amount-above-maximum',
    },
    {
      row: 'create-currency-disabled',
      change: change('sol', { enabled: false }),
      fault: 'currency-disabled',
    },
    {
      row: 'create-currency-disabled-output',
      change: change('sol', { enabledTo: false }),
      fault: 'currency-disabled',
    },
    {
      row: 'create-currency-disabled-input',
      change: change('usdceth', { enabledFrom: false }),
      fault: 'currency-disabled',
    },
    { row: 'create-currency-not-found', managedOrder: { to: 'none' }, fault: 'currency-unknown' },
    {
      row: 'create-invalid-pair',
      change: ({ service }) => {
        service.currencies.changePair('usdceth', 'sol', false);
      },
      fault: 'pair-unavailable',
    },
    {
      row: 'create-invalid-payout-address',
      managedOrder: { address: 'no' },
      fault: 'address-invalid',
    },
    {
      row: 'create-invalid-refund-address',
      managedOrder: { refundAddress: 'no' },
      fault: 'address-invalid',
    },
    {
      row: 'create-not-enough-liquidity',
      change: change('sol', { liquidity: d('0.5') }),
      fault: 'liquidity-insufficient',
    },
    {
      row: 'create-address-generation',
      change: ({ service }) => {
        service.broken.addresses = true;
      },
      fault: 'address-generation',
      code: 'service-unavailable',
    },
    {
      row: '32603-internal',
      change: ({ service }) => {
        service.broken.inside = true;
      },
      fault: 'internal',
      code: 'outcome-unknown',
    },
  ];

  eachRow(
    'client:exchange-orders.error.',
    CASES.map(({ row, fault, ...given }) => [row, row, fault, given] as const),
  )(
    '%s is %s, and nothing was created',
    async (_row, fault, { change: first, managedOrder = {}, code = 'service-refused' }) => {
      const { venue, client } = await openSubscriptions();
      first?.(venue);
      const rejection = await rejectionOf(
        client.createTransaction({ ...managedOrderOf(venue), ...managedOrder }),
      );
      expect(rejection).toMatchObject({ fault, code, httpStatus: 200 });
      expect(venue.service.orders()).toHaveLength(0);
    },
  );

  test(
    'has the limits of an amount',
    { tags: ['client:exchange-orders.error.error-limits-data'] },
    async () => {
      const { venue, client } = await openSubscriptions();
      const rejection = await rejectionOf(
        client.createTransaction({ ...managedOrderOf(venue), amountFrom: '1' }),
      );
      expect(rejection.limits?.min?.from).toEqual(rejection.limit);
      expect(rejection.limits?.max?.to?.greaterThan(0)).toBe(true);
    },
  );

  test(
    'or not, where that is arranged',
    { tags: ['client:exchange-orders.error.create-invalid-amount'] },
    async () => {
      const { venue, client } = await openSubscriptions({ client: { limitsUnreported: true } });
      const rejection = await rejectionOf(
        client.createTransaction({ ...managedOrderOf(venue), amountFrom: '1' }),
      );
      expect(rejection).toMatchObject({ fault: 'amount-invalid', limit: undefined });
    },
  );

  test(
    'is a method that the key may not call',
    { tags: ['client:exchange-orders.error.32603-not-allowed'] },
    async () => {
      const { client } = await openSubscriptions({ client: { methods: ['getStatus'] } });
      expect(await rejectionOf(client.getCurrencies())).toMatchObject({
        fault: 'method-forbidden',
        class: 'authorization',
      });
    },
  );

  test(
    'is an eleventh request within a second',
    { tags: ['client:exchange-orders.error.32603-rps'] },
    async () => {
      const venue = await openExchangeVenue();
      const settings = { privateKey: pem(PRIVATE_KEY), requestsPerSecond: 1_000 };
      const client = new ExchangeOrdersClient({
        url: venue.base,
        retries: { attempts: 1 },
        ...settings,
      });
      onTestFinished(() => client.close());
      const calls = Array.from({ length: 10 }, () => client.getCurrencies());
      await Promise.all(calls);
      expect(await rejectionOf(client.getCurrencies())).toMatchObject({
        code: 'rate-limited',
        fault: 'requests-limit',
      });
      venue.pass(1);
      expect(await client.getCurrencies()).not.toEqual([]);
    },
  );

  test('is a key that it does not know', async () => {
    const { venue } = await openSubscriptions();
    const unknown = new ExchangeOrdersClient({
      url: venue.base,
      privateKey: pem(UNKNOWN_KEY),
      retries: { attempts: 1 },
    });
    onTestFinished(() => unknown.close());
    expect(await rejectionOf(unknown.getCurrencies())).toMatchObject({
      class: 'authorization',
      httpStatus: 401,
    });
  });
});
