import { describe, expect, test } from 'vitest';
import { PRIVATE_KEY } from '../../server/exchange-orders/kit.ts';
import { d } from '../trading/kit/values.ts';
import { openSubscriptions, pem, managedOrderOf, type Subscriptions } from './service.ts';
import { rejectionOf } from './scripted.ts';

/** Lets time pass until an order is in a state; gives the states that it was seen in. */
async function until(
  { venue, client }: Subscriptions,
  id: string,
  state: string,
): Promise<string[]> {
  const seen: string[] = [];
  for (let second = 0; second < 600 && seen.at(-1) !== state; second += 1) {
    const status = await client.getStatus({ id });
    if (status !== seen.at(-1)) seen.push(status);
    venue.pass(2);
  }
  return seen;
}

describe('a transaction at the service', () => {
  test(
    'is created, new, waits, and once paid goes its way to its end',
    {
      tags: [
        'client:exchange-orders.method.create-transaction',
        'client:exchange-orders.method.create-transaction-new',
        'client:exchange-orders.state.new',
        'client:exchange-orders.state.waiting',
        'client:exchange-orders.state.confirming',
        'client:exchange-orders.state.exchanging',
        'client:exchange-orders.state.sending',
        'client:exchange-orders.state.finished',
        'client:exchange-orders.method.get-status',
      ],
    },
    async () => {
      const subscriptions = await openSubscriptions();
      const { venue, client } = subscriptions;
      const created = await client.createTransaction(managedOrderOf(venue));
      expect([created.status, created.type]).toEqual(['new', 'float']);
      expect(await client.getStatus({ id: created.id })).toBe('waiting');
      venue.pay('usdceth', created.payin.address, '300');
      expect(await until(subscriptions, created.id, 'finished')).toEqual([
        'confirming',
        'exchanging',
        'sending',
        'finished',
      ]);
      const [record] = await client.getTransactions({ id: created.id });
      expect(record).toMatchObject({ status: 'finished', amountFrom: d('300') });
      expect(record?.amountTo?.toFixed()).toBe(
        venue.balance('sol', venue.address('sol', 'receiver')),
      );
    },
  );

  test(
    'pays out what was expected less the fee of the network',
    { tags: ['client:exchange-orders.conv.payout-formula'] },
    async () => {
      const subscriptions = await openSubscriptions();
      const { venue, client } = subscriptions;
      const { id, payin, amountExpectedTo, networkFee } = await client.createTransaction(
        managedOrderOf(venue),
      );
      venue.pay('usdceth', payin.address, '300');
      await until(subscriptions, id, 'finished');
      expect(venue.balance('sol', venue.address('sol', 'receiver'))).toBe(
        amountExpectedTo.minus(networkFee).toFixed(),
      );
    },
  );

  test(
    'has the ids that its networks ask for beside addresses',
    {
      tags: [
        'client:exchange-orders.method.create-transaction-optional',
        'client:exchange-orders.method.transaction-payin-extra-id',
        'client:exchange-orders.method.transaction-extra-id-names',
      ],
    },
    async () => {
      const { venue, client } = await openSubscriptions();
      const created = await client.createTransaction({
        ...managedOrderOf(venue, 'xrp', 'sol'),
        refundExtraId: '7',
      });
      expect(created.payin.extraId).toMatch(/^\d+$/);
      const [record] = await client.getTransactions({ id: created.id });
      expect(record?.payin).toEqual({
        address: created.payin.address,
        extraId: created.payin.extraId,
        extraIdName: 'Destination tag',
      });
      expect(record?.refundExtraId).toBe('7');
    },
  );

  test(
    'at a fixed rate brings what amount, rate and fee say, and has a deadline',
    {
      tags: [
        'client:exchange-orders.method.create-fix-transaction',
        'client:exchange-orders.method.get-fix-rate-for-amount',
        'client:exchange-orders.method.fix-rate-payout',
        'client:exchange-orders.method.create-fix-transaction-result',
        'client:exchange-orders.method.transaction-pay-till',
      ],
    },
    async () => {
      const subscriptions = await openSubscriptions();
      const { venue, client } = subscriptions;
      const managedOrder = managedOrderOf(venue);
      const { from, to, amountFrom } = managedOrder;
      const [rate] = await client.getFixRateForAmount({ from, to, amountFrom });
      if (rate === undefined) throw new Error('there is a rate');
      const created = await client.createFixTransaction({ ...managedOrder, rateId: rate.id });
      expect(created).toMatchObject({ type: 'fixed', status: 'new' });
      expect(Date.parse(created.payTill) * 1_000).toBe(created.createdAt + 1_200_000_000);
      venue.pay(from, created.payin.address, amountFrom);
      await until(subscriptions, created.id, 'finished');
      const net = d(amountFrom).times(rate.result).minus(rate.networkFee);
      const received = d(venue.balance(to, managedOrder.address));
      expect(net.minus(received).abs().lessThanOrEqualTo('0.000000001')).toBe(true);
      expect((await client.getTransactions({ id: created.id }))[0]?.payTill).toBe(created.payTill);
    },
  );

  test(
    'takes a rate id once',
    { tags: ['client:exchange-orders.error.fix-rate-id-expired-message'] },
    async () => {
      const { venue, client } = await openSubscriptions();
      const managedOrder = managedOrderOf(venue);
      const { from, to, amountFrom } = managedOrder;
      const [rate] = await client.getFixRateForAmount({ from, to, amountFrom });
      const fixed = { ...managedOrder, rateId: rate?.id ?? '' };
      await client.createFixTransaction(fixed);
      expect(await rejectionOf(client.createFixTransaction(fixed))).toMatchObject({
        code: 'service-refused',
        fault: 'rate-id-expired',
      });
    },
  );

  test(
    'that is held is reported, and may be refunded',
    {
      tags: [
        'client:exchange-orders.state.hold',
        'client:exchange-orders.state.refunded',
        'client:exchange-orders.method.transaction-refund-omitted',
      ],
    },
    async () => {
      const { venue, client } = await openSubscriptions();
      const { id, payin } = await client.createTransaction(managedOrderOf(venue));
      venue.pay('usdceth', payin.address, '300');
      venue.pass(1);
      expect(venue.service.manualActions.hold(id)).toBeUndefined();
      const reported: string[] = [];
      const followed = client.follow(id, {
        everyUs: 1_000,
        changed: (status) => {
          reported.push(status);
        },
        held: () => {
          reported.push('held');
          expect(venue.service.manualActions.refund(id)).toBeUndefined();
        },
      });
      expect(await followed).toBe('refunded');
      expect(reported).toEqual(['hold', 'held', 'refunded']);
      const [record] = await client.getTransactions({ id });
      expect(record?.refundHash).toEqual(expect.any(String));
    },
  );

  test('may fail', { tags: ['client:exchange-orders.state.failed'] }, async () => {
    const { venue, client } = await openSubscriptions();
    const { id, payin } = await client.createTransaction(managedOrderOf(venue));
    venue.pay('usdceth', payin.address, '300');
    venue.pass(1);
    expect(venue.service.manualActions.fail(id, 'by hand')).toBeUndefined();
    expect(await client.follow(id)).toBe('failed');
  });

  test(
    'at a float rate is overdue and at a fixed one expires where nobody pays',
    { tags: ['client:exchange-orders.state.overdue', 'client:exchange-orders.state.expired'] },
    async () => {
      const { venue, client } = await openSubscriptions();
      const managedOrder = managedOrderOf(venue);
      const { from, to, amountFrom } = managedOrder;
      const [rate] = await client.getFixRateForAmount({ from, to, amountFrom });
      const float = await client.createTransaction(managedOrder);
      const fixed = await client.createFixTransaction({ ...managedOrder, rateId: rate?.id ?? '' });
      venue.pass(4 * 3_600);
      expect([await client.follow(float.id), await client.follow(fixed.id)]).toEqual([
        'overdue',
        'expired',
      ]);
    },
  );

  test(
    'are found by id, status, currency, payin address, payout address, time and page by page',
    {
      tags: [
        'client:exchange-orders.method.get-transactions',
        'client:exchange-orders.method.get-transactions-id',
        'client:exchange-orders.method.get-transactions-status',
        'client:exchange-orders.method.get-transactions-currency',
        'client:exchange-orders.method.get-transactions-address',
        'client:exchange-orders.method.get-transactions-payout-address',
        'client:exchange-orders.method.get-transactions-since',
        'client:exchange-orders.method.get-transactions-before',
        'client:exchange-orders.method.get-transactions-paging',
      ],
    },
    async () => {
      const { venue, client } = await openSubscriptions();
      const one = await client.createTransaction(managedOrderOf(venue));
      venue.pass(10);
      const two = await client.createTransaction({
        ...managedOrderOf(venue, 'btc', 'sol'),
        amountFrom: '1',
      });
      const found = async (filter: Parameters<typeof client.getTransactions>[0]) =>
        (await client.getTransactions(filter)).map(({ id }) => id).toSorted();
      const both = [one.id, two.id].toSorted();
      expect(await found({})).toEqual(both);
      expect(await found({ id: [one.id, 'another'] })).toEqual([one.id]);
      expect(await found({ status: ['waiting', 'hold'] })).toEqual(both);
      expect(await found({ status: 'finished' })).toEqual([]);
      expect(await found({ currency: 'BTC' })).toEqual([two.id]);
      expect(await found({ address: one.payin.address })).toEqual([one.id]);
      expect(await found({ payoutAddress: two.payoutAddress })).toEqual(both);
      expect(await found({ since: two.createdAt })).toEqual([two.id]);
      expect(await found({ before: two.createdAt })).toEqual([one.id]);
      const pages = [await found({ limit: 1 }), await found({ limit: 1, offset: 1 })];
      expect(pages.flat().toSorted()).toEqual(both);
    },
  );
});

