import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../kit/recordings.ts';

const SCRIPT = fileURLToPath(new URL('./peak-memory.ts', import.meta.url));
const ROWS = 250_000;

const peakKb = (...args: string[]): number =>
  Number(execFileSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' }));

test('writing and reading ten times as many rows takes no more than a tenth more memory', () => {
  const folder = temporaryFolder();
  const [small, large] = [join(folder, 'small.arrow'), join(folder, 'large.arrow')];
  const written = [peakKb('write', small, `${ROWS}`), peakKb('write', large, `${10 * ROWS}`)];
  const read = [peakKb('read', small), peakKb('read', large)];
  expect(written[1] / written[0], `kB: ${written.join(', ')}`).toBeLessThan(1.1);
  expect(read[1] / read[0], `kB: ${read.join(', ')}`).toBeLessThan(1.1);
});
