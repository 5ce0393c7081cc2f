import { describe, expect, it } from 'vitest';
import { OTHER_KEY, openExchangeVenue, type ExchangeVenue } from './kit.ts';

type Texts = Readonly<Record<string, string>>;

const pair = { from: 'eth', to: 'usdceth' };

const managedOrderOf = (venue: ExchangeVenue, more: object = {}) => ({
  ...pair,
  amountFrom: '1',
  address: venue.address('usdceth', 'payee'),
  ...more,
});

async function fixedManagedOrder(venue: ExchangeVenue, more: object = {}) {
  const [rate] = await venue.result<Texts[]>('getFixRateForAmount', { ...pair, amountFrom: '1' });
  return managedOrderOf(venue, {
    rateId: rate?.['id'],
    refundAddress: venue.address('eth'),
    ...more,
  });
}

describe('createTransaction', () => {
  it(
    'answers just the fifteen members of a new float transaction',
    {
      tags: [
        'server:exchange-orders.method.create-transaction',
        'server:exchange-orders.method.create-transaction-result',
        'server:exchange-orders.method.create-transaction-float',
        'server:exchange-orders.method.create-transaction-new',
        'server:exchange-orders.conv.micro-timestamps',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const made = await venue.result<Texts>('createTransaction', managedOrderOf(venue));
      expect(made).toEqual({
        id: expect.stringMatching(/^[\da-z]{16}$/) as string,
        type: 'float',
        status: 'new',
        payinAddress: expect.any(String) as string,
        payinExtraId: null,
        payoutAddress: venue.address('usdceth', 'payee'),
        payoutExtraId: null,
        refundAddress: null,
        refundExtraId: null,
        amountExpectedFrom: '1',
        amountExpectedTo: '2992.5',
        currencyFrom: 'eth',
        currencyTo: 'usdceth',
        createdAt: venue.scheduler.now(),
        networkFee: '0.5',
      });
      expect(JSON.stringify(made['createdAt'])).toMatch(/^\d{16}$/);
      expect(venue.chains.isAddress('ethereum', made['payinAddress'] ?? '')).toBe(true);
    },
  );

  it(
    'takes extra ids, refund and sender addresses',
    { tags: ['server:exchange-orders.method.create-transaction-optional'] },
    async () => {
      const venue = await openExchangeVenue();
      const xrp = venue.address('xrp');
      const made = await venue.result<Texts>('createTransaction', {
        from: 'xrp',
        to: 'eth',
        amountFrom: '100',
        address: venue.address('eth'),
        refundAddress: xrp,
        refundExtraId: '77',
        fromAddress: xrp,
        fromExtraId: '78',
      });
      expect(made).toMatchObject({ refundAddress: xrp, refundExtraId: '77' });
      expect(made['payinExtraId']).toMatch(/^\d+$/);
      const out = await venue.result<Texts>('createTransaction', {
        from: 'eth',
        to: 'xrp',
        amountFrom: '1',
        address: xrp,
        extraId: '99',
      });
      expect(out).toMatchObject({ payoutExtraId: '99' });
      expect(venue.service.orders()[0]).toMatchObject({ fromAddress: xrp, fromExtraId: '78' });
      const wrong = managedOrderOf(venue, { fromAddress: 'nowhere' });
      expect(await venue.error('createTransaction', wrong)).toEqual([
        -32602,
        'Invalid fromAddress',
      ]);
      expect(
        await venue.error('createTransaction', managedOrderOf(venue, { extraId: '9' })),
      ).toEqual([-32602, 'Invalid extraId']);
    },
  );

  it(
    'gives each transaction a payin address of its own',
    { tags: ['server:exchange-orders.method.create-transaction-address-pair'] },
    async () => {
      const venue = await openExchangeVenue();
      const managedOrder = managedOrderOf(venue);
      const [one, two] = [
        await venue.result<Texts>('createTransaction', managedOrder),
        await venue.result<Texts>('createTransaction', managedOrder),
      ];
      expect(one['payinAddress']).not.toBe(two['payinAddress']);
      expect([one['payoutAddress'], two['payoutAddress']]).toEqual([
        managedOrder.address,
        managedOrder.address,
      ]);
    },
  );

  it(
    'takes JSON from clients with whom that was arranged',
    { tags: ['server:exchange-orders.method.create-transaction-user-metadata'] },
    async () => {
      const arranged = await openExchangeVenue({ client: { userMetadata: true } });
      const userMetadata = '{"campaign":"spring"}';
      await arranged.result('createTransaction', managedOrderOf(arranged, { userMetadata }));
      expect(arranged.service.orders()[0]?.userMetadata).toBe(userMetadata);
      const invalid = [-32602, 'Invalid userMetadata'];
      const broken = managedOrderOf(arranged, { userMetadata: '{campaign' });
      expect(await arranged.error('createTransaction', broken)).toEqual(invalid);
      const other = { privateKey: OTHER_KEY };
      const managedOrder = managedOrderOf(arranged, { userMetadata });
      expect(await arranged.error('createTransaction', managedOrder, other)).toEqual(invalid);
      expect(arranged.service.orders()).toHaveLength(1);
    },
  );

  it(
    'expects what getExchangeAmount estimates',
    { tags: ['server:exchange-orders.method.amount-expected-to-estimate'] },
    async () => {
      const venue = await openExchangeVenue();
      venue.value['ETH'] = '2987.654321';
      const params = { ...pair, amountFrom: '1.2345678901' };
      const [estimate] = await venue.result<Texts[]>('getExchangeAmount', params);
      const made = await venue.result<Texts>('createTransaction', managedOrderOf(venue, params));
      expect(made['amountExpectedTo']).toBe(estimate?.['amountTo']);
      expect(made['amountExpectedTo']).toMatch(/^3679\.\d+$/);
    },
  );
});

describe('What createTransaction refuses, and nothing changes', () => {
  const limits = { min: { from: '0.00333334' }, max: { from: '166.66666666' } };

  it(
    'names the limit that an amount breaks',
    {
      tags: [
        'server:exchange-orders.error.create-invalid-amount-minimal',
        'server:exchange-orders.error.create-invalid-amount-maximal',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const before = venue.state();
      const low = await venue.ask(
        'createTransaction',
        managedOrderOf(venue, { amountFrom: '0.00333333' }),
      );
      expect(low.body.error).toMatchObject({
        code: -32602,
        message: 'Invalid amount for pair eth->usdceth. Minimal amount is 0.00333334 eth',
        data: { limits },
      });
      const high = await venue.ask(
        'createTransaction',
        managedOrderOf(venue, { amountFrom: '166.7' }),
      );
      expect(high.body.error).toMatchObject({
        code: -32602,
        message: 'Invalid amount for pair eth->usdceth. Maximum amount is 166.66666666 eth',
        data: { limits },
      });
      expect(venue.state()).toBe(before);
      await venue.result('createTransaction', managedOrderOf(venue, { amountFrom: '0.00333334' }));
      await venue.result(
        'createTransaction',
        managedOrderOf(venue, { amountFrom: '166.66666666' }),
      );
    },
  );

  it(
    'hides the limits from partners without that right',
    { tags: ['server:exchange-orders.error.create-invalid-amount'] },
    async () => {
      const venue = await openExchangeVenue({ client: { limitsUnreported: true } });
      for (const amountFrom of ['0.001', '1000']) {
        const { body } = await venue.ask(
          'createTransaction',
          managedOrderOf(venue, { amountFrom }),
        );
        const message = 'Invalid amount for pair eth->usdceth';
        expect(body.error).toEqual({ code: -32602, message });
      }
    },
  );

  it(
    'says how much is available',
    { tags: ['server:exchange-orders.error.create-not-enough-liquidity'] },
    async () => {
      const venue = await openExchangeVenue();
      const { Decimal } = await import('../../../src/model/decimal.ts');
      venue.service.currencies.change('usdceth', { liquidity: new Decimal(1500) });
      const { body } = await venue.ask('createTransaction', managedOrderOf(venue));
      expect(body.error).toMatchObject({
        code: -32602,
        message: 'Not enough liquidity in pair eth->usdceth. Max amount is 0.5 eth.',
        data: { limits: { max: { from: '0.5', to: '1496.25' } } },
      });
      await venue.result('createTransaction', managedOrderOf(venue, { amountFrom: '0.5' }));
    },
  );

  it(
    'says why the two are not exchanged',
    {
      tags: [
        'server:exchange-orders.error.create-currency-disabled',
        'server:exchange-orders.error.create-currency-disabled-output',
        'server:exchange-orders.error.create-currency-disabled-input',
        'server:exchange-orders.error.create-currency-not-found',
        'server:exchange-orders.error.create-invalid-pair',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({
        currencies: {
          btc: { enabled: false },
          sol: { enabledTo: false },
          xrp: { enabledFrom: false },
        },
      });
      venue.service.currencies.changePair('eth', 'usdcsol', false);
      const before = venue.state();
      const cases: readonly (readonly [string, string, string])[] = [
        ['btc', 'eth', 'Invalid currency: btc temporary disabled'],
        ['eth', 'sol', 'Invalid currency: sol is temporary disabled on API as output currency'],
        ['xrp', 'eth', 'Invalid currency: xrp is temporary disabled on API as input currency'],
        ['doge', 'eth', 'Invalid currency: doge not found'],
        ['eth', 'ETH', 'Invalid currency: ETH not found'],
        ['eth', 'usdcsol', 'Invalid pair: eth->usdcsol not available or temporary disabled'],
      ];
      for (const [from, to, message] of cases) {
        const managedOrder = managedOrderOf(venue, { from, to });
        expect(await venue.error('createTransaction', managedOrder)).toEqual([-32602, message]);
      }
      expect(venue.state()).toBe(before);
    },
  );

  it(
    'names a malformed parameter, and not a missing one',
    {
      tags: [
        'server:exchange-orders.error.create-invalid-param',
        'server:exchange-orders.error.create-invalid-params',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const before = venue.state();
      for (const name of ['from', 'to', 'amountFrom', 'address']) {
        const missing = managedOrderOf(venue, { [name]: undefined });
        expect(await venue.error('createTransaction', missing)).toEqual([-32602, 'Invalid params']);
        const malformed = managedOrderOf(venue, { [name]: ['1'] });
        expect(await venue.error('createTransaction', malformed)).toEqual([
          -32602,
          `Invalid ${name}`,
        ]);
      }
      for (const amountFrom of ['0', '-1', 'much', '1e99', '1.0000000000000000001']) {
        expect(
          await venue.error('createTransaction', managedOrderOf(venue, { amountFrom })),
        ).toEqual([-32602, 'Invalid amountFrom']);
      }
      expect(await venue.error('createTransaction')).toEqual([-32602, 'Invalid params']);
      expect(venue.state()).toBe(before);
    },
  );

  it(
    'refuses addresses of other networks',
    {
      tags: [
        'server:exchange-orders.error.create-invalid-payout-address',
        'server:exchange-orders.error.create-invalid-refund-address',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const before = venue.state();
      const foreign = venue.address('btc');
      expect(
        await venue.error('createTransaction', managedOrderOf(venue, { address: foreign })),
      ).toEqual([-32602, 'Invalid payout address']);
      const refund = managedOrderOf(venue, { refundAddress: foreign });
      expect(await venue.error('createTransaction', refund)).toEqual([
        -32602,
        'Invalid refund address',
      ]);
      expect(venue.state()).toBe(before);
    },
  );

  it(
    'says when no payin address can be made',
    { tags: ['server:exchange-orders.error.create-address-generation'] },
    async () => {
      const venue = await openExchangeVenue();
      venue.service.broken.addresses = true;
      expect(await venue.error('createTransaction', managedOrderOf(venue))).toEqual([
        -32603,
        'An error encountered during address generation. Please try again later',
      ]);
      expect(venue.service.orders()).toEqual([]);
    },
  );
});

describe('createFixTransaction', () => {
  const gone = [
    -32602,
    'Error: rateId was expired or already used. Use method getFixRateForAmount to generate new rateId',
  ];

  it(
    'answers a new fixed transaction, to be paid within the time of the payin currency',
    {
      tags: [
        'server:exchange-orders.method.create-fix-transaction',
        'server:exchange-orders.method.create-fix-transaction-result',
        'server:exchange-orders.limit.fixed-payment-time',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({ currencies: { eth: { fixedTimeMs: 900_000 } } });
      const managedOrder = await fixedManagedOrder(venue);
      const made = await venue.result<Texts>('createFixTransaction', managedOrder);
      expect(made).toEqual({
        id: expect.stringMatching(/^[\da-z]{16}$/) as string,
        type: 'fixed',
        status: 'new',
        payTill: '2026-01-05T10:15:00.200+00:00',
        createdAt: venue.scheduler.now(),
        currencyFrom: 'eth',
        currencyTo: 'usdceth',
        payinAddress: expect.any(String) as string,
        payoutAddress: managedOrder.address,
        refundAddress: venue.address('eth'),
        amountExpectedFrom: '1',
        amountExpectedTo: '2992.5',
        networkFee: '0.5',
      });
      const due = Date.parse(made['payTill'] ?? '') * 1_000;
      expect(due - Number(made['createdAt'])).toBe(900_000_000);
      const again = await fixedManagedOrder(venue, { amountFrom: undefined, amountTo: '2992' });
      expect(await venue.result('createFixTransaction', again)).toMatchObject({
        amountExpectedFrom: '1',
        amountExpectedTo: '2992.5',
      });
    },
  );

  it(
    'refuses one without rate id, refund address or just one amount',
    { tags: ['server:exchange-orders.method.create-fix-rate-required'] },
    async () => {
      const venue = await openExchangeVenue();
      const managedOrder = await fixedManagedOrder(venue);
      const before = venue.state();
      for (const name of ['rateId', 'refundAddress', 'amountFrom', 'address', 'from', 'to']) {
        const missing = { ...managedOrder, [name]: undefined };
        expect(await venue.error('createFixTransaction', missing)).toEqual([
          -32602,
          'Invalid params',
        ]);
      }
      expect(await venue.error('createFixTransaction', { ...managedOrder, amountTo: '1' })).toEqual(
        [-32602, 'Invalid amountTo'],
      );
      expect(venue.state()).toBe(before);
    },
  );

  it(
    'takes a rate id once, for its pair and its client',
    {
      tags: [
        'server:exchange-orders.method.create-fix-rate-single-use',
        'server:exchange-orders.error.fix-rate-id-expired-message',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const managedOrder = await fixedManagedOrder(venue);
      const unused = venue.state();
      const other = { privateKey: OTHER_KEY };
      expect(await venue.error('createFixTransaction', managedOrder, other)).toEqual(gone);
      const elsewhere = { ...managedOrder, to: 'usdctro', address: venue.address('usdctro') };
      expect(await venue.error('createFixTransaction', elsewhere)).toEqual(gone);
      expect(
        await venue.error('createFixTransaction', { ...managedOrder, rateId: 'none' }),
      ).toEqual(gone);
      const nowhere = { ...managedOrder, address: 'nowhere' };
      expect(await venue.error('createFixTransaction', nowhere)).toEqual([
        -32602,
        'Invalid payout address',
      ]);
      // What was refused has not used it up.
      expect(venue.state()).toBe(unused);
      await venue.result('createFixTransaction', managedOrder);
      const used = venue.state();
      expect(await venue.error('createFixTransaction', managedOrder)).toEqual(gone);
      expect(venue.state()).toBe(used);
    },
  );

  it(
    'takes a rate id until the minute is over, and not then',
    {
      tags: [
        'server:exchange-orders.error.fix-rate-id-expired',
        'server:exchange-orders.limit.rate-id-one-minute',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      venue.pass(0.9);
      const [early, late] = [await fixedManagedOrder(venue), await fixedManagedOrder(venue)];
      const open = venue.service.openRates();
      expect(open[0]?.expiresAt).toBe(venue.scheduler.now() - 100_000 + 60_000_000);
      // A request comes a tenth of a second later, which is the moment at which it expires.
      venue.pass(59.8);
      const before = venue.state();
      expect(await venue.error('createFixTransaction', early)).toEqual(gone);
      expect(venue.state()).toBe(before);
      expect(await venue.result('createFixTransaction', late)).toMatchObject({ type: 'fixed' });
    },
  );
});

describe('createPrivateSendTransaction', () => {
  it(
    'answers the record of a private send without what is not known yet',
    { tags: ['server:exchange-orders.method.create-private-send-transaction'] },
    async () => {
      const venue = await openExchangeVenue();
      const address = venue.address('xrp', 'payee');
      const made = await venue.result<Texts>('createPrivateSendTransaction', {
        currency: 'xrp',
        amount: '100',
        address,
        addressExtraId: '5',
      });
      expect(made).toEqual({
        id: expect.stringMatching(/^[\da-z]{16}$/) as string,
        createdAt: venue.scheduler.now(),
        status: 'new',
        currency: 'xrp',
        amount: '100',
        amountFrom: '100',
        payinAddress: expect.any(String) as string,
        payinExtraId: expect.stringMatching(/^\d+$/) as string,
        payoutAddress: address,
        payoutExtraId: '5',
        serviceFee: '0.25',
        extraFee: '0',
      });
      expect(
        await venue.error('createPrivateSendTransaction', {
          currency: 'xrp',
          amount: '1',
          address,
        }),
      ).toEqual([-32602, 'Invalid amount for pair xrp->xrp. Minimal amount is 20 xrp']);
      expect(await venue.error('createPrivateSendTransaction', { currency: 'xrp' })).toEqual([
        -32602,
        'Invalid params',
      ]);
    },
  );
});

describe('What is not offered', () => {
  it(
    'has no method to push or refund',
    { tags: ['server:exchange-orders.method.no-push-refund'] },
    async () => {
      const venue = await openExchangeVenue();
      for (const method of ['push', 'refund', 'pushTransaction', 'refundTransaction']) {
        expect(await venue.error(method, { id: 'x' })).toEqual([-32601, 'Method not found']);
      }
    },
  );
});
