import { describe, expect, test } from 'vitest';
import { lots, ticks, type Lots, type Ticks } from '../../src/model/units.ts';
import { replacementRejection, type Replacement } from '../../src/rules/replacement.ts';

const limit = { type: 'limit', lots: lots(10), filledLots: lots(4), ticks: ticks(100) } as const;
const stop = {
  type: 'stopMarket',
  lots: lots(10),
  filledLots: lots(0),
  stopTicks: ticks(90),
} as const;

describe('a replacement', () => {
  test.each<[string, Replacement]>([
    ['a new price', { ticks: ticks(101) }],
    ['a larger total', { lots: lots(11) }],
    ['a smaller total above what is executed', { lots: lots(5) }],
    ['both at once', { lots: lots(5), ticks: ticks(99) }],
    ['a new total with the price repeated', { lots: lots(12), ticks: ticks(100) }],
  ])('with %s passes', (_, change) => {
    expect(replacementRejection(limit, change)).toBeUndefined();
  });

  test('of a stop price passes for an order that has one', () => {
    expect(replacementRejection(stop, { stopTicks: ticks(91) })).toBeUndefined();
  });

  test.each<[string, Replacement, object]>([
    ['nothing', {}, { code: 'order-unchanged' }],
    ['what is there already', { lots: lots(10), ticks: ticks(100) }, { code: 'order-unchanged' }],
    [
      'the total that is executed',
      { lots: lots(4) },
      { code: 'quantity-below-executed', field: 'quantity', limit: '4' },
    ],
    [
      'a total below',
      { lots: lots(3) },
      { message: 'The new total is 3 lots and must be above the 4 executed already.' },
    ],
    ['no lots', { lots: lots(0) }, { code: 'quantity-below-minimum' }],
    ['half a lot', { lots: 5.5 as Lots }, { code: 'number-out-of-range', field: 'quantity' }],
    ['a price of zero', { ticks: ticks(0) }, { code: 'price-invalid', field: 'price' }],
    ['a price that is no number', { ticks: Number.NaN as Ticks }, { code: 'number-out-of-range' }],
    [
      'a stop price on a plain order',
      { stopTicks: ticks(5) },
      { code: 'type-invalid', field: 'stopPrice' },
    ],
  ])('with %s is refused', (_, change, rejection) => {
    expect(replacementRejection(limit, change)).toMatchObject(rejection);
  });

  test('with a price for a market type is refused', () => {
    expect(replacementRejection(stop, { ticks: ticks(5) })).toMatchObject({
      code: 'type-invalid',
      message: 'A stopMarket order takes no price.',
    });
  });
});
