import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import rows from './test/conformance/rows.json' with { type: 'json' };

// `millrace` means the sources here, as it does for node --conditions=millrace-source and for tsc.
const SOURCE = 'millrace-source';
const conditions = [SOURCE, 'module', 'node', 'development|production'];

const source = (name: string): string =>
  fileURLToPath(new URL(`./src/${name}.ts`, import.meta.url));

const EXACT = { lines: 95, branches: 95 };

/** Folders whose tests start no process and open no socket. */
const QUICK = ['model', 'rules', 'exchange', 'engine', 'strategy'];

export default defineConfig(({ mode }) => ({
  // Strategies that tests write into folders of their own are not inside the package, so that its name leads nowhere.
  resolve: {
    conditions,
    alias: [
      { find: /^millrace$/, replacement: source('index') },
      { find: /^millrace\/(\w+)$/, replacement: source('$1') },
    ],
  },
  ssr: { resolve: { conditions, externalConditions: [SOURCE] } },
  test: {
    include:
      mode === 'quick'
        ? QUICK.map((folder) => `test/${folder}/**/*.test.ts`)
        : ['test/**/*.test.ts'],
    // The sizes of slow suites: `vitest --mode full` runs all at full size (test/kit/size.ts).
    env: mode === 'full' ? { MILLRACE_SIZE: 'full' } : {},
    globalSetup: ['test/kit/temporary.ts', 'test/kit/compile-cache.ts'],
    setupFiles: ['test/kit/setup.ts'],
    // Files share two processes: whoever takes the clock of RxJS gives it back.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    // Tests make much garbage that dies young: a larger nursery saves a tenth of their time.
    execArgv: ['--max-semi-space-size=64'],
    // It comes as TypeScript, which Node does not read in packages.
    server: { deps: { inline: ['cryptomarket'] } },
    // What the specifications of the services ask, row by row: `npx vitest --list-tags` prints them.
    tags: rows.flatMap(({ id, what, sides }) =>
      sides.map((side) => ({ name: `${side}:${id}`, description: what })),
    ),
    testTimeout: 120_000,
    hookTimeout: 240_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: [
        'text-summary',
        [fileURLToPath(new URL('./test/repository/coverage-table.ts', import.meta.url)), {}],
      ],
      thresholds: {
        lines: 90,
        branches: 85,
        'src/model/**': EXACT,
        'src/rules/**': EXACT,
        'src/engine/**': EXACT,
        'src/exchange/**': EXACT,
      },
    },
  },
}));
