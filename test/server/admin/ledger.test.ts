import { describe, expect, test } from 'vitest';
import { ledgerCalls } from '../../../src/server/admin/ledger.ts';
import { mountAdmin } from '../../../src/server/admin/mount.ts';
import { Answers } from '../../../src/server/http/answers.ts';
import { granted, USDC_ETHEREUM, WETH, world } from '../../swaps/chains/harness.ts';
import { openVenue, type HttpAnswer } from '../kit.ts';

const TOKEN = 'a-token-of-the-venue';

async function open() {
  const { chains } = world();
  const venue = await openVenue({
    setup: {
      services: [
        (app) => {
          mountAdmin(app, new Answers(() => chains.now()), TOKEN, ledgerCalls(chains));
        },
      ],
    },
  });
  const ask = async (method: string, path: string, json?: unknown): Promise<HttpAnswer> =>
    venue.call(method, `/admin/${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      json,
    });
  return { chains, venue, ask, anna: chains.addressOf('ethereum', 'anna') };
}

test('without the token there is no money', async () => {
  const { venue, chains, anna } = await open();
  const json = { network: 'ethereum', asset: 'USDC', address: anna, amount: '1' };
  expect((await venue.call('POST', '/admin/faucet', { json })).status).toBe(401);
  expect(chains.balance(USDC_ETHEREUM, anna)).toBe(0n);
});

describe('the ledger', () => {
  test('shows who holds what by name, and that nothing is lost', async () => {
    const { ask, chains, anna } = await open();
    const stranger = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const asked = { network: 'ethereum', asset: 'USDC', amount: '100.5' };
    const given = await ask('POST', 'faucet', { ...asked, address: stranger.toLowerCase() });
    expect(given).toMatchObject({ status: 200, body: { ...asked, address: stranger } });
    const { hash } = given.body as { hash: string };
    expect(chains.transaction('ethereum', hash)).toMatchObject({
      to: stranger,
      lots: 100_500_000n,
    });
    await ask('POST', 'faucet', { ...asked, address: stranger, name: 'wallet of the bot' });
    const moved = { token: USDC_ETHEREUM, from: stranger, to: anna, lots: 1n };
    granted(chains.transfer(moved));
    const { body } = await ask('GET', 'ledger?network=ethereum');
    expect(body).toEqual([
      {
        network: 'ethereum',
        tokens: [
          {
            token: USDC_ETHEREUM,
            asset: 'USDC',
            minted: '201',
            held: '201',
            holders: [
              { address: stranger, name: 'wallet of the bot', amount: '200.999999' },
              { address: anna, name: 'anna', amount: '0.000001' },
            ],
          },
          { token: WETH, asset: 'ETH', minted: '0', held: '0', holders: [] },
        ],
      },
    ]);
    const all = await ask('GET', 'ledger');
    expect((all.body as { network: string }[]).map(({ network }) => network)).toEqual([
      'ethereum',
      'tron',
      'bitcoin',
      'solana',
    ]);
  });
});

describe('the faucet', () => {
  test.each([
    ['another asset', { asset: 'DOGE' }, 'There is no DOGE on ethereum'],
    ['another network', { network: 'nowhere' }, 'There is no USDC on nowhere'],
    [
      'an address of another network',
      { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
      'is no address of Ethereum',
    ],
    ['an amount finer than the token', { amount: '0.0000001' }, 'amount may have 6 decimals'],
    ['nothing', { amount: '0' }, '0 is no amount'],
    ['a debt', { amount: '-1' }, 'amount'],
  ])('gives no money for %s', async (_, change, why) => {
    const { ask, chains, anna } = await open();
    const json = { network: 'ethereum', asset: 'USDC', address: anna, amount: '1', ...change };
    const answer = await ask('POST', 'faucet', json);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    expect(JSON.stringify(answer.body)).toContain(why);
    expect(chains.supply(USDC_ETHEREUM).minted).toBe(0n);
  });
});

describe('permit2', () => {
  test('is let, and taken back', async () => {
    const { ask, chains, anna } = await open();
    const json = { network: 'ethereum', asset: 'USDC', address: anna.toLowerCase() };
    expect(await ask('POST', 'permit2', json)).toMatchObject({
      status: 200,
      body: { address: anna, allowed: true },
    });
    expect(chains.hasApproved(USDC_ETHEREUM, anna)).toBe(true);
    await ask('POST', 'permit2', { ...json, allowed: false });
    expect(chains.hasApproved(USDC_ETHEREUM, anna)).toBe(false);
  });

  test('is refused where there is no such contract, or no such address', async () => {
    const { ask, chains } = await open();
    const address = chains.addressOf('solana', 'anna');
    for (const network of ['solana', 'ethereum', 'nowhere']) {
      const answer = await ask('POST', 'permit2', { network, asset: 'USDC', address });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    }
  });
});
