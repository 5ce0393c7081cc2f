import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import { OPENED } from '../../../server/kit.ts';
import {
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
} from '../../../server/wallet/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { at, d } from '../kit/values.ts';

const PATH = '/api/3/wallet/transactions';

/** A client of `ann`, whose wallet began with three credits; chains wait until a test moves them. */
async function open(): Promise<Subscriptions & { readonly branch: WalletHarness }> {
  const branch = await openHarness({ others: 'byHand' });
  return { ...(await openSubscriptions(branch.venue, 'ann')), branch };
}

const withdrawal = { currency: 'BTC', amount: '1', address: OUTSIDE } as const;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

describe('transactions', () => {
  test(
    'are an array, and reported one by one',
    {
      tags: [
        'client:trading-v3.wallet.get-transactions',
        'client:trading-v3.wallet.get-transaction',
      ],
    },
    async () => {
      const { rest, relay } = await open();
      const { id } = await rest.withdraw(withdrawal);
      const all = await rest.getTransactions();
      expect(relay.sent).toEqual([`GET ${PATH}`]);
      expect(all.map(({ id: number, type }) => [number, type])).toEqual([
        [7, 'WITHDRAW'],
        [3, 'DEPOSIT'],
        [2, 'DEPOSIT'],
        [1, 'DEPOSIT'],
      ]);
      expect(await rest.getTransaction({ tx_id: id })).toEqual(all[0]);
      expect(relay.sent).toEqual([`GET ${PATH}/${id}`]);
      await expect(rest.getTransaction({ tx_id: 'none' })).rejects.toMatchObject({
        serviceCode: 20004,
      });
    },
  );

  test(
    'are filtered by comma lists, numbers and times',
    { tags: ['client:trading-v3.wallet.transactions-filters'] },
    async () => {
      const { rest, relay, branch } = await open();
      branch.pass(SECOND);
      const { id } = await rest.withdraw(withdrawal);
      const asked = {
        tx_ids: [id, 'another'],
        types: ['DEPOSIT', 'WITHDRAW'],
        subtypes: ['BLOCKCHAIN', 'OFFCHAIN'],
        statuses: ['PENDING', 'SUCCESS'],
        currencies: ['BTC', 'USDT'],
        id_from: 4,
        id_till: 9,
        from: OPENED + SECOND,
        till: OPENED + 2 * SECOND,
      };
      const rows = await rest.getTransactions({
        ...asked,
        from: at('2026-01-05T10:00:01Z'),
        till: at('2026-01-05T10:00:02Z'),
      });
      expect(rows.map(({ id: number }) => number)).toEqual([7]);
      const { searchParams } = new URL(`http://x${String(relay.sent[0]).slice(4)}`);
      expect(Object.fromEntries(searchParams)).toEqual({
        tx_ids: `${id},another`,
        types: 'DEPOSIT,WITHDRAW',
        subtypes: 'BLOCKCHAIN,OFFCHAIN',
        statuses: 'PENDING,SUCCESS',
        currencies: 'BTC,USDT',
        id_from: '4',
        id_till: '9',
        from: '2026-01-05T10:00:01Z',
        till: '2026-01-05T10:00:02Z',
      });
    },
  );

  test.each(['created_at', 'updated_at', 'last_activity_at', 'id'] as const)(
    'are ordered by %s, either way',
    { tags: ['client:trading-v3.wallet.transactions-order-by'] },
    async (order_by) => {
      const { rest, relay } = await open();
      const rising = await rest.getTransactions({ order_by, sort: 'ASC' });
      expect(relay.sent).toEqual([`GET ${PATH}?order_by=${order_by}&sort=ASC`]);
      expect(rising.map(({ id }) => id)).toEqual([1, 2, 3]);
      const falling = await rest.getTransactions({ order_by, sort: 'DESC' });
      expect(falling.map(({ id }) => id)).toEqual([3, 2, 1]);
      // @ts-expect-error there is no such key
      const wrong: Parameters<typeof rest.getTransactions>[0] = { order_by: 'amount' };
      await expect(rest.getTransactions(wrong)).rejects.toMatchObject({ code: 'request-invalid' });
    },
  );
});

