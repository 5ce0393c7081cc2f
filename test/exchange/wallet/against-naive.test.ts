import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TAPE } from '../../../src/exchange/ledger.ts';
import { AVAILABLE, CROSS, MARGIN, RESERVED } from '../../../src/exchange/purse.ts';
import { type Decimal, ZERO } from '../../../src/model/decimal.ts';
import { type Branch, given } from './branch.ts';
import { amountOf, CODES, Pair } from './pair.ts';
import { bankingStep } from './random-banking.ts';

/** Per currency, over all rows and pockets of the three ledgers. */
function total(branch: Branch, code: string): Decimal {
  const { ledger, wallets, derivatives } = branch.exchange;
  let sum = ZERO;
  for (const each of [ledger, wallets, derivatives]) {
    const purse = each.purses[each.currency(code)];
    for (let row = 0; row < each.accounts; row += 1) {
      for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
        sum = sum.plus(purse.amount(row, pocket));
      }
    }
  }
  return sum;
}

/** What the wallets hold back is what withdrawals under way and locks hold, account by account. */
function checkReserved({ branch, accounts }: Pair): void {
  for (const account of accounts) {
    for (const code of CODES) {
      const open = given(
        branch.wallet.transactions(account, {
          types: ['WITHDRAW'],
          statuses: ['CREATED', 'PENDING'],
          currencies: [code],
          limit: 1_000,
        }),
      ).map(({ amount, fee = ZERO }) => amount.plus(fee));
      const locked = given(branch.wallet.locks(account, { active: true, currency: code }));
      const sum = [...open, ...locked.map(({ amount }) => amount)].reduce(
        (all, each) => all.plus(each),
        ZERO,
      );
      const { reserved } = given(branch.wallet.balance(account, code));
      expect(reserved.toFixed()).toBe(sum.toFixed());
    }
  }
}

/** What the steps must have come to, kind by kind; `undefined` where a request was done. */
const OUTCOMES = Object.entries({
  across: 'account-frozen funds-insufficient sub-account-unknown super-account-missing undefined',
  activate: 'false sub-account-missing sub-account-unknown true',
  commit: 'account-frozen undefined withdrawal-rolled-back withdrawal-unknown',
  confirm: 'transaction-ended undefined',
  convert: 'account-frozen amount-off-precision funds-insufficient rate-missing undefined',
  disable: 'sub-account-missing true',
  dismiss: 'transaction-ended undefined',
  freeze: 'sub-account-frozen sub-account-missing sub-account-unknown true',
  internal: 'account-frozen action-forbidden funds-insufficient route-invalid undefined',
  lock: 'amount-invalid funds-insufficient undefined',
  permit: 'account-frozen sub-account-missing sub-account-unknown undefined',
  receive: 'amount-invalid undefined',
  rest: 'account-frozen funds-insufficient undefined',
  rollback: 'account-frozen undefined withdrawal-committed withdrawal-unknown',
  settle: 'transaction-ended undefined withdrawal-not-committed',
  toSub: 'account-frozen funds-insufficient sub-account-unknown undefined',
  trade: 'account-frozen funds-insufficient undefined',
  transfer: 'account-frozen amount-off-precision funds-insufficient route-invalid undefined',
  unlock: 'undefined',
  up: 'account-frozen funds-insufficient super-account-missing undefined',
  withdraw: 'account-frozen action-forbidden amount-below-fee funds-insufficient undefined',
}).flatMap(([kind, outcomes]) => outcomes.split(' ').map((outcome) => `${kind} ${outcome}`));

test('the wallet side does, step by step, what a slow and obvious bank does, and a refusal leaves no trace', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(bankingStep, { minLength: 20, maxLength: 70, size: 'max' }), (steps) => {
      const pair = new Pair();
      const { branch, naive } = pair;
      let state = pair.state();
      let balances = pair.balances();
      for (const step of steps) {
        const before = [state, balances];
        branch.told();
        const [real, expected] = pair.step(step);
        expect(real, step.kind).toBe(expected);
        state = pair.state();
        balances = pair.balances();
        if (typeof real === 'string' && step.kind !== 'trade') {
          expect([state, balances], step.kind).toEqual(before);
          expect(branch.told()).toEqual([]);
        }
        seen.add(`${step.kind} ${String(real)}`);
        expect(balances).toEqual(pair.expectedBalances());
        const [statuses, expectedStatuses] = pair.statuses();
        expect(statuses).toEqual(expectedStatuses);
        for (const code of CODES) {
          const outside = amountOf(naive.get(naive.outside, code));
          expect(total(branch, code).toFixed()).toBe(outside.toFixed());
        }
        checkReserved(pair);
      }
      expect(pair.transactions()).toEqual(pair.expectedTransactions());
      const rows = balances.filter((row) => !row.startsWith(`wallet ${TAPE} `));
      expect(rows.filter((row) => row.includes(' -'))).toEqual([]);
    }),
    { numRuns: 40, seed: 11 },
  );
  expect([...seen]).toEqual(expect.arrayContaining(OUTCOMES));
});
