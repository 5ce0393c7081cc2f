import { describe, expect, test } from 'vitest';
import { openHarness, type Query } from './harness.ts';
import { openVenue } from '../kit.ts';
import { eachRow } from '../../conformance/each-row.ts';

const FEE = '/api/3/wallet/crypto/fee';
const FEES = '/api/3/wallet/crypto/fees/estimate';

const BTC = { currency: 'BTC', amount: '2' };
const TRON = { currency: 'USDT', amount: '5', network_code: 'TRX' };

describe('the fee of a withdrawal', () => {
  test(
    'is that of the network, of the default one where none is named',
    { tags: ['server:trading-v3.wallet.get-fee-estimate'] },
    async () => {
      const branch = await openHarness();
      const fee = (query: Query) => branch.ok('ann', 'GET', `${FEE}/estimate`, query);
      expect(await fee(BTC)).toEqual({ fee: '0.0005' });
      expect(await fee({ currency: 'USDT', amount: '5' })).toEqual({ fee: '3' });
      expect(await fee(TRON)).toEqual({ fee: '1' });
    },
  );

  test.each([
    [{ ...BTC, currency: 'GBP' }, 2002],
    [{ ...BTC, network_code: 'TRX' }, 10001],
    [{ ...BTC, amount: '0' }, 10001],
    [{ currency: 'BTC' }, 10001],
  ])('is not shown for %j', async (query, code) => {
    const branch = await openHarness();
    expect(await branch.rejected('ann', 'GET', `${FEE}/estimate`, query)).toEqual([400, code]);
  });

  eachRow('server:trading-v3.wallet.', [
    ['post-fee-estimate-bulk', `${FEE}/estimate/bulk`],
    ['post-fees-estimate', FEES],
  ])('is told of several at once: %s', async (url) => {
    const branch = await openHarness();
    expect(await branch.ok('ann', 'POST', url, [BTC, TRON])).toEqual([
      { fee: '0.0005', networkFee: '0.0005', amount: '2', currency: 'BTC' },
      { fee: '1', networkFee: '1', amount: '5', currency: 'USDT' },
    ]);
    expect(await branch.ok('ann', 'POST', url, [])).toEqual([]);
    const second = await branch.venue.call('POST', url, {
      as: 'ann',
      json: [BTC, { ...BTC, currency: 'GBP' }],
    });
    expect(second).toMatchObject({ status: 400, body: { error: { code: 2002 } } });
    expect(await branch.rejected('ann', 'POST', url, [BTC, { currency: 'BTC' }])).toEqual([
      400, 10001,
    ]);
  });

  test(
    'answers one as a list by query',
    { tags: ['server:trading-v3.wallet.get-fees-estimate'] },
    async () => {
      const branch = await openHarness();
      expect(await branch.ok('ann', 'GET', FEES, TRON)).toEqual([
        { fee: '1', networkFee: '1', amount: '5', currency: 'USDT' },
      ]);
    },
  );

  test(
    'has levels: the usual one, and those of the network',
    { tags: ['server:trading-v3.wallet.get-fee-levels'] },
    async () => {
      const branch = await openHarness();
      const levels = (query: Query) => branch.ok('ann', 'GET', `${FEE}/levels`, query);
      expect(await levels({ currency: 'BTC' })).toEqual([
        { fee_level_id: 'usual', name: 'usual', fee: '0.0005', currency: 'BTC' },
        { fee_level_id: 'fast', name: 'fast', fee: '0.002', currency: 'BTC' },
      ]);
      expect(await levels(TRON)).toEqual([
        { fee_level_id: 'usual', name: 'usual', fee: '1', currency: 'USDT' },
      ]);
      expect(await branch.rejected('ann', 'GET', `${FEE}/levels`, { currency: 'GBP' })).toEqual([
        400, 2002,
      ]);
    },
  );
});

describe('the fee of a deposit', () => {
  eachRow('', [
    ['server:trading-v3.wallet.get-fee-deposit-estimate', `${FEE}/deposit/estimate`],
    [
      'server:trading-v3.wallet.get-fee-deposit-label-estimate',
      `${FEE}/deposit/label/my-label/estimate`,
    ],
  ])('is nothing, wherever deposits can come', async (url) => {
    const branch = await openHarness();
    expect(await branch.ok('ann', 'GET', url, TRON)).toEqual({ fee: '0' });
    const elsewhere = { ...BTC, network_code: 'TRX' };
    expect(await branch.rejected('ann', 'GET', url, elsewhere)).toEqual([400, 10001]);
  });

  eachRow('', [
    ['server:trading-v3.wallet.post-fee-deposit-estimate-bulk', `${FEE}/deposit/estimate/bulk`],
    [
      'server:trading-v3.wallet.post-fee-deposit-label-estimate-bulk',
      `${FEE}/deposit/label/my-label/estimate/bulk`,
    ],
  ])('is told of several at once', async (url) => {
    const branch = await openHarness();
    expect(await branch.ok('ann', 'POST', url, [BTC, TRON])).toEqual([
      { fee: '0', networkFee: '0', amount: '2', currency: 'BTC' },
      { fee: '0', networkFee: '0', amount: '5', currency: 'USDT' },
    ]);
    const bad = [BTC, { ...BTC, currency: 'GBP' }];
    expect(await branch.rejected('ann', 'POST', url, bad)).toEqual([400, 2002]);
  });
});

describe('a hash of fees', () => {
  const hashes = async (
    url: string,
    ...branches: readonly { readonly venue: Awaited<ReturnType<typeof openVenue>> }[]
  ) => {
    const found: string[] = [];
    for (const { venue } of branches) {
      const { body } = await venue.call('GET', url, { as: 'demo' });
      found.push((body as { hash: string }).hash);
    }
    return found;
  };
  const dear = {
    payoutFee: '1',
    precisionPayout: '0.01',
    payinEnabled: true,
    payoutEnabled: true,
    payinConfirmations: 1,
    payinPaymentId: false,
    payoutIsPaymentId: false,
  };
  const usdt = (network: string, payoutFee: string, fast: string) => ({
    code: 'USDT',
    name: 'Tether',
    payinEnabled: true,
    payoutEnabled: true,
    transferEnabled: true,
    precisionTransfer: '0.01',
    networks: [{ ...dear, network, payoutFee, feeLevels: [{ id: 'fast', fee: fast }] }],
  });
  const venueWith = async (network: string, fee: string, fast = '5') => ({
    venue: await openVenue({ exchange: { currencies: [usdt(network, fee, fast)] } }),
  });

  test(
    'of withdrawals changes when one of them does, and only then',
    { tags: ['server:trading-v3.wallet.get-fee-withdraw-hash'] },
    async () => {
      const url = `${FEE}/withdraw/hash`;
      const venues = [await venueWith('TRX', '1'), await venueWith('TRX', '1')];
      const others = [await venueWith('TRX', '2'), await venueWith('TRX', '1', '6')];
      const [first, same, other, faster] = await hashes(url, ...venues, ...others);
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(same).toBe(first);
      expect(other).not.toBe(first);
      expect(faster).not.toBe(first);
    },
  );

  test(
    'of deposits changes with the networks that they come by',
    { tags: ['server:trading-v3.wallet.get-fee-deposit-hash'] },
    async () => {
      const url = `${FEE}/deposit/hash`;
      const venues = [await venueWith('TRX', '1'), await venueWith('TRX', '2')];
      const [first, same, other] = await hashes(url, ...venues, await venueWith('ETH', '1'));
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(same).toBe(first);
      expect(other).not.toBe(first);
    },
  );
});
