import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { readPsbt, writePsbt } from '../../../src/swaps/approvals/htlc/psbt.ts';
import { isSignature, signingPaths } from '../../../src/swaps/approvals/htlc/taproot.ts';
import { INVALID, VALID } from './bip-371.ts';

describe('a partially signed transaction', () => {
  it.each(VALID)('is read and written byte for byte: %s', (_, text) => {
    const psbt = readPsbt(text);
    expect(psbt && writePsbt(psbt)).toBe(text);
  });

  it.each(INVALID)('is not read: %s', (_, text) => {
    expect(readPsbt(text)).toBeUndefined();
  });

  it('is not read with bytes behind its end, without its end, or with another magic', () => {
    const bytes = Buffer.from(VALID[0]?.[1] ?? '', 'base64');
    const changed = [
      Buffer.concat([bytes, Buffer.of(0)]),
      bytes.subarray(0, -1),
      Buffer.concat([Buffer.of(0x71), bytes.subarray(1)]),
      Buffer.alloc(0),
    ];
    for (const one of changed) expect(readPsbt(one.toString('base64'))).toBeUndefined();
  });
});

/** Signatures of each input of a vector, with what they verify as. */
function verifiedFields(text: string): [string, boolean][] {
  const psbt = readPsbt(text);
  if (psbt === undefined) throw new Error('The vector is not read.');
  return psbt.inputs.flatMap((map, at) =>
    [...map]
      .filter(([key]) => /^1[34]/.test(key))
      .map(([key, signature]): [string, boolean] => {
        const signer = key.startsWith('14') ? key.slice(2, 66) : (map.get('17') ?? '');
        const path = signingPaths(map, hexToBytes(signer)).find(({ field }) => field === key);
        return [key.slice(0, 2), path !== undefined && isSignature(psbt, at, path, signature)];
      }),
  );
}

describe('the signatures of others', () => {
  it('verify by key', () => {
    expect(verifiedFields(VALID[1]?.[1] ?? '')).toEqual([['13', true]]);
  });

  it('verify by each of three scripts of one tree', () => {
    const fields = verifiedFields(VALID[5]?.[1] ?? '');
    expect(fields).toEqual([
      ['14', true],
      ['14', true],
      ['14', true],
    ]);
  });
});
