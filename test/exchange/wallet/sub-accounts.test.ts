import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { micros, US_PER_HOUR } from '../../../src/platform/time.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

/** A super account with two sub-accounts, each with money in its wallet and for trading. */
function family() {
  const branch = new WalletHarness();
  const owner = branch.account({ USDT: '1000' });
  const a = branch.sub(owner, 'a@example.org', { USDT: '1000' });
  const b = branch.sub(owner, 'b@example.org');
  given(branch.transfer(a, '600', 'USDT', 'wallet', 'spot'));
  branch.reported();
  const { subAccounts } = branch;
  return { branch, subAccounts, owner, a, b };
}

const usdt = (amount: string) => ({ currency: 'USDT', amount: decimal(amount) });

describe('sub-accounts', () => {
  test('are listed with their emails and how they stand, oldest first', () => {
    const { branch, subAccounts, owner, a, b } = family();
    expect(subAccounts.list(owner)).toEqual([
      { account: a, email: 'a@example.org', status: 'active' },
      { account: b, email: 'b@example.org', status: 'new' },
    ]);
    expect(subAccounts.superOf(a)).toBe(owner);
    expect(subAccounts.superOf(owner)).toBeUndefined();
    expect(subAccounts.list(branch.account())).toEqual([]);
    expect(subAccounts.status(owner)).toBe('active');
  });

  test(
    'are new until money reaches them or they are activated',
    { tags: ['server:trading-v2.state.sub-account-other-moves'] },
    () => {
      const { branch, subAccounts, owner, a, b } = family();
      const c = subAccounts.open(owner, {}, branch.at);
      expect([b, c].map((each) => subAccounts.status(each))).toEqual(['new', 'new']);
      given(subAccounts.giveToSub(a, b, usdt('1'), branch.at));
      given(subAccounts.activate(owner, [c], branch.at));
      expect([b, c].map((each) => subAccounts.status(each))).toEqual(['active', 'active']);
      expect(subAccounts.list(owner)[2].email).toBe('');
    },
  );

  test('of a sub-account, and names that are taken, are mistakes of the caller that open nothing', () => {
    const { branch, subAccounts, owner, a } = family();
    const { accounts } = branch.exchange.ledger;
    expect(() => subAccounts.open(a, {}, branch.at)).toThrow('is a sub-account');
    expect(() => subAccounts.open(owner, { email: 'B@example.org' }, branch.at)).toThrow('already');
    expect(branch.exchange.ledger.accounts).toBe(accounts);
  });
});

