import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

describe('a transfer', () => {
  test('moves money between the balances of an account, at once and for free', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '10' });
    expect(given(branch.transfer(account, '4', 'USDT', 'wallet', 'spot'))).toHaveLength(1);
    expect(branch.reported()).toEqual([
      `#2 ${account} TRANSFER/WALLET_TO_SPOT SUCCESS out 4 USDT`,
      `spot ${account} USDT 4 0`,
      `wallet ${account} USDT 6 0`,
    ]);
    given(branch.transfer(account, '1.5', 'USDT', 'spot', 'wallet'));
    given(branch.transfer(account, '3', 'USDT', 'wallet', 'derivatives'));
    given(branch.transfer(account, '1', 'USDT', 'derivatives', 'wallet'));
    branch.reported();
    expect(branch.balance(account, 'USDT')).toBe('5.5 0');
    expect(branch.balance(account, 'USDT', 'spot')).toBe('2.5 0');
    expect(branch.balance(account, 'USDT', 'derivatives')).toBe('2 0');
  });

  test('between spot and derivatives is two transactions of one operation, by the wallet', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '10' });
    given(branch.transfer(account, '10', 'USDT', 'wallet', 'spot'));
    const there = given(branch.transfer(account, '4', 'USDT', 'spot', 'derivatives'));
    const back = given(branch.transfer(account, '3', 'USDT', 'derivatives', 'spot'));
    const rows = [...there, ...back].map((id) => given(branch.wallet.transaction(account, id)));
    expect(rows.map(({ subtype, direction }) => `${subtype} ${direction}`)).toEqual([
      'SPOT_TO_WALLET in',
      'WALLET_TO_DERIVATIVES out',
      'DERIVATIVES_TO_WALLET in',
      'WALLET_TO_SPOT out',
    ]);
    expect(rows[0].operationId).toBe(rows[1].operationId);
    expect(rows[2].operationId).toBe(rows[3].operationId);
    expect(rows[0].operationId).not.toBe(rows[2].operationId);
    expect(branch.balance(account, 'USDT', 'spot')).toBe('9 0');
    expect(branch.balance(account, 'USDT', 'derivatives')).toBe('1 0');
    expect(branch.balance(account, 'USDT')).toBe('0 0');
  });

  test(
    'takes all that is available and not an atom more',
    { tags: ['server:trading-v3.spot.balance-available'] },
    () => {
      const branch = new WalletHarness();
      const account = branch.account({ USDT: '1000' });
      given(branch.transfer(account, '1000', 'USDT', 'wallet', 'spot'));
      branch.order(account, 'buy', 'buy', 5, 100);
      expect(branch.balance(account, 'USDT', 'spot')).toBe('499 501');
      const more = branch.transfer(account, '499.000001', 'USDT', 'spot', 'wallet');
      expect(more).toMatchObject({
        code: 'funds-insufficient',
        field: 'amount',
        limit: '499.000001',
      });
      given(branch.transfer(account, '499', 'USDT', 'spot', 'wallet'));
      expect(branch.balance(account, 'USDT', 'spot')).toBe('0 501');
    },
  );

  test.each([
    ['5', 'GBP', 'wallet', 'spot', 'currency-unknown'],
    ['5', 'USDT', 'spot', 'spot', 'route-invalid'],
    ['5', 'USDT', 'bank', 'spot', 'route-invalid'],
    ['5', 'EUR', 'wallet', 'spot', 'transfer-unavailable'],
    ['0', 'USDT', 'wallet', 'spot', 'amount-invalid'],
    ['-1', 'USDT', 'wallet', 'spot', 'amount-invalid'],
    ['0.0000001', 'USDT', 'wallet', 'spot', 'amount-off-precision'],
    ['11', 'USDT', 'wallet', 'spot', 'funds-insufficient'],
  ])('of %s %s from %s to %s is refused: %s', (amount, currency, source, destination, code) => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '10', EUR: '10' });
    const request = { currency, amount: decimal(amount), source, destination };
    // What comes from the wire is text, whatever the types say.
    const rejection = branch.wallet.transfer(account, request as never, branch.at);
    expect(codeOf(rejection)).toBe(code);
    expect(branch.reported()).toEqual([]);
  });
});

test('a currency of which nothing else is said has plain terms', () => {
  const branch = new WalletHarness({ currencies: [] });
  const account = branch.account({ USDT: '1' });
  const fine = branch.transfer(account, '0.0000000000001', 'USDT', 'wallet', 'spot');
  expect(fine).toMatchObject({ code: 'amount-off-precision', limit: '0.000000000001' });
  given(branch.transfer(account, '0.000000000001', 'USDT', 'wallet', 'spot'));
  expect(branch.withdraw(account, '0.5', 'USDT', { network: 'ETH' })).toMatchObject({
    code: 'network-unknown',
    message: 'USDT has no network "ETH"; it has USDT.',
  });
  expect(branch.balance(account, 'USDT')).toBe('0.999999999999 0');
});

describe('balances', () => {
  test('are listed where they are not empty', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1', USDT: '10' });
    branch.withdrawn(account, '2', 'USDT', { network: 'TRX' });
    given(branch.transfer(account, '1', 'BTC', 'wallet', 'spot'));
    const rows = branch.wallet.balances(account);
    expect(
      rows.map((b) => `${b.currency} ${b.available.toFixed()} ${b.reserved.toFixed()}`),
    ).toEqual(['USDT 7 3']);
    expect(branch.wallet.balances(account, 'spot')).toHaveLength(1);
    expect(branch.wallet.balances(account, 'derivatives')).toEqual([]);
  });

  test('of a currency that is not there are refused', () => {
    const branch = new WalletHarness();
    expect(codeOf(branch.wallet.balance(branch.account(), 'GBP'))).toBe('currency-unknown');
  });

  test('of an account that was never opened are a mistake of the caller', () => {
    const branch = new WalletHarness();
    expect(() => branch.transfer(99, '1', 'USDT', 'wallet', 'spot')).toThrow(
      'There is no account 99',
    );
  });
});
