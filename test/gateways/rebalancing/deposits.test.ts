import { describe, expect, test } from 'vitest';
import { isConserved, BTC, USDC_ETHEREUM, USDC_TRON } from '../../swaps/chains/harness.ts';
import { d } from '../trading/kit/values.ts';
import { transferOf, offerFrom } from './kit/lead.ts';
import { openLinkedAccount } from './kit/linked-account.ts';
import type { Loss } from './kit/lossy-relay.ts';

const ACCOUNT = { asset: 'USDC', location: 'trading' };
const ETHEREUM = { asset: 'USDC', location: 'ethereum' };
const TRON = { asset: 'USDC', location: 'tron' };

describe('a deposit', () => {
  test('is a transfer to the address of the account, and is there once its network says so', async () => {
    const { venue, route, held, lead } = await openLinkedAccount('wallet');
    const offer = await offerFrom(route, ETHEREUM, ACCOUNT, '250.5');
    expect([offer.send, offer.least, offer.expected].map(String)).toEqual([
      '250.5',
      '250.5',
      '250.5',
    ]);
    const { transfer, log } = await lead(transferOf(offer, venue.scheduler.now()));
    expect(log).toEqual(['prepare', 'payIn']);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('250.5') });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('250.5');
    expect(held(USDC_ETHEREUM)).toBe(749_500_000n);
    expect(venue.backing('USDC')).toEqual({ owed: '250.5', held: '250.5' });
  });

  test('takes the payment id along that its network asks for', async () => {
    const { venue, route, held, lead } = await openLinkedAccount('wallet');
    const offer = await offerFrom(route, TRON, ACCOUNT, '7');
    expect(offer.terms['memo']).toEqual(expect.stringMatching(/^\d+$/));
    const { transfer } = await lead(transferOf(offer, venue.scheduler.now()));
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('7') });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('7');
    expect(held(USDC_TRON)).toBe(993_000_000n);
  });

  test('is brought to where the account keeps its inventory', async () => {
    const { venue, route, lead } = await openLinkedAccount('spot');
    const offer = await offerFrom(route, { ...ETHEREUM }, ACCOUNT, '20');
    const { transfer, log } = await lead(transferOf(offer, venue.scheduler.now()));
    expect(log).toEqual(['prepare', 'payIn', 'bringHome']);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('20') });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0');
  });

  test.each<readonly [Loss, readonly string[]]>([
    ['answer', ['prepare', 'payIn', 'payIn? done']],
    ['request', ['prepare', 'payIn', 'payIn? undone', 'payIn']],
  ])('is paid once when the %s of its transfer is lost', async (what, steps) => {
    const { venue, relay, route, held, lead } = await openLinkedAccount('wallet');
    const offer = await offerFrom(route, ETHEREUM, ACCOUNT, '100');
    relay.lose(what, 'signature');
    const { transfer, log } = await lead(transferOf(offer, venue.scheduler.now()));
    expect(relay.hasLostAll).toBe(true);
    expect(log).toEqual(steps);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('100') });
    expect(held(USDC_ETHEREUM)).toBe(900_000_000n);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('100');
    expect(isConserved(venue.chains)).toBe(true);
  });

  test('of more than the wallet holds fails, and nothing moves', async () => {
    const { venue, route, held, lead } = await openLinkedAccount('wallet');
    const offer = await offerFrom(route, ETHEREUM, ACCOUNT, '1000.1');
    const { transfer } = await lead(transferOf(offer, venue.scheduler.now()));
    expect(transfer.state).toBe('failed');
    expect(held(USDC_ETHEREUM)).toBe(1_000_000_000n);
  });
});

test('what was deposited from one chain is withdrawn to another, and only the fee stays behind', async () => {
  const { venue, route, held, lead } = await openLinkedAccount('spot');
  const btc = { asset: 'BTC', location: 'trading' };
  const bitcoin = { asset: 'BTC', location: 'bitcoin' };
  const now = venue.scheduler.now();
  const into = transferOf(await offerFrom(route, bitcoin, btc, '2'), now, 'plan-1/1');
  expect((await lead(into)).transfer.state).toBe('fulfilled');
  const out = transferOf(await offerFrom(route, btc, bitcoin, '1.5'), now, 'plan-1/2');
  const { transfer } = await lead(out);
  expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('1.4995') });
  expect(held(BTC)).toBe(1_000_000_000n - 200_000_000n + 149_950_000n);
  expect(venue.backing('BTC')).toMatchObject({ held: '0.5005' });
  expect(isConserved(venue.chains)).toBe(true);
});
