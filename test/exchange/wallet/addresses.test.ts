import { describe, expect, test } from 'vitest';
import { WalletHarness, codeOf, given } from './harness.ts';

describe('deposit addresses', () => {
  test('are made of a count, so that two runs have the same', () => {
    const make = (): string[] => {
      const branch = new WalletHarness();
      const account = branch.account();
      return ['BTC', 'BTC', 'USDT'].map(
        (code) => given(branch.wallet.newAddress(account, code, branch.at)).address,
      );
    };
    expect(make()).toEqual([
      'bc100000000000000001',
      'bc100000000000000002',
      '0000000000000000000000000000000003',
    ]);
    expect(make()).toEqual(make());
  });

  test('the first is made when it is asked for, and stays until a new one is made', () => {
    const branch = new WalletHarness();
    const account = branch.account();
    expect(branch.wallet.addresses(account)).toEqual([]);
    const first = given(branch.wallet.address(account, 'BTC', branch.at));
    expect(given(branch.wallet.address(account, 'BTC', branch.at))).toEqual(first);
    const second = given(branch.wallet.newAddress(account, 'BTC', branch.at));
    expect(second.address).not.toBe(first.address);
    expect(given(branch.wallet.address(account, 'BTC', branch.at))).toEqual(second);
    const trx = given(branch.wallet.address(account, 'USDT', branch.at, 'TRX'));
    expect(branch.wallet.addresses(account)).toEqual([second, trx]);
  });

  test('an old one stays good', () => {
    const branch = new WalletHarness();
    const account = branch.account();
    const first = given(branch.wallet.address(account, 'BTC', branch.at));
    given(branch.wallet.newAddress(account, 'BTC', branch.at));
    expect(branch.wallet.isMine(account, first.address)).toBe(true);
    expect(branch.wallet.offchainAvailable(branch.account(), first)).toBe(true);
  });

  test('the last ten are listed, newest first, each currency apart', () => {
    const branch = new WalletHarness();
    const account = branch.account();
    const made = Array.from({ length: 12 }, () =>
      given(branch.wallet.newAddress(account, 'BTC', branch.at)),
    );
    given(branch.wallet.newAddress(account, 'USDT', branch.at));
    expect(branch.wallet.recentDeposit(account, 'BTC')).toEqual(made.slice(2).reverse());
    expect(branch.wallet.recentDeposit(account, 'XRP')).toEqual([]);
  });

  test('are mine on the network where I have them, and nobody else’s', () => {
    const branch = new WalletHarness();
    const account = branch.account();
    const { address } = given(branch.wallet.address(account, 'USDT', branch.at));
    expect(branch.wallet.isMine(account, address, 'ETH')).toBe(true);
    expect(branch.wallet.isMine(account, address, 'TRX')).toBe(false);
    expect(branch.wallet.isMine(branch.account(), address)).toBe(false);
  });

  test.each([
    ['GBP', undefined, 'currency-unknown'],
    ['USDT', 'SOL', 'network-unknown'],
    ['USDT', 'OMNI', 'deposit-unavailable'],
    ['EUR', undefined, 'deposit-unavailable'],
  ])('of %s on %s are refused: %s', (currency, network, code) => {
    const branch = new WalletHarness();
    const account = branch.account();
    const { wallet, at } = branch;
    expect(codeOf(wallet.newAddress(account, currency, at, network))).toBe(code);
    expect(codeOf(wallet.address(account, currency, at, network))).toBe(code);
  });
});

describe('addresses that money was sent to', () => {
  test('are the last ten different ones, newest first', () => {
    const branch = new WalletHarness();
    const account = branch.account({ BTC: '1' });
    const address = (n: number): string => `bc1qaddressaddress${n}`;
    for (let n = 0; n < 12; n += 1) {
      branch.withdrawn(account, '0.01', 'BTC', { address: address(n) });
    }
    branch.withdrawn(account, '0.01', 'BTC', { address: address(5) });
    const used = branch.wallet.recentWithdraw(account, 'BTC').map((each) => each.address);
    expect(used).toEqual([5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map(address));
    expect(branch.wallet.recentWithdraw(account, 'USDT')).toEqual([]);
  });

  test('are not those of withdrawals that wait', () => {
    const branch = new WalletHarness();
    const account = branch.account({ XRP: '1' });
    const more = { paymentId: '7', autoCommit: false } as const;
    const txId = branch.withdrawn(account, '0.5', 'XRP', more);
    expect(branch.wallet.recentWithdraw(account, 'XRP')).toEqual([]);
    branch.wallet.commit(account, txId, branch.at);
    expect(branch.wallet.recentWithdraw(account, 'XRP')).toMatchObject([{ paymentId: '7' }]);
  });
});

test('addresses that an account trusts have names, which can be changed', () => {
  const branch = new WalletHarness();
  const account = branch.account();
  const cold = { address: 'bc1qcold', currency: 'BTC', name: 'cold', network: 'BTC' };
  const other = { ...cold, currency: 'USDT', network: 'ETH' };
  branch.wallet.trust(account, cold);
  branch.wallet.trust(account, other);
  branch.wallet.trust(account, { ...cold, name: 'vault' });
  expect(branch.wallet.whiteList(account)).toEqual([other, { ...cold, name: 'vault' }]);
  expect(branch.wallet.whiteList(branch.account())).toEqual([]);
});
