import { describe, expect, test } from 'vitest';
import {
  deflatedSharpe,
  minimumTrackRecord,
  overfittingProbability,
  permutationTest,
  probabilisticSharpe,
  realityCheck,
  sharpeMoments,
  stationaryBootstrap,
} from '../../../src/backtest.ts';
import { normalCdf, normalQuantile } from '../../../src/research/statistics/normal.ts';
import { expectedMaximumSharpe } from '../../../src/research/statistics/sharpe.ts';
import { bootstrapIndices, longRunDeviation } from '../../../src/research/statistics/resampling.ts';
import { columns, parkMiller } from './chance.ts';

const A = [
  ...[0.021, -0.008, 0.013, 0.004, -0.015, 0.027, 0.009, -0.003, 0.016, -0.011, 0.006, 0.018],
  ...[-0.022, 0.012, 0.008, 0.003, -0.006, 0.025, -0.009, 0.014, 0.007, -0.017, 0.011, 0.01],
];

describe('the normal distribution', () => {
  test.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1.959963984540054, 0.025],
    [3.5, 0.9997673709209645],
    [-6, 9.865876450376946e-10],
  ])('has %f at its share', (x, share) => {
    expect(normalCdf(x)).toBeCloseTo(share, 14);
    expect(normalQuantile(share)).toBeCloseTo(x, 8);
  });

  test('is one of its own inverse', () => {
    for (let x = -7; x <= 5; x += 0.37) expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, 8);
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
    expect(normalQuantile(2)).toBeNaN();
    expect(normalCdf(Number.NaN)).toBeNaN();
  });
});

describe('Sharpe ratios', () => {
  const moments = sharpeMoments(A);

  test('have the moments of a series', () => {
    expect(moments.count).toBe(24);
    expect(moments.sharpe).toBeCloseTo(0.351067, 6);
    expect(moments.skewness).toBeCloseTo(-0.318562, 6);
    expect(moments.kurtosis).toBeCloseTo(2.205849, 6);
    expect(() => sharpeMoments([0.1, 0.1])).toThrow(
      expect.objectContaining({ code: 'out-of-range' }),
    );
  });

  test('are above a benchmark with a probability', () => {
    expect(probabilisticSharpe(moments)).toBeCloseTo(0.941875, 6);
    expect(probabilisticSharpe(moments, 0.1)).toBeCloseTo(0.869345, 6);
  });

  test('take a record of some length', () => {
    expect(minimumTrackRecord(moments)).toBeCloseTo(26.222624, 6);
    expect(minimumTrackRecord(moments, 0.1)).toBeCloseTo(50.316311, 6);
    expect(minimumTrackRecord(moments, 0.4)).toBe(Number.POSITIVE_INFINITY);
    for (const [periods, expected] of [
      [252, 688.208037],
      [52, 147.099347],
      [12, 38.877608],
    ]) {
      const root = Math.sqrt(periods);
      const normal = { count: 0, sharpe: 2 / root, skewness: 0, kurtosis: 3 };
      expect(minimumTrackRecord(normal, 1 / root)).toBeCloseTo(expected, 5);
    }
  });

  test('are deflated by the number of trials', () => {
    const paper = { count: 1250, sharpe: 2.5 / Math.sqrt(250), skewness: -3, kurtosis: 10 };
    const variance = 0.5 / 250;
    expect(expectedMaximumSharpe(100, variance)).toBeCloseTo(0.113172, 6);
    expect(deflatedSharpe(paper, { trials: 100, variance })).toBeCloseTo(0.900397, 6);
    expect(expectedMaximumSharpe(46, variance)).toBeCloseTo(0.100362, 6);
    expect(deflatedSharpe(paper, { trials: 46, variance })).toBeCloseTo(0.950502, 6);
    expect(expectedMaximumSharpe(20, 0.02)).toBeCloseTo(0.268801, 6);
    expect(deflatedSharpe(moments, { trials: 20, variance: 0.02 })).toBeCloseTo(0.643589, 6);
    expect(deflatedSharpe(moments, { trials: 20, variance: 0.002 })).toBeCloseTo(0.883056, 6);
    expect(deflatedSharpe(moments, { trials: 1, variance: 1 })).toBe(probabilisticSharpe(moments));
  });
});

