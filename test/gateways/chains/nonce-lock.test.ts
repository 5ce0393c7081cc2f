import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NonceBook, type NonceEntry } from '../../../src/gateways/chains/evm/nonce-book.ts';

const BOOK = new URL('../../../src/gateways/chains/evm/nonce-book.ts', import.meta.url).href;
const HOLDER = `
const { NonceBook } = await import(${JSON.stringify(BOOK)});
const book = new NonceBook(process.argv[1]);
book.write({ chainId: 1, address: '0xa', nonce: 7, key: 'order', ids: [], sent: true, feeLots: 1n, at: 0 });
process.stdout.write('held');
setInterval(() => undefined, 1000);
`;

test('a second process is refused the nonces of a key until the first is gone, and then goes on after them', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'nonces-')), 'deep', 'book');
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const sentence = `has the nonces in ${path}; two would pay twice with one key. Stop it first`;
  expect(() => new NonceBook(path).open()).toThrow(
    expect.objectContaining({
      code: 'journal-locked',
      message: expect.stringContaining(sentence) as string,
    }),
  );
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
  const next = new NonceBook(path);
  expect(next.of(1, '0xA').map(({ nonce }: NonceEntry) => nonce)).toEqual([7]);
  next.close();
  expect(() => next.of(1, '0xA')).toThrow('The node was closed');
});
