import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { WalletHarness, codeOf, given, OUTSIDE } from './harness.ts';

describe('a withdrawal without a chain', () => {
  const setup = () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '100' });
    const other = branch.account();
    const { address } = given(branch.wallet.address(other, 'USDT', branch.at));
    branch.reported();
    return { branch, account, other, address };
  };

  test('reaches the owner of the address at once and for free', () => {
    const { branch, account, other, address } = setup();
    const txId = branch.withdrawn(account, '10', 'USDT', { address, offchain: 'required' });
    expect(branch.reported()).toEqual([
      `#2 ${account} WITHDRAW/OFFCHAIN CREATED out 10 USDT fee 0`,
      `#3 ${other} DEPOSIT/OFFCHAIN SUCCESS in 10 USDT`,
      `#2 ${account} WITHDRAW/OFFCHAIN SUCCESS out 10 USDT fee 0`,
      `wallet ${account} USDT 90 0`,
      `wallet ${other} USDT 10 0`,
    ]);
    const [received] = given(branch.wallet.transactions(other));
    expect(received).toMatchObject({ offchainId: txId, address });
    const { offchainId } = given(branch.wallet.transaction(account, txId));
    expect(offchainId).toBe(received.txId);
  });

  test('goes by the chain where that is asked for, or where the address is not here', () => {
    const { branch, account, address } = setup();
    const never = branch.withdrawn(account, '10', 'USDT', { address });
    const outside = branch.withdrawn(account, '10', 'USDT', { offchain: 'optionally' });
    expect([branch.status(never), branch.status(outside)]).toEqual(['PENDING', 'PENDING']);
    const inside = branch.withdrawn(account, '10', 'USDT', { address, offchain: 'optionally' });
    expect(branch.status(inside)).toBe('SUCCESS');
  });

  test('waits for its commit where it is in two phases', () => {
    const { branch, account, other, address } = setup();
    const more = { address, offchain: 'required', autoCommit: false } as const;
    const txId = branch.withdrawn(account, '10', 'USDT', more);
    expect(branch.balance(account, 'USDT')).toBe('90 10');
    given(branch.wallet.commit(account, txId, branch.at));
    expect(branch.balance(account, 'USDT')).toBe('90 0');
    expect(branch.balance(other, 'USDT')).toBe('10 0');
    expect(branch.wallet.commit(account, txId, branch.at)).toBe(true);
    expect(branch.balance(other, 'USDT')).toBe('10 0');
  });

  test('cannot go to the account that sends it, nor to an address for another currency', () => {
    const { branch, account, other } = setup();
    const own = given(branch.wallet.address(account, 'USDT', branch.at));
    const foreign = given(branch.wallet.address(other, 'BTC', branch.at));
    for (const address of [own.address, foreign.address, OUTSIDE]) {
      const more = { address, offchain: 'required' } as const;
      expect(codeOf(branch.withdraw(account, '1', 'USDT', more))).toBe('offchain-unavailable');
    }
    expect(branch.wallet.offchainAvailable(other, own)).toBe(true);
    expect(branch.wallet.offchainAvailable(account, own)).toBe(false);
    const { currency, address } = own;
    expect(branch.wallet.offchainAvailable(other, { currency, address })).toBe(true);
    const elsewhere = { currency, address, network: 'TRX' };
    expect(branch.wallet.offchainAvailable(other, elsewhere)).toBe(false);
    const unknown = branch.wallet.offchainAvailable(other, { currency: 'GBP', address });
    expect(unknown).toMatchObject({ code: 'currency-unknown' });
    const nowhere = branch.wallet.offchainAvailable(other, { ...own, network: 'XRP' });
    expect(nowhere).toMatchObject({ code: 'network-unknown' });
  });

  test('distinguishes accounts by payment ids where they share an address', () => {
    const branch = new WalletHarness();
    const account = branch.account({ XRP: '10' });
    const first = branch.account();
    const second = branch.account();
    given(branch.wallet.address(first, 'XRP', branch.at));
    const { address, paymentId } = given(branch.wallet.address(second, 'XRP', branch.at));
    const more = { address, paymentId: paymentId ?? '', offchain: 'required' } as const;
    branch.withdrawn(account, '10', 'XRP', more);
    expect(branch.balance(first, 'XRP')).toBe('0 0');
    expect(branch.balance(second, 'XRP')).toBe('10 0');
  });
});

describe('money sent to another account by its name', () => {
  test('arrives at once and for free, whatever case the name is written in', () => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '100' });
    const other = branch.account();
    branch.wallet.name(other, { email: 'Ann@example.org', username: 'ann' });
    const gift = { currency: 'USDT', amount: decimal('7'), publicComment: 'rent' };
    const sent = given(
      branch.wallet.sendInternally(
        account,
        { ...gift, by: 'email', identifier: 'ann@EXAMPLE.org' },
        branch.at,
      ),
    );
    expect(branch.balance(other, 'USDT')).toBe('7 0');
    const [deposit] = given(branch.wallet.transactions(other));
    expect(deposit).toMatchObject({ subtype: 'OFFCHAIN', offchainId: sent, publicComment: 'rent' });
    const byName = { ...gift, by: 'username', identifier: 'Ann' } as const;
    given(branch.wallet.sendInternally(account, byName, branch.at));
    expect(branch.balance(account, 'USDT')).toBe('86 0');
    // It can be committed again like every withdrawal, and does nothing.
    expect(branch.wallet.commit(account, sent, branch.at)).toBe(true);
  });

  test.each([
    ['1', 'GBP', 'ann', 'currency-unknown'],
    ['1', 'EUR', 'ann', 'withdrawal-unavailable'],
    ['1', 'USDT', 'bob', 'user-unknown'],
    ['1', 'USDT', 'me', 'route-invalid'],
    ['0.0000001', 'USDT', 'ann', 'amount-off-precision'],
    ['501', 'USDT', 'ann', 'withdrawal-limit-reached'],
    ['101', 'USDT', 'ann', 'funds-insufficient'],
  ])('of %s %s to %s is refused: %s', (amount, currency, identifier, code) => {
    const branch = new WalletHarness();
    const account = branch.account({ USDT: '100', EUR: '5' });
    branch.wallet.name(account, { username: 'me' });
    branch.wallet.name(branch.account(), { username: 'ann' });
    const request = { currency, amount: decimal(amount), by: 'username', identifier } as const;
    expect(codeOf(branch.wallet.sendInternally(account, request, branch.at))).toBe(code);
    expect(branch.reported()).toEqual([]);
  });

  test('a name belongs to one account, which may change it', () => {
    const branch = new WalletHarness();
    const [first, second] = [branch.account({ USDT: '1' }), branch.account()];
    branch.wallet.name(first, { email: 'a@example.org', username: 'a' });
    expect(() => {
      branch.wallet.name(second, { email: 'A@example.org' });
    }).toThrow('is called "a@example.org" already');
    branch.wallet.name(first, { email: 'a@example.org', username: 'b' });
    branch.wallet.name(second, { username: 'a' });
    branch.wallet.name(first, {});
    const gift = { currency: 'USDT', amount: decimal('1') };
    const gone = { ...gift, by: 'email', identifier: 'a@example.org' } as const;
    expect(codeOf(branch.wallet.sendInternally(second, gone, branch.at))).toBe('user-unknown');
    const request = { ...gift, by: 'username', identifier: 'a' } as const;
    given(branch.wallet.sendInternally(first, request, branch.at));
    expect(branch.balance(second, 'USDT')).toBe('1 0');
  });
});
