import { describe, expect, test } from 'vitest';
import { openHarness, OUTSIDE, type WalletHarness, type Query } from './harness.ts';

const ADDRESS = '/api/3/wallet/crypto/address';

interface Address {
  readonly currency: string;
  readonly address: string;
  readonly payment_id?: string;
  readonly network_code: string;
}

const listed = (branch: WalletHarness, query: Query = {}) =>
  branch.ok<Address[]>('ann', 'GET', ADDRESS, query);
const make = (branch: WalletHarness, params: object) =>
  branch.ok<Address>('ann', 'POST', ADDRESS, params);

describe('deposit addresses', () => {
  test(
    'are listed by currency and network; the one that is asked for is made and comes first',
    { tags: ['server:trading-v3.wallet.get-address'] },
    async () => {
      const branch = await openHarness();
      expect(await listed(branch)).toEqual([]);
      const tron = await listed(branch, { currency: 'USDT', network_code: 'TRX' });
      expect(tron).toEqual([
        { currency: 'USDT', address: expect.any(String), network_code: 'TRX' },
      ]);
      const xrp = await listed(branch, { currency: 'XRP' });
      expect(xrp).toEqual([
        {
          currency: 'XRP',
          address: expect.any(String),
          payment_id: expect.stringMatching(/^\d+$/),
          network_code: 'XRP',
        },
      ]);
      const usdt = await listed(branch, { currency: 'USDT' });
      expect(usdt.map((each) => each.network_code)).toEqual(['ETH', 'TRX']);
      expect(await listed(branch, { currency: 'USDT' })).toEqual(usdt);
      expect(await listed(branch)).toHaveLength(3);
      expect(await listed(branch, { network_code: 'TRX' })).toEqual(tron);
    },
  );

  test(
    'are created on the network that is named',
    { tags: ['server:trading-v3.wallet.post-address'] },
    async () => {
      const branch = await openHarness();
      const [old] = await listed(branch, { currency: 'USDT', network_code: 'TRX' });
      const made = await make(branch, { currency: 'USDT', network_code: 'TRX' });
      expect(made).toEqual({ currency: 'USDT', address: expect.any(String), network_code: 'TRX' });
      expect(made.address).not.toBe(old?.address);
      expect(await listed(branch, { currency: 'USDT', network_code: 'TRX' })).toContainEqual(made);
      expect(await make(branch, { currency: 'USDT' })).toMatchObject({ network_code: 'ETH' });
    },
  );

  test.each([
    [{ currency: 'GBP' }, 2002],
    [{ currency: 'USDT', network_code: 'BTC' }, 10001],
    [{ currency: 'EUR' }, 600],
    [{}, 10001],
  ])('are not made for %j', async (params, code) => {
    const branch = await openHarness();
    expect(await branch.rejected('ann', 'POST', ADDRESS, params)).toEqual([400, code]);
    if ('currency' in params) {
      expect(await branch.rejected('ann', 'GET', ADDRESS, params)).toEqual([400, code]);
    }
  });

  test(
    'are remembered, the last ten of a currency, newest first',
    { tags: ['server:trading-v3.wallet.get-recent-deposit'] },
    async () => {
      const branch = await openHarness();
      const made: Address[] = [];
      for (let i = 0; i < 12; i += 1) {
        const network_code = i === 11 ? 'TRX' : 'ETH';
        made.unshift(await make(branch, { currency: 'USDT', network_code }));
      }
      await make(branch, { currency: 'BTC' });
      const recent = (query: Query) => branch.ok('ann', 'GET', `${ADDRESS}/recent-deposit`, query);
      expect(await recent({ currency: 'USDT' })).toEqual(made.slice(0, 10));
      expect(await recent({ currency: 'USDT', network_code: 'TRX' })).toEqual(made.slice(0, 1));
      expect(
        await branch.rejected('ann', 'GET', `${ADDRESS}/recent-deposit`, { currency: 'GBP' }),
      ).toEqual([400, 2002]);
    },
  );

  test(
    'are known to be their owner’s, on their network',
    { tags: ['server:trading-v3.wallet.get-check-mine'] },
    async () => {
      const branch = await openHarness();
      const { address } = await make(branch, { currency: 'USDT', network_code: 'TRX' });
      const check = (as: string, query: Query) =>
        branch.ok(as, 'GET', `${ADDRESS}/check-mine`, query);
      expect(await check('ann', { address })).toEqual({ result: true });
      expect(await check('ann', { address, network_code: 'TRX' })).toEqual({ result: true });
      expect(await check('ann', { address, network_code: 'ETH' })).toEqual({ result: false });
      expect(await check('bob', { address })).toEqual({ result: false });
    },
  );
});

describe('addresses outside', () => {
  test(
    'are remembered, the last ten different ones of a currency, newest first',
    { tags: ['server:trading-v3.wallet.get-recent-withdraw'] },
    async () => {
      const branch = await openHarness();
      const withdraw = (currency: string, address: string, more: object = {}) =>
        branch.ok('ann', 'POST', '/api/3/wallet/crypto/withdraw', {
          currency,
          amount: '1',
          address,
          ...more,
        });
      await withdraw('XRP', OUTSIDE, { payment_id: '9' });
      for (let i = 0; i < 12; i += 1) await withdraw('USDT', `to-${i}`);
      await withdraw('USDT', 'to-11', { network_code: 'TRX' });
      await withdraw('USDT', 'to-5');
      const recent = (query: Query) => branch.ok('ann', 'GET', `${ADDRESS}/recent-withdraw`, query);
      const eth = (index: number) => ({
        currency: 'USDT',
        address: `to-${index}`,
        network_code: 'ETH',
      });
      const tron = { ...eth(11), network_code: 'TRX' };
      expect(await recent({ currency: 'USDT' })).toEqual([
        eth(5),
        tron,
        ...[11, 10, 9, 8, 7, 6, 4, 3].map(eth),
      ]);
      expect(await recent({ currency: 'USDT', network_code: 'TRX' })).toEqual([tron]);
      expect(await recent({ currency: 'XRP' })).toEqual([
        { currency: 'XRP', address: OUTSIDE, payment_id: '9', network_code: 'XRP' },
      ]);
      expect(
        await branch.rejected('ann', 'GET', `${ADDRESS}/recent-withdraw`, { currency: 'GBP' }),
      ).toEqual([400, 2002]);
    },
  );

  test(
    'are listed where their owner trusts them',
    { tags: ['server:trading-v3.wallet.get-white-list'] },
    async () => {
      const branch = await openHarness();
      const trusted = { address: OUTSIDE, currency: 'BTC', name: 'cold', network: 'BTC' };
      const url = `${ADDRESS}/white-list`;
      expect(await branch.ok('ann', 'GET', url)).toEqual([]);
      branch.venue.trading.exchange.wallet.trust(branch.account('ann'), trusted);
      expect(await branch.ok('ann', 'GET', url)).toEqual([trusted]);
      expect(await branch.ok('bob', 'GET', url)).toEqual([]);
    },
  );
});
