import { expect } from 'vitest';
import { OUTSIDE, type WalletHarness, type Query } from './harness.ts';

export const ACCOUNT = '/api/2/account';
export const WITHDRAW = `${ACCOUNT}/crypto/withdraw`;
export const TRANSACTIONS = `${ACCOUNT}/transactions`;

export interface Row {
  readonly id: string;
  readonly index: number;
  readonly status: string;
  readonly type: string;
  readonly hash?: string;
}

export const withdraw = async (branch: WalletHarness, change: object = {}): Promise<string> => {
  const request = { currency: 'BTC', amount: '1', address: OUTSIDE, ...change };
  return (await branch.ok<{ id: string }>('ann', 'POST', WITHDRAW, request)).id;
};

export const transaction = (branch: WalletHarness, id: string, query: Query = {}) =>
  branch.ok<Row>('ann', 'GET', `${TRANSACTIONS}/${id}`, query);

export const list = (branch: WalletHarness, query: Query = {}) =>
  branch.ok<Row[]>('ann', 'GET', TRANSACTIONS, query);

/** Somebody buys BTC at 40,000 and sells it at 40,002. */
export const market = async (branch: WalletHarness) => {
  const order = { symbol: 'BTCUSDT', type: 'limit', quantity: '1' };
  for (const [side, price] of [
    ['buy', '40000'],
    ['sell', '40002'],
  ]) {
    await branch.ok('demo', 'POST', '/api/3/spot/order', { ...order, side, price });
  }
};

/** Nobody who lacks the right of a call is answered. */
export async function asksFor(
  branch: WalletHarness,
  right: 'payment' | 'withdraw' | 'read',
  call: [string, string],
) {
  const others = (['read', 'trade', 'payment', 'withdraw'] as const).filter(
    (each) => each !== right,
  );
  branch.join('half', others);
  expect(await branch.rejected('half', ...call)).toEqual([403, 1003]);
}
