import { expect } from 'vitest';
import { openHarness, OUTSIDE, type WalletHarness } from './harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const WITHDRAW = '/api/3/wallet/crypto/withdraw';

/** A withdrawal of `ann` that waits, ended by one of two calls. */
async function ended(branch: WalletHarness, method: 'PUT' | 'DELETE'): Promise<string> {
  const request = { currency: 'BTC', amount: '1', address: OUTSIDE, auto_commit: false };
  const { id } = await branch.ok<{ id: string }>('ann', 'POST', WITHDRAW, request);
  await branch.ok('ann', method, `${WITHDRAW}/${id}`);
  return `${WITHDRAW}/${id}`;
}

const withdrawal = (change: object) => ({
  method: 'POST',
  path: WITHDRAW,
  json: { currency: 'BTC', amount: '1', address: OUTSIDE, ...change },
});

interface Asked {
  readonly as?: string;
  readonly method: string;
  readonly path: string;
  readonly json?: object;
}

/** What a sub-account that may not withdraw asks for. */
const bySub = (branch: WalletHarness): Asked => {
  branch.sub('sub', 'ann');
  branch.credit('sub', 'BTC', '5');
  return { ...withdrawal({}), as: 'sub' };
};

const CASES: readonly (readonly [
  row: string,
  what: string,
  status: number,
  code: number,
  message: string,
  ask: (branch: WalletHarness) => Asked | Promise<Asked>,
])[] = [
  [
    'server:trading-v3.error.403',
    'what the super account does not allow',
    401,
    403,
    'Action is forbidden for account',
    bySub,
  ],
  [
    'server:trading-v3.error.600',
    'a transfer of a currency that does not move',
    400,
    600,
    'Action not allowed',
    () => ({
      method: 'POST',
      path: '/api/3/wallet/transfer',
      json: { currency: 'EUR', amount: '1', source: 'wallet', destination: 'spot' },
    }),
  ],
  [
    'server:trading-v3.error.20003',
    'more than an account may withdraw in a day',
    400,
    20003,
    'Limit exceeded',
    (branch) => {
      branch.credit('ann', 'USDT', '90000');
      return withdrawal({ currency: 'USDT', amount: '50000.000001' });
    },
  ],
  [
    'server:trading-v3.error.20004',
    'a transaction that nobody knows',
    400,
    20004,
    'Transaction not found',
    () => ({ method: 'GET', path: '/api/3/wallet/transactions/none' }),
  ],
  [
    'server:trading-v3.error.20005',
    'a withdrawal that nobody knows',
    400,
    20005,
    'Payout not found',
    () => ({ method: 'PUT', path: `${WITHDRAW}/none` }),
  ],
  [
    'server:trading-v3.error.20006',
    'rolling back what is committed',
    400,
    20006,
    'Payout already committed',
    async (branch) => ({ method: 'DELETE', path: await ended(branch, 'PUT') }),
  ],
  [
    'server:trading-v3.error.20007',
    'committing what is rolled back',
    400,
    20007,
    'Payout already rolled back',
    async (branch) => ({ method: 'PUT', path: await ended(branch, 'DELETE') }),
  ],
  [
    'server:trading-v3.error.20014',
    'asking to stay inside where that cannot be',
    400,
    20014,
    'Offchain for this payout is unavailable',
    () => withdrawal({ use_offchain: 'required' }),
  ],
  [
    'server:trading-v3.error.20018',
    'a withdrawal that is switched off',
    400,
    20018,
    'Withdrawals are unavailable under the current configuration',
    () => withdrawal({ currency: 'EUR' }),
  ],
  [
    'server:trading-v3.error.22004',
    'money for somebody who is not here',
    400,
    22004,
    'User is not found',
    () => ({
      method: 'POST',
      path: '/api/3/wallet/internal/withdraw',
      json: { currency: 'BTC', amount: '1', by: 'username', identifier: 'nobody' },
    }),
  ],
];

eachRow('', CASES)(
  '%s is answered with %i and code %i',
  async (_what, status, code, message, ask) => {
    const branch = await openHarness();
    const { as = 'ann', method, path, json } = await ask(branch);
    const answer = await branch.venue.call(method, path, {
      as,
      json,
    });
    expect(answer).toMatchObject({ status, body: { error: { code, message } } });
  },
);
