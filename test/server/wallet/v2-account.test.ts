import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isRefusal } from '../../../src/model/refusals.ts';
import { MINUTE, openBranch, OUTSIDE, SECOND, type Branch, type Query } from './branch.ts';

const ACCOUNT = '/api/2/account';
const WITHDRAW = `${ACCOUNT}/crypto/withdraw`;
const TRANSACTIONS = `${ACCOUNT}/transactions`;

interface Row {
  readonly id: string;
  readonly index: number;
  readonly status: string;
  readonly type: string;
  readonly hash?: string;
}

const withdraw = async (branch: Branch, change: object = {}): Promise<string> => {
  const request = { currency: 'BTC', amount: '1', address: OUTSIDE, ...change };
  return (await branch.ok<{ id: string }>('ann', 'POST', WITHDRAW, request)).id;
};

const transaction = (branch: Branch, id: string, query: Query = {}) =>
  branch.ok<Row>('ann', 'GET', `${TRANSACTIONS}/${id}`, query);

const list = (branch: Branch, query: Query = {}) =>
  branch.ok<Row[]>('ann', 'GET', TRANSACTIONS, query);

/** Somebody buys BTC at 40,000 and sells it at 40,002. */
const market = async (branch: Branch) => {
  const order = { symbol: 'BTCUSDT', type: 'limit', quantity: '1' };
  for (const [side, price] of [
    ['buy', '40000'],
    ['sell', '40002'],
  ]) {
    await branch.ok('demo', 'POST', '/api/3/spot/order', { ...order, side, price });
  }
};

/** Nobody who lacks the right of a call is answered. */
async function asksFor(
  branch: Branch,
  right: 'payment' | 'withdraw' | 'read',
  call: [string, string],
) {
  const others = (['read', 'trade', 'payment', 'withdraw'] as const).filter(
    (each) => each !== right,
  );
  branch.join('half', others);
  expect(await branch.refused('half', ...call)).toEqual([403, 1003]);
}

