import { describe, expect, test } from 'vitest';
import { RECORDED_MARKET } from '../../../src/exchange/ledger/ledger.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { WalletHarness, codeOf, given } from './harness.ts';

const RATES: Readonly<Record<string, string>> = { 'BTC USDT': '64000.5', 'USDT BTC': '0.0000156' };
const priceRate = (from: string, to: string) =>
  RATES[`${from} ${to}`] === undefined ? undefined : decimal(RATES[`${from} ${to}`]);

const setup = () => {
  const branch = new WalletHarness({ priceRate });
  return { branch, account: branch.account({ BTC: '1', USDT: '100' }) };
};

describe('a conversion', () => {
  test('is at the price rate of the moment, and two transactions of one operation', () => {
    const { branch, account } = setup();
    const request = { from: 'BTC', to: 'USDT', amount: decimal('0.25') };
    expect(given(branch.wallet.conversion(request)).toFixed()).toBe('16000.125');
    const ids = given(branch.wallet.convert(account, request, branch.at));
    expect(branch.reported()).toEqual([
      `#3 ${account} SWAP/INSTANT_EXCHANGE SUCCESS out 0.25 BTC`,
      `#4 ${account} SWAP/INSTANT_EXCHANGE SUCCESS in 16000.125 USDT`,
      `wallet ${account} BTC 0.75 0`,
      `wallet ${account} USDT 16100.125 0`,
    ]);
    const [left, came] = ids.map((id) => given(branch.wallet.transaction(account, id)));
    expect(left.operationId).toBe(came.operationId);
    expect(branch.balance(RECORDED_MARKET, 'BTC')).toBe('0.25 0');
    expect(branch.balance(RECORDED_MARKET, 'USDT')).toBe('-16000.125 0');
  });

  test('is rounded down to the precision of what comes out', () => {
    const { branch, account } = setup();
    // 0.001234 × 0.0000156 = 0.0000000192504, and BTC moves in 0.00000001.
    const request = { from: 'USDT', to: 'BTC', amount: decimal('0.001234') };
    given(branch.wallet.convert(account, request, branch.at));
    expect(branch.balance(account, 'BTC')).toBe('1.00000001 0');
    const less = { ...request, amount: decimal('0.000641') };
    expect(branch.wallet.convert(account, less, branch.at)).toMatchObject({
      code: 'amount-off-precision',
      limit: '0.00000001',
    });
  });

  test.each([
    ['GBP', 'USDT', '1', 'currency-unknown', 'from'],
    ['USDT', 'GBP', '1', 'currency-unknown', 'to'],
    ['USDT', 'USDT', '1', 'route-invalid', 'to'],
    ['USDT', 'XRP', '1', 'rate-missing', 'to'],
    ['USDT', 'BTC', '0.0000001', 'amount-off-precision', 'amount'],
    ['USDT', 'BTC', '101', 'funds-insufficient', 'amount'],
  ])('from %s to %s of %s is refused: %s', (from, to, amount, code, field) => {
    const { branch, account } = setup();
    const request = { from, to, amount: decimal(amount) };
    expect(branch.wallet.convert(account, request, branch.at)).toMatchObject({ code, field });
    expect(branch.reported()).toEqual([]);
  });

  test('has no rate where nobody publishes one', () => {
    const branch = new WalletHarness();
    const request = { from: 'USDT', to: 'BTC', amount: decimal('1') };
    expect(codeOf(branch.wallet.conversion(request))).toBe('rate-missing');
  });

  test.each([
    // A step of BTC is worth more than a step of USDT.
    ['BTC', 'USDT', '0.00000001'],
    // 0.00000001 ÷ 0.0000156 = 0.000641025…
    ['USDT', 'BTC', '0.000642'],
  ])('from %s to %s takes %s at least', (from, to, least) => {
    const { branch } = setup();
    const amount = branch.wallet.leastConversion(from, to);
    expect(amount).toEqual(decimal(least));
    expect(given(branch.wallet.conversion({ from, to, amount: decimal(least) })).isPositive()).toBe(
      true,
    );
    const step = given(branch.wallet.currency(from)).precisionTransfer;
    const less = { from, to, amount: decimal(least).minus(step) };
    expect(['amount-invalid', 'amount-off-precision']).toContain(
      codeOf(branch.wallet.conversion(less)),
    );
  });

  test.each([
    ['XRP', 'USDT', undefined],
    ['GBP', 'USDT', { code: 'currency-unknown' }],
    ['BTC', 'BTC', { code: 'route-invalid' }],
  ])('has no least amount from %s to %s', (from, to, outcome) => {
    const least = setup().branch.wallet.leastConversion(from, to);
    if (outcome === undefined) expect(least).toBeUndefined();
    else expect(least).toMatchObject(outcome);
  });

  test('takes a step more where the quotient was rounded down to a whole number of steps', () => {
    // 0.000001 ÷ (rate × 0.00000001) is a hair above 3, too little for 400 digits to tell.
    const rate = decimal('0.000001').dividedBy(3).dividedBy('0.00000001').toDecimalPlaces(405, 1);
    const branch = new WalletHarness({ priceRate: () => rate });
    expect(branch.wallet.leastConversion('BTC', 'USDT')).toEqual(decimal('0.00000004'));
  });

  test('is at the exchange’s own price rate where none is given: the mean of the best prices', () => {
    const branch = new WalletHarness({ marketData: {} });
    const account = branch.account({ USDT: '10000', BTC: '10' });
    given(branch.transfer(account, '5000', 'USDT', 'wallet', 'spot'));
    given(branch.transfer(account, '5', 'BTC', 'wallet', 'spot'));
    branch.order(account, 'bid', 'buy', 1, 100);
    branch.order(account, 'ask', 'sell', 1, 103);
    const request = { from: 'BTC', to: 'USDT', amount: decimal('2') };
    expect(given(branch.wallet.conversion(request)).toFixed()).toBe('203');
  });
});
