import { readFileSync } from 'node:fs';
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
