import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, kill } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, createVitest } from 'vitest/node';
import type { Scheduler } from '../../src/platform/scheduler.ts';
import { micros } from '../../src/platform/time.ts';
import { entriesOf, type JournalEntry } from './journal.ts';
import type { MutatedSources } from './mutants.ts';
import { Verdicts } from './verdicts.ts';

const US_PER_SECOND = 1_000_000;
/** The longest that a test may be silent with a mutant; an endless loop without one inside is silent. */
const SILENCE_US = 60 * US_PER_SECOND;
const LOOK_US = US_PER_SECOND;
/** Histories of a property test: many trials of few are better than few of many. */
const PROPERTY_RUNS = '25';

const RUNNER = fileURLToPath(new URL('./runner.ts', import.meta.url));
const SETUP = fileURLToPath(new URL('./setup.ts', import.meta.url));

export interface SessionOptions {
  readonly root: string;
  readonly sources: MutatedSources;
  /** Files, relative to the root, in the order in which they run. */
  readonly tests: readonly string[];
  readonly journal: string;
  /** Tests that take longer try no mutant. */
  readonly slowMs: number;
  readonly scheduler: Scheduler;
  readonly onProgress: (verdicts: Verdicts) => void;
}

/** Tries all mutants, in as few processes as they leave whole. */
export async function verdictsOf(options: SessionOptions): Promise<Verdicts> {
  const verdicts = new Verdicts();
  for (;;) {
    const tests = options.tests
      .map((test) => join(options.root, test))
      .filter((test) => !verdicts.done.has(test));
    if (tests.length === 0) return verdicts;
    const entries = await round(options, tests, verdicts);
    verdicts.take(entries);
    if (tests.every((test) => verdicts.done.has(test))) return verdicts;
    if (!verdicts.takeEnd(entries)) {
      const [test] = tests.filter((file) => !verdicts.done.has(file));
      throw new Error(`The tests of ${test} did not run; run them with vitest.`);
    }
  }
}

/** One process for the files of tests named, until it has done all or ends. */
async function round(
  options: SessionOptions,
  tests: readonly string[],
  verdicts: Verdicts,
): Promise<JournalEntry[]> {
  const { journal, sources, root } = options;
  writeFileSync(journal, '');
  const overrides: ViteUserConfig = {
    plugins: [served(sources)],
    test: { setupFiles: [SETUP] },
  };
  const vitest = await createVitest(
    {
      ...{ root, config: join(root, 'vitest.config.ts'), watch: false, run: true },
      ...{ pool: 'forks', isolate: false, maxWorkers: 1, fsModuleCache: false, cache: false },
      ...{ coverage: { enabled: false }, update: 'none', silent: true, reporters: [{}] },
      dangerouslyIgnoreUnhandledErrors: true,
      runner: RUNNER,
      sequence: { sequencer: GivenOrder },
      env: { MILLRACE_RUNS: env['MILLRACE_RUNS'] ?? PROPERTY_RUNS },
      provide: {
        mutation: {
          journal,
          decided: [...verdicts.killed.keys()],
          first: verdicts.first,
          slowMs: options.slowMs,
        },
      },
    },
    overrides,
  );
  const stop = watch(options, verdicts);
  try {
    const project = vitest.getRootProject();
    await vitest.runTestSpecifications(tests.map((test) => project.createSpecification(test)));
  } finally {
    stop();
    await vitest.close();
  }
  return entriesOf(journal);
}

/** Gives the sources with their mutants in place of those on disk. */
function served({ code }: MutatedSources): NonNullable<ViteUserConfig['plugins']>[number] {
  return {
    name: 'mutants',
    enforce: 'pre',
    load: (id) => code.get(id),
  };
}

/** Keeps files in the order in which they are given. */
class GivenOrder extends BaseSequencer {
  override sort: BaseSequencer['sort'] = (specifications) => Promise.resolve(specifications);
}

/** Reports progress, and ends a worker that is silent. */
function watch({ journal, scheduler, onProgress }: SessionOptions, verdicts: Verdicts): () => void {
  let count = 0;
  let changedAt = scheduler.now();
  let cancel = scheduler.at(micros(scheduler.now() + LOOK_US), look);
  function look(): void {
    const entries = entriesOf(journal);
    if (entries.length > count) changedAt = scheduler.now();
    count = entries.length;
    verdicts.take(entries);
    onProgress(verdicts);
    const worker = entries.find((entry) => entry.kind === 'worker');
    const isTrying = entries.findLast(({ kind }) => kind !== 'tested')?.kind === 'trial';
    if (worker !== undefined && isTrying && scheduler.now() - changedAt > SILENCE_US) {
      kill(worker.pid, 'SIGKILL');
    }
    cancel = scheduler.at(micros(scheduler.now() + LOOK_US), look);
  }
  return () => cancel();
}
