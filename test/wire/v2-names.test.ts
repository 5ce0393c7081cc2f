import { expect, test } from 'vitest';
import { inVersion2 } from '../../src/wire/trading/v2/names.ts';

test('version 2 has the members of version 3 in camel case, and a few under names of its own', () => {
  const record = { id: 1, created_at: 2, price_margin_call: undefined, qty: '3' };
  expect(inVersion2(record, { qty: 'quantity' })).toEqual({
    id: 1,
    createdAt: 2,
    priceMarginCall: undefined,
    quantity: '3',
  });
});
