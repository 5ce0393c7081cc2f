import fc from 'fast-check';
import { expect, test } from 'vitest';
import { banking, playBanking } from './play.ts';
import { runs, seed } from '../../kit/size.ts';

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
  withdraw:
    'account-frozen action-forbidden address-invalid amount-below-fee funds-insufficient undefined',
}).flatMap(([kind, outcomes]) => outcomes.split(' ').map((outcome) => `${kind} ${outcome}`));

// `npm run nightly -- --game banking` plays many more of them.
test('the wallet side does, step by step, what a slow and obvious bank does, and a rejection leaves no trace', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(banking, (steps) => {
      playBanking(steps, seen);
    }),
    { numRuns: runs(200), seed: seed(11) },
  );
  expect([...seen]).toEqual(expect.arrayContaining(OUTCOMES));
});
