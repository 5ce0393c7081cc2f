import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import type { Incoming } from '../../../src/server/trading/wallet/chains.ts';
import {
  MINUTE,
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
  type TransactionRow,
} from './harness.ts';

const transaction = (branch: WalletHarness, id: string, as = 'ann') =>
  branch.ok<TransactionRow>(as, 'GET', `/api/3/wallet/transactions/${id}`);

const stateOf = async (branch: WalletHarness, id: string) => {
  const { status, native } = await transaction(branch, id);
  const { confirmations = 0 } = native as { confirmations?: number };
  return `${status} ${confirmations}`;
};

const BTC: Incoming = { currency: 'BTC', amount: decimal('1') };

function send(branch: WalletHarness, incoming: Incoming = BTC, to = 'ann'): string {
  const id = branch.venue.trading.chains.send(branch.account(to), incoming);
  if (isRejection(id)) throw new Error(id.message);
  return id;
}

async function withdraw(branch: WalletHarness, more: object = {}): Promise<string> {
  const request = { currency: 'BTC', amount: '1', address: OUTSIDE, ...more };
  const { id } = await branch.ok<{ id: string }>(
    'ann',
    'POST',
    '/api/3/wallet/crypto/withdraw',
    request,
  );
  return id;
}

describe('a deposit', () => {
  test('is confirmed block by block and credited with as many confirmations as its network asks for', async () => {
    const branch = await openHarness();
    const id = send(branch);
    const seen = [await stateOf(branch, id)];
    for (let block = 0; block < 3; block += 1) {
      branch.pass(5 * SECOND);
      seen.push(await stateOf(branch, id), await branch.balance('ann', 'BTC'));
    }
    expect(seen).toEqual([
      'CREATED 0',
      'PENDING 1',
      '10 0',
      'SUCCESS 2',
      '11 0',
      'SUCCESS 2',
      '11 0',
    ]);
  });

  test('on a network that is led by hand waits for whoever leads it', async () => {
    const branch = await openHarness({ networks: { BTC: 'byHand' } });
    const { chains } = branch.venue.trading;
    const [id, lost] = [send(branch), send(branch)];
    branch.pass(60 * MINUTE);
    expect(await stateOf(branch, id)).toBe('CREATED 0');
    expect(chains.confirm(id, 5)).toBeUndefined();
    expect(await stateOf(branch, id)).toBe('SUCCESS 5');
    expect(chains.dismiss(lost)).toBeUndefined();
    expect(await stateOf(branch, lost)).toBe('FAILED 0');
    expect(chains.dismiss(id)).toMatchObject({ code: 'transaction-ended' });
    expect(await branch.balance('ann', 'BTC')).toBe('11 0');
    // Other networks go on at the usual pace.
    const xrp = send(branch, { ...BTC, currency: 'XRP' });
    branch.pass(5 * SECOND);
    expect(await stateOf(branch, xrp)).toBe('SUCCESS 1');
  });

  test('that somebody confirms by hand has its next block in full after that', async () => {
    const branch = await openHarness();
    const id = send(branch, { currency: 'USDT', amount: decimal('5') });
    branch.pass(4 * SECOND);
    branch.venue.trading.chains.confirm(id, 2);
    branch.pass(4 * SECOND);
    expect(await stateOf(branch, id)).toBe('PENDING 2');
    branch.pass(SECOND);
    expect(await stateOf(branch, id)).toBe('SUCCESS 3');
  });

  test('names whom it comes from', async () => {
    const branch = await openHarness();
    const named = await transaction(branch, send(branch, { ...BTC, senders: ['me', 'you'] }));
    expect(named.native.senders).toEqual(['me', 'you']);
    const { native } = await transaction(branch, send(branch));
    expect(native.senders).toEqual([expect.stringMatching(/^bc1[0-9a-f]{17}$/)]);
  });

  test('reaches a sub-account that may make no address itself', async () => {
    const branch = await openHarness();
    branch.sub('sub', 'ann');
    const id = send(branch, { ...BTC, currency: 'USDT', network: 'TRX' }, 'sub');
    branch.pass(5 * SECOND);
    expect(await transaction(branch, id, 'sub')).toMatchObject({ status: 'SUCCESS' });
    expect(await branch.balance('sub', 'USDT')).toBe('1 0');
  });

  test.each([
    [{ currency: 'GBP' }, 'currency-unknown'],
    [{ network: 'TRX' }, 'network-unknown'],
    [{ currency: 'EUR' }, 'deposit-unavailable'],
    [{ amount: decimal('-1') }, 'amount-invalid'],
  ])('of %j is refused', async (change, code) => {
    const branch = await openHarness();
    const { chains } = branch.venue.trading;
    const outcome = chains.send(branch.account('ann'), { ...BTC, ...change });
    expect(outcome).toMatchObject({ code });
  });
});

