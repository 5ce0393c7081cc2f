import { describe, expect, test } from 'vitest';
import { HOUSE } from '../../../src/exchange/ledger/ledger.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { micros, US_PER_DAY, US_PER_HOUR } from '../../../src/platform/time.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

describe('a withdrawal', () => {
  test(
    'is sent at once where nothing else is asked for',
    { tags: ['server:trading-v2.wallet.withdraw-auto-commit'] },
    () => {
      const branch = new WalletHarness();
      const account = branch.account({ BTC: '1' });
      const txId = branch.withdrawn(account, '0.5', 'BTC');
      expect(branch.reported()).toEqual([
        `#2 ${account} WITHDRAW/BLOCKCHAIN CREATED out 0.5 BTC fee 0.0005`,
        `#2 ${account} WITHDRAW/BLOCKCHAIN PENDING out 0.5 BTC fee 0.0005`,
        `wallet ${account} BTC 0.4995 0.5005`,
      ]);
      const later = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
      expect([branch.status(txId), branch.status(later)]).toEqual(['PENDING', 'CREATED']);
    },
  );

  test('leaves the ledger when its network has sent it, and its fee is the house’s', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.5', 'BTC');
    branch.reported();
    branch.wallet.attempt(txId, 'first', branch.at);
    branch.wallet.settleWithdrawal(txId, { kind: 'sent', hash: 'second' }, branch.at);
    expect(branch.reported()).toEqual([
      `#2 ${account} WITHDRAW/BLOCKCHAIN PENDING out 0.5 BTC fee 0.0005 first`,
      `#2 ${account} WITHDRAW/BLOCKCHAIN SUCCESS out 0.5 BTC fee 0.0005 second`,
      `wallet ${account} BTC 0.4995 0`,
    ]);
    expect(given(branch.wallet.transaction(account, txId))).toMatchObject({
      hash: 'second',
      attemptHashes: ['first', 'second'],
    });
    expect(branch.balance(HOUSE, 'BTC')).toBe('0.0005 0');
  });

  test('tried once by the hash that succeeds has that one attempt', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.5', 'BTC');
    branch.wallet.attempt(txId, 'only', branch.at);
    branch.wallet.settleWithdrawal(txId, { kind: 'sent', hash: 'only' }, branch.at);
    const { attemptHashes } = given(branch.wallet.transaction(account, txId));
    expect(attemptHashes).toEqual(['only']);
  });

  test.each([
    [{ kind: 'failed' } as const, undefined],
    [{ kind: 'failed', error: 'INVALID_ADDRESS' } as const, 'INVALID_ADDRESS'],
  ])('that fails on its network gives everything back: %j', (settlement, errorCode) => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.5', 'BTC');
    branch.wallet.settleWithdrawal(txId, settlement, branch.at);
    const { status, errorCode: why } = given(branch.wallet.transaction(account, txId));
    expect([status, why]).toEqual(['FAILED', errorCode]);
    expect(branch.balance(account, 'BTC')).toBe('1 0');
    expect(branch.balance(HOUSE, 'BTC')).toBe('0 0');
  });

  test(
    'spends the amount and the fee, or with the fee included the amount',
    { tags: ['server:trading-v2.wallet.withdraw-include-fee'] },
    () => {
      const branch = new WalletHarness();
      const account = branch.account({ USDT: '100' });
      branch.withdrawn(account, '10', 'USDT');
      expect(branch.balance(account, 'USDT')).toBe('87 13');
      const txId = branch.withdrawn(account, '10', 'USDT', { includeFee: true });
      expect(branch.balance(account, 'USDT')).toBe('77 23');
      const { amount, fee } = given(branch.wallet.transaction(account, txId));
      expect([amount.toFixed(), fee?.toFixed()]).toEqual(['7', '3']);
      const all = branch.withdraw(account, '3', 'USDT', { includeFee: true });
      expect(all).toMatchObject({ code: 'amount-below-fee', field: 'amount', limit: '3' });
    },
  );

  test('costs what the network and the level of fees that it names ask for', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '100', BTC: '1' });
    branch.withdrawn(account, '10', 'USDT', { network: 'TRX' });
    expect(branch.balance(account, 'USDT')).toBe('89 11');
    branch.withdrawn(account, '0.5', 'BTC', { feeLevel: 'fast' });
    expect(branch.balance(account, 'BTC')).toBe('0.498 0.502');
    expect(branch.withdraw(account, '0.1', 'BTC', { feeLevel: 'slow' })).toMatchObject({
      code: 'fee-level-unknown',
      message: expect.stringContaining('it has fast') as string,
    });
    expect(branch.withdraw(account, '1', 'USDT', { feeLevel: 'slow' })).toMatchObject({
      message: expect.stringContaining('it has none') as string,
    });
  });

  test.each([
    ['0.5', 'BTC', { paymentId: '7' }, 'INVALID_PAYMENT_ID'],
    ['5', 'XRP', {}, 'INVALID_PAYMENT_ID'],
    ['5', 'XRP', { paymentId: 'seven' }, 'INVALID_PAYMENT_ID'],
    ['0.1234567', 'BTC', {}, 'BAD_PRECISION'],
  ])('of %s %s with %j is taken in and fails: %s', (amount, currency, more, errorCode) => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1', XRP: '10' });
    const before = branch.balance(account, currency);
    const txId = branch.withdrawn(account, amount, currency, more);
    expect(given(branch.wallet.transaction(account, txId))).toMatchObject({
      status: 'FAILED',
      errorCode,
    });
    expect(branch.balance(account, currency)).toBe(before);
    expect(branch.wallet.recentWithdraw(account, currency)).toEqual([]);
  });

  test('to an address that its network refuses is refused at once, and holds nothing', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    for (const autoCommit of [true, false]) {
      expect(branch.withdraw(account, '0.5', 'BTC', { address: 'bc2', autoCommit })).toMatchObject({
        code: 'address-invalid',
        field: 'address',
        message: '"bc2" is not an address on BTC; nothing was withdrawn.',
      });
    }
    expect(branch.balance(account, 'BTC')).toBe('1 0');
  });

  test('with the payment id that its network asks for is sent', () => {
    const branch = new WalletHarness();
    const account = branch.account({ XRP: '10' });
    expect(branch.status(branch.withdrawn(account, '5', 'XRP', { paymentId: '7' }))).toBe(
      'PENDING',
    );
  });

  test(
    'has a public comment of 255 characters at most',
    { tags: ['server:trading-v2.wallet.withdraw-comment'] },
    () => {
      const branch = new WalletHarness();
      const account = branch.account({ BTC: '1' });
      const txId = branch.withdrawn(account, '0.1', 'BTC', { publicComment: '€'.repeat(255) });
      expect(given(branch.wallet.transaction(account, txId)).publicComment).toHaveLength(255);
      const long = branch.withdraw(account, '0.1', 'BTC', { publicComment: '€'.repeat(256) });
      expect(long).toMatchObject({
        code: 'comment-too-long',
        field: 'publicComment',
        limit: '255',
      });
    },
  );

  test('beyond what may leave within 24 hours is refused; what came back does not count', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '2000', BTC: '1' });
    branch.withdrawn(account, '0.1', 'BTC');
    const failed = branch.withdrawn(account, '400', 'USDT');
    branch.wallet.settleWithdrawal(failed, { kind: 'failed' }, branch.at);
    const taken = branch.withdrawn(account, '400', 'USDT', { autoCommit: false });
    given(branch.wallet.rollback(account, taken, branch.at));
    branch.withdrawn(account, '300', 'USDT');
    const more = branch.withdraw(account, '200.000001', 'USDT');
    expect(more).toMatchObject({ code: 'withdrawal-limit-reached', limit: '500' });
    branch.withdrawn(account, '200', 'USDT');
    expect(codeOf(branch.withdraw(account, '0.000001', 'USDT'))).toBe('withdrawal-limit-reached');
    branch.at = micros(branch.at + US_PER_DAY);
    branch.withdrawn(account, '500', 'USDT');
  });

  test.each([
    ['1', 'GBP', {}, 'currency-unknown'],
    ['1', 'USDT', { network: 'SOL' }, 'network-unknown'],
    ['1', 'USDT', { network: 'OMNI' }, 'withdrawal-unavailable'],
    ['1', 'EUR', {}, 'withdrawal-unavailable'],
    ['1', 'USDT', { address: '' }, 'address-missing'],
    ['0', 'USDT', {}, 'amount-invalid'],
    ['1', 'USDT', { offchain: 'required' }, 'offchain-unavailable'],
    ['98', 'USDT', {}, 'funds-insufficient'],
  ] as const)('of %s %s with %j is refused: %s', (amount, currency, more, code) => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '100', EUR: '1' });
    expect(codeOf(branch.withdraw(account, amount, currency, more))).toBe(code);
    expect(branch.reported()).toEqual([]);
  });
});

