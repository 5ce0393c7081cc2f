import { describe, expect, test } from 'vitest';
import { mountChains } from '../../../src/server/chains/mount.ts';
import { openVenue } from '../kit.ts';
import { granted, USDC_ETHEREUM, world } from '../../swaps/chains/harness.ts';

async function open() {
  const { chains } = world();
  const venue = await openVenue({
    setup: {
      services: [
        (app) => {
          mountChains(app, chains);
        },
      ],
    },
  });
  return { chains, venue };
}

describe('reads', () => {
  test('amounts are whole numbers in text, and no key is needed', async () => {
    const { chains, venue } = await open();
    const anna = chains.addressOf('ethereum', 'anna');
    const { hash } = granted(chains.mint(USDC_ETHEREUM, anna, 10n ** 24n));
    const lots = '1000000000000000000000000';
    const balance = await venue.call('GET', `/chains/v1/tokens/${USDC_ETHEREUM}/balances/${anna}`);
    expect(balance).toMatchObject({
      status: 200,
      body: { token: USDC_ETHEREUM, lots, permitted: false },
    });
    const path = `/chains/v1/networks/ethereum/transactions/${hash}`;
    const { body } = await venue.call('GET', path);
    expect(body).toEqual({
      hash,
      index: 0,
      network: 'ethereum',
      token: USDC_ETHEREUM,
      from: chains.addressOf('ethereum', 'faucet'),
      to: anna,
      lots,
      at: chains.now(),
      confirmations: 0,
    });
  });

  test.each([
    ['tokens/99/balances/0x', 404, 'token-unknown'],
    [`tokens/${USDC_ETHEREUM}/balances/0x`, 400, 'address-invalid'],
    ['networks/bitcoin/outputs/0x', 400, 'address-invalid'],
    ['networks/nowhere/outputs/0x', 404, 'network-unknown'],
    ['networks/ethereum/transactions/0x', 404, 'transaction-unknown'],
    ['networks/nowhere/transactions/0x', 404, 'transaction-unknown'],
  ])('%s is refused with code and message', async (path, status, code) => {
    const { venue } = await open();
    const answer = await venue.call('GET', `/chains/v1/${path}`);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.body).toHaveProperty('message', expect.stringMatching(/\.$/));
  });
});

describe('what is sent', () => {
  const sound = {
    network: 'ethereum',
    token: USDC_ETHEREUM,
    from: 'a',
    to: 'b',
    lots: '1',
    nonce: '1',
    signature: '00',
  };

  test.each([
    ['no JSON', { text: '{' }, undefined],
    ['nothing', {}, undefined],
    ['a list', { json: [] }, undefined],
    ['something that looks like a refusal', { json: { code: 'x', message: 'y' } }, 'network'],
    ['a number for lots', { json: { ...sound, lots: 1 } }, 'lots'],
    ['a fraction of a lot', { json: { ...sound, lots: '1.5' } }, 'lots'],
    ['a debt', { json: { ...sound, lots: '-1' } }, 'lots'],
    ['more digits than any token has', { json: { ...sound, lots: '1'.repeat(79) } }, 'lots'],
    ['a transfer without a signature', { json: { ...sound, signature: undefined } }, 'signature'],
    ['a memo that is null', { json: { ...sound, memo: null } }, 'memo'],
  ])('%s is no transfer', async (_, ask, field) => {
    const { venue, chains } = await open();
    const headers = { 'content-type': 'application/json' };
    const answer = await venue.call('POST', '/chains/v1/transfers', { headers, ...ask });
    expect(answer).toMatchObject({ status: 400, body: { code: 'request-invalid' } });
    expect((answer.body as { field?: string }).field).toBe(field);
    expect(chains.supply(USDC_ETHEREUM)).toEqual({ minted: 0n, held: 0n });
  });

  test('a body beyond all measure is refused in the same shape', async () => {
    const { venue } = await open();
    const json = { transaction: '0'.repeat(2 ** 21) };
    const path = '/chains/v1/networks/bitcoin/transactions';
    const answer = await venue.call('POST', path, { json });
    expect(answer).toMatchObject({ status: 413, body: { code: 'request-invalid' } });
  });

  test('members that are not known are passed over', async () => {
    const { venue } = await open();
    const json = { ...sound, from: '0x', hint: 'whatever' };
    const answer = await venue.call('POST', '/chains/v1/transfers', { json });
    expect(answer).toMatchObject({ status: 400, body: { code: 'address-invalid', field: 'from' } });
  });

  test.each(['permits', 'networks/bitcoin/transactions'])(
    'an empty body is no %s',
    async (path) => {
      const { venue } = await open();
      const answer = await venue.call('POST', `/chains/v1/${path}`, { json: {} });
      expect(answer).toMatchObject({ status: 400, body: { code: 'request-invalid' } });
    },
  );
});
