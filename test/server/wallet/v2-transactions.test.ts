import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { openHarness, OUTSIDE, SECOND, type Query } from './harness.ts';
import {
  ACCOUNT,
  WITHDRAW,
  TRANSACTIONS,
  withdraw,
  transaction,
  list,
  market,
  asksFor,
  type Row,
} from './v2-banking.ts';

describe('transactions in version 2', () => {
  test(
    'are listed by currency, time or index, in either order, page by page',
    { tags: ['server:trading-v2.wallet.get-transactions'] },
    async () => {
      const branch = await openHarness({ others: 'byHand' });
      branch.pass(SECOND);
      const first = await withdraw(branch);
      branch.pass(SECOND);
      const second = await withdraw(branch, { currency: 'USDT' });
      branch.venue.trading.chains.attempt(first);
      const ids = async (query: Query) => (await list(branch, query)).map(({ id }) => id);
      const all = await ids({});
      expect(all).toHaveLength(5);
      expect(all.slice(0, 2)).toEqual([second, first]);
      expect(await ids({ sort: 'ASC' })).toEqual(all.toReversed());
      expect((await ids({ by: 'index' })).slice(0, 2)).toEqual([first, second]);
      expect(await ids({ currency: 'USDT', limit: '1' })).toEqual([second]);
      expect(await ids({ limit: '1', offset: '1' })).toEqual([first]);
      expect(await ids({ from: '2026-01-05T10:00:02Z' })).toEqual([second]);
      const ofFirst = { from: '2026-01-05T10:00:01Z', till: '2026-01-05T10:00:01Z' };
      expect(await ids(ofFirst)).toEqual([first]);
      expect(await ids({ by: 'index', from: '9', till: '10' })).toEqual([second]);
      expect(await ids({ limit: '0' })).toEqual([]);
      for (let i = 0; i < 1_010; i += 1) branch.credit('ann', 'XRP', '1');
      expect(await ids({})).toHaveLength(100);
      expect(await ids({ limit: '1000' })).toHaveLength(1_000);
      await asksFor(branch, 'payment', ['GET', TRANSACTIONS]);
    },
  );

  test.each([
    [{ limit: '1001' }, 10001],
    [{ offset: '100001' }, 10001],
    [{ by: 'id' }, 10001],
    [{ sort: 'UP' }, 10001],
    [{ currency: 'GBP' }, 2002],
    [{ by: 'index', from: '2026-01-05T10:00:00Z' }, 10001],
    [{ from: '999999999999999' }, 10001],
    [{ till: '999999999999999' }, 10001],
  ])('are not listed by %j', async (query, code) => {
    const branch = await openHarness();
    expect(await branch.rejected('ann', 'GET', TRANSACTIONS, query)).toEqual([400, code]);
  });

  test(
    'are reported one by one as an object',
    { tags: ['server:trading-v2.wallet.get-transaction'] },
    async () => {
      const branch = await openHarness();
      const id = await withdraw(branch);
      expect(await transaction(branch, id)).toMatchObject({ id, currency: 'BTC' });
      const url = `${TRANSACTIONS}/${id}`;
      expect(await branch.rejected('bob', 'GET', url)).toEqual([400, 20004]);
      await asksFor(branch, 'payment', ['GET', url]);
    },
  );

  test(
    'have what the specification names, and the rest where there is any',
    { tags: ['server:trading-v2.wallet.transaction-record'] },
    async () => {
      const branch = await openHarness();
      const id = await withdraw(branch, { currency: 'XRP', paymentId: '7', publicComment: 'rent' });
      branch.pass(7 * SECOND);
      expect(await transaction(branch, id)).toEqual({
        id,
        index: 10,
        currency: 'XRP',
        amount: '1',
        fee: '0.25',
        address: OUTSIDE,
        paymentId: '7',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        status: 'success',
        type: 'payout',
        publicComment: 'rent',
        createdAt: '2026-01-05T10:00:00Z',
        updatedAt: '2026-01-05T10:00:07Z',
      });
      const sent = { currency: 'BTC', amount: '2', by: 'username', identifier: 'bob' };
      const { result } = await branch.ok<{ result: string }>(
        'ann',
        'POST',
        `${ACCOUNT}/transfer/internal`,
        sent,
      );
      expect(await transaction(branch, result)).toMatchObject({
        fee: '0',
        subType: 'offchain',
        offchainId: [expect.any(String)],
      });
      const incoming = { currency: 'BTC', amount: decimal('1') };
      const deposit = branch.venue.trading.chains.send(branch.account('ann'), incoming);
      if (isRejection(deposit)) throw new Error(deposit.message);
      expect(await transaction(branch, deposit)).toMatchObject({ confirmations: 0, fee: '0' });
    },
  );

  test(
    'go from created over pending to success or failed, also where they are rolled back',
    {
      tags: [
        'server:trading-v2.wallet.transaction-status-values',
        'server:trading-v2.wallet.transaction-moves',
      ],
    },
    async () => {
      const branch = await openHarness({ others: 'byHand' });
      const { chains } = branch.venue.trading;
      const id = await withdraw(branch, { autoCommit: false });
      const seen = [(await transaction(branch, id)).status];
      await branch.ok('ann', 'PUT', `${WITHDRAW}/${id}`);
      seen.push((await transaction(branch, id)).status);
      chains.carry(branch.account('ann'), id);
      seen.push((await transaction(branch, id)).status);
      expect(seen).toEqual(['created', 'pending', 'success']);
      const failed = await withdraw(branch);
      chains.fail(failed);
      expect(await transaction(branch, failed)).toMatchObject({ status: 'failed' });
      const taken = await withdraw(branch, { autoCommit: false });
      await branch.ok('ann', 'DELETE', `${WITHDRAW}/${taken}`);
      expect(await transaction(branch, taken)).toMatchObject({ status: 'failed' });
    },
  );

  test(
    'are of six types and two subtypes',
    {
      tags: [
        'server:trading-v2.wallet.transaction-type-values',
        'server:trading-v2.wallet.transaction-subtype-open',
      ],
    },
    async () => {
      const branch = await openHarness();
      await market(branch);
      branch.sub('sub', 'ann');
      const post = (path: string, json: object) => branch.ok('ann', 'POST', `/api/2${path}`, json);
      await withdraw(branch);
      await post('/account/crypto/transfer-convert', {
        fromCurrency: 'BTC',
        toCurrency: 'USDT',
        amount: '1',
      });
      const usdt = { currency: 'USDT', amount: '5' };
      await post('/account/transfer', { ...usdt, type: 'bankToExchange' });
      await post('/account/transfer', { ...usdt, type: 'exchangeToBank' });
      await post('/account/transfer/internal', { ...usdt, by: 'username', identifier: 'bob' });
      await post('/sub-acc/transfer', {
        ...usdt,
        subAccountId: branch.account('sub'),
        type: 'deposit',
      });
      const move = { ...usdt, source: 'wallet', destination: 'derivatives' };
      await branch.ok('ann', 'POST', '/api/3/wallet/transfer', move);
      await branch.ok('ann', 'POST', '/api/3/wallet/transfer', {
        ...move,
        source: 'derivatives',
        destination: 'wallet',
      });
      const incoming = { currency: 'BTC', amount: decimal('1') };
      branch.venue.trading.chains.send(branch.account('ann'), incoming);
      const rows = await branch.ok<{ type: string; subType?: string }[]>(
        'ann',
        'GET',
        TRANSACTIONS,
      );
      const kinds = rows.map(({ type, subType }) =>
        subType === undefined ? type : `${type} ${subType}`,
      );
      expect(kinds).toEqual([
        'payin',
        'deposit',
        'withdraw',
        'withdraw',
        'payout offchain',
        'exchangeToBank',
        'bankToExchange',
        'deposit swap',
        'withdraw swap',
        'payout',
        'deposit',
        'deposit',
        'deposit',
      ]);
      const [theirs] = await branch.ok<object[]>('bob', 'GET', TRANSACTIONS);
      expect(theirs).toMatchObject({ type: 'payin', subType: 'offchain' });
    },
  );

  test.each([
    ['INVALID_ADDRESS', {}],
    ['INVALID_PAYMENT_ID', { paymentId: '7' }],
    ['BAD_PRECISION', { amount: '1.0000001' }],
  ])(
    'say why they could not be sent: %s',
    { tags: ['server:trading-v2.wallet.transaction-error-codes'] },
    async (errorCode, change) => {
      const branch = await openHarness({ others: 'byHand' });
      const id = await withdraw(branch, change);
      if (errorCode === 'INVALID_ADDRESS') branch.venue.trading.chains.fail(id, errorCode);
      expect(await transaction(branch, id)).toMatchObject({ status: 'failed', errorCode });
    },
  );

  test(
    'show the senders of payins only to who asks for them',
    { tags: ['server:trading-v2.wallet.transaction-show-senders'] },
    async () => {
      const branch = await openHarness();
      const incoming = { currency: 'BTC', amount: decimal('1'), senders: ['me', 'you'] };
      const id = branch.venue.trading.chains.send(branch.account('ann'), incoming);
      if (isRejection(id)) throw new Error(id.message);
      await withdraw(branch);
      const shown = { showSenders: 'true' };
      expect(await transaction(branch, id, shown)).toMatchObject({ senders: ['me', 'you'] });
      expect(await transaction(branch, id)).not.toHaveProperty('senders');
      const withSenders = (rows: readonly Row[]) =>
        rows.filter((row) => 'senders' in row).map((row) => row.type);
      expect(withSenders(await list(branch, shown))).toEqual(['payin']);
      expect(withSenders(await list(branch))).toEqual([]);
    },
  );
});
