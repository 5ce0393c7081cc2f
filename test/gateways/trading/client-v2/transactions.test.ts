import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { isRejection } from '../../../../src/model/rejections.ts';
import type { ChainsOptions } from '../../../../src/server/trading/wallet/chains.ts';
import { OPENED } from '../../../server/kit.ts';
import {
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
} from '../../../server/wallet/harness.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { at, d } from '../kit/values.ts';

const PATH = '/api/2/account/transactions';

async function open(
  chains?: ChainsOptions,
): Promise<SubscriptionsV2 & { readonly branch: WalletHarness }> {
  const branch = await openHarness(chains);
  return { ...(await openSubscriptionsV2(branch.venue, 'ann')), branch };
}

const withdrawal = { currency: 'BTC', amount: '1', address: OUTSIDE } as const;

/** Money comes to `ann` by a chain; gives the id of the transaction. */
function deposit({ branch }: { readonly branch: WalletHarness }): string {
  const incoming = { currency: 'BTC', amount: decimal('1'), senders: ['me', 'you'] };
  const id = branch.venue.trading.chains.send(branch.account('ann'), incoming);
  if (isRejection(id)) throw new Error(id.message);
  return id;
}

describe('transactions', () => {
  test(
    'are listed by the parameters that are given',
    { tags: ['client:trading-v2.wallet.get-transactions'] },
    async () => {
      const { rest, relay, branch } = await open();
      branch.pass(SECOND);
      const { id } = await rest.withdraw({ ...withdrawal, autoCommit: false });
      const all = await rest.getTransactions();
      expect(relay.sent).toEqual([`GET ${PATH}`]);
      expect(all).toHaveLength(4);
      expect(all[0]?.id).toBe(id);
      const page = { currency: 'BTC', sort: 'DESC', limit: 1, offset: 0 } as const;
      const timed = await rest.getTransactions({
        ...page,
        by: 'timestamp',
        from: { kind: 'time', at: at('2026-01-05T10:00:01Z') },
        till: { kind: 'time', at: at('2026-01-05T10:00:02Z') },
      });
      expect(timed.map((one) => one.id)).toEqual([id]);
      const query = () =>
        Object.fromEntries(new URL(`http://x${String(relay.sent[0]).slice(4)}`).searchParams);
      const texts = { currency: 'BTC', sort: 'DESC', limit: '1', offset: '0' };
      expect(query()).toEqual({
        ...texts,
        by: 'timestamp',
        from: '2026-01-05T10:00:01Z',
        till: '2026-01-05T10:00:02Z',
      });
      const [newest] = all;
      const bound = { kind: 'number', value: newest?.index ?? 0 } as const;
      const byIndex = await rest.getTransactions({
        ...page,
        by: 'index',
        from: bound,
        till: bound,
      });
      expect(byIndex.map((one) => one.id)).toEqual([id]);
      const number = String(bound.value);
      expect(query()).toEqual({ ...texts, by: 'index', from: number, till: number });
    },
  );

  test(
    'are reported one by one as an object',
    { tags: ['client:trading-v2.wallet.get-transaction'] },
    async () => {
      const { rest, relay } = await open();
      const { id } = await rest.withdraw(withdrawal);
      const [listed] = await rest.getTransactions({ limit: 1 });
      expect(await rest.getTransaction({ id })).toEqual(listed);
      expect(relay.sent).toEqual([`GET ${PATH}/${id}`]);
      expect(listed?.id).toBe(id);
    },
  );

  test(
    'show senders where that is asked for',
    { tags: ['client:trading-v2.wallet.transaction-show-senders'] },
    async () => {
      const subscriptions = await open();
      const { rest, relay } = subscriptions;
      const id = deposit(subscriptions);
      const shown = await rest.getTransaction({ id, showSenders: true });
      expect(relay.sent).toEqual([`GET ${PATH}/${id}?showSenders=true`]);
      expect(shown.senders).toEqual(['me', 'you']);
      expect((await rest.getTransaction({ id })).senders).toBeUndefined();
      const [listed] = await rest.getTransactions({ showSenders: true, limit: 1 });
      expect(listed?.senders).toEqual(['me', 'you']);
      expect((await rest.getTransactions({ limit: 1 }))[0]?.senders).toBeUndefined();
    },
  );
});

