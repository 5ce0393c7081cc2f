import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiKeyOf, publicKeyText, readPublicKey } from '../../src/wire/key-pair.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const HEX = {
  pkcs1: publicKey.export({ type: 'pkcs1', format: 'der' }).toString('hex'),
  spki: publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
};

/** One key, as it comes from each place that keys come from. */
const SAME = {
  'generated public': publicKey,
  'generated private': privateKey,
  'hexadecimal PKCS#1': readPublicKey(HEX.pkcs1),
  'hexadecimal SPKI': readPublicKey(HEX.spki),
  'PEM PKCS#1': readPublicKey(publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
  'PEM SPKI': readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  JWK: createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' }),
};

describe('a key pair', () => {
  it.each(Object.entries(SAME))('has the same names and text when it is %s', (_, key) => {
    expect(apiKeyOf(key)).toBe(apiKeyOf(publicKey));
    expect(apiKeyOf(key, 'spki')).toBe(apiKeyOf(publicKey, 'spki'));
    expect(publicKeyText(key)).toBe(HEX.pkcs1);
  });
});
