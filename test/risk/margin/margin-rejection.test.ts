import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { MarginRequest } from '../../../src/model/order-request.ts';
import { marginRejection } from '../../../src/risk/margin-rejection.ts';
import type { TradingState } from '../../../src/risk/state.ts';
import { valuesOf } from '../../../src/risk/values.ts';
import { limitsOf, marketOf, viewOf } from '../view.ts';
import { accountOf, BTC, ETH, marginOf, type Funds } from './view.ts';

const SHORT: Funds = {
  balance: '600',
  held: [{ instrument: BTC, size: '-0.1', entry: '20000' }],
};

const set = (balance?: string, leverage?: string): MarginRequest => ({
  kind: 'setMargin',
  symbol: 'BTCUSDT',
  mode: 'isolated',
  ...(balance === undefined ? {} : { balance: decimal(balance) }),
  ...(leverage === undefined ? {} : { leverage: decimal(leverage) }),
});

const viewAt = (funds: Funds | undefined, state: TradingState = 'running', mark = '20000') =>
  viewOf({
    state,
    instruments: [BTC, ETH],
    markets: { BTCUSDT: marketOf(2_000_000, 2_000_000) },
    margin: marginOf(
      funds === undefined ? [] : [accountOf(funds)],
      mark === '' ? {} : { BTCUSDT: mark },
    ),
  });

describe('a leverage that is set', () => {
  const limits = limitsOf({ maxLeverage: '5' });

  test.each([
    ['5', undefined],
    ['5.01', 'risk-leverage'],
  ])('of %s is: %s', (leverage, code) => {
    expect(marginRejection(set('100', leverage), viewAt(undefined), limits)?.code).toBe(code);
    const account = { balance: '100', leverage: '3' };
    expect(marginRejection(set(undefined, leverage), viewAt(account), limits)?.code).toBe(code);
  });

  test('may be said again, however high it is', () => {
    expect(marginRejection(set('700', '10'), viewAt({ balance: '600' }), limits)).toBeUndefined();
  });
});

describe.each(['reducing', 'halted', 'killed'] as const)('while trading is %s', (state) => {
  const code = state === 'reducing' ? 'trading-reducing' : 'trading-halted';

  test.each([
    ['fewer funds', set('599.99'), code],
    ['another leverage', set(undefined, '5'), code],
    ['the end of the account', set('0'), code],
    ['more funds', set('600.01'), undefined],
    ['the funds that it has', set('600', '10'), undefined],
  ])('an account with a position takes %s: %o', (_, request, outcome) => {
    expect(marginRejection(request, viewAt(SHORT, state), limitsOf())?.code).toBe(outcome);
  });

  test('an account without positions gives its funds back, and a new one is opened', () => {
    const empty = viewAt({ balance: '600' }, state);
    expect(marginRejection(set('0'), empty, limitsOf())).toBeUndefined();
    expect(marginRejection(set('100', '5'), viewAt(undefined, state), limitsOf())).toBeUndefined();
  });
});

describe('what takes funds from a position', () => {
  test.each([
    // 2,000 ÷ 500 is 4.
    [{ maxLeverage: '4' }, '500', undefined],
    [{ maxLeverage: '4' }, '499.99', 'risk-leverage'],
    // 2,000 × (1/20 + 0.0005) is 101.
    [{ maxMarginUse: '0.25' }, '404', undefined],
    [{ maxMarginUse: '0.25' }, '403.99', 'risk-margin-use'],
    // (M + 2,000) ÷ 0.10505 is 15 % above 20,000 where M is 416.15; the price shown is rounded down.
    [{ minLiquidationDistance: '0.15' }, '416.15', undefined],
    [{ minLiquidationDistance: '0.15' }, '416.14', 'risk-liquidation-distance'],
  ])('with %o down to %s is: %s', (limits, balance, code) => {
    expect(marginRejection(set(balance), viewAt(SHORT), limitsOf(limits))?.code).toBe(code);
  });

  test('is refused while its mark price is unknown, and more funds are not', () => {
    const limits = limitsOf();
    expect(marginRejection(set('500'), viewAt(SHORT, 'running', ''), limits)?.code).toBe(
      'risk-market-unknown',
    );
    expect(marginRejection(set('700'), viewAt(SHORT, 'running', ''), limits)).toBeUndefined();
  });

  test('a lower leverage, which brings the liquidation nearer, is held against the distance', () => {
    const limits = limitsOf({ minLiquidationDistance: '0.2' });
    // At 5 the position is liquidated at 2,600 ÷ (0.1 × 1.1005) = 23,625.62, 18.1 % away.
    expect(marginRejection(set(undefined, '5'), viewAt(SHORT), limits)?.code).toBe(
      'risk-liquidation-distance',
    );
    expect(marginRejection(set(undefined, '9'), viewAt(SHORT), limits)).toBeUndefined();
  });
});

describe('the value of an account', () => {
  const held = (spot: string) => (currency: string) => decimal(currency === 'USDT' ? spot : '0');
  const price = () => decimal('20000');

  test('is the same before and after funds move to a margin account', () => {
    const before = valuesOf([BTC, ETH], held('1000'), price);
    const after = valuesOf([BTC, ETH], held('400'), price, viewAt({ balance: '600' }).margin);
    expect(after.get('USDT')?.toFixed()).toBe('1000');
    expect(before.get('USDT')?.toFixed()).toBe('1000');
  });

  test('counts the result of a position at its mark price', () => {
    const { margin } = viewAt(SHORT, 'running', '21000');
    expect(valuesOf([BTC, ETH], held('400'), price, margin).get('USDT')?.toFixed()).toBe('900');
  });

  test('is not known while a mark price is not', () => {
    const { margin } = viewAt(SHORT, 'running', '');
    expect(valuesOf([BTC, ETH], held('400'), price, margin).has('USDT')).toBe(false);
  });
});
