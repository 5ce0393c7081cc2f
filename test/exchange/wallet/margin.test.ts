import { describe, expect, test } from 'vitest';
import { AVAILABLE, CROSS, MARGIN, RESERVED } from '../../../src/exchange/ledger/balances.ts';
import { decimal, ZERO } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { instrument, MarginFloor, perpetual } from '../margin/kit.ts';
import { codeOf, given } from './harness.ts';

const AT = micros(0);

/** What there is of USDT, over all rows and pockets of the three ledgers. */
function total({ exchange }: MarginFloor): string {
  let sum = ZERO;
  for (const ledger of [exchange.ledger, exchange.wallets, exchange.derivatives]) {
    const budget = ledger.balances[ledger.currency('USDT')];
    for (let row = 0; row < ledger.accounts; row += 1) {
      for (const pocket of [AVAILABLE, RESERVED, MARGIN, CROSS]) {
        sum = sum.plus(budget.amount(row, pocket));
      }
    }
  }
  return sum.toFixed();
}

describe('money of the wallet on margin', () => {
  test('goes by derivatives into a futures account and, when that is closed, back and out', () => {
    const floor = new MarginFloor([instrument(), perpetual()]);
    const { wallet } = floor.exchange;
    const account = floor.exchange.openAccount();
    const amount = decimal('1000');
    given(wallet.credit(account, { currency: 'USDT', amount, subtype: 'FIAT' }, AT));
    const there = {
      currency: 'USDT',
      amount,
      source: 'wallet',
      destination: 'derivatives',
    } as const;
    const futures = { symbol: 'BTCUSDT_PERP', leverage: '5' };
    expect(codeOf(floor.set(account, '600', futures))).toBe('funds-insufficient');
    given(wallet.transfer(account, there, AT));
    expect(floor.set(account, '600', futures)).toBeUndefined();
    const back = { ...there, source: 'derivatives', destination: 'wallet' } as const;
    expect(codeOf(wallet.transfer(account, back, AT))).toBe('funds-insufficient');
    expect(total(floor)).toBe('1000');
    expect(floor.set(account, '0', { symbol: 'BTCUSDT_PERP' })).toBeUndefined();
    given(wallet.transfer(account, back, AT));
    const txId = given(wallet.withdraw(account, { currency: 'USDT', amount, address: 'x' }, AT));
    wallet.settleWithdrawal(txId, { kind: 'sent', hash: 'h' }, AT);
    expect(total(floor)).toBe('0');
  });

  test('of a sub-account that is frozen stays in its margin accounts, and their orders are canceled', () => {
    const floor = new MarginFloor();
    const { exchange } = floor;
    const owner = exchange.openAccount();
    const sub = exchange.subAccounts.open(owner, {}, AT);
    exchange.deposit(sub, 'USDT', decimal('1000'));
    expect(floor.set(sub, '300')).toBeUndefined();
    floor.place(sub, 'bid', { side: 'buy', lots: 1, ticks: 100, margin: 'isolated' });
    given(exchange.subAccounts.freeze(owner, [sub], AT));
    expect(floor.log.filter((line) => line.startsWith('canceled'))).toEqual([
      'canceled bid----- 0/1',
    ]);
    const { ledger } = exchange;
    const budget = ledger.balances[ledger.currency('USDT')];
    const pockets = [AVAILABLE, RESERVED, MARGIN].map((pocket) =>
      budget.amount(sub, pocket).toFixed(),
    );
    expect(pockets).toEqual(['0', '0', '300']);
    expect(given(exchange.wallet.balance(sub, 'USDT')).available.toFixed()).toBe('700');
    for (const outcome of [
      floor.set(sub, '0'),
      floor.close(sub),
      floor.place(sub, 'ask', { side: 'sell', lots: 1, ticks: 100, margin: 'isolated' }),
    ]) {
      expect(codeOf(outcome)).toBe('account-frozen');
    }
    expect(total(floor)).toBe('1000');
    // Activated, it closes its margin account, which brings the rest back.
    given(exchange.subAccounts.activate(owner, [sub], AT));
    expect(floor.set(sub, '0')).toBeUndefined();
    expect(exchange.balance(sub, 'USDT').available.toFixed()).toBe('300');
  });
});
