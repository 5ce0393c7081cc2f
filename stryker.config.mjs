// What decides whether money is right. `npm run mutation` changes these files one place at a time,
// and each change has to make a test fail; `npm run mutation -- --mutate 'src/rules/**/*.ts'` does a part.
// `MILLRACE_TESTS=rules` before that runs its own tests alone, which is quicker; the same command with
// all tests then tries again only what they left alive.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'mutation.config.ts', related: false },
  mutate: ['rules', 'model', 'swaps/planner', 'exchange/orders', 'risk'].map(
    (folder) => `src/${folder}/**/*.ts`,
  ),
  coverageAnalysis: 'perTest',
  // Words of messages are read by people, and constants at the top of a file are run once for all tests.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 5_000,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  tempDirName: '.stryker',
  cleanTempDir: 'always',
  ignorePatterns: ['coverage', 'dist', 'runs', 'reports', 'docs/api', '.ci'],
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  thresholds: { high: 90, low: 85, break: 85 },
};
