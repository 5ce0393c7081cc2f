import { defineConfig, type ConfigEnv } from 'vitest/config';
import base from './vitest.config.ts';

/** What decides whether money is right, tested without processes and sockets. */
const FOLDERS = ['rules', 'model', 'risk', 'exchange', 'swaps/planner'];

/**
 * The tests for `npm run mutation`: those of the folders that `MILLRACE_TESTS` names, `risk` or
 * `rules,exchange/margin`, or all. Mutants run in threads, which take no flags of V8.
 */
export default defineConfig((env: ConfigEnv) => {
  const given = base(env);
  const folders = process.env['MILLRACE_TESTS']?.split(',') ?? FOLDERS;
  const include = folders.map((folder) => `test/${folder}/**/*.test.ts`);
  return { ...given, test: { ...given.test, include, execArgv: [] } };
});
