import { expect, test } from 'vitest';
import { inBaseCurrency } from '../../src/model/contract-terms.ts';
import { PERPETUAL } from '../exchange/margin/kit.ts';

test('a contract counted in its base currency has the same lots', () => {
  const { contractType: _, ...terms } = PERPETUAL;
  expect(
    inBaseCurrency({
      ...terms,
      settlement: 'linear',
      contractSize: '0.01',
      quantityIncrement: '2',
      minQuantity: '5',
    }),
  ).toEqual({
    ...terms,
    quantityIncrement: '0.02',
    minQuantity: '0.05',
    contractType: 'perpetual',
  });
});

test('what says nothing of size and minimum keeps its increment, and has no minimum', () => {
  const terms = { ...PERPETUAL, contractType: 'quarterly' as 'perpetual' };
  expect(inBaseCurrency(terms)).toEqual(terms);
  expect(inBaseCurrency(terms)).not.toHaveProperty('minQuantity');
});
