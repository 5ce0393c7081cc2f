import { Random } from '../../platform/random.ts';
import { Halton } from './halton.ts';
import { categoricalDensity, parzenDensity, type Density } from './parzen.ts';

/** Index of the value in each dimension. */
type Point = readonly number[];

/** A dimension of the search, by the indices of its values. */
export interface SearchDimension {
  readonly size: number;
  /** True if neighbors are similar: rising numbers. */
  readonly isOrdered: boolean;
}

export interface TpeOptions {
  readonly seed: number;
  /** How many of the latest results a proposal does not use. */
  readonly lag: number;
  /** True if a point is allowed. */
  readonly where: (point: Point) => boolean;
}

/** Results before they guide the search. */
const KNOWN_MIN = 20;
const CANDIDATES = 24;
const BEST_MAX = 25;
/** Most other results used, the latest, so that the cost of a proposal is bounded. */
const OTHERS_MAX = 300;
/** How often another point is proposed if one was tried before or is not allowed. */
const TRIES = 100;

/**
 * Searches by tree-structured Parzen estimators (J. Bergstra et al., 2011): proposes points that
 * are likely among the best results and unlikely among the others. Proposal `index` depends only on
 * the seed, on `index` and on the results up to `index - lag`: not on the number of threads, nor on
 * which run ends first. Points without a result yet count as bad, so that others are tried
 * meanwhile.
 */
export class Tpe {
  readonly #dimensions: readonly SearchDimension[];
  readonly #options: TpeOptions;
  readonly #halton: Halton;
  readonly #points: Point[] = [];
  readonly #losses: number[] = [];
  readonly #proposed = new Set<string>();
  #haltonIndex = 0;

  constructor(dimensions: readonly SearchDimension[], options: TpeOptions) {
    this.#dimensions = dimensions;
    this.#options = options;
    this.#halton = new Halton(dimensions.length, options.seed);
  }

  /** The next point, in sequence. None if no further allowed one was found. */
  ask(): Point | undefined {
    const index = this.#points.length;
    const known = Math.max(0, Math.min(this.#losses.length, index - this.#options.lag + 1));
    const point = (known < KNOWN_MIN ? undefined : this.#guided(index, known)) ?? this.#spread();
    if (point === undefined) return undefined;
    this.#points.push(point);
    this.#proposed.add(point.join(' '));
    return point;
  }

  /** The loss of the next point, in the order of asking; infinite without a result. */
  report(loss: number): void {
    this.#losses.push(Number.isNaN(loss) ? Number.POSITIVE_INFINITY : loss);
  }

  #isNew(point: Point): boolean {
    return !this.#proposed.has(point.join(' ')) && this.#options.where(point);
  }

  /** The next of the points that fill the space. */
  #spread(): Point | undefined {
    for (let step = 0; step < TRIES; step += 1) {
      const units = this.#halton.point(this.#haltonIndex);
      this.#haltonIndex += 1;
      const point = this.#dimensions.map(({ size }, index) => Math.floor(units[index] * size));
      if (this.#isNew(point)) return point;
    }
    return undefined;
  }

  #guided(index: number, known: number): Point | undefined {
    const random = new Random(new Random(this.#options.seed).uint32() * 2 ** 20 + index);
    const order = Array.from({ length: known }, (_, trial) => trial).toSorted(
      (a, b) => this.#losses[a] - this.#losses[b] || a - b,
    );
    const count = Math.min(Math.ceil(0.1 * known), BEST_MAX);
    const oldest = (a: number, b: number): number => a - b;
    const best = order.slice(0, count).toSorted(oldest);
    // Unfinished points are among the others.
    const under = Array.from({ length: index - known }, (_, index) => known + index);
    const others = [...order.slice(count), ...under].toSorted(oldest).slice(-OTHERS_MAX);
    const densities = this.#dimensions.map((dimension, index) => ({
      good: this.#density(dimension, index, best),
      bad: this.#density(dimension, index, others),
    }));
    for (let step = 0; step < TRIES / CANDIDATES; step += 1) {
      const candidates = Array.from({ length: CANDIDATES }, () => {
        const point = this.#dimensions.map((dimension, index) =>
          indexOf(dimension, densities[index].good.draw(random)),
        );
        const score = densities.reduce(
          (sum, { good, bad }, index) =>
            sum + Math.log(good.at(point[index]) / bad.at(point[index])),
          0,
        );
        return { point, score };
      });
      const [chosen] = candidates
        .filter(({ point }) => this.#isNew(point))
        .toSorted((a, b) => b.score - a.score);
      if (chosen !== undefined) return chosen.point;
    }
    return undefined;
  }

  #density(
    { size, isOrdered }: SearchDimension,
    index: number,
    trials: readonly number[],
  ): Density {
    const observed = trials.map((trial) => this.#points[trial][index]);
    // Half a step beyond both ends, as each index covers the range nearest to it.
    return isOrdered
      ? parzenDensity(observed, -0.5, size - 0.5)
      : categoricalDensity(observed, size);
  }
}

const indexOf = ({ size, isOrdered }: SearchDimension, drawn: number): number =>
  isOrdered ? Math.min(size - 1, Math.max(0, Math.round(drawn))) : drawn;
