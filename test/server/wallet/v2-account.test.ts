import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { MINUTE, openHarness, OUTSIDE, type Query } from './harness.ts';
import { ACCOUNT, WITHDRAW, withdraw, transaction, list, market, asksFor } from './v2-banking.ts';

describe('the account of version 2', () => {
  test(
    'has what is available and what is reserved',
    { tags: ['server:trading-v2.wallet.get-account-balance'] },
    async () => {
      const branch = await openHarness();
      await withdraw(branch);
      expect(await branch.ok('ann', 'GET', `${ACCOUNT}/balance`)).toEqual([
        { currency: 'BTC', available: '8.9995', reserved: '1.0005' },
        { currency: 'USDT', available: '10000', reserved: '0' },
        { currency: 'XRP', available: '1000', reserved: '0' },
      ]);
      await asksFor(branch, 'payment', ['GET', `${ACCOUNT}/balance`]);
    },
  );

  test(
    'is distinguished from the amount that one can trade with',
    { tags: ['server:trading-v2.wallet.get-trading-balance'] },
    async () => {
      const branch = await openHarness();
      await branch.ok('ann', 'POST', `${ACCOUNT}/transfer`, {
        currency: 'USDT',
        amount: '50',
        type: 'bankToExchange',
      });
      const rows = await branch.ok<Query[]>('ann', 'GET', '/api/2/trading/balance');
      expect(rows).toContainEqual({ currency: 'USDT', available: '50', reserved: '0' });
      await asksFor(branch, 'read', ['GET', '/api/2/trading/balance']);
    },
  );

  test(
    'has a current deposit address, made when it is first asked for',
    { tags: ['server:trading-v2.wallet.get-address'] },
    async () => {
      const branch = await openHarness();
      const url = `${ACCOUNT}/crypto/address/USDT`;
      const first = await branch.ok<Query>('ann', 'GET', url);
      expect(first).toEqual({ address: expect.any(String) });
      expect(await branch.ok('ann', 'GET', url)).toEqual(first);
      expect(await branch.rejected('ann', 'GET', `${ACCOUNT}/crypto/address/GBP`)).toEqual([
        400, 2002,
      ]);
      await asksFor(branch, 'payment', ['GET', url]);
    },
  );

  test(
    'gets a new deposit address, which is current from then on',
    { tags: ['server:trading-v2.wallet.post-address'] },
    async () => {
      const branch = await openHarness();
      const url = `${ACCOUNT}/crypto/address/USDT`;
      const first = await branch.ok('ann', 'GET', url);
      const second = await branch.ok('ann', 'POST', url);
      expect(second).not.toEqual(first);
      expect(await branch.ok('ann', 'GET', url)).toEqual(second);
      await asksFor(branch, 'payment', ['POST', url]);
    },
  );

  test(
    'has addresses with a payment id where the network needs one',
    { tags: ['server:trading-v2.wallet.address-record'] },
    async () => {
      const branch = await openHarness();
      expect(await branch.ok('ann', 'GET', `${ACCOUNT}/crypto/address/XRP`)).toEqual({
        address: expect.any(String),
        paymentId: expect.stringMatching(/^\d+$/),
      });
    },
  );

  test(
    'remembers the last ten deposit addresses of a currency',
    { tags: ['server:trading-v2.wallet.get-addresses'] },
    async () => {
      const branch = await openHarness();
      const made: unknown[] = [];
      for (let i = 0; i < 12; i += 1) {
        made.unshift(await branch.ok('ann', 'POST', `${ACCOUNT}/crypto/address/USDT`));
      }
      await branch.ok('ann', 'POST', `${ACCOUNT}/crypto/address/BTC`);
      const url = `${ACCOUNT}/crypto/addresses/USDT`;
      expect(await branch.ok('ann', 'GET', url)).toEqual(made.slice(0, 10));
      expect(await branch.rejected('ann', 'GET', `${ACCOUNT}/crypto/addresses/GBP`)).toEqual([
        400, 2002,
      ]);
      await asksFor(branch, 'payment', ['GET', url]);
    },
  );

  test(
    'remembers the last ten different addresses that a currency was withdrawn to',
    { tags: ['server:trading-v2.wallet.get-used-addresses'] },
    async () => {
      const branch = await openHarness();
      for (let i = 0; i < 12; i += 1)
        await withdraw(branch, { currency: 'USDT', address: `to-${i}` });
      await withdraw(branch, { currency: 'USDT', address: 'to-5' });
      const url = `${ACCOUNT}/crypto/used-addresses/USDT`;
      expect(await branch.ok('ann', 'GET', url)).toEqual(
        [5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map((index) => ({ address: `to-${index}` })),
      );
      expect(await branch.rejected('ann', 'GET', `${ACCOUNT}/crypto/used-addresses/GBP`)).toEqual([
        400, 2002,
      ]);
      await asksFor(branch, 'payment', ['GET', url]);
    },
  );

  test('knows its own addresses', { tags: ['server:trading-v2.wallet.get-is-mine'] }, async () => {
    const branch = await openHarness();
    const { address = '' } = await branch.ok<Query>('ann', 'GET', `${ACCOUNT}/crypto/address/BTC`);
    const url = `${ACCOUNT}/crypto/is-mine/${address}`;
    expect(await branch.ok('ann', 'GET', url)).toEqual({ result: true });
    expect(await branch.ok('bob', 'GET', url)).toEqual({ result: false });
    await asksFor(branch, 'payment', ['GET', url]);
  });
});

describe('a withdrawal in version 2', () => {
  test(
    'is one id, and asks for the right to withdraw',
    { tags: ['server:trading-v2.wallet.post-withdraw'] },
    async () => {
      const branch = await openHarness();
      const id = await withdraw(branch, {
        currency: 'XRP',
        paymentId: '77',
        publicComment: 'rent',
      });
      expect(await transaction(branch, id)).toMatchObject({
        id,
        type: 'payout',
        currency: 'XRP',
        amount: '1',
        fee: '0.25',
        address: OUTSIDE,
        paymentId: '77',
        publicComment: 'rent',
      });
      expect(await branch.balance('ann', 'XRP')).toBe('998.75 1.25');
      await asksFor(branch, 'withdraw', ['POST', WITHDRAW]);
    },
  );

  test(
    'pays its fee on top, or out of the amount where that is asked for',
    { tags: ['server:trading-v2.wallet.withdraw-include-fee'] },
    async () => {
      const branch = await openHarness();
      await withdraw(branch);
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 1.0005');
      const id = await withdraw(branch, { includeFee: true });
      expect(await branch.balance('ann', 'BTC')).toBe('7.9995 2.0005');
      expect(await transaction(branch, id)).toMatchObject({ amount: '0.9995', fee: '0.0005' });
    },
  );

  test(
    'is committed at once, or waits where that is asked for',
    { tags: ['server:trading-v2.wallet.withdraw-auto-commit'] },
    async () => {
      const branch = await openHarness();
      expect(await transaction(branch, await withdraw(branch))).toMatchObject({
        status: 'pending',
      });
      const waiting = await withdraw(branch, { autoCommit: false });
      branch.pass(10 * MINUTE);
      expect(await transaction(branch, waiting)).toMatchObject({ status: 'created' });
    },
  );

  test(
    'waits for an hour; a commit after that does not send it',
    { tags: ['server:trading-v2.wallet.withdraw-two-phase'] },
    async () => {
      const branch = await openHarness();
      const later = { autoCommit: false };
      const ids = [await withdraw(branch, later), await withdraw(branch, later)];
      const late = await withdraw(branch, later);
      branch.pass(60 * MINUTE - 1);
      await branch.ok('ann', 'PUT', `${WITHDRAW}/${ids[0] ?? ''}`);
      await branch.ok('ann', 'DELETE', `${WITHDRAW}/${ids[1] ?? ''}`);
      branch.pass(1);
      expect(await branch.rejected('ann', 'PUT', `${WITHDRAW}/${late}`)).toEqual([400, 20007]);
      branch.pass(MINUTE);
      const rows = await Promise.all([...ids, late].map((id) => transaction(branch, id)));
      expect(rows.map(({ status }) => status)).toEqual(['success', 'failed', 'failed']);
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
    },
  );

  test(
    'has a comment of at most 255 characters',
    { tags: ['server:trading-v2.wallet.withdraw-comment'] },
    async () => {
      const branch = await openHarness();
      const comment = (length: number) => ({
        currency: 'BTC',
        amount: '1',
        address: OUTSIDE,
        publicComment: 'x'.repeat(length),
      });
      expect(await branch.rejected('ann', 'POST', WITHDRAW, comment(256))).toEqual([400, 10001]);
      await branch.ok('ann', 'POST', WITHDRAW, comment(255));
    },
  );

  test(
    'is committed once, however often that is asked for',
    { tags: ['server:trading-v2.wallet.put-withdraw'] },
    async () => {
      const branch = await openHarness();
      const id = await withdraw(branch, { autoCommit: false });
      const url = `${WITHDRAW}/${id}`;
      for (let times = 0; times < 2; times += 1) {
        expect(await branch.ok('ann', 'PUT', url)).toEqual({ result: true });
        branch.pass(MINUTE);
        expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
      }
      expect(await list(branch, { currency: 'BTC' })).toHaveLength(2);
      await asksFor(branch, 'withdraw', ['PUT', url]);
    },
  );

  test(
    'is rolled back once, however often that is asked for',
    { tags: ['server:trading-v2.wallet.delete-withdraw'] },
    async () => {
      const branch = await openHarness();
      const url = `${WITHDRAW}/${await withdraw(branch, { autoCommit: false })}`;
      for (let times = 0; times < 2; times += 1) {
        expect(await branch.ok('ann', 'DELETE', url)).toEqual({ result: true });
        expect(await branch.balance('ann', 'BTC')).toBe('10 0');
      }
      await asksFor(branch, 'withdraw', ['DELETE', url]);
    },
  );

  test(
    'gets an estimate of the fee',
    { tags: ['server:trading-v2.wallet.get-estimate-withdraw-levels'] },
    async () => {
      const branch = await openHarness();
      const url = `${ACCOUNT}/crypto/estimate-withdraw-levels`;
      const asked = { currency: 'BTC', amount: '1' };
      expect(await branch.ok('ann', 'GET', url, asked)).toEqual({ fee: '0.0005' });
      await asksFor(branch, 'payment', ['GET', `${url}?currency=BTC&amount=1`]);
    },
  );
});

describe('money that moves in version 2', () => {
  test(
    'becomes another currency, in two transactions',
    { tags: ['server:trading-v2.wallet.post-transfer-convert'] },
    async () => {
      const branch = await openHarness();
      await market(branch);
      const url = `${ACCOUNT}/crypto/transfer-convert`;
      const { result } = await branch.ok<{ result: string[] }>('ann', 'POST', url, {
        fromCurrency: 'BTC',
        toCurrency: 'USDT',
        amount: '1',
      });
      expect(await branch.balance('ann', 'USDT')).toBe('50001 0');
      const rows = await Promise.all(result.map((id) => transaction(branch, id)));
      expect(rows).toMatchObject([
        { type: 'withdraw', subType: 'swap', currency: 'BTC', amount: '1' },
        { type: 'deposit', subType: 'swap', currency: 'USDT', amount: '40001' },
      ]);
      await asksFor(branch, 'payment', ['POST', url]);
    },
  );

  test.each([
    ['bankToExchange', '9995 0', '5 0'],
    ['exchangeToBank', '10005 0', '15 0'],
  ])(
    'goes its way by %s',
    {
      tags: [
        'server:trading-v2.wallet.post-transfer',
        'server:trading-v2.wallet.transfer-moves-funds',
      ],
    },
    async (type, wallet, spot) => {
      const branch = await openHarness();
      const { exchange } = branch.venue.trading;
      if (type === 'exchangeToBank') {
        exchange.deposit(branch.account('ann'), 'USDT', decimal('20'));
      }
      const url = `${ACCOUNT}/transfer`;
      const request = { currency: 'USDT', amount: '5', type };
      const answer = await branch.ok<{ id: string }>('ann', 'POST', url, request);
      expect(answer).toEqual({ id: expect.any(String) });
      expect(await transaction(branch, answer.id)).toMatchObject({ type, status: 'success' });
      expect(await branch.balance('ann', 'USDT')).toBe(wallet);
      expect(await branch.balance('ann', 'USDT', 'spot')).toBe(spot);
      await asksFor(branch, 'payment', ['POST', url]);
    },
  );

  test.each([
    ['email', 'bob@example.com'],
    ['username', 'bob'],
  ])(
    'reaches another user by %s',
    { tags: ['server:trading-v2.wallet.post-transfer-internal'] },
    async (by, identifier) => {
      const branch = await openHarness();
      const url = `${ACCOUNT}/transfer/internal`;
      const request = { currency: 'BTC', amount: '2', by, identifier };
      const { result } = await branch.ok<{ result: string }>('ann', 'POST', url, request);
      expect(await transaction(branch, result)).toMatchObject({
        type: 'payout',
        subType: 'offchain',
        status: 'success',
      });
      expect(await branch.balance('ann', 'BTC')).toBe('8 0');
      expect(await branch.balance('bob', 'BTC')).toBe('12 0');
      await asksFor(branch, 'withdraw', ['POST', url]);
    },
  );
});
