/** Times that mutants were run, by their id. */
export type Hits = Record<string, number>;

/** More hits than a run without mutants has before a loop counts as endless. */
const SPARE_HITS = 100_000;
const HITS_FACTOR = 20;

/** What the code that Stryker writes reads and counts in. */
interface Stryker {
  activeMutant: string | undefined;
  currentTestId: string | undefined;
  hitCount: number | undefined;
  hitLimit: number;
  readonly mutantCoverage: MutantCoverage;
}

/**
 * The counters of all mutants. While one of them is active they count nothing, but each visit is
 * limited: nearly every loop has a mutant in it, so that an endless one soon throws.
 */
class MutantCoverage {
  readonly perTest: Record<string, Hits> = {};
  readonly loading: Hits = {};
  readonly #ignored: Hits = {};
  visitsLeft = Number.POSITIVE_INFINITY;

  get static(): Hits {
    if (this.visitsLeft === Number.POSITIVE_INFINITY) return this.loading;
    this.visitsLeft -= 1;
    if (this.visitsLeft < 0) throw new Error('The mutant loops.');
    return this.#ignored;
  }
}

/** Says which mutant is active and which test runs. */
export class Switches {
  readonly #stryker: Stryker = {
    activeMutant: undefined,
    currentTestId: undefined,
    hitCount: undefined,
    hitLimit: 0,
    mutantCoverage: new MutantCoverage(),
  };

  constructor() {
    Object.assign(globalThis, { __stryker__: this.#stryker });
  }

  /** Mutants that ran while modules loaded. */
  get loading(): Hits {
    return this.#stryker.mutantCoverage.loading;
  }

  /** Counts the mutants that run from now on as those of a test, or of none. */
  count(testId: string | undefined): void {
    this.#stryker.currentTestId = testId;
  }

  hitsOf(testId: string): Hits {
    return this.#stryker.mutantCoverage.perTest[testId] ?? {};
  }

  /** Makes a mutant active until `deactivate`, or none, and limits the hits by those of a usual run. */
  activate(mutant: string | undefined, usual: Hits): void {
    const hits = Object.values(usual).reduce((sum, count) => sum + count, 0);
    const limit = SPARE_HITS + HITS_FACTOR * hits;
    this.#stryker.activeMutant = mutant;
    this.#stryker.hitCount = 0;
    this.#stryker.hitLimit = limit;
    this.#stryker.mutantCoverage.visitsLeft = limit;
  }

  deactivate(): void {
    this.#stryker.activeMutant = undefined;
    this.#stryker.hitCount = undefined;
    this.#stryker.mutantCoverage.visitsLeft = Number.POSITIVE_INFINITY;
  }
}
