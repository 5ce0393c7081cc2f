import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { isConserved } from '../../swaps/chains/harness.ts';
import { openExchangeVenue, type ExchangeVenue } from './kit.ts';

type Texts = Readonly<Record<string, string>>;

const pair = { from: 'eth', to: 'usdceth' };

/** A float transaction that somebody without money yet gets the payout of. */
const float = (venue: ExchangeVenue, more: object = {}): Promise<Texts> =>
  venue.result<Texts>('createTransaction', {
    ...pair,
    amountFrom: '1',
    address: venue.address('usdceth', 'payee'),
    ...more,
  });

async function fixed(venue: ExchangeVenue): Promise<Texts> {
  const [rate] = await venue.result<Texts[]>('getFixRateForAmount', { ...pair, amountFrom: '1' });
  return venue.result<Texts>('createFixTransaction', {
    ...pair,
    amountFrom: '1',
    address: venue.address('usdceth', 'payee'),
    rateId: rate?.['id'],
    refundAddress: venue.address('eth', 'refunded'),
  });
}

const status = (venue: ExchangeVenue, id: string | undefined): Promise<string> =>
  venue.result<string>('getStatus', { id });

async function record(venue: ExchangeVenue, id: string | undefined): Promise<Texts> {
  const [found] = await venue.result<Texts[]>('getTransactions', { id });
  if (found === undefined) throw new Error('there is no such transaction');
  return found;
}

/** Past three blocks of Ethereum. */
const CONFIRMED = 37;