describe('the probability of over-fitting', () => {
  test('is a third of six halves of two small trials', () => {
    const trials = [
      [0.03, 0.02, 0.01, 0.02, -0.02, -0.01, -0.03, 0.01],
      [0.01, -0.01, 0.02, 0.01, 0.02, 0.01, 0.03, 0.02],
    ];
    const { probability, logits, halves } = overfittingProbability(trials, 4);
    expect(halves).toBe(6);
    const high = 0.693147;
    [-high, high, high, high, high, -high].forEach((logit, half) => {
      expect(logits[half]).toBeCloseTo(logit, 6);
    });
    expect(probability).toBeCloseTo(1 / 3, 12);
  });

  test('is that of a larger example, with its slope and its losses', () => {
    const trials = columns(24, [0, 0, 0, 0, 0.002], 2024);
    expect(trials.map(([first]) => first.toFixed(6))).toEqual([
      ...['-0.018130', '-0.013957', '-0.007272', '-0.003493', '0.013083'],
    ]);
    const found = overfittingProbability(trials, 6);
    expect(found.halves).toBe(20);
    expect(found.probability).toBeCloseTo(0.4, 12);
    expect(found.meanLogit).toBeCloseTo(0.334231, 6);
    expect(found.pairs[0][0]).toBeCloseTo(0.735091, 6);
    expect(found.pairs[0][1]).toBeCloseTo(0.038476, 6);
    expect(found.slope).toBeCloseTo(-0.184038, 6);
    expect(found.losses).toBeCloseTo(0.45, 12);
  });

  test.each<[string, readonly number[][], number]>([
    ['an odd number of blocks', [A, A], 3],
    ['one trial', [A], 4],
    ['trials of other lengths', [A, A.slice(1)], 4],
    ['more blocks than returns', [A, A], 16],
  ])('is not calculated from %s', (_, trials, blocks) => {
    expect(() => overfittingProbability(trials, blocks)).toThrow(
      expect.objectContaining({ code: 'out-of-range' }),
    );
  });
});

describe('resampling', () => {
  test('goes by blocks that begin anywhere and go round', () => {
    expect([...bootstrapIndices(10, 0.25, parkMiller(12_345))]).toEqual([
      ...[0, 1, 2, 0, 7, 8, 9, 0, 1, 2],
    ]);
  });

  test('gives the spread of a Sharpe ratio', () => {
    const ratios = stationaryBootstrap(A, (drawn) => sharpeMoments(drawn).sharpe, {
      blockLength: 4,
      draws: 2_000,
      unit: parkMiller(5),
    });
    expect(ratios[49]).toBeCloseTo(0.134975, 6);
    expect((ratios[999] + ratios[1_000]) / 2).toBeCloseTo(0.358647, 5);
    expect(ratios[1_949]).toBeCloseTo(0.59433, 6);
    expect(ratios.filter((ratio) => ratio <= 0)).toHaveLength(1);
  });

  test('checks the best of trials against chance as White and as Hansen do', () => {
    const trials = columns(60, [0.001, -0.0005, 0.0002, -0.006, 0.002], 4711);
    const means = trials.map((each) => each.reduce((sum, value) => sum + value, 0) / 60);
    [0.000521, -0.00076, -0.002647, -0.006828, 0.002248].forEach((value, index) => {
      expect(means[index]).toBeCloseTo(value, 6);
    });
    [0.007426, 0.010179, 0.005723, 0.009237, 0.008867].forEach((value, index) => {
      expect(longRunDeviation(trials[index], means[index], 0.1)).toBeCloseTo(value, 6);
    });
    const unit = parkMiller(31);
    expect(realityCheck(trials, { blockLength: 10, draws: 1_000, unit })).toEqual({
      white: 0.088,
      spaLower: 0.039,
      spa: 0.056,
      spaUpper: 0.098,
    });
  });

  test('orders positions by chance', () => {
    const positions = [1, 0, 1, 1, 0, 0, 1, 0];
    const returns = [0.02, -0.01, 0.015, 0.003, -0.012, 0.004, 0.009, -0.006];
    const p = permutationTest(positions, returns, { draws: 999, unit: parkMiller(9) });
    expect(p).toBeCloseTo(0.031, 12);
    const exact = permutationTest(positions, returns, { draws: 50_000, seed: 3 });
    expect(exact).toBeCloseTo(2 / 70, 2);
  });

  test('is the same by the same seed, and refuses what it cannot draw from', () => {
    const ends = (seed: number): number[] =>
      stationaryBootstrap(A, ([first]) => first, { seed, draws: 5 });
    expect(ends(1)).toEqual(ends(1));
    expect(ends(1)).not.toEqual(ends(2));
    for (const wrong of [
      () => stationaryBootstrap(A, ([first]) => first, { draws: 0 }),
      () => stationaryBootstrap(A, ([first]) => first, { blockLength: 0.5 }),
      () => realityCheck([A, []]),
      () => permutationTest([1], A),
    ]) {
      expect(wrong).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    }
  });
});
