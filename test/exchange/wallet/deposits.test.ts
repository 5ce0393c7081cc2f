import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

const arrivalAt = (address: string, more: object = {}) => ({
  currency: 'USDT',
  address,
  amount: decimal('12.345'),
  hash: '0xhash',
  ...more,
});

describe('a deposit', () => {
  const setup = () => {
    const branch = new WalletHarness();
    const account = branch.account();
    const { address } = given(branch.wallet.address(account, 'USDT', branch.at));
    return { branch, account, address };
  };

  test('is created when it is seen, pending when it is confirmed, and credited when that is enough', () => {
    const { branch, account, address } = setup();
    const txId = given(branch.wallet.receive(arrivalAt(address), branch.at));
    branch.wallet.confirm(txId, 1, branch.at);
    branch.wallet.confirm(txId, 1, branch.at);
    branch.wallet.confirm(txId, 2, branch.at);
    expect(branch.balance(account, 'USDT')).toBe('0 0');
    branch.wallet.confirm(txId, 3, branch.at);
    const head = `#1 ${account} DEPOSIT/BLOCKCHAIN`;
    expect(branch.reported()).toEqual([
      `${head} CREATED in 12.345 USDT confirmed 0 0xhash`,
      `${head} PENDING in 12.345 USDT confirmed 1 0xhash`,
      `${head} PENDING in 12.345 USDT confirmed 2 0xhash`,
      `${head} SUCCESS in 12.345 USDT confirmed 3 0xhash`,
      `wallet ${account} USDT 12.345 0`,
    ]);
    expect(codeOf(branch.wallet.confirm(txId, 4, branch.at))).toBe('transaction-ended');
    expect(branch.balance(account, 'USDT')).toBe('12.345 0');
  });

  test('is credited at once where its network asks for no confirmation, or it has enough', () => {
    const { branch, account, address } = setup();
    const trx = given(branch.wallet.address(account, 'USDT', branch.at, 'TRX'));
    const first = arrivalAt(trx.address, { network: 'TRX' });
    expect(branch.status(given(branch.wallet.receive(first, branch.at)))).toBe('SUCCESS');
    const second = arrivalAt(address, { confirmations: 3 });
    expect(branch.status(given(branch.wallet.receive(second, branch.at)))).toBe('SUCCESS');
    expect(branch.balance(account, 'USDT')).toBe('24.69 0');
  });

  test('that is never confirmed fails, and nothing is credited', () => {
    const { branch, account, address } = setup();
    const txId = given(branch.wallet.receive(arrivalAt(address), branch.at));
    expect(branch.wallet.dismiss(txId, branch.at)).toBeUndefined();
    expect(branch.status(txId)).toBe('FAILED');
    expect(codeOf(branch.wallet.confirm(txId, 3, branch.at))).toBe('transaction-ended');
    expect(codeOf(branch.wallet.dismiss(txId, branch.at))).toBe('transaction-ended');
    expect(branch.balance(account, 'USDT')).toBe('0 0');
  });

  test('keeps who sent it and how likely it is taken back', () => {
    const { branch, account, address } = setup();
    const commitRisk = { score: 7, rbf: true, lowFee: false };
    const arrival = arrivalAt(address, { senders: ['a', 'b'], commitRisk });
    const txId = given(branch.wallet.receive(arrival, branch.at));
    const record = given(branch.wallet.transaction(account, txId));
    expect(record).toMatchObject({ senders: ['a', 'b'], commitRisk, network: 'ETH', address });
  });

  test('finds its account by the payment id where all share an address', () => {
    const branch = new WalletHarness();
    const [first, second] = [branch.account(), branch.account()];
    const one = given(branch.wallet.address(first, 'XRP', branch.at));
    const two = given(branch.wallet.address(second, 'XRP', branch.at));
    expect(one.address).toBe(two.address);
    const more = { currency: 'XRP', paymentId: two.paymentId, confirmations: 2 };
    given(branch.wallet.receive(arrivalAt(two.address, more), branch.at));
    expect(branch.balance(first, 'XRP')).toBe('0 0');
    expect(branch.balance(second, 'XRP')).toBe('12.345 0');
  });

  test.each([
    [{ currency: 'GBP' }, 'currency-unknown'],
    [{ network: 'SOL' }, 'network-unknown'],
    [{ network: 'OMNI' }, 'deposit-unavailable'],
    [{ currency: 'EUR' }, 'deposit-unavailable'],
    [{ address: 'nowhere' }, 'address-unknown'],
    [{ network: 'TRX' }, 'address-unknown'],
    [{ currency: 'BTC' }, 'address-unknown'],
    [{ amount: decimal('0') }, 'amount-invalid'],
  ])('with %j is refused: %s', (more, code) => {
    const { branch, address } = setup();
    expect(codeOf(branch.wallet.receive(arrivalAt(address, more), branch.at))).toBe(code);
    expect(branch.reported()).toEqual([]);
  });

  test('that was never seen is unknown, and a count of confirmations is a whole number', () => {
    const { branch, account, address } = setup();
    const [credit] = [
      branch.wallet.credit(
        account,
        { currency: 'USDT', amount: decimal('1'), subtype: 'FIAT' },
        branch.at,
      ),
    ];
    expect(codeOf(branch.wallet.confirm(given(credit), 1, branch.at))).toBe('transaction-ended');
    expect(codeOf(branch.wallet.confirm('x', 1, branch.at))).toBe('transaction-unknown');
    const txId = given(branch.wallet.receive(arrivalAt(address), branch.at));
    expect(() => branch.wallet.confirm(txId, -1, branch.at)).toThrow('no -1 confirmations');
    expect(() =>
      branch.wallet.receive(arrivalAt(address, { confirmations: 0.5 }), branch.at),
    ).toThrow('no 0.5 confirmations');
  });
});

describe('money that comes by another way than a chain', () => {
  test('is credited at once, each way by its word', () => {
    const branch = new WalletHarness();
    const account = branch.account();
    const credit = { currency: 'EUR', amount: decimal('5'), subtype: 'FIAT' } as const;
    given(branch.wallet.credit(account, credit, branch.at));
    expect(branch.reported()).toEqual([
      `#1 ${account} DEPOSIT/FIAT SUCCESS in 5 EUR`,
      `wallet ${account} EUR 5 0`,
    ]);
  });

  test('is refused where the currency or the amount is none', () => {
    const branch = new WalletHarness();
    const account = branch.account();
    const credit = { currency: 'EUR', amount: decimal('-5'), subtype: 'FIAT' } as const;
    expect(codeOf(branch.wallet.credit(account, credit, branch.at))).toBe('amount-invalid');
    const foreign = { ...credit, currency: 'GBP' };
    expect(codeOf(branch.wallet.credit(account, foreign, branch.at))).toBe('currency-unknown');
  });
});
