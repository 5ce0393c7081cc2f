import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

const setup = () => {
  const branch = new WalletHarness();
  const account = branch.account({ USDT: '100', BTC: '1' });
  const lock = (amount: string, us: number, currency = 'USDT') =>
    branch.wallet.lock(
      account,
      {
        currency,
        amount: decimal(amount),
        endsAt: micros(branch.at + us),
        description: 'promotion',
      },
      branch.at,
    );
  return { branch, account, lock };
};

describe('an amount lock', () => {
  test('reserves its amount until its time, and then releases it', () => {
    const { branch, account, lock } = setup();
    given(lock('60', 1_000));
    expect(branch.balance(account, 'USDT')).toBe('40 60');
    expect(codeOf(branch.transfer(account, '41', 'USDT', 'wallet', 'spot'))).toBe(
      'funds-insufficient',
    );
    branch.reported();
    branch.exchange.advance(micros(branch.at + 999));
    expect(branch.reported()).toEqual([]);
    branch.exchange.advance(micros(branch.at + 1_000));
    expect(branch.reported()).toEqual([`wallet ${account} USDT 100 0`]);
  });

  test('ends before its time where it is cancelled, once', () => {
    const { branch, account, lock } = setup();
    const id = given(lock('60', 1_000));
    branch.at = micros(branch.at + 10);
    expect(branch.wallet.unlock(id, 'mistake', branch.at)).toBeUndefined();
    expect(branch.balance(account, 'USDT')).toBe('100 0');
    expect(branch.exchange.nextExpiryAt).toBe(Infinity);
    expect(codeOf(branch.wallet.unlock(id, 'mistake', branch.at))).toBe('lock-unknown');
    expect(codeOf(branch.wallet.unlock(0, 'mistake', branch.at))).toBe('lock-unknown');
    expect(branch.wallet.locks(account)).toMatchObject([
      { id, cancelled: true, cancelledAt: branch.at, cancelDescription: 'mistake' },
    ]);
  });

  test.each([
    ['101', 'USDT', 'funds-insufficient'],
    ['0', 'USDT', 'amount-invalid'],
    ['1', 'GBP', 'currency-unknown'],
  ])('of %s %s is refused: %s', (amount, currency, code) => {
    const { branch, account, lock } = setup();
    expect(codeOf(lock(amount, 1, currency))).toBe(code);
    expect(branch.wallet.locks(account)).toEqual([]);
  });

  test('is listed by account, currency, time and whether it holds, newest first', () => {
    const { branch, account, lock } = setup();
    const [over, open, btc] = [lock('1', 5), lock('2', 100), lock('0.5', 100, 'BTC')].map(given);
    const first = branch.at;
    branch.at = micros(branch.at + 10);
    branch.exchange.advance(branch.at);
    const late = given(lock('3', 100));
    const ids = (query: Parameters<typeof branch.wallet.locks>[1]) =>
      given(branch.wallet.locks(account, query)).map(({ id }) => id);
    expect(ids({})).toEqual([late, btc, open, over]);
    expect(ids({ active: true })).toEqual([late, btc, open]);
    expect(ids({ active: false })).toEqual([over]);
    expect(ids({ currency: 'BTC' })).toEqual([btc]);
    expect(ids({ from: branch.at })).toEqual([late]);
    expect(ids({ till: first })).toEqual([btc, open, over]);
    expect(ids({ limit: 2, offset: 1 })).toEqual([btc, open]);
    expect(branch.wallet.locks(branch.account())).toEqual([]);
    expect(codeOf(branch.wallet.locks(account, { limit: 1_001 }))).toBe('page-invalid');
  });
});
