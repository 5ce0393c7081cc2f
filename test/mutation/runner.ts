import { cpuUsage, kill, pid } from 'node:process';
import {
  inject,
  TestRunner,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  type SerializedConfig,
} from 'vitest';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { micros } from '../../src/platform/time.ts';
import { append, type JournalEntry } from './journal.ts';
import { Switches } from './switches.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly mutation: {
      readonly journal: string;
      /** Mutants that need no trial any more. */
      readonly decided: readonly string[];
      /** The mutant that is tried before all others. */
      readonly first: string | undefined;
      readonly slowMs: number;
    };
  }
}

type Step = () => unknown;
/** What vitest keeps beside a test and does not declare. */
interface Finishing {
  onFinished?: Step[];
  onFailed?: Step[];
}

interface TimedTest {
  readonly test: RunnerTestCase;
  /** What it takes of the processor, whatever else the machine does. */
  readonly processorMs: number;
  /** The longest that it may wait with a mutant. */
  readonly waitUs: number;
}

const processorMs = (): number => {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
};

/** The longest that a test may wait with a mutant: so long, or so many times as long as without. */
const WAIT_US = 5_000_000;
const WAIT_FACTOR = 20;
/** Without a mutant it has as long as vitest gives it. */
const UNHURRIED_US = 600_000_000;
/** A test that only waits is slow where it waits so many times as long as it may work. */
const IDLE_FACTOR = 10;
/** Trials before vitest may send and receive its messages again. */
const TRIALS_PER_PAUSE = 50;

/**
 * Runs each file of tests once and counts which mutants each test runs; then tries every mutant of
 * the file that is alive with the tests that run it, the quickest first, until one fails. All happens
 * in one process with the modules loaded once.
 */
export default class MutationRunner extends TestRunner {
  readonly #settings = inject('mutation');
  readonly #decided = new Set(this.#settings.decided);
  readonly #switches = new Switches();
  readonly #clock = new SystemScheduler();
  #trials = 0;

  constructor(config: SerializedConfig) {
    super(config);
    this.#write({ kind: 'worker', pid });
  }

