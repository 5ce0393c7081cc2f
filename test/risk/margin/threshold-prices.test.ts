import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { withThresholds } from '../../../src/risk/margin/threshold-prices.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { accountOf, BTC, ETH, type Funds } from './view.ts';

/** What is known of each position: the prices of its margin call and of its liquidation. */
function pricesOf(funds: Funds, marks: Readonly<Record<string, string>>) {
  const state = withThresholds(accountOf(funds), {
    instrument: (symbol) => (symbol === 'BTCUSDT' ? BTC : ETH),
    markPrice: (symbol) => (symbol in marks ? decimal(marks[symbol]) : undefined),
  });
  return state.positions.map(({ marginCallPrice, liquidationPrice }) => [
    marginCallPrice?.toFixed(),
    liquidationPrice?.toFixed(),
  ]);
}

describe('an isolated position of 0.1 BTC at 20,000 with funds of 600', () => {
  const held = (size: string): Funds => ({
    balance: '600',
    held: [{ instrument: BTC, size, entry: '20000' }],
  });

  test('as a short is called at 2,600 ÷ (0.1 × (1 + f + 1/15)), and liquidated with 1/20', () => {
    expect(pricesOf(held('-0.1'), { BTCUSDT: '20000' })).toEqual([['24363.57', '24750.11']]);
  });

  test('as a long is called at 1,400 ÷ (0.1 × (1 − f − 1/15)), and liquidated with 1/20', () => {
    expect(pricesOf(held('0.1'), { BTCUSDT: '20000' })).toEqual([['15008.05', '14744.61']]);
  });

  test('has the same prices at any mark price, as its funds are its own', () => {
    expect(pricesOf(held('0.1'), { BTCUSDT: '15100' })).toEqual([['15008.05', '14744.61']]);
  });
});

describe('a cross account of 1,000 that is long 0.1 BTC at 20,000 and short 2 ETH at 1,500', () => {
  const cross: Funds = {
    mode: 'cross',
    balance: '1000',
    held: [
      { instrument: BTC, size: '0.1', entry: '20000' },
      { instrument: ETH, size: '-2', entry: '1500' },
    ],
  };

  test('has for each position what the other leaves at its mark price', () => {
    // BTC: 1,000 − 40 − 3,040 × (1/20 + f) = 806.48; ETH: 1,000 − 50 − 1,950 × (1/20 + f) = 851.525.
    expect(pricesOf(cross, { BTCUSDT: '19500', ETHUSDT: '1520' })).toEqual([
      ['13337.72', '12569.99'],
      ['1789.32', '1833.18'],
    ]);
  });

  test.each([
    ['BTCUSDT', { ETHUSDT: '1520' }],
    ['ETHUSDT', { BTCUSDT: '19500' }],
  ])('has no prices at all while the mark price of %s is unknown', (_, marks) => {
    expect(pricesOf(cross, marks)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });
});

test('a long that its funds pay for whole is never called and never liquidated', () => {
  const held = [{ instrument: BTC, size: '0.1', entry: '20000' }];
  const funds = { balance: '2000', held };
  expect(pricesOf(funds, { BTCUSDT: '20000' })).toEqual([[undefined, undefined]]);
  // A cent less, and one price brings it about: 0.01 ÷ (0.1 × (1 − f − 1/20)).
  const less = { balance: '1999.99', held };
  expect(pricesOf(less, { BTCUSDT: '20000' })).toEqual([['0.11', '0.11']]);
});

test('prices that were known before are replaced, and the rest of an account stays', () => {
  const before = accountOf({
    balance: '600',
    held: [{ instrument: BTC, size: '-0.1', entry: '20000', liquidation: '1' }],
  });
  const after = withThresholds(before, {
    instrument: () => BTC,
    markPrice: () => decimal('20000'),
  });
  expect(after).toEqual({
    ...before,
    positions: [
      {
        ...before.positions[0],
        marginCallPrice: decimal('24363.57'),
        liquidationPrice: decimal('24750.11'),
      },
    ],
  });
});

test('an account stays as it is where its instrument has no terms for its margin', () => {
  const account = accountOf({
    balance: '600',
    held: [{ instrument: BTC, size: '-0.1', entry: '20000', liquidation: '24000' }],
  });
  const spot = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.001' });
  const marked = { instrument: () => spot, markPrice: () => decimal('20000') };
  expect(withThresholds(account, marked)).toBe(account);
});
