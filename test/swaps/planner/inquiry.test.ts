import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import type { HoldingKey } from '../../../src/model/portfolio.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { NetworkFee, Offer } from '../../../src/swaps/execution/transfer-route.ts';
import { valueAt, type Piece } from '../../../src/swaps/planner/curve.ts';
import { edgesOf, type Edge } from '../../../src/swaps/planner/edges.ts';
import { edgeTitle, Inquiry } from '../../../src/swaps/planner/inquiry.ts';
import { holding } from './tariff-route.ts';

const PRICES = new Map([
  ['USDC', decimal('1')],
  ['BTC', decimal('50000')],
  ['ETH', decimal('2000')],
]);

type Answer = (amount: Decimal) => Offer | Rejection;

/** BTC in a wallet goes to USDC in another one, as `answer` says. */
function inquiryOf(answer: Answer, limits = {}) {
  const asked: string[] = [];
  const open = { now: 0, most: 0 };
  const route = {
    name: 'swaps',
    pairs: (): [HoldingKey, HoldingKey][] => [[holding('BTC@cold'), holding('USDC@hot')]],
    offer: async (_: HoldingKey, __: HoldingKey, amount: Decimal) => {
      asked.push(amount.toFixed());
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      await Promise.resolve();
      open.now -= 1;
      return answer(amount);
    },
  };
  const edges = edgesOf([route]);
  const inquiry = new Inquiry(edges, decimal('10'), (asset) => PRICES.get(asset), {
    ...{ offers: 10, atOnce: 2, work: 1 },
    ...limits,
  });
  const [edge] = edges;
  const [curve] = inquiry.curves;
  return {
    inquiry,
    edge,
    curve,
    asked,
    open,
    ask: (text: string) => inquiry.ask(edge, decimal(text)),
  };
}

/** 49,000 USDC at the least for a BTC, and 49,500 as expected. */
const offerOf = (send: Decimal, change: Partial<Offer> = {}): Offer => ({
  ...{ route: 'swaps', kind: 'swap', from: holding('BTC@cold'), to: holding('USDC@hot') },
  ...{ send, least: send.times(49000), expected: send.times(49500) },
  ...{ expiresAt: micros(60_000_000), durationUs: 1, terms: {} },
  ...change,
});

const FEE: NetworkFee = {
  of: 'payment',
  coin: holding('ETH@cold'),
  expected: decimal('0.001'),
  most: decimal('0.002'),
  held: decimal('0.5'),
  isIncluded: false,
};

const REJECTED: Rejection = { code: 'pair-unavailable', message: 'no such pair' };

/** What the only piece of a curve brings at the least and as expected for 1000. */
const brings = ([piece]: readonly Piece[]) =>
  piece && [valueAt(piece.least, 1000), valueAt(piece.expected, 1000)];

