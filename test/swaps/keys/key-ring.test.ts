import { inspect } from 'node:util';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../src/model/errors.ts';
import { isSignedByOwner } from '../../../src/swaps/chains/signed-transfer.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';

const FAMILIES = ['evm', 'tron', 'bitcoin', 'solana'] as const;
const SECRET = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const HEX = Buffer.from(SECRET).toString('hex');
const PAIR = Uint8Array.of(...SECRET, ...ed25519.getPublicKey(SECRET));

/** Forms in which the one key is written. */
const WRITTEN = {
  evm: [HEX, `0x${HEX}`, HEX.toUpperCase()],
  tron: [HEX, `0x${HEX}`],
  bitcoin: [
    HEX,
    createBase58check(sha256).encode(Uint8Array.of(0x80, ...SECRET, 1)),
    createBase58check(sha256).encode(Uint8Array.of(0x80, ...SECRET)),
  ],
  solana: [
    HEX,
    Buffer.from(PAIR).toString('hex'),
    base58.encode(SECRET),
    base58.encode(PAIR),
    JSON.stringify([...SECRET]),
    JSON.stringify([...PAIR]),
  ],
};

describe.each(FAMILIES)('a signer of %s', (family) => {
  it('is the same of each form of its key', () => {
    const { address } = keySigner(family, SECRET);
    for (const text of WRITTEN[family]) expect(keySigner(family, text).address).toBe(address);
  });

  it('signs transfers as the chains check them', async () => {
    const signer = keySigner(family, SECRET);
    const digest = '5a'.repeat(32);
    const signature = (await signer.signTransfer?.(digest)) ?? '';
    expect(isSignedByOwner(family, signer.address, digest, signature)).toBe(true);
    expect(isSignedByOwner(family, signer.address, '5b'.repeat(32), signature)).toBe(false);
  });

  it('shows its key to nobody who prints it', () => {
    const signer = keySigner(family, SECRET);
    const printed = [
      inspect(signer, { depth: 9, showHidden: true }),
      JSON.stringify(signer),
      Object.values(signer).map(String).join(),
    ];
    const forms = [...WRITTEN[family], ...WRITTEN.solana, SECRET.join(', ')];
    for (const text of printed) for (const form of forms) expect(text).not.toContain(form);
  });

  it('is not made of what is no key, which is not repeated', () => {
    const [own = ''] = WRITTEN[family];
    const wrong = ['', 'abc', own.slice(0, -1), `${own}0`, own.replace(/.$/, 'g'), '[1,2,3]'];
    for (const text of wrong) {
      const error = failure(() => keySigner(family, text));
      expect(error.code).toBe('key-invalid');
      if (text.length > 8) expect(inspect(error)).not.toContain(text.slice(0, 16));
    }
  });
});

it('takes no key of Solana whose public half is of another', () => {
  const mixed = base58.encode(
    Uint8Array.of(...SECRET, ...ed25519.getPublicKey(SECRET.map(() => 9))),
  );
  expect(failure(() => keySigner('solana', mixed)).code).toBe('key-invalid');
});

it('takes no zero and nothing beyond the order of the curve', () => {
  for (const digits of ['00'.repeat(32), 'ff'.repeat(32)]) {
    expect(failure(() => keySigner('evm', digits)).code).toBe('key-invalid');
  }
});

it('has the addresses that others have for the key 1', () => {
  const one = `${'00'.repeat(31)}01`;
  // Widely known: the first is that of the generator point; Tron's are its 20 bytes behind 0x41.
  expect(keySigner('evm', one).address).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
  expect(keySigner('tron', one).address).toBe('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC');
  expect(keySigner('bitcoin', one).address).toBe(
    'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9',
  );
});

function failure(make: () => unknown): MillraceError {
  try {
    make();
  } catch (error) {
    if (error instanceof MillraceError) return error;
  }
  throw new Error('It did not fail as it should.');
}