describe('what the service offers', () => {
  test(
    'are currencies, pairs and their limits',
    {
      tags: [
        'client:exchange-orders.method.get-currencies',
        'client:exchange-orders.method.get-currencies-full',
        'client:exchange-orders.method.currency-record',
        'client:exchange-orders.method.get-pairs',
        'client:exchange-orders.method.get-pairs-params',
        'client:exchange-orders.method.get-min-amount',
      ],
    },
    async () => {
      const { venue, client } = await openSubscriptions();
      venue.service.currencies.change('eth', { enabled: false });
      const tickers = await client.getCurrencies();
      expect(tickers).toContain('usdceth');
      expect(tickers).not.toContain('eth');
      const all = await client.getCurrenciesFull();
      expect(all.find(({ ticker }) => ticker === 'eth')).toMatchObject({ enabled: false });
      expect(all.find(({ ticker }) => ticker === 'xrp')).toMatchObject({
        fullName: 'Ripple',
        enabledFrom: true,
        blockchainPrecision: 6,
        fixedTime: 1_200_000,
        extraIdName: 'Destination tag',
      });
      const pairs = await client.getPairs({ from: 'btc' });
      expect(pairs).toContainEqual({ from: 'btc', to: 'sol' });
      expect(pairs.every(({ from }) => from === 'btc')).toBe(true);
      const [limits] = await client.getPairsParams([{ from: 'btc', to: 'sol' }]);
      expect(limits?.minAmountFloat.greaterThan(0)).toBe(true);
      const least = await client.getMinAmount({ from: 'btc', to: 'sol' });
      expect(limits?.minAmountFloat.toFixed()).toBe(least);
    },
  );

  test(
    'has coin and network for partners with that right',
    { tags: ['client:exchange-orders.method.currency-alternative-mode'] },
    async () => {
      const { client } = await openSubscriptions({ client: { coinAndNetwork: true } });
      const [currency] = await client.getCurrenciesFull();
      expect([typeof currency?.coin, typeof currency?.network, currency?.protocol]).toEqual([
        'string',
        'string',
        undefined,
      ]);
    },
  );

  test(
    'are rates that end after a minute, and estimates',
    {
      tags: [
        'client:exchange-orders.method.get-fix-rate',
        'client:exchange-orders.method.fix-rate-record',
        'client:exchange-orders.conv.unix-seconds-expired-at',
        'client:exchange-orders.method.get-exchange-amount',
      ],
    },
    async () => {
      const { venue, client } = await openSubscriptions();
      const pair = { from: 'usdceth', to: 'sol' };
      const rates = await client.getFixRate([pair, { from: 'btc', to: 'sol' }]);
      expect(rates.map(({ from, to }) => `${from} ${to}`)).toEqual(['usdceth sol', 'btc sol']);
      expect(rates[0]?.expiredAt).toBe(venue.scheduler.now() / 1_000_000 + 60);
      const [estimate] = await client.getExchangeAmount({ ...pair, amountFrom: '300' });
      const created = await client.createTransaction(managedOrderOf(venue));
      expect(estimate?.amountTo).toEqual(created.amountExpectedTo);
      expect(estimate?.networkFee).toEqual(created.networkFee);
    },
  );

  test(
    'says which addresses are sound',
    { tags: ['client:exchange-orders.method.validate-address'] },
    async () => {
      const { venue, client } = await openSubscriptions();
      const address = venue.address('sol');
      expect(await client.validateAddress({ currency: 'sol', address })).toEqual({ result: true });
      const wrong = await client.validateAddress({ currency: 'sol', address: 'nowhere' });
      expect(wrong).toEqual({ result: false, message: expect.any(String) as string });
    },
  );

  test(
    'are private sends, by the key of their own account',
    {
      tags: [
        'client:exchange-orders.method.estimate-private-send',
        'client:exchange-orders.method.create-private-send-transaction',
        'client:exchange-orders.method.get-private-send-transactions',
        'client:exchange-orders.method.private-send-filters',
      ],
    },
    async () => {
      const { venue, client } = await openSubscriptions({}, { privateSendKey: pem(PRIVATE_KEY) });
      const managedOrder = {
        currency: 'usdceth',
        amount: '300',
        address: venue.address('usdceth', 'bob'),
      };
      const estimate = await client.estimatePrivateSend({ currency: 'usdceth', amount: '300' });
      const created = await client.createPrivateSendTransaction(managedOrder);
      expect(created.amount).toEqual(estimate.amount);
      const found = await client.getPrivateSendTransactions({
        payoutAddress: managedOrder.address,
      });
      expect(found).toMatchObject([{ id: created.id, status: 'waiting', payin: created.payin }]);
      expect(await client.getPrivateSendTransactions({ id: 'another' })).toEqual([]);
      expect(await client.getTransactions()).toEqual([]);
    },
  );
});
