import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import type { SweepOptions } from './options.ts';
import { dimensionOf, proposalsOf, type Dimension, type Proposals } from './space.ts';
import { checkSearch, DEFAULT_SEED, DEFAULT_TRIALS } from './trials.ts';

/** What a search of a program's own loop goes through. */
export interface SearchOptions extends Pick<
  SweepOptions,
  'search' | 'trials' | 'seed' | 'lag' | 'direction' | 'where'
> {
  readonly vary: NonNullable<SweepOptions['vary']>;
  /** The schema of the parameters, `parameters` of a strategy: text in `vary` gets its types. */
  readonly schema?: z.ZodObject;
}

/** A set of parameters to try. */
export interface SearchSet {
  /** Its place, from 0. */
  readonly index: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ParameterSearch {
  /** How many sets there are, at most where results guide the search. */
  readonly total: number;
  /**
   * The next set; none where all were tried. Throws `usage` where `tpe` needs a result first that did not
   * come: the one `lag` sets before.
   */
  ask(): SearchSet | undefined;
  /**
   * The result of a set, in any order; `null` or no finite number for one that cannot be ranked. Throws
   * `usage` for a set that was not asked for, or has a result.
   */
  report(index: number, objective: number | null): void;
}

/** Without a schema, text that is a number or a truth value is one. */
const ANY = z.union([z.number(), z.boolean(), z.string()]);
/** A sweep of one strategy on one market has these before its parameters, and so proposes the same. */
const SAME: readonly Dimension[] = ['strategy', 'market'].map((name) => ({
  name,
  values: [0],
  isOrdered: false,
}));

/**
 * Proposes sets of parameters to a program that runs them itself. The same options and the same objectives
 * give the same sets, which are those of `sweep`: a program goes on with what it kept by asking again and
 * reporting again. Throws `usage`, `config-invalid` and `out-of-range`
 * for options.
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
  /** The result of each set as a loss, as far as it came. */
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
      throw wrong(`No set ${String(index)} was asked for; pass the index that ask gave.`);
    }
    if (this.#losses[index] !== undefined)
      throw wrong(`The result of set ${index} was given already.`);
    this.#losses[index] = Number.isFinite(objective)
      ? this.#sign * Number(objective)
      : Number.POSITIVE_INFINITY;
  }
}

const unreported = (index: number, lag: number): MillraceError =>
  wrong(
    `The result of set ${index} is missing, and with a lag of ${lag} the next set depends on it: give it first, or give a lag as large as the number of sets that are tried at once.`,
  );

const wrong = (message: string): MillraceError =>
  new MillraceError('usage', message, { field: 'index' });
