import { describe, expect, test } from 'vitest';
import { Curve, valueAt, type EdgeFee, type Piece } from '../../../src/swaps/planner/curve.ts';

const FEE: EdgeFee = { coin: 'ETH@hot', value: 4, most: 8, share: 0.1, held: 80 };

/** A curve by what is sent and what arrives of it, at the least and as expected. */
function curveOf(points: readonly (readonly [number, number])[], minimum = 0): Curve {
  const curve = new Curve(minimum);
  for (const [send, least] of points) curve.add({ send, least, expected: least });
  return curve;
}

/** Where the pieces begin and end, and what arrives there at the least. */
const ends = (pieces: readonly Piece[]): readonly (readonly number[])[] =>
  pieces.map(({ low, high, least }) =>
    [low, high, valueAt(least, low), valueAt(least, high)].map((one) => Number(one.toFixed(6))),
  );

describe('the curve of a route', () => {
  test('has nothing to offer before the first offer, and one line through 0 after it', () => {
    const curve = new Curve(0);
    expect([curve.isUsable, curve.hasOnePoint, curve.pieces(1000, 0)]).toEqual([false, false, []]);
    curve.add({ send: 100, least: 98, expected: 99 });
    expect([curve.isUsable, curve.hasOnePoint]).toEqual([true, true]);
    const [piece, ...others] = curve.pieces(1000, 0);
    expect(others).toEqual([]);
    expect(piece).toEqual({
      ...{ low: 0, high: 1000, fee: undefined },
      ...{ least: { base: 0, rate: 0.98 }, expected: { base: 0, rate: 0.99 } },
    });
  });

  test('has a fixed fee in the line through two offers, and begins where one hundredth arrives', () => {
    const curve = curveOf([
      [400, 394],
      [100, 97],
    ]);
    expect(curve.hasOnePoint).toBe(false);
    const [piece] = curve.pieces(1000, 0);
    expect(piece?.least.rate).toBeCloseTo(0.99, 12);
    expect(piece?.least.base).toBeCloseTo(-2, 9);
    expect(piece?.expected).toEqual(piece?.least);
    // 0.99 of x less 2 is one hundredth of x.
    expect(piece?.low).toBeGreaterThan(2 / 0.98);
    expect(piece?.low).toBeCloseTo(2 / 0.98, 7);
    expect(piece?.high).toBe(1000);
  });

  test('lies between the minimum and the maximum of the route', () => {
    const curve = curveOf([[100, 100]], 30);
    expect(curve.minimum).toBe(30);
    curve.raiseMinimum(20);
    expect(curve.minimum).toBe(30);
    curve.raiseMinimum(40);
    curve.maximum = 70;
    expect(ends(curve.pieces(1000, 0))).toEqual([[40, 70, 40, 70]]);
    expect(ends(curve.pieces(60, 0))).toEqual([[40, 60, 40, 60]]);
    expect(ends(curve.pieces(40, 0))).toEqual([[40, 40, 40, 40]]);
    expect(curve.pieces(39, 0)).toEqual([]);
    curve.maximum = 40;
    expect(curve.isUsable).toBe(true);
    curve.maximum = 39;
    expect([curve.isUsable, curve.pieces(1000, 0)]).toEqual([false, []]);
  });

  test('begins a quarter above what was too little, where no minimum is named', () => {
    const curve = curveOf([[100, 100]]);
    curve.rejectAsTooLittle(20);
    curve.rejectAsTooLittle(10);
    expect(curve.minimum).toBe(25);
    expect(ends(curve.pieces(1000, 0))).toEqual([[25, 1000, 25, 1000]]);
    curve.raiseMinimum(30);
    expect(curve.minimum).toBe(30);
  });

  test('begins exactly where a fixed fee is paid off, if that explains what was too little', () => {
    const curve = curveOf([
      [100, 78],
      [400, 378],
    ]);
    curve.rejectAsTooLittle(20);
    // 22 / 0.99 is more than 20 and less than 25.
    expect(curve.pieces(1000, 0)[0]?.low).toBeCloseTo(22 / 0.99, 6);
    curve.raiseMinimum(23);
    expect(curve.pieces(1000, 0)[0]?.low).toBe(23);
    curve.rejectAsTooLittle(22.5);
    expect(curve.pieces(1000, 0)[0]?.low).toBe(28.125);
  });

  test('takes an offer for the same as one a thousandth away, and the later one counts', () => {
    const curve = curveOf([
      [1000, 900],
      [1001, 800],
    ]);
    expect(curve.hasOnePoint).toBe(true);
    expect(curve.pieces(5000, 0)[0]?.least.rate).toBeCloseTo(800 / 1001, 12);
    curve.add({ send: 1003, least: 700, expected: 700 });
    expect(curve.hasOnePoint).toBe(false);
  });

  test('has no corner at an offer that is off the line by no more than rounding', () => {
    const points = [
      [100, 100],
      [200, 200.5],
      [300, 300],
    ] as const;
    expect(ends(curveOf(points).pieces(900, 0.5))).toEqual([[0, 900, 0, 900]]);
    expect(ends(curveOf(points).pieces(900, 0.4))).toEqual([
      [0.502513, 200, 0.005025, 200.5],
      [200, 900, 200.5, 897],
    ]);
  });

  test('has no corner within many offers on a line, and one where the line bends', () => {
    const curve = curveOf([
      [100, 99],
      [200, 198],
      [300, 297],
      [400, 390],
      [500, 483],
    ]);
    expect(ends(curve.pieces(600, 1e-9))).toEqual([
      [0, 300, 0, 297],
      [300, 600, 297, 576],
    ]);
  });

  test('looks at what is expected too for its corners', () => {
    const curve = new Curve(0);
    curve.add({ send: 100, least: 100, expected: 100 });
    curve.add({ send: 200, least: 200, expected: 220 });
    curve.add({ send: 300, least: 300, expected: 300 });
    expect(curve.pieces(900, 1)).toHaveLength(2);
    expect(curve.pieces(900, 20)).toHaveLength(1);
  });

  test('goes on beyond its offers by two that are a quarter apart, not by two close ones', () => {
    const curve = curveOf([
      [100, 99],
      [110, 110],
      [200, 199],
      [400, 399],
      [410, 405],
    ]);
    const pieces = curve.pieces(1000, 0.1);
    // Down by 100 and 200, up by 200 and 410.
    expect(pieces[0]?.least.rate).toBeCloseTo(1, 12);
    expect(pieces[0]?.high).toBe(100);
    expect(pieces.at(-1)?.low).toBe(410);
    expect(pieces.at(-1)?.least.rate).toBeCloseTo((405 - 199) / 210, 12);
    expect(pieces.map(({ low }) => Math.round(low))).toEqual([1, 100, 110, 200, 400, 410]);
  });

  test('goes on by its own ends where these are far enough apart', () => {
    const curve = curveOf([
      [100, 100],
      [125, 120],
      [200, 160],
      [250, 180],
    ]);
    expect(ends(curve.pieces(1000, 0.1))).toEqual([
      // The line down would bring 20 for nothing.
      [0, 100, 0, 100],
      [100, 125, 100, 120],
      [125, 200, 120, 160],
      [200, 1000, 160, 480],
    ]);
  });

  test('brings nothing for nothing below its smallest offer', () => {
    const curve = curveOf([
      [100, 105],
      [200, 200],
    ]);
    expect(ends(curve.pieces(1000, 1))).toEqual([
      [0, 100, 0, 105],
      [100, 1000, 105, 960],
    ]);
    // 0.0008 for nothing is rounding where a line may be off by 1, and is not where by 0.5.
    const near = curveOf([
      [100, 99.0004],
      [200, 198],
    ]);
    expect(near.pieces(1000, 1)).toHaveLength(1);
    expect(near.pieces(1000, 0.5)).toHaveLength(2);
  });

  test('has no piece where more would bring less', () => {
    const curve = curveOf([
      [100, 90],
      [200, 95],
      [400, 80],
    ]);
    expect(ends(curve.pieces(1000, 0.1)).every(([, high = 0]) => high <= 200)).toBe(true);
    const falling = curveOf([
      [100, 90],
      [200, 80],
    ]);
    expect(falling.pieces(1000, 0.1).every(({ high }) => high <= 100)).toBe(true);
  });

  test('has the fee of the network that is the highest among the offers of a piece', () => {
    const curve = new Curve(0);
    curve.add({ send: 100, least: 100, expected: 100, fee: FEE });
    curve.add({
      send: 200,
      least: 200,
      expected: 200,
      fee: { ...FEE, value: 5, most: 7, held: 70 },
    });
    curve.add({ send: 300, least: 300, expected: 300, fee: { ...FEE, value: 4.5, share: 0.12 } });
    const pieces = curve.pieces(1000, 1);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]?.fee).toEqual({ coin: 'ETH@hot', value: 5, most: 8, share: 0.12, held: 70 });
    // 5 of fee for 0.99 of each unit.
    expect(pieces[0]?.low).toBeCloseTo(5 / 0.99, 6);
  });

  test.each([
    ['a fee a quarter higher', { ...FEE, value: 5 }, { ...FEE, value: 4 }, 1],
    ['a fee a third higher', { ...FEE, value: 6 }, { ...FEE, value: 4 }, 2],
    ['a fee that is higher by rounding', { ...FEE, value: 0.9 }, { ...FEE, value: 0 }, 1],
    [
      'a coin of which a quarter less is there',
      { ...FEE, share: 0.125 },
      { ...FEE, share: 0.1 },
      1,
    ],
    ['a coin of which much less is there', { ...FEE, share: 0.15 }, { ...FEE, share: 0.1 }, 2],
    ['no fee', undefined, FEE, 2],
    ['a fee where others have none', FEE, undefined, 2],
  ])('has %s in one piece with the others, or in its own', (_, fee, other, count) => {
    const curve = new Curve(0);
    curve.add({ send: 100, least: 100, expected: 100, fee: other });
    curve.add({ send: 200, least: 200, expected: 200, fee });
    curve.add({ send: 300, least: 300, expected: 300, fee: other });
    expect(curve.pieces(1000, 1)).toHaveLength(count);
  });

  test('has the fee of its largest offer beyond all offers', () => {
    const curve = new Curve(0);
    const offer = (send: number, value: number) =>
      curve.add({ send, least: send, expected: send, fee: { ...FEE, value } });
    offer(100, 1);
    offer(110, 9);
    offer(200, 20);
    offer(210, 30);
    const pieces = curve.pieces(1000, 0.1);
    expect(pieces.map(({ fee }) => fee?.value)).toEqual([1, 9, 20, 30, 30]);
  });
});
