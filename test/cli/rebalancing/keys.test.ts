import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
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

const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const ONE = '1'.padStart(64, '0');

test('own keys are taken out of variables in the forms of their wallets, and shown by address alone', async () => {
  const seed = Uint8Array.from({ length: 32 }, () => 7);
  const list = JSON.stringify([...seed, ...ed25519.getPublicKey(seed)]);
  const env = { OWN_EVM: `0x${ONE}`, OWN_WIF: WIF, OWN_LIST: list, KEYS_OF_TEST: PASSPHRASE };
  const path = join(folder, 'own.json');
  const names = 'hot:evm:OWN_EVM,cold:bitcoin:OWN_WIF,sun:solana:OWN_LIST';
  const args = ['keys', 'create', path, '--passphrase-env', 'KEYS_OF_TEST', '--keys'];
  const made = await millraceHere([...args, names], { env });
  expect(made.code, made.err).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  // Of the key 1 everybody knows the addresses.
  expect(made.out).toContain('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
  expect(made.out).toContain('bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9');
  expect(made.out).toContain(
    'tb1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ssk79hv2 (testnet, signet)',
  );
  expect(made.out).toMatch(
    /^bcrt1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ss\w{6} \(regtest\)$/m,
  );
  expect(made.out).toContain(base58.encode(ed25519.getPublicKey(seed)));
  for (const secret of Object.values(env)) expect(made.out + made.err).not.toContain(secret);

  const secretOf = async (name: string) => {
    const show = ['keys', 'show', path, '--passphrase-env', 'KEYS_OF_TEST', '--secret', name];
    return millraceHere(show, { env });
  };
  expect((await secretOf('hot')).out).toBe(`0x${ONE}\n`);
  expect((await secretOf('cold')).out).toBe(`${WIF}\n`);
  const sun = await secretOf('sun');
  expect(base58.decode(sun.out.trim())).toEqual(Uint8Array.from(JSON.parse(list) as number[]));
  expect(sun.err).toContain('Whoever sees this has the money');
  const absent = await secretOf('moon');
  expect(absent.err).toContain('has no key "moon"; it has hot, cold, sun.');
  expect(absent.out).toBe('');

  const other = { ...env, OWN_EVM: WIF };
  const wrong = await millraceHere([...args, names].with(2, `${path}.other`), { env: other });
  expect(wrong.err).toContain('A private key of evm is 64 hexadecimal digits');
  expect(wrong.err).not.toContain(WIF);
  const none = await millraceHere([...args, 'hot:evm:OWN_NONE'].with(2, `${path}.none`), { env });
  expect(none.err).toContain('The variable OWN_NONE is not set, which holds the key hot.');
});
