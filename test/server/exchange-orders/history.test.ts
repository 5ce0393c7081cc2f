import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { OTHER_KEY, openExchangeVenue, type ExchangeVenue } from './kit.ts';

type Texts = Readonly<Record<string, string>>;

const pair = { from: 'eth', to: 'usdceth' };

const float = (venue: ExchangeVenue, more: object = {}): Promise<Texts> =>
  venue.result<Texts>('createTransaction', {
    ...pair,
    amountFrom: '1',
    address: venue.address('usdceth', 'payee'),
    ...more,
  });

const idsOf = async (venue: ExchangeVenue, params: unknown): Promise<string[]> =>
  (await venue.result<Texts[]>('getTransactions', params)).map(({ id = '' }) => id);

describe('The record of a transaction', () => {
  it(
    'has null for what has no value yet, and leaves out what does not apply',
    {
      tags: [
        'server:exchange-orders.method.get-transactions',
        'server:exchange-orders.method.transaction-record',
        'server:exchange-orders.method.transaction-unknown-values',
        'server:exchange-orders.method.transaction-money-received',
        'server:exchange-orders.method.transaction-money-sent',
        'server:exchange-orders.method.transaction-refund-omitted',
        'server:exchange-orders.method.transaction-pay-till',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const made = await float(venue);
      expect(await venue.result('getTransactions', {})).toEqual([
        {
          ...made,
          status: 'waiting',
          moneyReceived: 0,
          rate: '3000',
          payinConfirmations: '0',
          payinHash: null,
          payoutHash: null,
          payoutHashLink: null,
          amountFrom: null,
          amountTo: null,
          changellyFee: '0.25',
          apiExtraFee: '0',
          totalFee: '8',
          canPush: false,
          canRefund: false,
        },
      ]);
    },
  );

  it(
    'has hashes, times and fees once they are known',
    {
      tags: [
        'server:exchange-orders.method.transaction-record-hashes',
        'server:exchange-orders.method.transaction-fee-units',
      ],
    },
    async () => {
      const venue = await openExchangeVenue({ client: { extraFee: new Decimal('0.5') } });
      const refundAddress = venue.address('eth', 'refunded');
      const to = { to: 'xrp', address: venue.address('xrp', 'payee'), extraId: '5' };
      const made = await float(venue, { ...to, refundAddress });
      const paid = venue.pay('eth', made['payinAddress'] ?? '', '1');
      const paidAt = venue.scheduler.now();
      venue.pass(120);
      const [done] = await venue.result<Texts[]>('getTransactions', {});
      const payoutHash = venue.service.orders()[0]?.payout?.hash ?? '';
      expect(done).toMatchObject({
        payinHash: paid.hash,
        payoutHash,
        payoutExtraId: '5',
        refundAddress,
        payoutHashLink: `https://explorer.invalid/solana/tx/${payoutHash}`,
        moneyReceived: paidAt + 36_000_000,
        moneySent: paidAt + 56_000_000,
        // 6000 before fees; 0.25 and 0.5 percent of it and 0.2 for the network.
        changellyFee: '0.25',
        apiExtraFee: '0.5',
        networkFee: '0.2',
        totalFee: '45.2',
        amountFrom: '1',
        amountTo: '5954.8',
      });
      expect(venue.chains.transaction('solana', payoutHash)).toMatchObject({
        to: venue.address('xrp', 'payee'),
        lots: 5_954_800_000n,
        memo: '5',
      });
      const fees = venue.service.feesAt('solana', { client: 'client' });
      expect(venue.balance('xrp', fees)).toBe('30');
      expect(venue.balance('xrp', venue.service.feesAt('solana', 'service'))).toBe('15');
      expect(venue.balance('xrp', venue.service.feesAt('solana', 'network'))).toBe('0.2');
    },
  );

  it(
    'has the extra id to pay with, and names of extra ids where there are some',
    {
      tags: [
        'server:exchange-orders.method.transaction-payin-extra-id',
        'server:exchange-orders.method.transaction-extra-id-names',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const tagged = { from: 'xrp', to: 'eth', amountFrom: '100', address: venue.address('eth') };
      const made = await venue.result<Texts>('createTransaction', tagged);
      await float(venue, { to: 'xrp', address: venue.address('xrp') });
      const [out, into] = await venue.result<Texts[]>('getTransactions', {});
      expect(into).toMatchObject({
        payinExtraId: made['payinExtraId'],
        payinExtraIdName: 'Destination tag',
      });
      expect(into).not.toHaveProperty('payoutExtraIdName');
      expect(out).toMatchObject({ payinExtraId: null, payoutExtraIdName: 'Destination tag' });
      expect(out).not.toHaveProperty('payinExtraIdName');
    },
  );

  it('has payTill for fixed rates only', async () => {
    const venue = await openExchangeVenue();
    const [rate] = await venue.result<Texts[]>('getFixRate', pair);
    const parties = { address: venue.address('usdceth'), refundAddress: venue.address('eth') };
    const managedOrder = { ...pair, amountFrom: '1', rateId: rate?.['id'], ...parties };
    const made = await venue.result<Texts>('createFixTransaction', managedOrder);
    await float(venue);
    const [other, fixed] = await venue.result<Texts[]>('getTransactions', {});
    expect(fixed).toMatchObject({ type: 'fixed', payTill: made['payTill'] });
    expect(other).not.toHaveProperty('payTill');
  });
});

describe('Which transactions are sent', () => {
  it(
    'filters by one value and by several',
    {
      tags: [
        'server:exchange-orders.method.get-transactions-id',
        'server:exchange-orders.method.get-transactions-status',
        'server:exchange-orders.method.get-transactions-currency',
        'server:exchange-orders.method.get-transactions-address',
        'server:exchange-orders.method.get-transactions-payout-address',
        'server:exchange-orders.method.get-transactions-extra-id',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const one = await float(venue);
      const two = await float(venue, { from: 'btc', address: venue.address('usdceth', 'second') });
      const third = { to: 'xrp', address: venue.address('xrp', 'third'), extraId: '31' };
      const three = await float(venue, third);
      const all = [one, two, three];
      const [a, b, c] = all.map(({ id = '' }) => id);
      venue.pay('btc', two['payinAddress'] ?? '', '1');
      const cases: readonly (readonly [string, unknown, readonly unknown[]])[] = [
        ['id', a, [a]],
        ['id', [a, c], [c, a]],
        ['status', 'confirming', [b]],
        ['status', ['waiting', 'confirming'], [c, b, a]],
        ['status', 'new', [c, a]],
        ['status', 'finished', []],
        ['currency', 'btc', [b]],
        ['currency', ['btc', 'eth'], [c, b, a]],
        ['address', three['payinAddress'], [c]],
        ['address', [one['payinAddress'], two['payinAddress']], [b, a]],
        ['payoutAddress', third.address, [c]],
        ['payoutAddress', all.map(({ payoutAddress }) => payoutAddress), [c, b, a]],
        ['extraId', '31', [c]],
        ['extraId', '3', []],
      ];
      for (const [name, value, expected] of cases) {
        expect(await idsOf(venue, { [name]: value })).toEqual(expected);
      }
      expect(await venue.result('getTransactions', {}, { privateKey: OTHER_KEY })).toEqual([]);
    },
  );

  it(
    'keeps what was created since then, and before',
    {
      tags: [
        'server:exchange-orders.method.get-transactions-since',
        'server:exchange-orders.method.get-transactions-before',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const made = [await float(venue), await float(venue), await float(venue)];
      const [a, b, c] = made.map(({ id = '' }) => id);
      const at = Number(made[1]?.['createdAt']);
      expect(await idsOf(venue, { since: at })).toEqual([c, b]);
      expect(await idsOf(venue, { since: at + 1 })).toEqual([c]);
      expect(await idsOf(venue, { before: at })).toEqual([a]);
      expect(await idsOf(venue, { before: at + 1 })).toEqual([b, a]);
      for (const time of [Math.floor(at / 1_000), 'yesterday', 1.5]) {
        const invalid = [-32602, 'Parameter since is invalid'];
        expect(await venue.error('getTransactions', { since: time })).toEqual(invalid);
      }
    },
  );

  it(
    'gives ten, or up to a hundred after an offset; more are refused',
    {
      tags: [
        'server:exchange-orders.method.get-transactions-paging',
        'server:exchange-orders.limit.page-size-over',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      for (let i = 0; i < 12; i += 1) await float(venue);
      const ids = venue.service
        .orders()
        .map(({ id }) => id)
        .toReversed();
      expect(await idsOf(venue, {})).toEqual(ids.slice(0, 10));
      expect(await idsOf(venue, { offset: 9 })).toEqual(ids.slice(9));
      expect(await idsOf(venue, { limit: 100 })).toEqual(ids);
      expect(await idsOf(venue, { limit: 2, offset: 3 })).toEqual(ids.slice(3, 5));
      for (const limit of [101, 0, -1, 1.5]) {
        const invalid = [-32602, 'Parameter limit is invalid'];
        expect(await venue.error('getTransactions', { limit })).toEqual(invalid);
        expect(await venue.error('getPrivateSendTransactions', { limit })).toEqual(invalid);
      }
    },
  );

  it(
    'takes ten elements and not eleven',
    { tags: ['server:exchange-orders.limit.array-filter-10'] },
    async () => {
      const venue = await openExchangeVenue();
      for (const name of ['id', 'currency', 'address', 'payoutAddress']) {
        const ten = Array.from({ length: 10 }, (_, i) => `x${i}`);
        expect(await venue.result('getTransactions', { [name]: ten })).toEqual([]);
        expect(await venue.error('getTransactions', { [name]: [...ten, 'x'] })).toEqual([
          -32602,
          `Parameter ${name} is invalid`,
        ]);
      }
    },
  );

  it(
    'knows no transactions of others',
    { tags: ['server:exchange-orders.method.get-status-unknown'] },
    async () => {
      const venue = await openExchangeVenue();
      const { id } = await float(venue);
      const unknown = [-32602, 'Invalid id: transaction not found'];
      expect(await venue.error('getStatus', { id }, { privateKey: OTHER_KEY })).toEqual(unknown);
      expect(await venue.error('getStatus', { id: 'nothing' })).toEqual(unknown);
      expect(await venue.result('getStatus', { id })).toBe('waiting');
    },
  );
});

describe('Private sends', () => {
  const privateSend = (venue: ExchangeVenue, currency: string, more: object = {}) =>
    venue.result<Texts>('createPrivateSendTransaction', {
      currency,
      amount: '100',
      address: venue.address(currency, 'payee'),
      ...more,
    });

  const idsOfSends = async (venue: ExchangeVenue, params: unknown) =>
    (await venue.result<Texts[]>('getPrivateSendTransactions', params)).map(({ id }) => id);

  it(
    'has a record of its own, money received and sent once it was',
    {
      tags: [
        'server:exchange-orders.method.get-private-send-transactions',
        'server:exchange-orders.method.private-send-record',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const made = await privateSend(venue, 'usdceth');
      await float(venue);
      const waiting = { status: 'waiting', payinConfirmations: '0', moneyReceived: 0 };
      const hashes = { payinHash: null, payoutHash: null };
      expect(await venue.result('getPrivateSendTransactions')).toEqual([
        { ...made, ...waiting, ...hashes },
      ]);
      venue.pay('usdceth', made['payinAddress'] ?? '', '100');
      const paidAt = venue.scheduler.now();
      venue.pass(120);
      const [order] = venue.service.orders();
      expect(await venue.result('getPrivateSendTransactions')).toEqual([
        {
          ...made,
          status: 'finished',
          payinConfirmations: '3',
          payinHash: order?.payin?.hash,
          payoutHash: order?.payout?.hash,
          moneyReceived: paidAt + 36_000_000,
          moneySent: paidAt + 56_000_000,
        },
      ]);
    },
  );

  it(
    'filters and pages them',
    {
      tags: [
        'server:exchange-orders.method.private-send-filters',
        'server:exchange-orders.method.private-send-since-before',
        'server:exchange-orders.method.private-send-paging',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const made = [
        await privateSend(venue, 'usdceth'),
        await privateSend(venue, 'xrp', { addressExtraId: '8' }),
      ];
      const [a, b] = made.map(({ id }) => id);
      venue.pay('usdceth', made[0]?.['payinAddress'] ?? '', '100');
      const cases: readonly (readonly [string, unknown, readonly unknown[]])[] = [
        ['id', a, [a]],
        ['status', 'confirming', [a]],
        ['status', 'waiting', [b]],
        ['currency', 'xrp', [b]],
        ['payinAddress', made[1]?.['payinAddress'], [b]],
        ['payoutAddress', venue.address('usdceth', 'payee'), [a]],
        ['payoutExtraId', '8', [b]],
        ['since', made[1]?.['createdAt'], [b]],
        ['since', made[0]?.['createdAt'], [b, a]],
        ['before', made[1]?.['createdAt'], [a]],
        ['before', made[0]?.['createdAt'], []],
        ['limit', 1, [b]],
        ['offset', 1, [a]],
      ];
      for (const [name, value, expected] of cases) {
        expect(await idsOfSends(venue, { [name]: value })).toEqual(expected);
      }
      for (let i = 0; i < 10; i += 1) await privateSend(venue, 'usdceth');
      expect(await idsOfSends(venue, {})).toHaveLength(10);
      expect(await idsOfSends(venue, { limit: 100 })).toHaveLength(12);
    },
  );
});
