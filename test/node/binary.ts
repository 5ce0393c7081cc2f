import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** A version as npm knows it: `24`, `24.9` or `24.9.0`. The newest that fits is meant. */
const VERSION = /^\d+(\.\d+){0,2}$/;

/**
 * The path of a Node: of a version, which npm downloads where it has not yet (the npm package `node`
 * brings the binary), or of a binary that is here. Throws where there is none.
 */
export function nodeBinary(asked: string): string {
  if (!VERSION.test(asked)) {
    if (existsSync(asked)) return resolve(asked);
    throw new Error(`"${asked}" is neither a version of Node, such as 24, nor the path of one.`);
  }
  const own = process.versions.node;
  if (own === asked || own.startsWith(`${asked}.`)) return process.execPath;
  const args = ['exec', '--yes', `--package=node@${asked}`, '--', 'node', '-p', 'process.execPath'];
  // On Windows npm is a script of the shell.
  const { status, stdout, stderr } = spawnSync('npm', args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const path = stdout.trim().split('\n').at(-1) ?? '';
  if (status === 0 && existsSync(path)) return path;
  throw new Error(`npm brings no Node ${asked}; give the path of one instead.\n${stderr}`);
}
