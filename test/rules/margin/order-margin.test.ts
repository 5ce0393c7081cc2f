import { describe, expect, test } from 'vitest';
import type { OrderMargin } from '../../../src/model/margin-terms.ts';
import { ORDER_TYPES, type OrderType } from '../../../src/model/order.ts';
import { lots as asLots } from '../../../src/model/units.ts';
import { orderMarginRejection } from '../../../src/rules/margin/order-margin.ts';

/** Margin terms may come from outside, where types do not reach. */
const rejection = (margin: unknown, type: OrderType = 'limit', lots = 1) =>
  orderMarginRejection({ type, lots: asLots(lots), margin: margin as OrderMargin });

describe('the margin terms of an order', () => {
  test.each([
    undefined,
    { mode: 'isolated' },
    { mode: 'cross', reduceOnly: true },
    { mode: 'cross', reduceOnly: false, closePosition: false },
  ])('may be %o', (margin) => {
    expect(rejection(margin)).toBeUndefined();
  });

  test.each([
    [7, '7'],
    [null, 'not given'],
    ['cross', '"cross"'],
  ])('are an object, not %o', (margin, shown) => {
    expect(rejection(margin)).toEqual({
      code: 'request-invalid',
      field: 'margin',
      message: `margin is ${shown} and must be an object with a mode.`,
    });
  });

  test.each([{}, { mode: 'both' }])('have a mode, unlike %o', (margin) => {
    expect(rejection(margin)).toMatchObject({ code: 'margin-mode-invalid', field: 'marginMode' });
  });

  test.each(['reduceOnly', 'closePosition'])('have %s as true or false', (field) => {
    expect(rejection({ mode: 'cross', [field]: 'yes' })).toEqual({
      code: 'request-invalid',
      field,
      message: `${field} is "yes" and must be true or false.`,
    });
  });
});

describe('an order that closes a position', () => {
  const closing = { mode: 'cross', closePosition: true };

  test.each(ORDER_TYPES)('of the type %s waits for a price and then takes any', (type) => {
    const may = type === 'stopMarket' || type === 'takeProfitMarket';
    if (may) expect(rejection(closing, type, 0)).toBeUndefined();
    else {
      expect(rejection(closing, type, 0)).toEqual({
        code: 'type-invalid',
        field: 'closePosition',
        message: `A ${type} order cannot close a position that it does not know yet; stopMarket and takeProfitMarket can.`,
        limit: 'stopMarket, takeProfitMarket',
      });
    }
  });

  test('takes no quantity of its own', () => {
    expect(rejection(closing, 'stopMarket', 1)).toEqual({
      code: 'quantity-invalid',
      field: 'quantity',
      message: 'An order that closes a position takes no quantity.',
    });
  });
});