describe('a withdrawal in two phases', () => {
  test(
    'can be committed for an hour, and is then rolled back automatically',
    {
      tags: [
        'server:trading-v2.wallet.withdraw-two-phase',
        'server:trading-v3.wallet.withdraw-two-phase-hour',
        'server:trading-v3.wallet.withdraw-two-phase-late',
      ],
    },
    () => {
      const branch = new WalletHarness();
      const account = branch.account({ BTC: '1' });
      const first = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
      const second = branch.withdrawn(account, '0.2', 'BTC', { autoCommit: false });
      expect(branch.exchange.nextExpiryAt).toBe(branch.at + US_PER_HOUR);
      branch.reported();
      const last = micros(branch.at + US_PER_HOUR - 1);
      expect(branch.wallet.commit(account, first, last)).toBe(true);
      expect(branch.status(second)).toBe('CREATED');
      branch.reported();
      const late = micros(branch.at + US_PER_HOUR);
      expect(codeOf(branch.wallet.commit(account, second, late))).toBe('withdrawal-rolled-back');
      expect(branch.reported()).toEqual([
        `#3 ${account} WITHDRAW/BLOCKCHAIN ROLLED_BACK out 0.2 BTC fee 0.0005`,
        `wallet ${account} BTC 0.8995 0.1005`,
      ]);
      expect(branch.exchange.nextExpiryAt).toBe(Infinity);
      expect(given(branch.wallet.transaction(account, second)).updatedAt).toBe(late);
    },
  );

  test('lapses when time passes, without any request', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
    branch.exchange.advance(micros(branch.at + 2 * US_PER_HOUR));
    expect(branch.status(txId)).toBe('ROLLED_BACK');
    const { updatedAt } = given(branch.wallet.transaction(account, txId));
    expect(updatedAt).toBe(branch.at + US_PER_HOUR);
    expect(branch.balance(account, 'BTC')).toBe('1 0');
  });

  test(
    'goes from created to pending and success, or to failed or rolled back',
    { tags: ['server:trading-v2.wallet.transaction-moves'] },
    () => {
      const branch = new WalletHarness();
      const account = branch.account({ BTC: '1' });
      const [sent, failed, taken] = ['0.1', '0.2', '0.3'].map((amount) =>
        branch.withdrawn(account, amount, 'BTC', { autoCommit: false }),
      );
      const early = branch.wallet.settleWithdrawal(sent, { kind: 'sent', hash: 'h' }, branch.at);
      expect(codeOf(early)).toBe('withdrawal-not-committed');
      branch.wallet.commit(account, sent, branch.at);
      branch.wallet.commit(account, failed, branch.at);
      branch.wallet.rollback(account, taken, branch.at);
      branch.wallet.settleWithdrawal(sent, { kind: 'sent', hash: 'h' }, branch.at);
      branch.wallet.settleWithdrawal(failed, { kind: 'failed' }, branch.at);
      const moves = branch
        .reported()
        .flatMap((each) => /^#(\d).*\/BLOCKCHAIN (\w+)/.exec(each)?.[0] ?? []);
      expect(moves.map((move) => move.replace(/ .* /, ' '))).toEqual([
        ...['#2 CREATED', '#3 CREATED', '#4 CREATED', '#2 PENDING', '#3 PENDING'],
        ...['#4 ROLLED_BACK', '#2 SUCCESS', '#3 FAILED'],
      ]);
      for (const txId of [sent, failed, taken]) {
        const again = branch.wallet.settleWithdrawal(txId, { kind: 'failed' }, branch.at);
        expect(codeOf(again)).toBe('transaction-ended');
        expect(codeOf(branch.wallet.attempt(txId, 'h', branch.at))).toBe('transaction-ended');
      }
    },
  );

  test('committed again answers the same and sends nothing', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
    expect(branch.wallet.commit(account, txId, branch.at)).toBe(true);
    branch.reported();
    expect(branch.wallet.commit(account, txId, branch.at)).toBe(true);
    expect(branch.reported()).toEqual([]);
    branch.wallet.settleWithdrawal(txId, { kind: 'sent', hash: 'h' }, branch.at);
    branch.reported();
    expect(branch.wallet.commit(account, txId, branch.at)).toBe(true);
    expect(codeOf(branch.wallet.rollback(account, txId, branch.at))).toBe('withdrawal-committed');
    expect(branch.reported()).toEqual([]);
  });

  test('rolled back again answers the same and returns nothing', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
    expect(branch.wallet.rollback(account, txId, branch.at)).toBe(true);
    expect(branch.balance(account, 'BTC')).toBe('1 0');
    branch.reported();
    expect(branch.wallet.rollback(account, txId, branch.at)).toBe(true);
    expect(codeOf(branch.wallet.commit(account, txId, branch.at))).toBe('withdrawal-rolled-back');
    expect(branch.reported()).toEqual([]);
    expect(branch.exchange.nextExpiryAt).toBe(Infinity);
  });

  test('of another account, and what is no withdrawal, is unknown', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const other = branch.account({ BTC: '1' });
    const txId = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
    const [transfer] = given(branch.transfer(account, '0.1', 'BTC', 'wallet', 'spot'));
    expect(codeOf(branch.wallet.commit(other, txId, branch.at))).toBe('withdrawal-unknown');
    expect(codeOf(branch.wallet.rollback(other, txId, branch.at))).toBe('withdrawal-unknown');
    expect(codeOf(branch.wallet.commit(account, transfer, branch.at))).toBe('withdrawal-unknown');
    const settled = branch.wallet.settleWithdrawal('x', { kind: 'failed' }, branch.at);
    expect(codeOf(settled)).toBe('withdrawal-unknown');
  });
});

