import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Writes lines of 100 bytes to a file that may have 1 KiB, and one more when there is room again. */
const WRITER = `
import { truncateSync } from 'node:fs';
import { LineFile } from './src/bot/logs/line-file.ts';
process.on('SIGXFSZ', () => undefined);
const file = new LineFile(process.env.LOG, (why) => console.log(why));
for (let count = 100; count < 115; count += 1) file.write(count + 'v'.repeat(96) + '\\n');
truncateSync(process.env.LOG, 1010);
file.write('next\\n');
file.close();
`;

test('a line for which the disk has half the room is told of as lost, and no other is joined to it', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-line-file-')), 'log');
  const script = ['bash', '-c', 'ulimit -f 1; exec "$0" --input-type=module -e "$WRITER"'] as const;
  const [shell, ...args] = script;
  const env = { ...process.env, LOG: path, WRITER };
  const { stdout } = spawnSync(shell, [...args, process.execPath], { env, encoding: 'utf8' });
  // Told once, when lines begin to be lost.
  expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('EFBIG')]);
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.slice(0, 10).map((line) => line.length)).toEqual(Array(10).fill(99));
  expect(lines.slice(10)).toEqual([`110${'v'.repeat(7)}`, 'next', '']);
});