describe('A float transaction', () => {
  it(
    'is new in one answer, then waits, confirms, exchanges, sends and finishes with amountExpectedTo less networkFee',
    {
      tags: [
        'server:exchange-orders.state.new',
        'server:exchange-orders.state.waiting',
        'server:exchange-orders.state.confirming',
        'server:exchange-orders.state.exchanging',
        'server:exchange-orders.state.sending',
        'server:exchange-orders.state.finished',
        'server:exchange-orders.method.get-status',
        'server:exchange-orders.conv.payout-formula',
        'server:exchange-orders.state.moves',
      ],
    },
    async () => {
      const venue = await openExchangeVenue();
      const made = await float(venue);
      expect(made['status']).toBe('new');
      expect(await status(venue, made['id'])).toBe('waiting');
      expect((await record(venue, made['id']))['status']).toBe('waiting');
      const paid = venue.pay('eth', made['payinAddress'] ?? '', '1');
      expect(await status(venue, made['id'])).toBe('confirming');
      venue.pass(25);
      const confirming = await record(venue, made['id']);
      expect(confirming).toMatchObject({
        status: 'confirming',
        payinConfirmations: '2',
        payinHash: paid.hash,
        amountFrom: '1',
        moneyReceived: 0,
      });
      venue.pass(12);
      expect(await status(venue, made['id'])).toBe('exchanging');
      const payee = venue.address('usdceth', 'payee');
      expect(venue.balance('usdceth', payee)).toBe('0');
      venue.pass(20);
      expect(await status(venue, made['id'])).toBe('sending');
      const expected = new Decimal(made['amountExpectedTo'] ?? 0).minus(made['networkFee'] ?? 0);
      expect(venue.balance('usdceth', payee)).toBe(expected.toFixed());
      expect(expected.toFixed()).toBe('2992');
      venue.pass(20);
      expect(await status(venue, made['id'])).toBe('finished');
      venue.pass(86_400);
      expect(await status(venue, made['id'])).toBe('finished');
      expect(venue.balance('eth', made['payinAddress'] ?? '')).toBe('0');
      expect(isConserved(venue.chains)).toBe(true);
    },
  );

  it(
    'is overdue when it is not paid in time',
    { tags: ['server:exchange-orders.state.overdue'] },
    async () => {
      const venue = await openExchangeVenue();
      const made = await float(venue);
      venue.pass(3 * 3600 - 1);
      expect(await status(venue, made['id'])).toBe('waiting');
      venue.pass(1);
      expect(await status(venue, made['id'])).toBe('overdue');
    },
  );

  it(
    'fails below the minimum, and is refunded by hand',
    { tags: ['server:exchange-orders.state.failed'] },
    async () => {
      const venue = await openExchangeVenue();
      const refundAddress = venue.address('eth', 'refunded');
      const made = await float(venue, { refundAddress });
      venue.pay('eth', made['payinAddress'] ?? '', '0.001');
      venue.pass(CONFIRMED);
      expect(await record(venue, made['id'])).toMatchObject({
        status: 'failed',
        canRefund: true,
        canPush: false,
        amountTo: null,
      });
      venue.pass(86_400);
      expect(await status(venue, made['id'])).toBe('failed');
      expect(venue.service.manualActions.refund(made['id'] ?? '')).toBeUndefined();
      expect(await status(venue, made['id'])).toBe('refunded');
      expect(venue.balance('eth', refundAddress)).toBe('0.001');
      expect(venue.service.manualActions.refund(made['id'] ?? '')?.code).toBe(
        'order-state-invalid',
      );
    },
  );

  it('fails where the money for the payout has gone, and keeps what was paid in', async () => {
    const venue = await openExchangeVenue();
    const made = await float(venue);
    venue.pay('eth', made['payinAddress'] ?? '', '1');
    venue.pass(CONFIRMED);
    const inventory = venue.service.inventoryAt('ethereum');
    const lots = venue.chains.balance(10, inventory);
    const to = venue.address('usdceth', 'thief');
    venue.chains.transfer({ token: 10, from: inventory, to, lots });
    venue.pass(20);
    expect(await status(venue, made['id'])).toBe('failed');
    expect(venue.balance('eth', made['payinAddress'] ?? '')).toBe('1');
    expect(venue.service.manualActions.refund(made['id'] ?? '')?.code).toBe('address-missing');
    const back = venue.address('eth', 'back');
    expect(venue.service.manualActions.refund(made['id'] ?? '', back)).toBeUndefined();
    expect(venue.balance('eth', back)).toBe('1');
  });

  it(
    'is held for a check, goes on when released, and can be refunded instead',
    { tags: ['server:exchange-orders.state.hold', 'server:exchange-orders.state.refunded'] },
    async () => {
      const venue = await openExchangeVenue();
      const refundAddress = venue.address('eth', 'refunded');
      const [one, two] = [await float(venue), await float(venue, { refundAddress })];
      for (const { payinAddress } of [one, two]) venue.pay('eth', payinAddress ?? '', '1');
      for (const { id } of [one, two])
        expect(venue.service.manualActions.hold(id ?? '')).toBeUndefined();
      expect(venue.service.manualActions.release(one['id'] ?? '')?.code).toBe(
        'order-state-invalid',
      );
      venue.pass(600);
      expect(await record(venue, one['id'])).toMatchObject({
        status: 'hold',
        canPush: true,
        canRefund: false,
        payinConfirmations: '3',
      });
      expect(venue.service.manualActions.release(one['id'] ?? '')).toBeUndefined();
      expect(venue.service.manualActions.refund(two['id'] ?? '')).toBeUndefined();
      expect(await status(venue, one['id'])).toBe('exchanging');
      venue.pass(60);
      expect(await status(venue, one['id'])).toBe('finished');
      const refunded = await record(venue, two['id']);
      expect(refunded).toMatchObject({
        status: 'refunded',
        canRefund: false,
        refundHash: expect.any(String) as string,
        refundHashLink: expect.stringContaining(refunded['refundHash'] ?? '') as string,
      });
      expect(venue.balance('eth', refundAddress)).toBe('1');
    },
  );

  it('goes by the rate of the moment at which it is exchanged', async () => {
    const venue = await openExchangeVenue();
    const made = await float(venue);
    venue.pay('eth', made['payinAddress'] ?? '', '2');
    venue.value['ETH'] = '2000';
    venue.pass(120);
    const done = await record(venue, made['id']);
    expect(done).toMatchObject({ amountExpectedTo: '2992.5', amountFrom: '2', rate: '2000' });
    expect(done['amountTo']).toBe('3989.5');
  });
});