describe('fees', () => {
  test('are reported beforehand', () => {
    const { wallet } = new WalletHarness();
    const amount = decimal('1');
    const fee = (more: object): string =>
      given(wallet.fee({ currency: 'BTC', amount, ...more })).toFixed();
    expect(fee({})).toBe('0.0005');
    expect(fee({ feeLevel: 'fast' })).toBe('0.002');
    expect(fee({ currency: 'USDT', network: 'TRX' })).toBe('1');
    const levels = given(wallet.feeLevels('BTC'));
    expect(levels.map((level) => `${level.id} ${level.fee.toFixed()}`)).toEqual(['fast 0.002']);
  });

  test('of what is not there are refused', () => {
    const { wallet } = new WalletHarness();
    const amount = decimal('1');
    const code = (query: Parameters<typeof wallet.fee>[0]) => codeOf(wallet.fee(query));
    expect(code({ currency: 'GBP', amount })).toBe('currency-unknown');
    expect(code({ currency: 'BTC', network: 'ETH', amount })).toBe('network-unknown');
    expect(code({ currency: 'BTC', amount: decimal('-1') })).toBe('amount-invalid');
    expect(code({ currency: 'BTC', amount, feeLevel: 'slow' })).toBe('fee-level-unknown');
    expect(codeOf(wallet.feeLevels('GBP'))).toBe('currency-unknown');
    expect(codeOf(wallet.feeLevels('BTC', 'ETH'))).toBe('network-unknown');
  });
});