describe('money between a super account and its sub-accounts', () => {
  test('goes to the sub-account and back, wallet to wallet', () => {
    const { branch, subAccounts, owner, b } = family();
    const there = { ...usdt('50'), subAccount: b, direction: 'to' } as const;
    const txId = given(subAccounts.transfer(owner, there, branch.at));
    expect(branch.reported()).toEqual([
      `#4 ${owner} WITHDRAW/SUB_ACCOUNT SUCCESS out 50 USDT`,
      `#5 ${b} DEPOSIT/SUB_ACCOUNT SUCCESS in 50 USDT`,
      `wallet ${owner} USDT 950 0`,
      `wallet ${b} USDT 50 0`,
    ]);
    expect(given(branch.wallet.transaction(owner, txId)).direction).toBe('out');
    const back = { ...usdt('20'), subAccount: b, direction: 'from' } as const;
    const backId = given(subAccounts.transfer(owner, back, branch.at));
    expect(given(branch.wallet.transaction(owner, backId)).direction).toBe('in');
    expect([owner, b].map((each) => branch.balance(each, 'USDT'))).toEqual(['970 0', '30 0']);
  });

  test('goes from a sub-account to its super account and to its siblings', () => {
    const { branch, subAccounts, owner, a, b } = family();
    const up = given(subAccounts.giveToSuper(a, usdt('100'), branch.at));
    const across = given(subAccounts.giveToSub(a, b, usdt('30'), branch.at));
    expect([owner, a, b].map((each) => branch.balance(each, 'USDT'))).toEqual([
      ...['1100 0', '270 0', '30 0'],
    ]);
    for (const txId of [up, across]) {
      expect(given(branch.wallet.transaction(a, txId))).toMatchObject({
        type: 'WITHDRAW',
        subtype: 'SUB_ACCOUNT',
      });
    }
  });

  test('beyond the funds, finer than the currency moves, or of none is refused', () => {
    const { branch, subAccounts, owner, a, b } = family();
    const to = (amount: string, currency = 'USDT') =>
      codeOf(
        subAccounts.transfer(
          owner,
          { subAccount: b, currency, amount: decimal(amount), direction: 'to' },
          branch.at,
        ),
      );
    expect(to('1000.000001')).toBe('funds-insufficient');
    expect(to('0.0000001')).toBe('amount-off-precision');
    expect(to('1', 'GBP')).toBe('currency-unknown');
    expect(codeOf(subAccounts.giveToSuper(a, usdt('401'), branch.at))).toBe('funds-insufficient');
    expect(codeOf(subAccounts.giveToSub(a, b, usdt('401'), branch.at))).toBe('funds-insufficient');
    expect(branch.reported()).toEqual([]);
  });

  test('does not go to strangers, to oneself, or from an account that has no super account', () => {
    const { branch, subAccounts, owner, a } = family();
    const stranger = branch.account({ USDT: '1' });
    const transfer = { ...usdt('1'), subAccount: stranger, direction: 'from' } as const;
    const { at } = branch;
    expect(codeOf(subAccounts.transfer(owner, transfer, at))).toBe('sub-account-unknown');
    expect(codeOf(subAccounts.giveToSub(a, stranger, usdt('1'), at))).toBe('sub-account-unknown');
    expect(codeOf(subAccounts.giveToSub(a, a, usdt('1'), at))).toBe('sub-account-unknown');
    expect(codeOf(subAccounts.giveToSub(a, owner, usdt('1'), at))).toBe('sub-account-unknown');
    expect(codeOf(subAccounts.giveToSuper(owner, usdt('1'), at))).toBe('super-account-missing');
  });
});

