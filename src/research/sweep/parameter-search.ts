import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import type { SweepOptions } from './options.ts';
import { dimensionOf, proposalsOf, type Dimension, type Proposals } from './space.ts';
import { checkSearch, DEFAULT_SEED, DEFAULT_TRIALS } from './trials.ts';

/** Options of a search in a program's own loop. */
export interface SearchOptions extends Pick<
  SweepOptions,
  'search' | 'trials' | 'seed' | 'lag' | 'direction' | 'where'
> {
  readonly vary: NonNullable<SweepOptions['vary']>;
  /** Schema of the parameters, `parameters` of a strategy, which gives text in `vary` its types. */
  readonly schema?: z.ZodObject;
}

/** A set of parameters to try. */
export interface SearchSet {
  /** Its index, from 0. */
  readonly index: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ParameterSearch {
  /** Number of sets; the most if results guide the search. */
  readonly total: number;
  /**
   * The next set; none if all were tried. Throws `usage` if `tpe` needs a missing result first:
   * that of `lag` sets before.
   */
  ask(): SearchSet | undefined;
  /**
   * The result of a set, in any order; `null` or a number that is not finite if it cannot be
   * ranked. Throws `usage` for a set that was not proposed, or has a result.
   */
  report(index: number, objective: number | null): void;
}

/** Without a schema, numbers and booleans are read from text. */
const ANY = z.union([z.number(), z.boolean(), z.string()]);
/**
 * Dimensions that a sweep of one strategy on one market has before its parameters, so that both
 * propose the same.
 */
const SAME: readonly Dimension[] = ['strategy', 'market'].map((name) => ({
  name,
  values: [0],
  isOrdered: false,
}));

/**
 * Proposes sets of parameters to a program that runs them itself. The same options and the same
 * objectives give the same sets, which are those of `sweep`: a program continues from stored
 * results by asking and reporting again. Throws `usage`, `config-invalid` and `out-of-range` for
 * options.
 */
export function parameterSearch(options: SearchOptions): ParameterSearch {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || typeof options.vary !== 'object') {
    throw new MillraceError(
      'config-invalid',
      'parameterSearch takes an object of options, with what varies in vary.',
      { field: 'vary' },
    );
  }
  checkSearch(options);
  const { vary, where, direction = 'maximize', search = 'tpe', lag = 1 } = options;
  const names = Object.keys(vary);
  const schema = options.schema ?? z.object(Object.fromEntries(names.map((name) => [name, ANY])));
  const dimensions = names.map((name) => dimensionOf(name, vary[name], schema));
  const setAt = (point: readonly number[]): SearchSet['parameters'] =>
    Object.fromEntries(
      dimensions.map(({ name, values }, index) => [name, values[point[index + SAME.length]]]),
    );
  const proposals = proposalsOf([...SAME, ...dimensions], {
    search,
    lag,
    trials: options.trials ?? DEFAULT_TRIALS,
    seed: options.seed ?? DEFAULT_SEED,
    where: (point) => where?.(setAt(point)) ?? true,
  });
  return new Search(proposals, setAt, direction === 'minimize' ? 1 : -1);
}

class Search implements ParameterSearch {
  readonly #proposals: Proposals;
  readonly #setAt: (point: readonly number[]) => SearchSet['parameters'];
  readonly #sign: 1 | -1;
  /** Losses of the sets, as far as known. */
  readonly #losses: (number | undefined)[] = [];
  #asked = 0;
  #handedOn = 0;

  constructor(
    proposals: Proposals,
    setAt: (point: readonly number[]) => SearchSet['parameters'],
    sign: 1 | -1,
  ) {
    this.#proposals = proposals;
    this.#setAt = setAt;
    this.#sign = sign;
  }

  get total(): number {
    return this.#proposals.total;
  }

  ask(): SearchSet | undefined {
    const { lag = Number.POSITIVE_INFINITY, total } = this.#proposals;
    if (this.#asked >= total) return undefined;
    for (; this.#handedOn <= this.#asked - lag; this.#handedOn += 1) {
      const loss = this.#losses[this.#handedOn];
      if (loss === undefined) throw unreported(this.#handedOn, lag);
      this.#proposals.report(loss);
    }
    const point = this.#proposals.ask();
    if (point === undefined) return undefined;
    const index = this.#asked;
    this.#asked += 1;
    return { index, parameters: this.#setAt(point) };
  }

  report(index: number, objective: number | null): void {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.#asked) {
      throw invalidOption(
        `Set ${String(index)} was not proposed; pass the index that ask returned.`,
      );
    }
    if (this.#losses[index] !== undefined)
      throw invalidOption(`The result of set ${index} was given already.`);
    this.#losses[index] = Number.isFinite(objective)
      ? this.#sign * Number(objective)
      : Number.POSITIVE_INFINITY;
  }
}

const unreported = (index: number, lag: number): MillraceError =>
  invalidOption(
    `The result of set ${index} is missing, and with a lag of ${lag} the next set depends on it: give it first, or give a lag as large as the number of sets that are tried at once.`,
  );

const invalidOption = (message: string): MillraceError =>
  new MillraceError('usage', message, { field: 'index' });