describe('a withdrawal', () => {
  test('is tried by a chain transaction and then carried by a block, at the pace of its network', async () => {
    const limiter = { sendUs: MINUTE, blockUs: 10 * MINUTE };
    const branch = await openHarness({ networks: { BTC: limiter } });
    const id = await withdraw(branch);
    branch.pass(MINUTE - 1);
    expect((await transaction(branch, id)).native).not.toHaveProperty('hash');
    branch.pass(1);
    expect((await transaction(branch, id)).native).toHaveProperty('hash');
    branch.pass(10 * MINUTE - 1);
    expect(await stateOf(branch, id)).toBe('PENDING 0');
    branch.pass(1);
    expect(await stateOf(branch, id)).toBe('SUCCESS 0');
  });

  test('on a network that is led by hand is carried or fails when that is said', async () => {
    const branch = await openHarness({ others: 'byHand' });
    const { chains } = branch.venue.trading;
    const ids = [await withdraw(branch), await withdraw(branch), await withdraw(branch)];
    branch.pass(60 * MINUTE);
    const [carried = '', tried = '', failed = ''] = ids;
    const ann = branch.account('ann');
    expect(chains.carry(ann, carried)).toBeUndefined();
    expect(chains.attempt(tried)).toBeUndefined();
    expect(chains.fail(failed, 'INVALID_ADDRESS')).toBeUndefined();
    expect(chains.fail(tried)).toBeUndefined();
    expect(await transaction(branch, carried)).toMatchObject({
      status: 'SUCCESS',
      native: { hash: expect.any(String) },
    });
    expect(await transaction(branch, failed)).toMatchObject({
      status: 'FAILED',
      native: { error_code: 'INVALID_ADDRESS' },
    });
    expect((await transaction(branch, tried)).native).not.toHaveProperty('error_code');
    expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
    expect(chains.carry(ann, carried)).toMatchObject({ code: 'transaction-ended' });
    expect(chains.carry(ann, 'none')).toMatchObject({ code: 'transaction-unknown' });
  });

  test('that somebody has failed by hand is not carried out automatically', async () => {
    const branch = await openHarness();
    const id = await withdraw(branch);
    branch.pass(SECOND);
    branch.venue.trading.chains.fail(id);
    branch.pass(MINUTE);
    expect(await stateOf(branch, id)).toBe('FAILED 0');
    expect(await branch.balance('ann', 'BTC')).toBe('10 0');
  });

  test('by chain to an address of another account here arrives there as a deposit of the same hash', async () => {
    const branch = await openHarness();
    const made = { currency: 'XRP' };
    const { address, payment_id } = await branch.ok<Readonly<Record<string, string>>>(
      'bob',
      'POST',
      '/api/3/wallet/crypto/address',
      made,
    );
    const id = await withdraw(branch, { ...made, address, payment_id });
    branch.pass(7 * SECOND);
    const { native } = await transaction(branch, id);
    const [arrived] = await branch.ok<TransactionRow[]>('bob', 'GET', '/api/3/wallet/transactions');
    expect(arrived).toMatchObject({
      type: 'DEPOSIT',
      subtype: 'BLOCKCHAIN',
      status: 'SUCCESS',
      native: { hash: native.hash, amount: '1', confirmations: 1 },
    });
    expect(await branch.balance('ann', 'XRP')).toBe('998.75 0');
    expect(await branch.balance('bob', 'XRP')).toBe('1001 0');
  });

  test('does nothing any more once the venue is closed', async () => {
    const branch = await openHarness();
    const id = await withdraw(branch);
    const { trading } = branch.venue;
    trading.close();
    branch.pass(MINUTE);
    expect(trading.exchange.wallet.transaction(branch.account('ann'), id)).toMatchObject({
      status: 'PENDING',
    });
  });
});
