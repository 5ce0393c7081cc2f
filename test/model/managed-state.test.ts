import { expect, test } from 'vitest';
import { gridOf } from '../../src/model/managed-state.ts';
import { instrumentOf } from '../kit/instruments.ts';

test('a grid is told from others by its tick size and its quantity increment', () => {
  const grids = [{}, { tickSize: '0.1' }, { quantityIncrement: '0.1' }, { symbol: 'X' }].map(
    (terms) => gridOf(instrumentOf(terms)),
  );
  expect(grids).toEqual(['0.01 0.00001', '0.1 0.00001', '0.01 0.1', '0.01 0.00001']);
});
