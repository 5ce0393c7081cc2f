import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSecretFile } from '../../src/config/secret-file.ts';
import { temporaryFolder } from '../kit/recordings.ts';

const at = (text: string): string => {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, text);
  return path;
};

test('a secret is the text of its file without the last line end, of one line or of several', () => {
  expect(readSecretFile(at('open sesame\n')).text).toBe('open sesame');
  expect(readSecretFile(at('BEGIN\r\nab\tc\r\nEND\n')).text).toBe('BEGIN\r\nab\tc\r\nEND');
});

test('what is too long for a secret, or no text, is refused and not shown', () => {
  expect(() => readSecretFile(at('x'.repeat(65_537)))).toThrow('more than 65536 bytes');
  expect(() => readSecretFile(at('PATH=/bin\0HOME=/root\0'))).toThrow('it holds other than text');
  expect(() => readSecretFile(at('secret\u001b[2J'))).not.toThrow('secret');
});

test('a link to a secret is followed, as mounted secrets are links', () => {
  const path = at('mounted');
  symlinkSync(path, `${path}-link`);
  expect(readSecretFile(`${path}-link`).text).toBe('mounted');
});