describe('freezing', () => {
  test(
    'cancels the orders and brings the spot funds into the wallet, however fine',
    {
      tags: [
        'server:trading-v2.state.freeze-cancels-orders',
        'server:trading-v2.state.freeze-moves-funds',
      ],
    },
    () => {
      const { branch, subAccounts, owner, a } = family();
      branch.order(a, 'one', 'buy', 1, 100);
      branch.exchange.deposit(a, 'USDT', decimal('0.000000000000000123'));
      branch.reported();
      expect(subAccounts.freeze(owner, [a], branch.at)).toBe(true);
      expect(branch.reported()).toEqual([
        'canceled one-----',
        `spot ${a} USDT 600.000000000000000123 0`,
        `#4 ${a} TRANSFER/SPOT_TO_WALLET SUCCESS in 600.000000000000000123 USDT`,
        `spot ${a} USDT 0 0`,
        `wallet ${a} USDT 1000.000000000000000123 0`,
      ]);
      expect(branch.exchange.activeOrder(a, 'one-----')).toBe(-1);
    },
  );

  test('shows as disable', { tags: ['server:trading-v2.state.sub-account-frozen-status'] }, () => {
    const { branch, subAccounts, owner, a, b } = family();
    given(subAccounts.freeze(owner, [a], branch.at));
    given(subAccounts.disable(owner, [b], branch.at));
    expect(subAccounts.list(owner).map(({ status }) => status)).toEqual(['disable', 'disable']);
  });

  test('stops whatever the account asks for, and nothing that is asked of others', () => {
    const { branch, subAccounts, owner, a, b } = family();
    given(subAccounts.permit(owner, [a], { withdrawEnabled: true }, branch.at));
    const waiting = branch.withdrawn(a, '10', 'USDT', { autoCommit: false });
    const pending = branch.withdrawn(a, '10', 'USDT');
    given(subAccounts.freeze(owner, [a], branch.at));
    const { wallet, at } = branch;
    const byName = { ...usdt('1'), by: 'email', identifier: 'b@example.org' } as const;
    for (const outcome of [
      branch.order(a, 'one', 'buy', 1, 1),
      branch.exchange.replace(a, { clientOrderId: 'x', newClientOrderId: 'y' }, at),
      branch.exchange.placeList(a, { contingencyType: 'allOrNone', orders: [] }, at),
      branch.transfer(a, '1', 'USDT', 'wallet', 'spot'),
      branch.withdraw(a, '1', 'USDT'),
      wallet.commit(a, waiting, at),
      wallet.rollback(a, waiting, at),
      wallet.sendInternally(a, byName, at),
      wallet.convert(a, { from: 'USDT', to: 'BTC', amount: decimal('1') }, at),
      wallet.newAddress(a, 'USDT', at),
      subAccounts.giveToSuper(a, usdt('1'), at),
      subAccounts.giveToSub(a, b, usdt('1'), at),
      subAccounts.giveToSub(b, a, usdt('1'), at),
      subAccounts.transfer(owner, { ...usdt('1'), subAccount: a, direction: 'to' }, at),
    ]) {
      expect(codeOf(outcome)).toBe('account-frozen');
    }
    expect(branch.order(owner, 'one', 'buy', 1, 1)).toMatchObject({ code: 'funds-insufficient' });
    // What its network has already is settled, and what waits for a commit lapses.
    wallet.settleWithdrawal(pending, { kind: 'sent', hash: 'h' }, at);
    branch.exchange.advance(micros(at + US_PER_HOUR));
    expect([branch.status(waiting), branch.status(pending)]).toEqual(['ROLLED_BACK', 'SUCCESS']);
    expect(branch.balance(a, 'USDT')).toBe('987 0');
  });

  test('leaves its money for the super account to fetch, and lets money come in', () => {
    const { branch, subAccounts, owner, a } = family();
    const address = given(subAccounts.address(owner, a, 'USDT', branch.at, 'TRX'));
    given(subAccounts.freeze(owner, [a], branch.at));
    const arrival = { ...address, amount: decimal('5'), hash: 'h' };
    given(branch.wallet.receive(arrival, branch.at));
    const fetch = { ...usdt('1005'), subAccount: a, direction: 'from' } as const;
    given(subAccounts.transfer(owner, fetch, branch.at));
    expect(branch.balance(a, 'USDT')).toBe('0 0');
    expect(branch.balance(owner, 'USDT')).toBe('2005 0');
  });

  test('happens to all that are named or to none', () => {
    const { branch, subAccounts, owner, a, b } = family();
    given(subAccounts.freeze(owner, [b, b], branch.at));
    const { at } = branch;
    branch.reported();
    expect(codeOf(subAccounts.freeze(owner, [a, b], at))).toBe('sub-account-frozen');
    expect(codeOf(subAccounts.freeze(owner, [a, 99], at))).toBe('sub-account-unknown');
    expect(codeOf(subAccounts.freeze(owner, [], at))).toBe('sub-account-missing');
    expect(codeOf(subAccounts.freeze(a, [b], at))).toBe('sub-account-unknown');
    expect(branch.reported()).toEqual([]);
    expect(subAccounts.status(a)).toBe('active');
  });

  test('ends with activation', { tags: ['server:trading-v2.state.activate-frozen'] }, () => {
    const { branch, subAccounts, owner, a } = family();
    given(subAccounts.freeze(owner, [a], branch.at));
    expect(subAccounts.activate(owner, [a], branch.at)).toBe(true);
    expect(subAccounts.status(a)).toBe('active');
    given(branch.transfer(a, '1000', 'USDT', 'wallet', 'spot'));
    expect(branch.order(a, 'one', 'buy', 1, 100)).toBeUndefined();
    given(subAccounts.freeze(owner, [a], branch.at));
  });

  test(
    'does not end for what is disabled: false, and nobody else is activated either',
    { tags: ['server:trading-v2.state.activate-disabled-false'] },
    () => {
      const { branch, subAccounts, owner, a, b } = family();
      given(subAccounts.freeze(owner, [a, b], branch.at));
      given(subAccounts.disable(owner, [b], branch.at));
      expect(subAccounts.activate(owner, [a, b], branch.at)).toBe(false);
      expect([a, b].map((each) => subAccounts.status(each))).toEqual(['disable', 'disable']);
      expect(codeOf(branch.transfer(b, '1', 'USDT', 'wallet', 'spot'))).toBe('account-frozen');
      expect(codeOf(subAccounts.disable(owner, [b], branch.at))).toBe('sub-account-frozen');
      expect(codeOf(subAccounts.freeze(owner, [b], branch.at))).toBe('sub-account-frozen');
      expect(subAccounts.activate(owner, [a], branch.at)).toBe(true);
      expect(codeOf(subAccounts.activate(owner, [], branch.at))).toBe('sub-account-missing');
    },
  );
});

