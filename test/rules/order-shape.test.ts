import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ORDER_TYPES,
  TIMES_IN_FORCE,
  type OrderTerms,
  type OrderType,
} from '../../src/model/order.ts';
import { lots, ticks, type Lots, type Ticks } from '../../src/model/units.ts';
import { micros, parseIsoTime, type Micros } from '../../src/platform/time.ts';
import {
  defaultTimeInForce,
  expiredRejection,
  isPlainLimit,
  isSound,
  orderFitRejection,
  orderShapeRejection,
} from '../../src/rules/order-shape.ts';

const NOW = parseIsoTime('2024-08-08T12:00:00Z') ?? micros(0);
const LATER = micros(NOW + 1);

const LIMIT: OrderTerms = {
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  lots: lots(1),
  ticks: ticks(100),
  postOnly: false,
};
const MARKET: OrderTerms = {
  side: 'sell',
  type: 'market',
  timeInForce: 'FOK',
  lots: lots(1),
  postOnly: false,
};

/** The rules as a table, apart from the code: [needs a price, needs a stop price, times in force]. */
const TABLE: Readonly<Record<OrderType, readonly [boolean, boolean, string]>> = {
  limit: [true, false, 'GTC IOC FOK Day GTD'],
  market: [false, false, 'IOC FOK'],
  stopLimit: [true, true, 'GTC IOC FOK Day GTD'],
  stopMarket: [false, true, 'GTC IOC FOK Day GTD'],
  takeProfitLimit: [true, true, 'GTC IOC FOK Day GTD'],
  takeProfitMarket: [false, true, 'GTC IOC FOK Day GTD'],
};

function allowed(order: OrderTerms): boolean {
  const [price, stopPrice, timesInForce] = TABLE[order.type];
  const rests = price && ['GTC', 'Day', 'GTD'].includes(order.timeInForce);
  return (
    timesInForce.split(' ').includes(order.timeInForce) &&
    (order.ticks !== undefined) === price &&
    (order.stopTicks !== undefined) === stopPrice &&
    (order.expireAt !== undefined) === (order.timeInForce === 'GTD') &&
    (!order.postOnly || rests)
  );
}

