import { createKeyPairSignerFromPrivateKeyBytes, isAddress } from '@solana/kit';
import * as ecc from '@bitcoinerlab/secp256k1';
import { initEccLib, payments } from 'bitcoinjs-lib';
import { getAddress, Wallet } from 'ethers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../../src/swaps/chains/families/families.ts';

initEccLib(ecc);

const { evm, tron, bitcoin, solana } = FAMILIES;
/** Of numbers, every one below the order of the curve is a key; these are. */
const keys = fc
  .uint8Array({ minLength: 31, maxLength: 31 })
  .map((rest) => Uint8Array.of(1, ...rest));

describe('Ethereum', () => {
  test('addresses are those that ethers makes of the same keys', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(evm.addressOf(key)).toBe(
          new Wallet(`0x${Buffer.from(key).toString('hex')}`).address,
        );
      }),
      { numRuns: 20 },
    );
  });

  test('letters of one case are taken, a mixture must have the checksum of EIP-55', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(39), (bytes, at) => {
        const small = `0x${Buffer.from(bytes).toString('hex')}`;
        const right = getAddress(small);
        expect(evm.canonical(small)).toBe(right);
        expect(evm.canonical(`0x${small.slice(2).toUpperCase()}`)).toBe(right);
        expect(evm.canonical(right)).toBe(right);
        const index = at + 2;
        const letter = right.charAt(index);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const wrong = right.slice(0, index) + other + right.slice(index + 1);
        const digits = wrong.slice(2);
        const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
        if (wrong !== right && isMixed) expect(evm.canonical(wrong)).toBeUndefined();
      }),
    );
  });

  test.each([
    '',
    '0x',
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0',
    '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
  ])('%j is no address', (text) => {
    expect(evm.canonical(text)).toBeUndefined();
  });
});

describe('Tron', () => {
  const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

  test('an address is that of Ethereum of the same key, after 0x41, in Base58 with a checksum', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const address = tron.addressOf(key);
        expect(address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
        expect(tron.canonical(address)).toBe(address);
        const digits = BigInt(evm.addressOf(key)).toString(16).padStart(40, '0');
        // Base58 counts digits of 58: the four bytes of the checksum are dropped from the number.
        const number = [...address].reduce(
          (sum, letter) => sum * 58n + BigInt(BASE58.indexOf(letter)),
          0n,
        );
        expect((number >> 32n).toString(16)).toBe(`41${digits}`);
      }),
      { numRuns: 20 },
    );
  });

  test('a contract that everybody knows is an address', () => {
    expect(tron.canonical(usdt)).toBe(usdt);
  });

  test.each([
    '',
    usdt.toLowerCase(),
    `${usdt.slice(0, -1)}u`,
    `${usdt}1`,
    ` ${usdt.slice(1)}`,
    '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  ])('%j is no address', (text) => {
    expect(tron.canonical(text)).toBeUndefined();
  });
});

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

describe('Bitcoin', () => {
  /** From BIP 173 and BIP 350. */
  const v0 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const taproot = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';

  test('addresses are the Taproot addresses that bitcoinjs makes of the same keys', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const internalPubkey = ecc.xOnlyPointFromScalar(key);
        expect(bitcoin.addressOf(key)).toBe(payments.p2tr({ internalPubkey }).address);
      }),
      { numRuns: 20 },
    );
  });

  test('small letters are canonical, capitals are taken', () => {
    for (const address of [v0, taproot]) {
      expect(bitcoin.canonical(address)).toBe(address);
      expect(bitcoin.canonical(address.toUpperCase())).toBe(address);
    }
  });

  test.each([
    '',
    taproot.replace('bc1p', 'bc1P'),
    `${taproot.slice(0, -1)}2`,
    taproot.replace('bc1', 'tb1'),
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  ])('%j is no address that is taken', (text) => {
    expect(bitcoin.canonical(text)).toBeUndefined();
  });
});

describe('Solana', () => {
  test('addresses are those that the kit of Solana makes of the same keys', async () => {
    await fc.assert(
      fc.asyncProperty(keys, async (key) => {
        const { address } = await createKeyPairSignerFromPrivateKeyBytes(key);
        expect(solana.addressOf(key)).toBe(address);
      }),
      { numRuns: 20 },
    );
  });

  test('exactly what the kit of Solana takes is an address', () => {
    const base58 = fc.string({ unit: fc.constantFrom(...BASE58), minLength: 30, maxLength: 46 });
    const encoded = fc.uint8Array({ minLength: 31, maxLength: 33 }).map((bytes) => {
      let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
      let text = '';
      for (; number > 0n; number /= 58n) text = BASE58.charAt(Number(number % 58n)) + text;
      return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text;
    });
    const anything = fc.oneof(base58, encoded, fc.string());
    fc.assert(
      fc.property(anything, (text) => {
        expect(solana.canonical(text) === text).toBe(isAddress(text));
      }),
    );
  });
});