describe('Money that comes otherwise', () => {
  it(
    'exchanges what comes to the same address again, at the rate of then, as a transaction of its own',
    { tags: ['server:exchange-orders.method.create-transaction-repeat-payin'] },
    async () => {
      const venue = await openExchangeVenue();
      const made = await float(venue);
      const payinAddress = made['payinAddress'] ?? '';
      venue.pay('eth', payinAddress, '1');
      venue.pass(120);
      venue.value['ETH'] = '4000';
      venue.pay('eth', payinAddress, '0.5');
      venue.pass(120);
      const all = await venue.result<Texts[]>('getTransactions', { address: payinAddress });
      expect(all).toMatchObject([
        { status: 'finished', amountFrom: '0.5', amountTo: '1994.5', payinAddress },
        { status: 'finished', amountFrom: '1', amountTo: '2992', id: made['id'] },
      ]);
      expect(venue.balance('usdceth', venue.address('usdceth', 'payee'))).toBe('4986.5');
      // One that is overdue is as good as one that was paid.
      const late = await float(venue);
      venue.pass(3 * 3600);
      venue.pay('eth', late['payinAddress'] ?? '', '1');
      venue.pass(120);
      expect(await status(venue, late['id'])).toBe('overdue');
      const [again] = await venue.result<Texts[]>('getTransactions', {});
      expect(again).toMatchObject({ status: 'finished', payinAddress: late['payinAddress'] });
    },
  );

  it(
    'leaves what comes without the extra id where it is, for support',
    { tags: ['server:exchange-orders.method.payin-without-extra-id'] },
    async () => {
      const venue = await openExchangeVenue();
      const made = await float(venue, { from: 'xrp', amountFrom: '100' });
      const payinAddress = made['payinAddress'] ?? '';
      const stray = venue.pay('xrp', payinAddress, '100');
      venue.pay('xrp', payinAddress, '100', '1');
      venue.pass(600);
      expect(await status(venue, made['id'])).toBe('waiting');
      expect(venue.balance('xrp', payinAddress)).toBe('200');
      expect(venue.service.strays()).toHaveLength(2);
      venue.pay('xrp', payinAddress, '100', made['payinExtraId']);
      venue.pass(600);
      expect(await status(venue, made['id'])).toBe('finished');
      expect(venue.balance('xrp', payinAddress)).toBe('200');
      const back = venue.address('xrp', 'back');
      expect(venue.service.returnStray(stray.hash, back)).toMatchObject({ order: made['id'] });
      expect(venue.service.returnStray(stray.hash, back)).toMatchObject({
        code: 'transaction-unknown',
      });
      expect(venue.balance('xrp', back)).toBe('100');
    },
  );

  it('leaves money of another currency where it is', async () => {
    const venue = await openExchangeVenue();
    const made = await float(venue);
    venue.pay('usdceth', made['payinAddress'] ?? '', '50');
    venue.pass(120);
    expect(await status(venue, made['id'])).toBe('waiting');
    expect(venue.service.strays()).toMatchObject([{ order: made['id'], lots: 50_000_000n }]);
  });
});

describe('A fixed transaction', () => {
  it(
    'pays what was sent times the rate less the network fee, wherever the market goes',
    { tags: ['server:exchange-orders.method.fix-rate-payout'] },
    async () => {
      const venue = await openExchangeVenue();
      const made = await fixed(venue);
      venue.value['ETH'] = '1';
      venue.pay('eth', made['payinAddress'] ?? '', '1');
      venue.pass(120);
      expect(await record(venue, made['id'])).toMatchObject({
        status: 'finished',
        amountTo: '2992',
      });
      expect(venue.balance('usdceth', venue.address('usdceth', 'payee'))).toBe('2992');
    },
  );

  it(
    'expires when it is not paid until payTill',
    { tags: ['server:exchange-orders.state.expired'] },
    async () => {
      const venue = await openExchangeVenue();
      const made = await fixed(venue);
      venue.pass(1199.8);
      expect(await status(venue, made['id'])).toBe('waiting');
      venue.pass(0.1);
      expect(await status(venue, made['id'])).toBe('expired');
      expect(venue.balance('usdceth', venue.address('usdceth', 'payee'))).toBe('0');
    },
  );

  it('fails when another amount is paid, and gives it back', async () => {
    const venue = await openExchangeVenue();
    const made = await fixed(venue);
    venue.pay('eth', made['payinAddress'] ?? '', '1.5');
    venue.pass(CONFIRMED);
    expect(await status(venue, made['id'])).toBe('failed');
    venue.pass(20);
    expect(await status(venue, made['id'])).toBe('refunded');
    expect(venue.balance('eth', venue.address('eth', 'refunded'))).toBe('1.5');
    expect(venue.balance('usdceth', venue.address('usdceth', 'payee'))).toBe('0');
  });
});

describe('A private send', () => {
  it('pays out of other money than was paid in, in the same currency', async () => {
    const venue = await openExchangeVenue();
    const address = venue.address('usdceth', 'payee');
    const ask = { currency: 'usdceth', amount: '1000', address };
    const made = await venue.result<Texts>('createPrivateSendTransaction', ask);
    const before = new Decimal(venue.balance('usdceth', venue.service.inventoryAt('ethereum')));
    venue.pay('usdceth', made['payinAddress'] ?? '', '1000');
    venue.pass(120);
    const [done] = await venue.result<Texts[]>('getPrivateSendTransactions', { id: made['id'] });
    expect(done).toMatchObject({ status: 'finished', serviceFee: '2.5' });
    expect(venue.balance('usdceth', address)).toBe('997.5');
    expect(venue.balance('usdceth', venue.service.inventoryAt('ethereum'))).toBe(before.toFixed());
    const payout = venue.chains.transaction('ethereum', done?.['payoutHash'] ?? '');
    expect(payout).toMatchObject({ from: venue.service.inventoryAt('ethereum'), to: address });
    expect(await venue.result('getTransactions', {})).toEqual([]);
  });
});
