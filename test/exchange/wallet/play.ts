import fc from 'fast-check';
import { deepEqual, equal } from 'node:assert/strict';
import { RECORDED_MARKET } from '../../../src/exchange/ledger/ledger.ts';
import { AVAILABLE, CROSS, MARGIN, RESERVED } from '../../../src/exchange/ledger/balances.ts';
import { type Decimal, ZERO } from '../../../src/model/decimal.ts';
import { type WalletHarness, given } from './harness.ts';
import { amountOf, CODES, Pair } from './pair.ts';
import { bankingStep, type BankingStep } from './random-banking.ts';

/** A random history of a bank. */
export const banking = fc.array(bankingStep, { minLength: 20, maxLength: 70, size: 'max' });

/**
 * Plays a history on the exchange and on the naive bank, and compares after every step what they
 * answered, all balances and how the sub-accounts stand, sees that a rejection left no trace and that
 * nothing was lost or made. Notes what came of each kind of step.
 */
export function playBanking(steps: readonly BankingStep[], seen: Set<string>): void {
  const pair = new Pair();
  const { branch } = pair;
  let state = pair.state();
  let balances = pair.balances();
  for (const step of steps) {
    const before = [state, balances];
    branch.reported();
    const [real, expected] = pair.step(step);
    equal(real, expected, step.kind);
    seen.add(`${step.kind} ${String(real)}`);
    state = pair.state();
    balances = pair.balances();
    if (typeof real === 'string' && step.kind !== 'trade') {
      deepEqual([state, balances, branch.reported()], [...before, []], step.kind);
    }
    deepEqual(balances, pair.expectedBalances());
    deepEqual(...pair.statuses());
    checkTotals(pair);
    checkReserved(pair);
  }
  deepEqual(pair.transactions(), pair.expectedTransactions());
  const ofAccounts = balances.filter((row) => !row.startsWith(`wallet ${RECORDED_MARKET} `));
  deepEqual(
    ofAccounts.filter((row) => row.includes(' -')),
    [],
  );
}

/** All there is of a currency is what has come in less what has left. */
function checkTotals({ branch, naive }: Pair): void {
  for (const code of CODES) {
    const outside = amountOf(naive.get(naive.outside, code));
    equal(total(branch, code).toFixed(), outside.toFixed());
  }
}

/** Per currency, over all rows and pockets of the three ledgers. */
function total(branch: WalletHarness, code: string): Decimal {
  const { ledger, wallets, derivatives } = branch.exchange;
  let sum = ZERO;
  for (const each of [ledger, wallets, derivatives]) {
    const budget = each.balances[each.currency(code)];
    for (let row = 0; row < each.accounts; row += 1) {
      for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
        sum = sum.plus(budget.amount(row, pocket));
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
      equal(reserved.toFixed(), sum.toFixed());
    }
  }
}
