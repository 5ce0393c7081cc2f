import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { OPENED } from '../../../server/kit.ts';
import type { AccountSocketV2 } from '../../../../src/gateways/trading/socket/v2.ts';
import {
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
} from '../../../server/wallet/harness.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { openLineV2, type Line } from '../kit/lines.ts';
import { at, d } from '../kit/values.ts';

type Account = Line<AccountSocketV2> & {
  readonly branch: WalletHarness;
  readonly rest: SubscriptionsV2['rest'];
};

/** The account socket of `ann`, and her calls by REST. */
async function open(): Promise<Account> {
  const branch = await openHarness({ others: 'byHand' });
  const { rest } = await openSubscriptionsV2(branch.venue, 'ann');
  return { ...(await openLineV2(branch.venue, 'account', 'ann')), branch, rest };
}

const withdrawal = { currency: 'BTC', amount: '1', address: OUTSIDE } as const;
const balance = (currency: string, available: string, reserved = '0') => ({
  currency,
  available: d(available),
  reserved: d(reserved),
});
const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

describe('questions to the account socket of version 2', () => {
  test(
    'balances of the account',
    { tags: ['client:trading-v2.stream-account.get-balance'] },
    async () => {
      const { socket, relay, rest } = await open();
      await rest.withdraw(withdrawal);
      expect(await socket.request('getBalance')).toEqual([
        balance('BTC', '8.9995', '1.0005'),
        balance('USDT', '10000'),
        balance('XRP', '1000'),
      ]);
      expect(relay.sent).toEqual({ method: 'getBalance', params: {} });
    },
  );

  test(
    'transactions between two times, the latest first',
    { tags: ['client:trading-v2.stream-account.find-transactions'] },
    async () => {
      const { socket, relay, rest, branch } = await open();
      branch.pass(SECOND);
      const first = await rest.withdraw(withdrawal);
      branch.pass(SECOND);
      const second = await rest.withdraw({ ...withdrawal, amount: '2' });
      branch.pass(SECOND);
      await rest.withdraw(withdrawal);
      const bounds = { from: at('2026-01-05T10:00:01Z'), till: at('2026-01-05T10:00:02Z') };
      const found = await socket.request('findTransactions', bounds);
      const written = { from: '2026-01-05T10:00:01Z', till: '2026-01-05T10:00:02Z' };
      expect(relay.sent).toEqual({ method: 'findTransactions', params: written });
      expect(ids(found)).toEqual([second.id, first.id]);
      expect(found[0]).toEqual(await rest.getTransaction(second));
      expect(found[0]).toMatchObject({ amount: d('2'), createdAt: OPENED + 2 * SECOND });
      const page = {
        currency: 'BTC',
        limit: 1,
        offset: 1,
        sort: 'ASC',
        showSenders: true,
      } as const;
      const some = await socket.request('findTransactions', { ...bounds, ...page });
      expect(ids(some)).toEqual([second.id]);
      expect(relay.sent?.params).toEqual({ ...written, ...page });
    },
  );

  test(
    'transactions between two indexes, the first first',
    { tags: ['client:trading-v2.stream-account.load-transactions'] },
    async () => {
      const { socket, relay, rest, branch } = await open();
      const first = await rest.withdraw(withdrawal);
      const second = await rest.withdraw(withdrawal);
      const all = await socket.request('loadTransactions');
      expect(relay.sent).toEqual({ method: 'loadTransactions', params: {} });
      expect(all).toHaveLength(5);
      const indexes = all.map(({ index }) => index);
      expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
      const from = indexes.at(-1) ?? 0;
      // A change gives the first one a new index, by which it is loaded again.
      branch.venue.trading.chains.attempt(first.id);
      const asked = { from, till: from + 10, sort: 'ASC', limit: 5, offset: 0 } as const;
      const news = await socket.request('loadTransactions', asked);
      expect(relay.sent).toEqual({ method: 'loadTransactions', params: asked });
      expect(ids(news)).toEqual([second.id, first.id]);
    },
  );
});

describe('what the account socket of version 2 follows', () => {
  test(
    'transactions, one whenever it changes, until it asks for the end',
    {
      tags: [
        'client:trading-v2.stream-account.subscribe-transactions',
        'client:trading-v2.stream-account.unsubscribe-transactions',
      ],
    },
    async () => {
      const { socket, relay, rest, reported, branch } = await open();
      expect(await socket.request('subscribeTransactions')).toBe(true);
      expect(relay.sent).toEqual({ method: 'subscribeTransactions', params: {} });
      const { id } = await rest.withdraw(withdrawal);
      branch.venue.trading.chains.attempt(id);
      await relay.settle();
      expect(
        reported.map(([method, params]) => [method, (params as { status: string }).status]),
      ).toEqual([
        ['updateTransaction', 'created'],
        ['updateTransaction', 'pending'],
        ['updateTransaction', 'pending'],
      ]);
      expect(reported.at(-1)?.[1]).toEqual(await rest.getTransaction({ id }));
      reported.length = 0;
      expect(await socket.request('unsubscribeTransactions')).toBe(true);
      expect(relay.sent).toEqual({ method: 'unsubscribeTransactions', params: {} });
      const incoming = { currency: 'BTC', amount: decimal('1') };
      branch.venue.trading.chains.send(branch.account('ann'), incoming);
      await relay.settle();
      expect(reported).toEqual([]);
    },
  );

  test(
    'balances, all that are not zero, until it asks for the end',
    {
      tags: [
        'client:trading-v2.stream-account.subscribe-balance',
        'client:trading-v2.stream-account.unsubscribe-balance',
      ],
    },
    async () => {
      const { socket, relay, rest, reported } = await open();
      expect(await socket.request('subscribeBalance')).toBe(true);
      expect(relay.sent).toEqual({ method: 'subscribeBalance', params: {} });
      await rest.transfer({ currency: 'XRP', amount: '1000', type: 'bankToExchange' });
      await relay.settle();
      const others = [balance('BTC', '10'), balance('USDT', '10000')];
      expect(reported.splice(0)).toEqual([
        ['balance', [...others, balance('XRP', '1000')]],
        ['balance', others],
      ]);
      expect(await socket.request('unsubscribeBalance')).toBe(true);
      expect(relay.sent).toEqual({ method: 'unsubscribeBalance', params: {} });
      await rest.withdraw(withdrawal);
      await relay.settle();
      expect(reported).toEqual([]);
    },
  );

  test(
    'a transaction is read without what may be absent',
    { tags: ['client:trading-v2.stream-account.subscribe-transactions'] },
    async () => {
      const { relay, reported } = await open();
      const wire = {
        id: '76b70d1c-3dd7-423e-976e-902e516aae0e',
        index: 7173627250,
        type: 'bankToExchange',
        status: 'success',
        currency: 'BTG',
        amount: '0.00001000',
        createdAt: '2021-01-31T08:19:33.892Z',
        updatedAt: '2021-01-31T08:19:33.967Z',
      };
      relay.emit({ jsonrpc: '2.0', method: 'updateTransaction', params: wire });
      await relay.settle();
      expect(reported).toEqual([
        [
          'updateTransaction',
          {
            ...wire,
            amount: d('0.00001'),
            createdAt: at(wire.createdAt),
            updatedAt: at(wire.updatedAt),
          },
        ],
      ]);
    },
  );
});
