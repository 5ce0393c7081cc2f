import { TypedDataEncoder } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TypedData } from '../../../src/swaps/approvals/approval.ts';
import { structHash, typedDataDigest } from '../../../src/swaps/approvals/permit2/eip712.ts';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const OWNER = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';

/** The example of EIP-712 itself, whose digest stands in the standard's test (Example.js). */
const MAIL: TypedData = {
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: OWNER },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};

interface Member {
  readonly type: string;
  readonly value: unknown;
}

const digits = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((some) => hex(some));
const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => 8 * bytes);
const written = (value: bigint) => fc.constantFrom<unknown>(value, `${value}`);

const plain: fc.Arbitrary<Member> = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => ({ type: 'string', value })),
  fc.boolean().map((value) => ({ type: 'bool', value })),
  digits(20).map((value) => ({ type: 'address', value })),
  fc.uint8Array({ maxLength: 70 }).map((some) => ({ type: 'bytes', value: hex(some) })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => digits(size).map((value) => ({ type: `bytes${size}`, value }))),
  bits.chain((size) =>
    fc
      .bigInt(0n, 2n ** BigInt(size) - 1n)
      .chain(written)
      .map((value) => ({ type: `uint${size}`, value })),
  ),
  bits.chain((size) =>
    fc
      .bigInt(-(2n ** BigInt(size - 1)), 2n ** BigInt(size - 1) - 1n)
      .chain(written)
      .map((value) => ({ type: `int${size}`, value })),
  ),
);

const arrays = fc
  .tuple(plain, fc.integer({ min: 0, max: 3 }), fc.boolean())
  .map(([{ type, value }, length, isFixed]): Member => ({
    type: `${type}[${isFixed ? length : ''}]`,
    value: Array.from({ length }, () => value),
  }));

const members = fc.array(fc.oneof(plain, arrays), { maxLength: 6 });

const membersOf = (all: readonly Member[]) => all.map(({ type }, i) => ({ name: `m${i}`, type }));
const valuesOf = (all: readonly Member[]) =>
  Object.fromEntries(all.map(({ value }, i) => [`m${i}`, value]));

const typedData = fc
  .record({ outer: members, inner: members, deepest: members, chainId: fc.nat(), salt: digits(32) })
  .map(({ outer, inner, deepest, chainId, salt }) => {
    const bottom = valuesOf(deepest);
    const middle = { ...valuesOf(inner), bottoms: [bottom, bottom] };
    return {
      domain: { name: 'Millrace', chainId, salt },
      types: {
        Outer: [...membersOf(outer), { name: 'middle', type: 'Zone' }],
        Zone: [...membersOf(inner), { name: 'bottoms', type: 'Area[]' }],
        Area: membersOf(deepest),
      },
      primaryType: 'Outer',
      message: { ...valuesOf(outer), middle },
    };
  });

/** The digest of a message of one member. */
const digestOfOne = (type: string, value: unknown): string =>
  hex(structHash('One', { value }, { One: [{ name: 'value', type }] }));

describe('the digest of typed data', () => {
  it('is that of the example of EIP-712', () => {
    expect(hex(typedDataDigest(MAIL))).toBe(
      '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
    );
  });

  it('is that of ethers for all types and values', () => {
    fc.assert(
      fc.property(typedData, (typed) => {
        const { domain, types, message } = typed;
        expect(hex(typedDataDigest(typed))).toBe(TypedDataEncoder.hash(domain, types, message));
      }),
      { numRuns: 150 },
    );
  });

  it('takes a domain type that is given', () => {
    const { domain, types } = MAIL;
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ];
    const given = typedDataDigest({ ...MAIL, types: { EIP712Domain, ...types } });
    expect(given).toEqual(typedDataDigest(MAIL));
    const own = typedDataDigest({ ...MAIL, primaryType: 'EIP712Domain' });
    const separator = TypedDataEncoder.hashDomain(domain);
    expect(hex(own)).not.toBe(hex(typedDataDigest(MAIL)));
    expect(hex(structHash('EIP712Domain', domain, { EIP712Domain }))).toBe(separator);
  });

  it('takes bytes as hexadecimal and as an array, and whole numbers in each form', () => {
    expect(digestOfOne('bytes', Uint8Array.of(1, 2))).toBe(digestOfOne('bytes', '0x0102'));
    for (const value of [16, '16', '0x10']) {
      expect(digestOfOne('uint8', value)).toBe(digestOfOne('uint8', 16n));
    }
  });
});

describe('a value that is not of its type is an error', () => {
  it.each([
    ['string', 5],
    ['bool', 'true'],
    ['address', OWNER.slice(0, -1)],
    ['address', OWNER.replace('a', 'A')],
    ['address', 0n],
    ['bytes', '0x123'],
    ['bytes', 'text'],
    ['bytes4', '0x010203'],
    ['bytes4', '0x0102030405'],
    ['uint8', 256n],
    ['uint8', -1n],
    ['int8', 128],
    ['int8', -129],
    ['uint256', 2n ** 256n],
    ['uint256', 2 ** 53],
    ['uint256', 1.5],
    ['uint256', '1.5'],
    ['uint256', ''],
    ['uint256', undefined],
    ['uint256', null],
    ['string[]', 'a'],
    ['string[2]', ['a']],
    ['One', undefined],
    ['One', null],
    ['One', [1]],
  ])('%s %s', (type, value) => {
    expect(() => digestOfOne(type, value)).toThrow('a value of another type');
  });

  it.each(['uint', 'uint7', 'uint264', 'int0', 'bytes0', 'bytes33', 'float64', 'Missing', '[]'])(
    'and %s is not a type',
    (type) => {
      expect(() => digestOfOne(type, 1n)).toThrow('is not a type of EIP-712');
    },
  );

  it('and so is a message whose type is missing', () => {
    expect(() => typedDataDigest({ ...MAIL, primaryType: 'toString' })).toThrow('not a struct');
  });
});
