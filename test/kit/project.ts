import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from './recordings.ts';

/** Puts the packages that a project depends on into its folder. */
export function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/millrace'));
  for (const name of ['rxjs', 'zod', 'decimal.js']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
}

/** A folder of a project that depends on Millrace. */
export function project(folder = temporaryFolder()): string {
  linkPackages(folder);
  symlinkSync(resolve('config'), join(folder, 'config'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}

/** Runs Node on the sources of Millrace; gives what it printed, and fails where it did not end well. */
export function node(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=millrace-source', ...args],
    { cwd, encoding: 'utf8' },
  );
  expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  return stdout;
}