  override onBeforeTryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): void {
    super.onBeforeTryTask(test, options);
    this.#switches.count(test.id);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    this.#switches.count(undefined);
    super.onAfterRunTask(test);
    this.#write({ kind: 'tested' });
  }

  /** Hooks after all tests run backwards: what is added last runs before the file cleans up. */
  onBeforeRunFiles(files: readonly RunnerTestFile[]): void {
    for (const file of files) {
      TestRunner.getSuiteHooks(file).afterAll.push(async () => {
        const tests = await this.#repeatable(file);
        await this.#tryMutants(tests);
        this.#write({ kind: 'done', file: file.filepath });
      });
    }
  }

  #write(entry: JournalEntry): void {
    append(this.#settings.journal, entry);
  }

  /** The tests that pass a second time and are quick, the quickest first. */
  async #repeatable(file: RunnerTestFile): Promise<readonly TimedTest[]> {
    const tests: TimedTest[] = [];
    const slow: string[] = [];
    const failing: string[] = [];
    const unrepeatable: string[] = [];
    for (const test of testsOf(file)) {
      if (test.result?.state === 'fail') failing.push(nameOf(test));
      if (test.result?.state !== 'pass') continue;
      const timed = await this.#timed(test);
      if (timed === 'slow') slow.push(nameOf(test));
      else if (timed === 'unrepeatable') unrepeatable.push(nameOf(test));
      else tests.push(timed);
    }
    this.#write({
      kind: 'coverage',
      file: file.filepath,
      covered: [
        ...new Set(tests.flatMap(({ test }) => Object.keys(this.#switches.hitsOf(test.id)))),
      ],
      loading: Object.keys(this.#switches.loading),
      ...{ slow, failing, unrepeatable },
    });
    return tests.toSorted((a, b) => a.processorMs - b.processorMs);
  }

  /** Runs a test that has passed a second time, to see that it can be repeated and what it takes. */
  async #timed(test: RunnerTestCase): Promise<TimedTest | 'slow' | 'unrepeatable'> {
    const { slowMs } = this.#settings;
    if ((test.result?.duration ?? 0) > IDLE_FACTOR * slowMs) return 'slow';
    const startedMs = processorMs();
    const startedAt = this.#clock.now();
    const hasPassed = await this.#passes(test, undefined, UNHURRIED_US);
    const durationUs = this.#clock.now() - startedAt;
    const timed = {
      test,
      processorMs: processorMs() - startedMs,
      waitUs: Math.max(WAIT_US, WAIT_FACTOR * durationUs),
    };
    if (!hasPassed) return 'unrepeatable';
    return timed.processorMs > slowMs ? 'slow' : timed;
  }

  async #tryMutants(tests: readonly TimedTest[]): Promise<void> {
    const testsByMutant = new Map<string, TimedTest[]>();
    for (const timed of tests) {
      for (const mutant of Object.keys(this.#switches.hitsOf(timed.test.id))) {
        const others = testsByMutant.get(mutant);
        if (others === undefined) testsByMutant.set(mutant, [timed]);
        else others.push(timed);
      }
    }
    const { first } = this.#settings;
    const mutants = [...testsByMutant.keys()].filter((mutant) => !this.#decided.has(mutant));
    if (first !== undefined && mutants.includes(first)) mutants.unshift(first);
    for (const mutant of mutants) {
      if (this.#decided.has(mutant)) continue;
      await this.#tryMutant(mutant, testsByMutant.get(mutant) ?? []);
    }
  }

  async #tryMutant(mutant: string, tests: readonly TimedTest[]): Promise<void> {
    this.#write({ kind: 'trial', mutant });
    this.#trials += 1;
    if (this.#trials % TRIALS_PER_PAUSE === 0) await this.#pause();
    for (const { test, waitUs } of tests) {
      if (await this.#passes(test, mutant, waitUs)) {
        this.#write({ kind: 'tested' });
        continue;
      }
      if (!(await this.#passes(test, undefined, waitUs))) {
        // Modules keep what a mutant broke: a new process goes on.
        this.#write({ kind: 'spoiled', mutant, isFirst: this.#trials === 1 });
        kill(pid, 'SIGKILL');
      }
      this.#decided.add(mutant);
      this.#write({ kind: 'killed', mutant, test: nameOf(test) });
      return;
    }
  }

  async #inTime(run: unknown, waitUs: number): Promise<void> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#clock.at(micros(this.#clock.now() + waitUs), () => {
      late.reject(new Error('The mutant waits.'));
    });
    await Promise.race([run, late.promise]).finally(cancel);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.at(this.#clock.now(), resolve);
    });
  }

  /** Whether a test passes, with its hooks, while a mutant is active or none. */
  async #passes(
    test: RunnerTestCase,
    mutant: string | undefined,
    waitUs: number,
  ): Promise<boolean> {
    const suites = suitesOf(test);
    const finishing = test as Finishing;
    const cleanups: unknown[] = [];
    let hasPassed = true;
    const attempt = async (step: Step): Promise<void> => {
      try {
        await step();
      } catch {
        hasPassed = false;
      }
    };
    this.#switches.activate(mutant, this.#switches.hitsOf(test.id));
    await attempt(async () => {
      super.onBeforeTryTask(test, { retry: 0, repeats: 0 });
      for (const suite of suites) {
        for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) {
          cleanups.push(await hook(test.context, suite));
        }
      }
      await this.#inTime(TestRunner.getTestFn(test)(), waitUs);
      super.onAfterTryTask(test);
    });
    for (const suite of suites.toReversed()) {
      for (const hook of TestRunner.getSuiteHooks(suite).afterEach.toReversed()) {
        await attempt(() => hook(test.context, suite));
      }
    }
    for (const cleanup of [...cleanups, ...(finishing.onFinished ?? [])].toReversed()) {
      if (typeof cleanup === 'function') await attempt(() => (cleanup as Step)());
    }
    delete finishing.onFinished;
    delete finishing.onFailed;
    this.#switches.deactivate();
    return hasPassed;
  }
}

function testsOf(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task: RunnerTask) =>
    task.type === 'suite' ? testsOf(task) : [task],
  );
}

/** The suites around a test, its file first. */
function suitesOf(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) suites.unshift(suite);
  return [test.file, ...suites.filter((suite) => suite !== test.file)];
}

function nameOf(test: RunnerTestCase): string {
  return [...suitesOf(test).slice(1), test].map(({ name }) => name).join(' > ');
}
