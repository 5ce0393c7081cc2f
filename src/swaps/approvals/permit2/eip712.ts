import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { TypedData } from '../approval.ts';
import { evm } from '../../chains/families/evm.ts';

/** Struct types by name, as EIP-712 writes them: the members of each in order. */
export type StructTypes = TypedData['types'];

type Struct = Readonly<Record<string, unknown>>;

const WORD_BYTES = 32;
const DOMAIN_TYPE = 'EIP712Domain';

/** The members that EIP-712 allows in a domain, in the order of its type. */
const DOMAIN_MEMBERS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;

/**
 * The digest that a wallet signs: `keccak256(0x1901 ‖ hashStruct(domain) ‖ hashStruct(message))` (EIP-712,
 * "Specification of the eth_signTypedData JSON RPC"). Throws if a value does not fit its type.
 */
export function typedDataDigest({ domain, types, primaryType, message }: TypedData): Uint8Array {
  const present = DOMAIN_MEMBERS.filter(({ name }) => domain[name] !== undefined);
  const all: StructTypes = { [DOMAIN_TYPE]: present, ...types };
  const parts = [Uint8Array.of(0x19, 0x01), structHash(DOMAIN_TYPE, domain, all)];
  if (primaryType !== DOMAIN_TYPE) parts.push(structHash(primaryType, message, all));
  return keccak_256(concatBytes(...parts));
}

/** `hashStruct` of EIP-712, 32 bytes. Throws if a value does not fit its type. */
export function structHash(name: string, value: Struct, types: StructTypes): Uint8Array {
  const members = membersOf(name, types).map((member) =>
    encode(member.type, value[member.name], types),
  );
  return keccak_256(concatBytes(keccak_256(utf8ToBytes(encodeType(name, types))), ...members));
}

/** `encodeType` of EIP-712: the struct, then every struct that it refers to, sorted by name. */
function encodeType(name: string, types: StructTypes): string {
  const others = [...structsOf(name, types)].filter((one) => one !== name).sort();
  return [name, ...others].map((one) => structType(one, types)).join('');
}

/** A struct with its members, without those that it refers to: `Mail(address to,string text)`. */
export function structType(name: string, types: StructTypes): string {
  const members = membersOf(name, types).map((member) => `${member.type} ${member.name}`);
  return `${name}(${members.join(',')})`;
}

/** The names of a struct and of every struct that it refers to. */
export function structsOf(
  name: string,
  types: StructTypes,
  found = new Set<string>(),
): Set<string> {
  if (found.has(name) || !Object.hasOwn(types, name)) return found;
  found.add(name);
  for (const { type } of membersOf(name, types)) {
    structsOf(type.replace(/\[.*$/, ''), types, found);
  }
  return found;
}

function membersOf(name: string, types: StructTypes): StructTypes[string] {
  const members = Object.hasOwn(types, name) ? types[name] : undefined;
  if (members === undefined) throw new TypeError(`${name} is not a struct of the types.`);
  return members;
}

/** `encodeData` of EIP-712 for one member: 32 bytes. */
function encode(type: string, value: unknown, types: StructTypes): Uint8Array {
  const array = /^(.+)\[(\d*)\]$/.exec(type);
  if (array !== null) return encodeArray(array[1] ?? '', array[2] ?? '', value, types);
  if (Object.hasOwn(types, type)) {
    if (!isStruct(value)) throw mismatch(type);
    return structHash(type, value, types);
  }
  switch (type) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(type);
      return keccak_256(utf8ToBytes(value));
    case 'bytes':
      return keccak_256(bytesOf(type, value));
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(type);
      return word(value ? 1n : 0n);
    case 'address':
      if (typeof value !== 'string' || evm.canonical(value) === undefined) {
        throw mismatch(type);
      }
      return word(BigInt(value));
    default:
      return encodeSized(type, value);
  }
}

/** The hash of the elements. `length` is empty if the type does not fix it. */
function encodeArray(
  element: string,
  length: string,
  value: unknown,
  types: StructTypes,
): Uint8Array {
  const isFit = Array.isArray(value) && (length === '' || value.length === Number(length));
  if (!isFit) throw mismatch(`${element}[${length}]`);
  return keccak_256(concatBytes(...value.map((one: unknown) => encode(element, one, types))));
}

/** `bytes1` to `bytes32`, and `int` and `uint` of 8 to 256 bits. */
function encodeSized(type: string, value: unknown): Uint8Array {
  const parts = /^(bytes|u?int)([1-9]\d*)$/.exec(type);
  const kind = parts?.[1];
  const size = Number(parts?.[2]);
  if (kind === 'bytes' && size <= WORD_BYTES) {
    const bytes = bytesOf(type, value);
    if (bytes.length !== size) throw mismatch(type);
    const padded = new Uint8Array(WORD_BYTES);
    padded.set(bytes);
    return padded;
  }
  if (kind === undefined || kind === 'bytes' || size > 256 || size % 8 !== 0) {
    throw new TypeError(`${type} is not a type of EIP-712.`);
  }
  const whole = wholeOf(value);
  if (whole === undefined) throw mismatch(type);
  const fitted = kind === 'int' ? BigInt.asIntN(size, whole) : BigInt.asUintN(size, whole);
  if (fitted !== whole) throw mismatch(type);
  return word(whole);
}

/** A number must be exact: one beyond 2^53 may already have been rounded. */
function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  const isWhole = typeof value === 'string' && /^(?:-?\d+|0x[\dA-Fa-f]+)$/.test(value);
  return isWhole ? BigInt(value) : undefined;
}

function bytesOf(type: string, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const isHex = typeof value === 'string' && /^0x(?:[\dA-Fa-f]{2})*$/.test(value);
  if (!isHex) throw mismatch(type);
  return hexToBytes(value.slice(2));
}

/** A whole number as 32 bytes, the most significant first; a negative one as two's complement. */
const word = (whole: bigint): Uint8Array =>
  hexToBytes(
    BigInt.asUintN(256, whole)
      .toString(16)
      .padStart(2 * WORD_BYTES, '0'),
  );

const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mismatch = (type: string): TypeError =>
  new TypeError(`A member of the type ${type} has a value of another type.`);
