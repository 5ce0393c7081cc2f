import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const WARNINGS = new URL('../../src/cli/warnings.ts', import.meta.url).href;

test('of all warnings only that of SQLite is hidden', () => {
  const script = `
    import { hideWarnings } from '${WARNINGS}';
    hideWarnings();
    process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
    process.emitWarning('Something else is an experimental feature', 'ExperimentalWarning');
    process.emitWarning('SQLite is full');
  `;
  const args = ['--input-type=module', '--eval', script];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const reported = stderr.split('\n').filter((line) => line.includes('Warning:'));
  expect(reported.map((line) => line.replace(/^.*?\) /, ''))).toEqual([
    'ExperimentalWarning: Something else is an experimental feature',
    'Warning: SQLite is full',
  ]);
});
