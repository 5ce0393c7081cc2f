import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiKeyOf } from '../../../src/wire/key-pair.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { openKeys, sealKeys, type KeyToSeal } from '../../../src/swaps/keys/key-file.ts';

const HEX = '0123456789abcdef'.repeat(4);
const bytesFrom =
  (seed: number) =>
  (count: number): Uint8Array =>
    new Uint8Array(count).fill(seed);

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const KEYS = [
  { name: 'main', kind: 'evm', secret: HEX },
  { name: 'coins', kind: 'bitcoin', secret: HEX },
  { name: 'swaps', kind: 'service', secret: PEM },
] as const;

describe('a key file', async () => {
  const text = await sealKeys(KEYS, 'a good phrase', bytesFrom(7));

  it('gives back what was locked, as signers, and no key in words', async () => {
    const [main, coins, swaps] = await openKeys(text, 'a good phrase');
    expect(main).toMatchObject({ name: 'main', label: keySigner('evm', HEX).address });
    expect(coins).toMatchObject({ name: 'coins', label: keySigner('bitcoin', HEX).address });
    expect(swaps).toMatchObject({ kind: 'service', label: apiKeyOf(privateKey) });
    const printed = inspect([main, coins, swaps], { depth: 9 }) + JSON.stringify([main, swaps]);
    expect(printed).not.toContain(HEX);
    expect(text).not.toContain(HEX);
    expect(text).toContain(keySigner('evm', HEX).address);
  });

  it('does not open by another phrase', async () => {
    await expect(openKeys(text, 'a good phrasf')).rejects.toMatchObject({ code: 'key-invalid' });
  });

  it('does not open with a label, a name, the salt or what is sealed changed', async () => {
    const file = JSON.parse(text) as {
      keys: { name: string; label: string }[];
      kdf: { salt: string };
      sealed: string;
    };
    const [first, ...others] = file.keys;
    const changed = [
      {
        ...file,
        keys: [{ ...first, label: keySigner('evm', 'ab'.repeat(32)).address }, ...others],
      },
      { ...file, keys: [{ ...first, name: 'other' }, ...others] },
      { ...file, kdf: { ...file.kdf, salt: '08'.repeat(16) } },
      { ...file, sealed: `A${file.sealed.slice(1)}` },
      { ...file, sealed: 'AAAA' },
    ];
    for (const one of changed) {
      const opening = openKeys(JSON.stringify(one), 'a good phrase');
      await expect(opening).rejects.toMatchObject({ code: 'key-invalid' });
    }
  });

  it('does not spend the memory and the time that a hostile file asks for', async () => {
    const file = JSON.parse(text) as { kdf: object };
    const greedy = [
      { N: 2 ** 30 },
      { N: 2 ** 17 + 1 },
      { N: 2 },
      { r: 4096 },
      { p: 1000 },
      { p: 0 },
    ];
    for (const one of greedy) {
      const opening = openKeys(JSON.stringify({ ...file, kdf: { ...file.kdf, ...one } }), 'x');
      await expect(opening).rejects.toThrow('It is no key file');
    }
    await expect(openKeys('{', 'x')).rejects.toMatchObject({ code: 'key-invalid' });
  });

  it('is not made of what is no key, of two keys of one name, or without a phrase', async () => {
    const [main] = KEYS;
    const wrong: [readonly KeyToSeal[], string][] = [
      [[main, main], 'x'],
      [[{ ...main, secret: 'no key' }], 'x'],
      [[main], ''],
    ];
    for (const [keys, phrase] of wrong) {
      await expect(sealKeys(keys, phrase, bytesFrom(1))).rejects.toMatchObject({
        code: 'key-invalid',
      });
    }
  });
});
