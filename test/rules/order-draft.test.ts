import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { orderTerms, type OrderDraft } from '../../src/rules/order-draft.ts';
import { instrumentOf } from '../kit/instruments.ts';

const instrument = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.001' });
const NOW = micros(1_000_000);
const terms = (draft: OrderDraft, grid: 'strict' | 'near' = 'strict'): unknown =>
  orderTerms(instrument, draft, grid, NOW);

describe('a draft becomes an order in whole ticks and lots', () => {
  test('a limit order for good is what remains when nothing else is said', () => {
    expect(terms({ side: 'buy', price: decimal('61837.63'), quantity: decimal('1.5') })).toEqual({
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      ticks: 6183763,
      lots: 1500,
      postOnly: false,
    });
  });

  test('a market order is fill or kill', () => {
    expect(terms({ side: 'sell', type: 'market', lots: lots(3) })).toEqual({
      side: 'sell',
      type: 'market',
      timeInForce: 'FOK',
      lots: 3,
      postOnly: false,
    });
  });

  test('every field is carried over, whole numbers untouched', () => {
    const draft = {
      side: 'sell',
      type: 'takeProfitLimit',
      timeInForce: 'GTD',
      lots: lots(7),
      ticks: ticks(100),
      stopTicks: ticks(99),
      expireAt: micros(2_000_000),
      postOnly: true,
    } as const;
    expect(terms(draft)).toEqual(draft);
  });

  test('lenient brings price, stop price and quantity to the nearest step', () => {
    const draft: OrderDraft = {
      side: 'buy',
      type: 'stopLimit',
      price: decimal('10.005'),
      stopPrice: decimal('10.0051'),
      quantity: decimal('0.0015'),
    };
    expect(terms(draft, 'near')).toMatchObject({ ticks: 1000, stopTicks: 1001, lots: 1 });
  });
});

describe('a draft is refused', () => {
  test.each<[string, OrderDraft, object]>([
    [
      'without a quantity',
      { side: 'buy', ticks: ticks(1) },
      { code: 'quantity-missing', field: 'quantity' },
    ],
    [
      'without type and price',
      { side: 'buy', lots: lots(1) },
      { code: 'price-missing', message: 'A limit order needs a price.' },
    ],
    [
      'with a price off its tick',
      { side: 'buy', lots: lots(1), price: decimal('10.005') },
      { code: 'price-off-tick', limit: '0.01' },
    ],
    [
      'with a stop price off its tick',
      { side: 'buy', type: 'stopMarket', lots: lots(1), stopPrice: decimal('10.005') },
      { code: 'stop-price-off-tick' },
    ],
    [
      'with a quantity off its increment',
      { side: 'buy', quantity: decimal('0.0001'), ticks: ticks(1) },
      { code: 'quantity-off-increment' },
    ],
    [
      'with a quantity that is no number',
      { side: 'buy', quantity: new Decimal(Number.NaN), ticks: ticks(1) },
      { code: 'quantity-invalid' },
    ],
    [
      'when its shape is wrong',
      { side: 'buy', type: 'market', lots: lots(1), ticks: ticks(1) },
      { code: 'type-invalid', field: 'price' },
    ],
    [
      'when it expires now',
      { side: 'buy', lots: lots(1), ticks: ticks(1), timeInForce: 'GTD', expireAt: NOW },
      { code: 'expire-time-invalid' },
    ],
  ])('%s', (_, draft, rejection) => {
    expect(terms(draft)).toMatchObject(rejection);
  });
});

test('a number in both ways is a defect of who asks: whoever reads an order has refused it', () => {
  const draft = { side: 'buy', lots: lots(1), ticks: ticks(1) } as const;
  for (const more of [{ price: decimal('0.01') }, { quantity: decimal('0.001') }]) {
    expect(() => terms({ ...draft, ...more })).toThrow(
      expect.objectContaining({ code: 'internal' }),
    );
  }
});

describe('an order on margin', () => {
  const MARKET: OrderDraft = { side: 'sell', type: 'market', lots: lots(3) };

  test('is isolated where it names no mode', () => {
    expect(terms({ ...MARKET, margin: { reduceOnly: true } })).toMatchObject({
      margin: { mode: 'isolated', reduceOnly: true },
    });
    expect(terms({ ...MARKET, margin: { mode: 'cross' } })).toMatchObject({
      margin: { mode: 'cross' },
    });
    expect(terms(MARKET)).not.toHaveProperty('margin');
  });

  test.each([7, 'cross', null])('is refused with %o as its margin', (margin) => {
    expect(terms({ ...MARKET, margin: margin as unknown as object })).toMatchObject({
      code: 'request-invalid',
      field: 'margin',
    });
  });

  test('needs no quantity where it closes a position', () => {
    const closing: OrderDraft = { side: 'sell', type: 'stopMarket', stopTicks: ticks(5) };
    expect(terms({ ...closing, margin: { closePosition: true } })).toMatchObject({ lots: 0 });
    expect(terms({ ...closing, margin: { closePosition: false } })).toMatchObject({
      code: 'quantity-missing',
    });
    expect(terms(closing)).toMatchObject({ code: 'quantity-missing' });
  });
});