describe('the account of version 2', () => {
  test('[server:trading-v2.wallet.get-account-balance] tells what is available and what is held', async () => {
    const branch = await openBranch();
    await withdraw(branch);
    expect(await branch.ok('ann', 'GET', `${ACCOUNT}/balance`)).toEqual([
      { currency: 'BTC', available: '8.9995', reserved: '1.0005' },
      { currency: 'USDT', available: '10000', reserved: '0' },
      { currency: 'XRP', available: '1000', reserved: '0' },
    ]);
    await asksFor(branch, 'payment', ['GET', `${ACCOUNT}/balance`]);
  });

  test('[server:trading-v2.wallet.get-trading-balance] is told apart from what one trades with', async () => {
    const branch = await openBranch();
    await branch.ok('ann', 'POST', `${ACCOUNT}/transfer`, {
      currency: 'USDT',
      amount: '50',
      type: 'bankToExchange',
    });
    const rows = await branch.ok<Query[]>('ann', 'GET', '/api/2/trading/balance');
    expect(rows).toContainEqual({ currency: 'USDT', available: '50', reserved: '0' });
    await asksFor(branch, 'read', ['GET', '/api/2/trading/balance']);
  });

  test('[server:trading-v2.wallet.get-address] has a current deposit address, made when it is first asked for', async () => {
    const branch = await openBranch();
    const url = `${ACCOUNT}/crypto/address/USDT`;
    const first = await branch.ok<Query>('ann', 'GET', url);
    expect(first).toEqual({ address: expect.any(String) });
    expect(await branch.ok('ann', 'GET', url)).toEqual(first);
    expect(await branch.refused('ann', 'GET', `${ACCOUNT}/crypto/address/GBP`)).toEqual([
      400, 2002,
    ]);
    await asksFor(branch, 'payment', ['GET', url]);
  });

  test('[server:trading-v2.wallet.post-address] gets a new deposit address, which is current from then on', async () => {
    const branch = await openBranch();
    const url = `${ACCOUNT}/crypto/address/USDT`;
    const first = await branch.ok('ann', 'GET', url);
    const second = await branch.ok('ann', 'POST', url);
    expect(second).not.toEqual(first);
    expect(await branch.ok('ann', 'GET', url)).toEqual(second);
    await asksFor(branch, 'payment', ['POST', url]);
  });

  test('[server:trading-v2.wallet.address-record] has addresses with a payment id where the network tells accounts apart by one', async () => {
    const branch = await openBranch();
    expect(await branch.ok('ann', 'GET', `${ACCOUNT}/crypto/address/XRP`)).toEqual({
      address: expect.any(String),
      paymentId: expect.stringMatching(/^\d+$/),
    });
  });

  test('[server:trading-v2.wallet.get-addresses] remembers the last ten deposit addresses of a currency', async () => {
    const branch = await openBranch();
    const made: unknown[] = [];
    for (let i = 0; i < 12; i += 1) {
      made.unshift(await branch.ok('ann', 'POST', `${ACCOUNT}/crypto/address/USDT`));
    }
    await branch.ok('ann', 'POST', `${ACCOUNT}/crypto/address/BTC`);
    const url = `${ACCOUNT}/crypto/addresses/USDT`;
    expect(await branch.ok('ann', 'GET', url)).toEqual(made.slice(0, 10));
    expect(await branch.refused('ann', 'GET', `${ACCOUNT}/crypto/addresses/GBP`)).toEqual([
      400, 2002,
    ]);
    await asksFor(branch, 'payment', ['GET', url]);
  });

  test('[server:trading-v2.wallet.get-used-addresses] remembers the last ten different addresses that a currency was withdrawn to', async () => {
    const branch = await openBranch();
    for (let i = 0; i < 12; i += 1)
      await withdraw(branch, { currency: 'USDT', address: `to-${i}` });
    await withdraw(branch, { currency: 'USDT', address: 'to-5' });
    const url = `${ACCOUNT}/crypto/used-addresses/USDT`;
    expect(await branch.ok('ann', 'GET', url)).toEqual(
      [5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map((place) => ({ address: `to-${place}` })),
    );
    expect(await branch.refused('ann', 'GET', `${ACCOUNT}/crypto/used-addresses/GBP`)).toEqual([
      400, 2002,
    ]);
    await asksFor(branch, 'payment', ['GET', url]);
  });

  test('[server:trading-v2.wallet.get-is-mine] knows its own addresses', async () => {
    const branch = await openBranch();
    const { address = '' } = await branch.ok<Query>('ann', 'GET', `${ACCOUNT}/crypto/address/BTC`);
    const url = `${ACCOUNT}/crypto/is-mine/${address}`;
    expect(await branch.ok('ann', 'GET', url)).toEqual({ result: true });
    expect(await branch.ok('bob', 'GET', url)).toEqual({ result: false });
    await asksFor(branch, 'payment', ['GET', url]);
  });
});

describe('a withdrawal in version 2', () => {
  test('[server:trading-v2.wallet.post-withdraw] is one id, and asks for the right to withdraw', async () => {
    const branch = await openBranch();
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
  });

  test('[server:trading-v2.wallet.withdraw-include-fee] pays its fee on top, or out of the amount where that is asked for', async () => {
    const branch = await openBranch();
    await withdraw(branch);
    expect(await branch.balance('ann', 'BTC')).toBe('8.9995 1.0005');
    const id = await withdraw(branch, { includeFee: true });
    expect(await branch.balance('ann', 'BTC')).toBe('7.9995 2.0005');
    expect(await transaction(branch, id)).toMatchObject({ amount: '0.9995', fee: '0.0005' });
  });

  test('[server:trading-v2.wallet.withdraw-auto-commit] is committed at once, or waits where that is asked for', async () => {
    const branch = await openBranch();
    expect(await transaction(branch, await withdraw(branch))).toMatchObject({ status: 'pending' });
    const waiting = await withdraw(branch, { autoCommit: false });
    branch.pass(10 * MINUTE);
    expect(await transaction(branch, waiting)).toMatchObject({ status: 'created' });
  });

  test('[server:trading-v2.wallet.withdraw-two-phase] waits for an hour; a commit after that does not send it', async () => {
    const branch = await openBranch();
    const later = { autoCommit: false };
    const ids = [await withdraw(branch, later), await withdraw(branch, later)];
    const late = await withdraw(branch, later);
    branch.pass(60 * MINUTE - 1);
    await branch.ok('ann', 'PUT', `${WITHDRAW}/${ids[0] ?? ''}`);
    await branch.ok('ann', 'DELETE', `${WITHDRAW}/${ids[1] ?? ''}`);
    branch.pass(1);
    expect(await branch.refused('ann', 'PUT', `${WITHDRAW}/${late}`)).toEqual([400, 20007]);
    branch.pass(MINUTE);
    const rows = await Promise.all([...ids, late].map((id) => transaction(branch, id)));
    expect(rows.map(({ status }) => status)).toEqual(['success', 'failed', 'failed']);
    expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
  });

  test('[server:trading-v2.wallet.withdraw-comment] has a comment of at most 255 characters', async () => {
    const branch = await openBranch();
    const comment = (length: number) => ({
      currency: 'BTC',
      amount: '1',
      address: OUTSIDE,
      publicComment: 'x'.repeat(length),
    });
    expect(await branch.refused('ann', 'POST', WITHDRAW, comment(256))).toEqual([400, 10001]);
    await branch.ok('ann', 'POST', WITHDRAW, comment(255));
  });

  test('[server:trading-v2.wallet.put-withdraw] is committed once, however often that is asked for', async () => {
    const branch = await openBranch();
    const id = await withdraw(branch, { autoCommit: false });
    const url = `${WITHDRAW}/${id}`;
    for (let times = 0; times < 2; times += 1) {
      expect(await branch.ok('ann', 'PUT', url)).toEqual({ result: true });
      branch.pass(MINUTE);
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
    }
    expect(await list(branch, { currency: 'BTC' })).toHaveLength(2);
    await asksFor(branch, 'withdraw', ['PUT', url]);
  });

  test('[server:trading-v2.wallet.delete-withdraw] is rolled back once, however often that is asked for', async () => {
    const branch = await openBranch();
    const url = `${WITHDRAW}/${await withdraw(branch, { autoCommit: false })}`;
    for (let times = 0; times < 2; times += 1) {
      expect(await branch.ok('ann', 'DELETE', url)).toEqual({ result: true });
      expect(await branch.balance('ann', 'BTC')).toBe('10 0');
    }
    await asksFor(branch, 'withdraw', ['DELETE', url]);
  });

  test('[server:trading-v2.wallet.get-estimate-withdraw-levels] is told what it would cost', async () => {
    const branch = await openBranch();
    const url = `${ACCOUNT}/crypto/estimate-withdraw-levels`;
    const asked = { currency: 'BTC', amount: '1' };
    expect(await branch.ok('ann', 'GET', url, asked)).toEqual({ fee: '0.0005' });
    await asksFor(branch, 'payment', ['GET', `${url}?currency=BTC&amount=1`]);
  });
});

describe('money that moves in version 2', () => {
  test('[server:trading-v2.wallet.post-transfer-convert] becomes another currency, in two transactions', async () => {
    const branch = await openBranch();
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
  });

  test.each([
    ['bankToExchange', '9995 0', '5 0'],
    ['exchangeToBank', '10005 0', '15 0'],
  ])(
    '[server:trading-v2.wallet.post-transfer] [server:trading-v2.wallet.transfer-moves-funds] goes its way by %s',
    async (type, wallet, spot) => {
      const branch = await openBranch();
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
    '[server:trading-v2.wallet.post-transfer-internal] reaches another user by %s',
    async (by, identifier) => {
      const branch = await openBranch();
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

describe('transactions in version 2', () => {
  test('[server:trading-v2.wallet.get-transactions] are listed by currency, time or index, in either order, page by page', async () => {
    const branch = await openBranch({ others: 'byHand' });
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
  });

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
    const branch = await openBranch();
    expect(await branch.refused('ann', 'GET', TRANSACTIONS, query)).toEqual([400, code]);
  });

  test('[server:trading-v2.wallet.get-transaction] are told one by one as an object', async () => {
    const branch = await openBranch();
    const id = await withdraw(branch);
    expect(await transaction(branch, id)).toMatchObject({ id, currency: 'BTC' });
    const url = `${TRANSACTIONS}/${id}`;
    expect(await branch.refused('bob', 'GET', url)).toEqual([400, 20004]);
    await asksFor(branch, 'payment', ['GET', url]);
  });

  test('[server:trading-v2.wallet.transaction-record] have what the specification names, and the rest where there is any', async () => {
    const branch = await openBranch();
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
    if (isRefusal(deposit)) throw new Error(deposit.message);
    expect(await transaction(branch, deposit)).toMatchObject({ confirmations: 0, fee: '0' });
  });

  test('[server:trading-v2.wallet.transaction-status-values] [server:trading-v2.wallet.transaction-moves] go from created over pending to success or failed, also where they are rolled back', async () => {
    const branch = await openBranch({ others: 'byHand' });
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
  });

  test('[server:trading-v2.wallet.transaction-type-values] [server:trading-v2.wallet.transaction-subtype-open] are of six types and two subtypes', async () => {
    const branch = await openBranch();
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
    const rows = await branch.ok<{ type: string; subType?: string }[]>('ann', 'GET', TRANSACTIONS);
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
  });

  test.each([
    ['INVALID_ADDRESS', { address: 'nowhere' }],
    ['INVALID_PAYMENT_ID', { paymentId: '7' }],
    ['BAD_PRECISION', { amount: '1.0000001' }],
  ])(
    '[server:trading-v2.wallet.transaction-error-codes] tell why they could not be sent: %s',
    async (errorCode, change) => {
      const branch = await openBranch();
      const id = await withdraw(branch, change);
      expect(await transaction(branch, id)).toMatchObject({ status: 'failed', errorCode });
    },
  );

  test('[server:trading-v2.wallet.transaction-show-senders] show the senders of payins only to who asks for them', async () => {
    const branch = await openBranch();
    const incoming = { currency: 'BTC', amount: decimal('1'), senders: ['me', 'you'] };
    const id = branch.venue.trading.chains.send(branch.account('ann'), incoming);
    if (isRefusal(id)) throw new Error(id.message);
    await withdraw(branch);
    const shown = { showSenders: 'true' };
    expect(await transaction(branch, id, shown)).toMatchObject({ senders: ['me', 'you'] });
    expect(await transaction(branch, id)).not.toHaveProperty('senders');
    const withSenders = (rows: readonly Row[]) =>
      rows.filter((row) => 'senders' in row).map((row) => row.type);
    expect(withSenders(await list(branch, shown))).toEqual(['payin']);
    expect(withSenders(await list(branch))).toEqual([]);
  });
});