describe('the shape of an order', () => {
  test('every combination of type, time in force and fields passes as the table says', () => {
    const order = fc.record(
      {
        side: fc.constantFrom('buy', 'sell'),
        type: fc.constantFrom(...ORDER_TYPES),
        timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
        lots: fc.constant(lots(1)),
        ticks: fc.constant(ticks(100)),
        stopTicks: fc.constant(ticks(100)),
        expireAt: fc.constant(LATER),
        postOnly: fc.boolean(),
      },
      { requiredKeys: ['side', 'type', 'timeInForce', 'lots', 'postOnly'] },
    );
    fc.assert(
      fc.property(order, (terms) => {
        expect(orderShapeRejection(terms as OrderTerms, NOW) === undefined).toBe(
          allowed(terms as OrderTerms),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  test.each(ORDER_TYPES)('%s passes with its default time in force', (type) => {
    const [price, stopPrice] = TABLE[type];
    const order: OrderTerms = {
      ...MARKET,
      type,
      timeInForce: defaultTimeInForce(type),
      ...(price ? { ticks: ticks(1) } : {}),
      ...(stopPrice ? { stopTicks: ticks(1) } : {}),
    };
    expect(orderShapeRejection(order, NOW)).toBeUndefined();
  });

  test('market types default to FOK', () => {
    expect(
      ['market', 'stopMarket', 'takeProfitMarket'].map((type) =>
        defaultTimeInForce(type as OrderType),
      ),
    ).toEqual(['FOK', 'FOK', 'FOK']);
  });

  test('limit types default to GTC', () => {
    expect(
      ['limit', 'stopLimit', 'takeProfitLimit'].map((type) =>
        defaultTimeInForce(type as OrderType),
      ),
    ).toEqual(['GTC', 'GTC', 'GTC']);
  });
});

describe('rejections say what was given and what fits', () => {
  const cases: readonly [string, object, OrderTerms, object][] = [
    [
      'a side of no kind',
      { side: 'hold' },
      LIMIT,
      {
        code: 'side-invalid',
        field: 'side',
        message: 'side is "hold" and must be one of buy, sell.',
        limit: 'buy, sell',
      },
    ],
    [
      'a type of no kind',
      { type: 'iceberg' },
      LIMIT,
      { code: 'type-invalid', field: 'type', limit: ORDER_TYPES.join(', ') },
    ],
    [
      'a time in force of no kind',
      { timeInForce: 'GTX' },
      LIMIT,
      { code: 'time-in-force-invalid', field: 'timeInForce', limit: 'GTC, IOC, FOK, Day, GTD' },
    ],
    [
      'no lots',
      { lots: 0 },
      LIMIT,
      { code: 'quantity-below-minimum', field: 'quantity', limit: '1' },
    ],
    [
      'negative lots',
      { lots: -5 },
      LIMIT,
      { code: 'quantity-below-minimum', message: 'quantity is -5 lots and must be at least 1.' },
    ],
    [
      'half a lot',
      { lots: 0.5 },
      LIMIT,
      { code: 'number-out-of-range', field: 'quantity', limit: '9007199254740991' },
    ],
    [
      'lots that are no number',
      { lots: Number.NaN },
      LIMIT,
      { code: 'number-out-of-range', field: 'quantity' },
    ],
    [
      'a price of zero ticks',
      { ticks: 0 },
      LIMIT,
      { code: 'price-invalid', field: 'price', limit: '1' },
    ],
    [
      'the price of an empty side',
      { ticks: Number.NaN },
      LIMIT,
      { code: 'number-out-of-range', field: 'price' },
    ],
    [
      'a negative stop price',
      { type: 'stopLimit', stopTicks: -1 },
      LIMIT,
      { code: 'stop-price-invalid', field: 'stopPrice' },
    ],
    [
      'a stop price beyond 2^53',
      { type: 'stopLimit', stopTicks: 2 ** 53 },
      LIMIT,
      { code: 'number-out-of-range', field: 'stopPrice' },
    ],
    [
      'a limit order without price',
      { type: 'limit' },
      MARKET,
      { code: 'price-missing', field: 'price', message: 'A limit order needs a price.' },
    ],
    [
      'a stop order without stop price',
      { type: 'stopMarket' },
      MARKET,
      {
        code: 'stop-price-missing',
        field: 'stopPrice',
        message: 'A stopMarket order needs a stopPrice.',
      },
    ],
    [
      'a market order with a price',
      { ticks: 5 },
      MARKET,
      { code: 'type-invalid', field: 'price', message: 'A market order takes no price.' },
    ],
    [
      'a limit order with a stop price',
      { stopTicks: 5 },
      LIMIT,
      { code: 'type-invalid', field: 'stopPrice' },
    ],
    [
      'a market order that would rest',
      { timeInForce: 'GTC' },
      MARKET,
      { code: 'time-in-force-invalid', field: 'timeInForce', limit: 'FOK, IOC' },
    ],
    [
      'a post-only market order',
      { postOnly: true },
      MARKET,
      { code: 'type-invalid', field: 'postOnly' },
    ],
    [
      'a post-only order that may not rest',
      { postOnly: true, timeInForce: 'IOC' },
      LIMIT,
      { code: 'time-in-force-invalid', field: 'timeInForce', limit: 'GTC, Day, GTD' },
    ],
    [
      'GTD without expire time',
      { timeInForce: 'GTD' },
      LIMIT,
      { code: 'expire-time-invalid', field: 'expireAt', message: 'A GTD order needs an expireAt.' },
    ],
    [
      'an expire time of no kind',
      { timeInForce: 'GTD', expireAt: Number.POSITIVE_INFINITY },
      LIMIT,
      {
        code: 'expire-time-invalid',
        message: 'expireAt is Infinity and must be whole microseconds, before June 2255.',
      },
    ],
    [
      'an expire time without GTD',
      { expireAt: LATER },
      LIMIT,
      { code: 'expire-time-invalid', message: 'A GTC order takes no expireAt, only GTD does.' },
    ],
  ];
  test.each(cases)('%s', (_, change, base, rejection) => {
    expect(orderShapeRejection({ ...base, ...change }, NOW)).toMatchObject(rejection);
  });

  test('a GTD order must expire after now, by a microsecond at least', () => {
    const expiring = (expireAt: Micros): OrderTerms => ({ ...LIMIT, timeInForce: 'GTD', expireAt });
    expect(orderShapeRejection(expiring(LATER), NOW)).toBeUndefined();
    expect(orderShapeRejection(expiring(NOW), NOW)).toEqual({
      code: 'expire-time-invalid',
      field: 'expireAt',
      message: 'expireAt is 2024-08-08T12:00:00.000Z and must be after 2024-08-08T12:00:00.000Z.',
      limit: '2024-08-08T12:00:00.000Z',
    });
  });

  test('the largest whole numbers pass', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const order = { ...LIMIT, lots: most as Lots, ticks: most as Ticks };
    expect(orderShapeRejection(order, NOW)).toBeUndefined();
  });
});

describe('the quick looks', () => {
  const PLAIN: OrderTerms[] = [LIMIT, { ...LIMIT, side: 'sell', timeInForce: 'IOC' }];

  test.each(PLAIN)('see a plain limit order: %o', (order) => {
    expect(isPlainLimit(order)).toBe(true);
  });

  test.each<object>([
    { type: 'stopLimit' },
    { timeInForce: 'FOK' },
    { side: 'hold' },
    { postOnly: true },
    { postOnly: undefined },
    { lots: 0 },
    { lots: 0.5 },
    { lots: 1.5 },
    { ticks: 0 },
    { ticks: undefined },
    { ticks: 2 ** 53 },
    { stopTicks: ticks(1) },
    { expireAt: LATER },
    { margin: { mode: 'cross' } },
  ])('leave what has %o to the rules', (change) => {
    expect(isPlainLimit({ ...LIMIT, ...change })).toBe(false);
  });

  test.each(ORDER_TYPES)('see whether the prices of %s are those of its type', (type) => {
    const [price, stopPrice] = TABLE[type];
    for (const hasTicks of [true, false]) {
      for (const hasStopTicks of [true, false]) {
        const order = {
          type,
          lots: lots(1),
          ...(hasTicks ? { ticks: ticks(1) } : {}),
          ...(hasStopTicks ? { stopTicks: ticks(1) } : {}),
        };
        expect(isSound(order)).toBe(hasTicks === price && hasStopTicks === stopPrice);
      }
    }
  });

  test('see whether the quantity can be counted, or is that of a position', () => {
    const zero = { ...LIMIT, lots: 0 as Lots };
    expect([isSound(LIMIT), isSound(zero)]).toEqual([true, false]);
    expect(isSound({ ...zero, margin: { mode: 'cross', closePosition: true } })).toBe(true);
    expect(isSound({ ...zero, margin: { mode: 'cross' } })).toBe(false);
  });
});

describe('what has passed alone', () => {
  test('is held against each other only', () => {
    const unnamed = { ...LIMIT, side: 'hold' as 'buy', lots: 0 as Lots };
    expect(orderFitRejection(unnamed, NOW)).toBeUndefined();
    expect(orderFitRejection({ ...LIMIT, margin: { mode: 'both' as 'cross' } }, NOW)).toMatchObject(
      {
        code: 'margin-mode-invalid',
      },
    );
    expect(orderFitRejection({ ...MARKET, ticks: ticks(1) }, NOW)).toMatchObject({
      code: 'type-invalid',
      field: 'price',
    });
    expect(orderFitRejection({ ...LIMIT, timeInForce: 'GTD' }, NOW)).toMatchObject({
      code: 'expire-time-invalid',
    });
  });

  test('may expire on its way', () => {
    expect([expiredRejection(undefined, NOW), expiredRejection(LATER, NOW)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(expiredRejection(NOW, NOW)).toMatchObject({ code: 'expire-time-invalid' });
  });

  test('needs no quantity where it closes a position', () => {
    const closing: OrderTerms = {
      ...MARKET,
      type: 'stopMarket',
      timeInForce: 'GTC',
      lots: 0 as Lots,
      stopTicks: ticks(1),
      margin: { mode: 'cross', closePosition: true },
    };
    expect(orderShapeRejection(closing, NOW)).toBeUndefined();
    expect(orderShapeRejection({ ...closing, margin: { mode: 'cross' } }, NOW)).toMatchObject({
      code: 'quantity-below-minimum',
    });
  });
});
