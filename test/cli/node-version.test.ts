import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { isNodeTooOld, NODE_MIN } from '../../src/platform/node-version.ts';

const { engines, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

test('the oldest Node is the one that package.json asks for, and whose types the compiler has', () => {
  expect(engines['node']).toBe(`>=${NODE_MIN}`);
  expect(devDependencies['@types/node']?.startsWith(`${NODE_MIN}.`)).toBe(true);
});

test('the command asks for the same before it loads anything', () => {
  expect(readFileSync('bin/millrace.js', 'utf8')).toContain(`const NODE_MIN = '${NODE_MIN}';`);
});

test.each(['16.20.2', '22.23.3', '23.11.0', '24.0.0', '24.8.0'])('%s is too old', (version) => {
  expect(isNodeTooOld(version)).toBe(true);
});

test.each(['24.9.0', '24.10.0', '24.21.0', '25.0.0', '26.10.0'])('%s is not', (version) => {
  expect(isNodeTooOld(version)).toBe(false);
});

const ONE_SENTENCE =
  /^Millrace needs Node [\d.]+ or newer, and this is Node [\d.]+: install .*\.\n$/;

/** Runs the command under a Node, from the sources. */
function underNode(node: string, options: readonly string[] = []) {
  const args = ['--conditions=millrace-source', ...options, 'bin/millrace.js', '--version'];
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each(['14.21.3', '22.23.3', '24.8.0'])('Node %s is rejected in one sentence', (version) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const { status, stdout, stderr } = underNode(process.execPath, [
    `--import=data:text/javascript,${encodeURIComponent(pretend)}`,
  ]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(ONE_SENTENCE);
  expect(stderr).toContain(`this is Node ${version}:`);
});

/** Every Node of this machine that a shell would find; the one that runs this at least. */
const INSTALLED = new Set(
  [process.execPath, ...(process.env['PATH'] ?? '').split(delimiter).map((at) => join(at, 'node'))]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path)),
);

test.each([...INSTALLED])('%s runs the command, or says that it is too old', (node) => {
  const { stdout: version } = spawnSync(node, ['-p', 'process.versions.node'], {
    encoding: 'utf8',
  });
  const { status, stdout, stderr } = underNode(node);
  if (isNodeTooOld(version.trim())) {
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(ONE_SENTENCE);
  } else {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }
});
