import type { Random } from '../../platform/random.ts';
import { normalCdf, normalQuantile } from '../statistics/normal.ts';

/** Observations that count fully; older ones count less. */
const RECENT = 25;
const KERNELS_MAX = 100;

/** A density of observations, and samples from it. */
export interface Density {
  at(x: number): number;
  draw(random: Random): number;
}

/** Weights of observations, the oldest first, and of the prior at the end; they sum to 1. */
function weightsOf(count: number): readonly number[] {
  const old = Math.max(0, count - RECENT);
  const weights = Array.from({ length: count + 1 }, (_, index) => {
    if (index >= old) return 1;
    return old === 1 ? 1 / count : 1 / count + (index / (old - 1)) * (1 - 1 / count);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const choose = (weights: readonly number[], unit: number): number => {
  let rest = unit;
  const index = weights.findIndex((weight) => (rest -= weight) < 0);
  return index < 0 ? weights.length - 1 : index;
};

/**
 * A mixture of normal distributions within bounds: one per observation, as wide as the distance to
 * its neighbors, and a wide one over the whole range (J. Bergstra et al., "Algorithms for
 * Hyper-Parameter Optimization", 2011). Observations are in order of time.
 */
export function parzenDensity(observed: readonly number[], low: number, high: number): Density {
  const range = high - low;
  const middle = (low + high) / 2;
  const means = [...observed, middle];
  const sigmas = [...widths(means, range), range];
  const weights = weightsOf(observed.length);
  const shares = means.map((mean, kernel) => {
    const below = normalCdf((low - mean) / sigmas[kernel]);
    return { below, mass: normalCdf((high - mean) / sigmas[kernel]) - below };
  });
  return {
    at: (x) =>
      means.reduce((sum, mean, kernel) => {
        const scale = sigmas[kernel] * Math.sqrt(2 * Math.PI) * shares[kernel].mass;
        const distance = (x - mean) / sigmas[kernel];
        return sum + (weights[kernel] * Math.exp(-(distance ** 2) / 2)) / scale;
      }, 0),
    draw: (random) => {
      const kernel = choose(weights, random.unit());
      const { below, mass } = shares[kernel];
      const x = means[kernel] + sigmas[kernel] * normalQuantile(below + random.unit() * mass);
      return Math.min(high, Math.max(low, x));
    },
  };
}

/**
 * For each observation the greater distance to its neighbors; the last of the means is the prior's.
 */
function widths(means: readonly number[], range: number): readonly number[] {
  const least = range / Math.min(KERNELS_MAX, 1 + means.length);
  const order = means.map((_, kernel) => kernel).toSorted((a, b) => means[a] - means[b]);
  const found: number[] = [];
  order.forEach((kernel, index) => {
    const left = index > 0 ? means[kernel] - means[order[index - 1]] : 0;
    const right = index < order.length - 1 ? means[order[index + 1]] - means[kernel] : 0;
    found[kernel] = Math.min(range, Math.max(least, left, right));
  });
  return found.slice(0, -1);
}

/** Probabilities of choices without an order: each observation raises its own. */
export function categoricalDensity(observed: readonly number[], choices: number): Density {
  const weights = weightsOf(observed.length);
  const kernels = weights.length;
  const shares = Array.from({ length: choices }, () => weights[kernels - 1] / choices);
  const sum = 1 + choices / kernels;
  observed.forEach((own, kernel) => {
    for (let choice = 0; choice < choices; choice += 1) {
      shares[choice] += (weights[kernel] * ((choice === own ? 1 : 0) + 1 / kernels)) / sum;
    }
  });
  return { at: (choice) => shares[choice], draw: (random) => choose(shares, random.unit()) };
}