describe('a transaction that the client reads', () => {
  test(
    'has all its members',
    {
      tags: [
        'client:trading-v3.wallet.transaction-record',
        'client:trading-v3.wallet.transaction-native',
        'client:trading-v3.wallet.transaction-version-fields',
      ],
    },
    async () => {
      const { rest, branch } = await open();
      const { id } = await rest.withdraw({ ...withdrawal, public_comment: 'rent' });
      branch.pass(SECOND);
      branch.venue.trading.chains.attempt(id);
      const sent = await rest.getTransaction({ tx_id: id });
      expect(sent).toEqual({
        id: 7,
        status: 'PENDING',
        type: 'WITHDRAW',
        subtype: 'BLOCKCHAIN',
        created_at: OPENED,
        updated_at: OPENED,
        last_activity_at: OPENED + SECOND,
        operation_id: UUID,
        operation_type: 'WITHDRAW',
        attempt_hashes: [HASH],
        native: {
          tx_id: id,
          index: expect.any(Number) as number,
          currency: 'BTC',
          amount: d('1'),
          fee: d('0.0005'),
          address: OUTSIDE,
          hash: sent.native?.hash,
          public_comment: 'rent',
          network_code: 'BTC',
        },
      });
      expect(sent.attempt_hashes).toEqual([sent.native?.hash]);
    },
  );

  test(
    'has its operation and the chain transactions that were tried',
    { tags: ['client:trading-v3.wallet.transaction-version-field-values'] },
    async () => {
      const { rest, branch } = await open();
      const { id } = await rest.withdraw(withdrawal);
      branch.venue.trading.chains.attempt(id);
      branch.venue.trading.chains.attempt(id);
      const tried = await rest.getTransaction({ tx_id: id });
      expect(tried.attempt_hashes).toEqual([HASH, tried.native?.hash]);
      expect(new Set(tried.attempt_hashes).size).toBe(2);
      await rest.withdrawInternally({
        currency: 'BTC',
        amount: '1',
        by: 'username',
        identifier: 'bob',
      });
      const rows = await rest.getTransactions({ limit: 3 });
      expect(
        rows.map(({ operation_type, attempt_hashes }) => [operation_type, attempt_hashes]),
      ).toEqual([
        ['INTERNAL', []],
        ['WITHDRAW', tried.attempt_hashes],
        ['DEPOSIT', []],
      ]);
    },
  );

  test(
    'that came by a chain has its risk, senders and confirmations',
    {
      tags: [
        'client:trading-v3.wallet.deposit-commit-risk',
        'client:trading-v3.wallet.transaction-native',
      ],
    },
    async () => {
      const { rest, branch } = await open();
      const risk = { score: 70, rbf: true, lowFee: true };
      const incoming = {
        currency: 'XRP',
        amount: decimal('3'),
        commitRisk: risk,
        senders: ['a', 'b'],
      };
      const id = branch.venue.trading.chains.send(branch.account('ann'), incoming);
      if (isRejection(id)) throw new Error(id.message);
      const [deposit, credit] = await rest.getTransactions();
      expect(deposit?.commit_risk).toEqual({ score: 70, rbf: true, low_fee: true });
      expect(credit?.commit_risk).toBeUndefined();
      expect(deposit?.native).toEqual({
        tx_id: id,
        index: expect.any(Number) as number,
        currency: 'XRP',
        amount: d('3'),
        address: expect.any(String) as string,
        payment_id: expect.stringMatching(/^\d+$/) as string,
        hash: HASH,
        confirmations: 0,
        senders: ['a', 'b'],
        network_code: 'XRP',
      });
    },
  );

  test(
    'that failed says why, and an internal one says where it went',
    { tags: ['client:trading-v3.wallet.transaction-native'] },
    async () => {
      const { rest, branch } = await open();
      const { id } = await rest.withdraw(withdrawal);
      expect(branch.venue.trading.chains.fail(id, 'INVALID_ADDRESS')).toBeUndefined();
      const failed = await rest.getTransaction({ tx_id: id });
      expect(failed.native?.error_code).toBe('INVALID_ADDRESS');
      const gift = { currency: 'BTC', amount: '1', by: 'username', identifier: 'bob' } as const;
      const { result } = await rest.withdrawInternally(gift);
      const inside = await rest.getTransaction({ tx_id: result });
      expect(inside.native?.offchain_id).toEqual(expect.any(String));
    },
  );

  const WIRE = {
    id: 9,
    created_at: '2026-01-05T10:00:00.1Z',
    updated_at: '2026-01-05T10:00:00Z',
    status: 'SUCCESS',
    type: 'TRANSFER',
    native: { tx_id: 'x', index: 0, currency: 'BTC', amount: '0.10000000' },
  };
  const READ = {
    ...WIRE,
    created_at: OPENED + 100_000,
    updated_at: OPENED,
    native: { ...WIRE.native, amount: d('0.1') },
  };

  test.each(
    ['CREATED', 'PENDING', 'FAILED', 'SUCCESS', 'ROLLED_BACK'].flatMap((status) =>
      ['DEPOSIT', 'WITHDRAW', 'TRANSFER', 'SWAP'].map((type) => [type, status]),
    ),
  )(
    'may be a %s that is %s',
    { tags: ['client:trading-v3.wallet.transaction-status-values'] },
    async (type, status) => {
      const { rest, relay } = await open();
      relay.answer([{ ...WIRE, type, status }]);
      expect(await rest.getTransactions()).toEqual([{ ...READ, type, status }]);
    },
  );

  test.each(['WALLET_TO_SPOT', 'SPOT_TO_WALLET', 'OFFCHAIN', 'BLOCKCHAIN', 'MOON_LANDING'])(
    'may be of the subtype %s',
    { tags: ['client:trading-v3.wallet.transaction-subtypes'] },
    async (subtype) => {
      const { rest, relay } = await open();
      relay.answer({ ...WIRE, subtype });
      expect(await rest.getTransaction({ tx_id: 'x' })).toEqual({ ...READ, subtype });
    },
  );

  test(
    'of a transfer says which way it went',
    { tags: ['client:trading-v3.wallet.transaction-subtypes'] },
    async () => {
      const { rest } = await open();
      const move = {
        currency: 'USDT',
        amount: '5',
        source: 'wallet',
        destination: 'spot',
      } as const;
      await rest.transfer(move);
      await rest.transfer({ ...move, source: 'spot', destination: 'wallet' });
      const rows = await rest.getTransactions({ types: ['TRANSFER'] });
      expect(rows.map(({ subtype }) => subtype)).toEqual(['SPOT_TO_WALLET', 'WALLET_TO_SPOT']);
    },
  );

  test(
    'may lack what is optional, or have it as null, and have more than is known',
    {
      tags: [
        'client:trading-v3.wallet.deposit-commit-risk',
        'client:trading-v3.wallet.transaction-record',
      ],
    },
    async () => {
      const { rest, relay } = await open();
      const meta = { fiat_to_crypto: { deposit_data: { amount: '10' } } };
      relay.answer([
        { ...WIRE, commit_risk: null, attempt_hashes: null, meta, from_the_future: 1 },
        { ...WIRE, commit_risk: { score: 3 } },
      ]);
      expect(await rest.getTransactions()).toEqual([
        { ...READ, meta },
        { ...READ, commit_risk: { score: 3 } },
      ]);
    },
  );
});