describe('a transaction', () => {
  test(
    'has all its members, those where there are any too',
    { tags: ['client:trading-v2.wallet.transaction-record'] },
    async () => {
      const subscriptions = await open();
      const { rest, branch } = subscriptions;
      const paid = { currency: 'XRP', paymentId: '7', publicComment: 'rent' };
      const { id } = await rest.withdraw({ ...withdrawal, ...paid });
      branch.pass(7 * SECOND);
      expect(await rest.getTransaction({ id })).toEqual({
        id,
        index: expect.any(Number) as number,
        currency: 'XRP',
        amount: d('1'),
        fee: d('0.25'),
        address: OUTSIDE,
        paymentId: '7',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        status: 'success',
        type: 'payout',
        publicComment: 'rent',
        createdAt: OPENED,
        updatedAt: OPENED + 7 * SECOND,
      });
      const incoming = await rest.getTransaction({ id: deposit(subscriptions), showSenders: true });
      expect(incoming).toMatchObject({
        type: 'payin',
        confirmations: 0,
        senders: ['me', 'you'],
        fee: d('0'),
      });
      const gift = { currency: 'BTC', amount: '1', by: 'username', identifier: 'bob' } as const;
      const inside = await rest.getTransaction({
        id: (await rest.transferInternally(gift)).result,
      });
      expect(inside).toMatchObject({ subType: 'offchain', offchainId: [expect.any(String)] });
    },
  );

  const WIRE = {
    id: '6a2fb54d-7466-490c-b3a6-95d8c882f7f7',
    index: 20400458,
    currency: 'ETH',
    amount: '38.616700000000000000000000',
    fee: null,
    address: null,
    status: 'pending',
    type: 'payin',
    createdAt: '2017-05-18T18:05:36.957Z',
    updatedAt: '2017-05-18T19:21:05.3Z',
    somethingNew: {},
  };
  const READ = {
    id: WIRE.id,
    index: WIRE.index,
    currency: 'ETH',
    amount: d('38.6167'),
    createdAt: at('2017-05-18T18:05:36.957Z'),
    updatedAt: at('2017-05-18T19:21:05.3Z'),
  };

  test.each(
    ['created', 'pending', 'failed', 'success'].flatMap((status) =>
      ['payout', 'payin', 'deposit', 'withdraw', 'bankToExchange', 'exchangeToBank'].map(
        (type) => [type, status] as const,
      ),
    ),
  )(
    'may be a %s that is %s',
    {
      tags: [
        'client:trading-v2.wallet.transaction-type-values',
        'client:trading-v2.wallet.transaction-status-values',
      ],
    },
    async (type, status) => {
      const { rest, relay } = await open();
      relay.answer([{ ...WIRE, type, status }]);
      expect(await rest.getTransactions()).toEqual([{ ...READ, type, status }]);
    },
  );

  test.each(['swap', 'offchain', 'teleport'])(
    'may be of the subtype %s',
    { tags: ['client:trading-v2.wallet.transaction-subtype-open'] },
    async (subType) => {
      const { rest, relay } = await open();
      relay.answer({ ...WIRE, subType });
      expect(await rest.getTransaction({ id: WIRE.id })).toEqual({
        ...READ,
        type: 'payin',
        status: 'pending',
        subType,
      });
    },
  );

  test.each([
    ['INVALID_ADDRESS', {}],
    ['INVALID_PAYMENT_ID', { paymentId: '7' }],
    ['BAD_PRECISION', { amount: '1.0000001' }],
  ])(
    'that failed says %s',
    { tags: ['client:trading-v2.wallet.transaction-error-codes'] },
    async (errorCode, change) => {
      const { rest, branch } = await open({ others: 'byHand' });
      const { id } = await rest.withdraw({ ...withdrawal, ...change });
      if (errorCode === 'INVALID_ADDRESS') branch.venue.trading.chains.fail(id, errorCode);
      const { status, errorCode: reported } = await rest.getTransaction({ id });
      expect([status, reported]).toEqual(['failed', errorCode]);
    },
  );
});