describe('the offers of a plan', () => {
  test('are asked for once for each amount, and their curve has values', async () => {
    const { inquiry, curve, asked, ask } = inquiryOf((amount) => offerOf(amount));
    const [first, again] = await Promise.all([ask('0.2'), ask('0.2')]);
    expect(first).toBe(again);
    await ask('0.20');
    expect(asked).toEqual(['0.2']);
    expect(inquiry.asked).toBe(1);
    expect(brings(curve.pieces(100_000, 0))).toEqual([980, 990]);
    expect(curve.minimum).toBe(10);
    await ask('0.1');
    expect(asked).toEqual(['0.2', '0.1']);
  });

  test('are no more than the limit, and as many at once as the limit', async () => {
    const { inquiry, asked, open, ask } = inquiryOf((amount) => offerOf(amount), { offers: 3 });
    const answers = await Promise.all(['1', '2', '3', '4'].map(ask));
    expect(answers.map((one) => one === undefined)).toEqual([false, false, false, true]);
    expect(asked).toEqual(['1', '2', '3']);
    expect(open).toEqual({ now: 0, most: 2 });
    expect([inquiry.isExhausted, inquiry.asked, inquiry.offersMax]).toEqual([true, 3, 3]);
    // What is known costs nothing.
    expect(await ask('2')).toBe(answers[1]);
    const other = inquiryOf((amount) => offerOf(amount));
    await Promise.all(['1', '2', '3', '4', '5'].map(other.ask));
    await Promise.all(['6', '7', '8'].map(other.ask));
    expect([other.open, other.inquiry.isExhausted]).toEqual([{ now: 0, most: 2 }, false]);
  });

  test.each([
    ['1000', 'BTC', 'up', '0.02'],
    ['1000.0000001', 'BTC', 'up', '0.0200000001'],
    ['1000.0000001', 'BTC', 'down', '0.02'],
    ['123456.78949', 'USDC', 'down', '123456.789'],
    ['123456.78941', 'USDC', 'up', '123456.79'],
    ['0.3', 'USDC', 'up', '0.3'],
    ['5', 'DOGE', 'up', '0'],
  ] as const)(
    '%s of value are so much %s, rounded %s to nine digits: %s',
    (value, asset, rounding, text) => {
      const { inquiry } = inquiryOf((amount) => offerOf(amount));
      expect(inquiry.amountOf(Number(value), asset, rounding).toFixed()).toBe(text);
    },
  );

  test.each<[string, Partial<Offer>]>([
    ['from elsewhere', { from: holding('BTC@hot') }],
    ['to elsewhere', { to: holding('USDC@cold') }],
    ['for more than was asked', { send: decimal('0.200000001') }],
    ['for nothing', { send: decimal('0') }],
    ['for no number', { send: new Decimal(Number.NaN) }],
    ['of no number at the least', { least: new Decimal(Number.NaN) }],
    ['of endlessly much', { expected: new Decimal(Infinity) }],
    ['of less than nothing', { least: decimal('-1') }],
    ['that expects less than the least', { expected: decimal('9799.99') }],
    [
      'whose fee is more than it is at the most',
      { networkFee: { ...FEE, most: decimal('0.0009') } },
    ],
    ['whose fee is below 0', { networkFee: { ...FEE, expected: decimal('-0.1') } }],
  ])('%s are refused, and the route is not asked any more', async (_, change) => {
    const { inquiry, curve, ask } = inquiryOf((amount) => offerOf(amount, change));
    expect(await ask('0.2')).toEqual({
      code: 'venue-refused',
      message: 'swaps offers what was not asked for.',
    });
    expect([curve.maximum, curve.isUsable, inquiry.rejections.size]).toEqual([0, false, 1]);
  });

  test.each<[string, Partial<Offer>]>([
    ['of exactly the amount', { send: decimal('0.2') }],
    ['of a part of it', { send: decimal('0.1') }],
    ['that expects just the least', { expected: decimal('9800') }],
    ['whose fee is all that it may be', { networkFee: { ...FEE, expected: decimal('0.002') } }],
  ])('%s are taken', async (_, change) => {
    const { curve, ask } = inquiryOf((amount) => offerOf(amount, change));
    expect(isRejection(await ask('0.2'))).toBe(false);
    expect(curve.isUsable).toBe(true);
  });

  test('of which one hundredth or less would arrive are too little', async () => {
    const { curve, ask } = inquiryOf((amount) =>
      offerOf(amount, { least: amount.times(500), expected: amount.times(50_000) }),
    );
    expect(await ask('0.2')).toMatchObject({ code: 'amount-below-fee' });
    expect(curve.minimum).toBe(12_500);
    const enough = inquiryOf((amount) => offerOf(amount, { least: amount.times('500.0001') }));
    expect(isRejection(await enough.ask('0.2'))).toBe(false);
  });

  test('count the fee of the network for what arrives, unless it is part of what is sent', async () => {
    // 10,000 of value are sent, 9,800 arrive, and 9,700 of that is the fee.
    const networkFee = { ...FEE, expected: decimal('4.85'), most: decimal('5') };
    const { inquiry, ask } = inquiryOf((amount) => offerOf(amount, { networkFee }));
    expect(await ask('0.2')).toMatchObject({ code: 'amount-below-fee' });
    expect(inquiry.fees.size).toBe(0);
    const part = { ...networkFee, isIncluded: true };
    const included = inquiryOf((amount) => offerOf(amount, { networkFee: part }));
    expect(isRejection(await included.ask('0.2'))).toBe(false);
    expect(included.inquiry.fees.size).toBe(0);
    expect(included.curve.pieces(1e6, 0)[0]?.fee).toBeUndefined();
    const unpriced = { ...networkFee, coin: holding('DOGE@cold') };
    const free = inquiryOf((amount) => offerOf(amount, { networkFee: unpriced }));
    expect(isRejection(await free.ask('0.2'))).toBe(false);
    expect(free.curve.pieces(1e6, 0)[0]?.fee).toMatchObject({
      value: 0,
      most: 0,
      share: 10,
      held: 0,
    });
  });

  test('keep the fee beside what is sent, in value and as a part of the coin', async () => {
    const { inquiry, curve, ask } = inquiryOf((amount) => offerOf(amount, { networkFee: FEE }));
    await ask('0.2');
    expect(inquiry.fees.get(0)).toBe(FEE);
    expect(curve.pieces(100_000, 0)[0]?.fee).toEqual({
      coin: 'ETH@cold',
      ...{ value: 2, most: 4, share: 0.004, held: 1000 },
    });
  });

  test.each([
    ['of which the wallet does not say what it has', { held: undefined }, { share: 0, held: 0 }],
    [
      'of nothing',
      { expected: decimal('0'), most: decimal('0'), held: decimal('0') },
      { share: 0, held: 0, most: 0 },
    ],
  ])('have no part of the coin for a fee %s', async (_, change, expected) => {
    const { curve, ask } = inquiryOf((amount) =>
      offerOf(amount, { networkFee: { ...FEE, ...change } }),
    );
    await ask('0.2');
    expect(curve.pieces(100_000, 0)[0]?.fee).toMatchObject(expected);
  });
});

