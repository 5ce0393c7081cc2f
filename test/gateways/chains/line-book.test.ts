import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { expect, test } from 'vitest';
import { LineBook } from '../../../src/gateways/chains/line-book.ts';

const KIB = 1_024;

/** Writes entries of about 115 bytes to a file that may have 1 KiB, and says which were kept. */
const WRITER = `
import { z } from 'zod';
import { LineBook } from './src/gateways/chains/line-book.ts';
process.on('SIGXFSZ', () => undefined);
const book = new LineBook(process.env.BOOK, { what: 'nonces', schema: z.string(), keyOf: (one) => one.slice(0, 3) });
const tried = (entry) => {
  try {
    book.write(entry);
    console.log(entry.slice(0, 3));
  } catch (error) {
    console.log(error.code);
  }
};
for (let count = 100; count < 110; count += 1) tried(count + 'v'.repeat(110));
`;

test('an entry for which the disk has half the room is not kept, and those before it are', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'millrace-line-book-')), 'nonces');
  const script = ['bash', '-c', 'ulimit -f 1; exec "$0" --input-type=module -e "$WRITER"'] as const;
  const [shell, ...args] = script;
  const ended = spawnSync(shell, [...args, process.execPath], {
    env: { ...process.env, BOOK: path, WRITER },
    encoding: 'utf8',
  });
  const told = ended.stdout.trim().split('\n');
  const kept = told.filter((one) => /^\d+$/.test(one));
  expect(told).toContain('journal-unwritable');
  // Without a part of a line the test would show nothing.
  expect(readFileSync(path)).toHaveLength(KIB);
  const open = () =>
    new LineBook(path, { what: 'nonces', schema: z.string(), keyOf: (one) => one.slice(0, 3) });
  const book = open();
  expect(book.entries().map((one) => one.slice(0, 3))).toEqual(kept);
  book.write('200');
  book.close();
  const again = open();
  expect(again.entries().map((one) => one.slice(0, 3))).toEqual([...kept, '200']);
  again.close();
});
