import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { orderReserve, positionReserve } from '../../../src/rules/margin/reserve.ts';

const d = decimal;

/** What a position holds, from text. */
function held(
  terms: Readonly<Record<'value' | 'leverage' | 'rate', string>> & {
    readonly loss?: string;
    readonly extraRate?: string;
  },
) {
  const { value, leverage, rate, loss = '0', extraRate = '0' } = terms;
  return positionReserve({
    value: d(value),
    leverage: d(leverage),
    rate: d(rate),
    loss: d(loss),
    extraRate: d(extraRate),
  });
}

test.each([
  ['0.25 at 100.00, L 10 (published)', '25', '10', '0.0025', '2.63125'],
  ['0.00001 at 100.01, L 10 (published)', '0.0010001', '10', '0.0025', '0.000105260525'],
  ['2 at 10000, L 10, before record D is filled', '20000', '10', '0.001', '2042'],
])('an open order of %s holds %s × …: %s', (_, value, leverage, rate, held) => {
  expect(orderReserve(d(value), d(leverage), d(rate)).toFixed()).toBe(held);
});

test.each([
  ['record A', '7.933296', '5', '0.002', '1.6056991104'],
  ['record B', '0.0906486', '10', '0.0025', '0.00931414365'],
  ['record D', '20000', '10', '0.001', '2022'],
])('the position of %s holds its initial margin and the fee to close', (_, value, l, f, amount) => {
  expect(held({ value, leverage: l, rate: f }).toFixed()).toBe(amount);
});

test('record C, closed by force with an open loss, holds the loss and the force close fee too', () => {
  const force = { loss: '0.0000009', extraRate: '0.05' };
  const reserve = held({ value: '0.090616', leverage: '10', rate: '0.0025', ...force });
  expect(reserve.toFixed()).toBe('0.01429562125');
});

test('an open gain holds nothing and frees nothing', () => {
  expect(held({ value: '20000', leverage: '10', rate: '0.001', loss: '-500' }).toFixed()).toBe(
    '2022',
  );
});

test('what has no last digit is held to the twelfth decimal, rounded up', () => {
  expect(orderReserve(d('1'), d('3'), d('0')).toFixed()).toBe('0.333333333334');
  expect(held({ value: '1', leverage: '3', rate: '0' }).toFixed()).toBe('0.333333333334');
});

test('BitMEX’s published cost of such an order is 2 quote less: it counts one fee on the value only', () => {
  // 20000, 10x, 0.1%: value/L + 2 × taker × value = 2040; ours adds the fee on the margin too.
  expect(orderReserve(d('20000'), d('10'), d('0.001')).minus(2040).toFixed()).toBe('2');
});