describe('a rejection', () => {
  const rejecting = (rejection: Rejection) => inquiryOf(() => rejection);

  test.each(['amount-below-minimum', 'amount-below-fee', 'quantity-below-minimum'] as const)(
    '%s with a limit is a minimum just above it, in value',
    async (code) => {
      const { inquiry, edge, curve, ask } = rejecting({
        code,
        message: 'too little',
        limit: '0.03',
      });
      await ask('0.02');
      expect(curve.minimum).toBeGreaterThan(1500);
      expect(curve.minimum).toBeCloseTo(1500, 3);
      expect(inquiry.rejections.get(edge.index)?.message).toBe('too little');
      expect(curve.maximum).toBe(Infinity);
    },
  );

  test('below a limit that is exactly what was asked moves the minimum past it', async () => {
    const { curve, ask } = rejecting({ code: 'amount-below-minimum', message: '', limit: '0.02' });
    await ask('0.02');
    expect(curve.minimum).toBeGreaterThan(1000);
    const first = curve.minimum;
    // The known minimum was missed by rounding: it goes up by twice what was missed.
    await ask('0.0200000001');
    expect(curve.minimum).toBeGreaterThan(1000.000005);
    expect(curve.minimum).toBeGreaterThan(first);
    expect(curve.minimum).toBeLessThan(1000.0001);
  });

  test.each([
    ['without a limit', {}],
    ['with a limit below what was asked', { limit: '0.01' }],
  ])('of too little %s is looked for a quarter higher', async (_, limit) => {
    const { curve, ask } = rejecting({ code: 'amount-below-minimum', message: '', ...limit });
    await ask('0.02');
    expect(curve.minimum).toBe(1250);
  });

  test.each(['amount-above-maximum', 'liquidity-insufficient'] as const)(
    '%s with a limit is a maximum just below it, in value',
    async (code) => {
      const { curve, ask } = rejecting({ code, message: '', limit: '0.03' });
      await ask('0.05');
      expect(curve.maximum).toBeLessThan(1500);
      expect(curve.maximum).toBeCloseTo(1500, 3);
      expect(curve.minimum).toBe(10);
    },
  );

  test('above a limit that is exactly what was asked moves the maximum before it', async () => {
    const { curve, ask } = rejecting({ code: 'amount-above-maximum', message: '', limit: '0.02' });
    await ask('0.02');
    expect(curve.maximum).toBeLessThan(1000);
    const first = curve.maximum;
    await ask('0.0199999998');
    expect(curve.maximum).toBeLessThan(999.99999);
    expect(curve.maximum).toBeLessThan(first);
    expect(curve.maximum).toBeGreaterThan(999.9999);
  });

  test.each([
    ['without a limit', {}],
    ['with a limit above what was asked', { limit: '0.05' }],
  ])('of too much %s is looked for a fifth lower', async (_, limit) => {
    const { curve, ask } = rejecting({ code: 'amount-above-maximum', message: '', ...limit });
    await ask('0.02');
    expect(curve.maximum).toBe(800);
    await ask('0.03');
    expect(curve.maximum).toBeLessThan(800);
  });

  test('of another kind ends all requests of the route', async () => {
    const { curve, ask } = rejecting(REJECTED);
    expect(await ask('0.02')).toBe(REJECTED);
    expect([curve.maximum, curve.minimum]).toEqual([0, 10]);
  });

  test('is made of what a route throws, and the next in line is asked', async () => {
    const { inquiry, asked, ask } = inquiryOf(
      (amount) => {
        if (amount.lessThan(2)) throw new Error('The service is down.');
        return offerOf(amount);
      },
      { atOnce: 1 },
    );
    const [first, second] = await Promise.all([ask('1'), ask('2')]);
    expect(first).toEqual({ code: 'venue-unreachable', message: 'The service is down.' });
    expect([isRejection(second ?? REJECTED), asked]).toEqual([false, ['1', '2']]);
    expect(inquiry.rejections.get(0)?.code).toBe('venue-unreachable');
  });

  test('names its route and both holdings', () => {
    const { edge } = rejecting(REJECTED);
    expect(edgeTitle(edge satisfies Edge)).toBe('BTC@cold to USDC@hot by swaps');
  });
});