describe('what a sub-account may do', () => {
  test('is nothing beyond trading and transfers until it is allowed', () => {
    const { branch, subAccounts, owner, a } = family();
    expect(codeOf(branch.withdraw(a, '1', 'USDT'))).toBe('action-forbidden');
    const { wallet, at } = branch;
    const byName = { ...usdt('1'), by: 'email', identifier: 'b@example.org' } as const;
    expect(codeOf(wallet.sendInternally(a, byName, at))).toBe('action-forbidden');
    expect(codeOf(wallet.newAddress(a, 'USDT', at))).toBe('action-forbidden');
    const both = { withdrawEnabled: true, depositAddressGenerationEnabled: true };
    const [row] = given(subAccounts.permit(owner, [a], { ...both, description: 'bot' }, at));
    expect(row).toEqual({ account: a, ...both, description: 'bot', createdAt: at, updatedAt: at });
    branch.withdrawn(a, '1', 'USDT');
    given(wallet.sendInternally(a, byName, at));
    given(wallet.newAddress(a, 'USDT', at));
  });

  test('changes only where something is said, and keeps when it began', () => {
    const { branch, subAccounts, owner, a } = family();
    const { at } = branch;
    const later = micros(at + 5);
    given(subAccounts.permit(owner, [a], { description: 'bot' }, at));
    const rows = given(subAccounts.permit(owner, [a], { withdrawEnabled: true }, later));
    expect(rows).toMatchObject([
      { withdrawEnabled: true, description: 'bot', createdAt: at, updatedAt: later },
    ]);
  });

  test(
    'is not shown of those that are frozen or disabled, and cannot be changed',
    { tags: ['server:trading-v2.sub.acl-empty-when-frozen'] },
    () => {
      const { branch, subAccounts, owner, a, b } = family();
      const c = branch.sub(owner, 'c@example.org');
      given(subAccounts.freeze(owner, [a], branch.at));
      given(subAccounts.disable(owner, [b], branch.at));
      expect(subAccounts.permissions(owner, [a, b])).toEqual([]);
      expect(given(subAccounts.permissions(owner, [a, b, c])).map((row) => row.account)).toEqual([
        c,
      ]);
      const outcome = subAccounts.permit(owner, [c, a], { withdrawEnabled: true }, branch.at);
      expect(codeOf(outcome)).toBe('account-frozen');
      expect(subAccounts.permissions(owner, [c])).toMatchObject([{ withdrawEnabled: false }]);
    },
  );

  test('is the business of its super account alone', () => {
    const { branch, subAccounts, owner, a, b } = family();
    expect(codeOf(subAccounts.permissions(b, [a]))).toBe('sub-account-unknown');
    expect(codeOf(subAccounts.permissions(owner, []))).toBe('sub-account-missing');
    expect(codeOf(subAccounts.permit(b, [a], {}, branch.at))).toBe('sub-account-unknown');
  });
});

describe('a super account', () => {
  test('sees what a sub-account has, in whatever state it is', () => {
    const { branch, subAccounts, owner, a } = family();
    const look = () => {
      const { wallet, spot } = given(subAccounts.balances(owner, a));
      return [wallet, spot].map((rows) => rows.map((row) => row.available.toFixed()).join());
    };
    expect(look()).toEqual(['400', '600']);
    given(subAccounts.freeze(owner, [a], branch.at));
    expect(look()).toEqual(['1000', '']);
    given(subAccounts.disable(owner, [a], branch.at));
    expect(look()).toEqual(['1000', '']);
    expect(codeOf(subAccounts.balances(a, owner))).toBe('sub-account-unknown');
  });

  test('gets the deposit address of a sub-account that may not make one itself', () => {
    const { branch, subAccounts, owner, a } = family();
    const address = given(subAccounts.address(owner, a, 'USDT', branch.at));
    expect(branch.wallet.isMine(a, address.address)).toBe(true);
    expect(given(branch.wallet.address(a, 'USDT', branch.at))).toEqual(address);
    const { at } = branch;
    expect(codeOf(subAccounts.address(owner, a, 'GBP', at))).toBe('currency-unknown');
    expect(codeOf(subAccounts.address(a, owner, 'USDT', at))).toBe('sub-account-unknown');
  });
});
