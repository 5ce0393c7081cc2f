import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys } from '../../../src/swaps/keys/key-file.ts';
import { readPrivateKey } from '../../../src/wire/key-pair.ts';
import { millraceHere } from '../command.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-keys-'));
const file = join(folder, 'keys.json');
const PASSPHRASE = 'a long sentence that nobody knows';

beforeAll(() => {
  process.env['KEYS_OF_TEST'] = PASSPHRASE;
  process.env['KEYS_OF_OTHERS'] = 'another sentence';
});

afterAll(() => {
  delete process.env['KEYS_OF_TEST'];
  delete process.env['KEYS_OF_OTHERS'];
});

const keys = (what: string, path: string, ...more: readonly string[]) =>
  millraceHere(['keys', what, path, '--passphrase-env', 'KEYS_OF_TEST', ...more]);

test('new keys are in a file that its owner alone reads, are shown again, and are never written over', async () => {
  const list = ['--keys', 'hot:evm,cold:bitcoin,api:service'];
  const made = await keys('create', file, '--json', ...list);
  expect(made).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');

  const shown = await keys('show', file, '--json');
  expect(shown).toEqual({ code: 0, out: made.out, err: '' });
  const { keys: rows } = JSON.parse(shown.out) as { keys: readonly Record<string, string>[] };
  expect(rows.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'hot evm',
    'cold bitcoin',
    'api service',
  ]);
  expect(rows[0]?.['label']).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(rows[1]?.['label']).toMatch(/^bc1p/);

  const again = await keys('create', file, ...list);
  expect(again.code).not.toBe(0);
  expect(again.err).toContain('keys are never written over');
  expect(readFileSync(file, 'utf8')).toBe(text);
  const service = (await openKeys(text, PASSPHRASE)).find(({ kind }) => kind === 'service');
  const secret =
    service?.kind === 'service'
      ? readPrivateKey(service.privateKey).export({ format: 'jwk' }).d
      : '';
  const hex = Buffer.from(secret ?? '', 'base64url').toString('hex');
  expect(hex.length).toBeGreaterThan(400);
  for (const reported of [made.out, made.err, shown.out, again.err, text]) {
    expect(reported).not.toContain(PASSPHRASE);
    expect(reported).not.toContain(hex.slice(0, 32));
    expect(reported).not.toContain(secret?.slice(0, 32));
  }
});

test('a file of keys does not open with another passphrase, or with none', async () => {
  const other = join(folder, 'other.json');
  expect((await keys('create', other, '--keys', 'hot:evm')).code).toBe(0);
  const wrong = await millraceHere(['keys', 'show', other, '--passphrase-env', 'KEYS_OF_OTHERS']);
  expect(wrong.code).not.toBe(0);
  expect(wrong.out).toBe('');
  expect(wrong.err).toContain('passphrase');
  expect(wrong.err).not.toContain('another sentence');
  const none = await millraceHere(['keys', 'show', other, '--passphrase-env', 'KEYS_OF_NOBODY']);
  expect(none.code).not.toBe(0);
  expect(none.err).toContain('KEYS_OF_NOBODY is not set');
});

test('a key of a kind that is none is refused, and no file is made', async () => {
  const path = join(folder, 'none.json');
  const reported = await keys('create', path, '--keys', 'hot:dogecoin');
  expect(reported.code).not.toBe(0);
  expect(reported.err).toContain('"hot:dogecoin"');
  expect(() => statSync(path)).toThrow('ENOENT');
});
