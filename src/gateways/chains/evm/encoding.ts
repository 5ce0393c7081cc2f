import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { PermitToSpend } from '../../../swaps/chains/real-networks.ts';

/** RLP input: bytes, or a list of such. */
type Rlp = Uint8Array | readonly Rlp[];

/** A transaction before it is signed, of type 2 (EIP-1559) or of the kind before it; amounts in wei. */
export interface FeeTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly tip: bigint;
  readonly maxFee: bigint;
  /** True on a chain without EIP-1559: `maxFee` and `tip` are the one price of gas. */
  readonly isLegacy?: boolean;
  readonly gas: bigint;
  /** `0x` and 40 digits. */
  readonly to: string;
  readonly value: bigint;
  /** `0x` and digits. */
  readonly data: string;
}

const TYPE = Uint8Array.of(2);
const LONG = 55;
const EIP_155 = 35n;
const ZERO = `0x${'00'.repeat(20)}`;
/** Index of each member, by the number of members. */
const MEMBERS = { 12: [1, 2, 3, 4, 5, 6, 7], 9: [0, 1, 1, 2, 3, 4, 5] } as const;

/** RLP by the yellow paper, appendix B. */
function rlp(item: Rlp): Uint8Array {
  if (!(item instanceof Uint8Array)) return headed(0xc0, concatBytes(...item.map(rlp)));
  const [first = 0x80] = item;
  return item.length === 1 && first < 0x80 ? item : headed(0x80, item);
}

function headed(base: number, body: Uint8Array): Uint8Array {
  if (body.length <= LONG) return concatBytes(Uint8Array.of(base + body.length), body);
  const length = whole(BigInt(body.length));
  return concatBytes(Uint8Array.of(base + LONG + length.length), length, body);
}

/** A number without leading zeros; 0 is empty. */
const whole = (value: bigint): Uint8Array => {
  const digits = value === 0n ? '' : value.toString(16);
  return hexToBytes(digits.padStart(digits.length + (digits.length % 2), '0'));
};

const bytesOf = (text: string): Uint8Array => hexToBytes(text.replace(/^0x/, ''));

const fieldsOf = (made: FeeTransaction): readonly Rlp[] => {
  const call = [bytesOf(made.to), whole(made.value), bytesOf(made.data)];
  if (made.isLegacy === true) {
    return [...[BigInt(made.nonce), made.maxFee, made.gas].map(whole), ...call];
  }
  const numbers = [BigInt(made.chainId), BigInt(made.nonce), made.tip, made.maxFee, made.gas];
  return [...numbers.map(whole), ...call, []];
};

/** A legacy transaction has no type byte, and is signed with the chain id appended (EIP-155). */
const unsigned = (made: FeeTransaction): Uint8Array =>
  made.isLegacy === true
    ? rlp([...fieldsOf(made), ...[BigInt(made.chainId), 0n, 0n].map(whole)])
    : concatBytes(TYPE, rlp(fieldsOf(made)));

/** The 32 bytes that are signed, hexadecimal. */
export const signingDigest = (made: FeeTransaction): string =>
  bytesToHex(keccak_256(unsigned(made)));

/** The call that asks a rollup's oracle for the data fee of a transaction. */
export function dataFeeCall(made: FeeTransaction): string {
  const bytes = bytesToHex(unsigned(made));
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
  return SELECTORS.getL1Fee + word(32n) + word(BigInt(bytes.length / 2)) + padded;
}

/** The same for a transaction that moves nothing, to check that a contract is an oracle. */
export const sampleDataFeeCall = (chainId: number): string =>
  dataFeeCall({ chainId, nonce: 0, tip: 0n, maxFee: 0n, gas: 0n, to: ZERO, value: 0n, data: '0x' });

/** The signed bytes, with `0x`; the signature is r, s and v of 27 or 28. */
export function signedBytes(made: FeeTransaction, signature: string): string {
  const bytes = bytesOf(signature);
  const [r, s] = [bytes.slice(0, 32), bytes.slice(32, 64)].map((part) =>
    whole(BigInt(`0x${bytesToHex(part)}`)),
  );
  const isLegacy = made.isLegacy === true;
  const parity = BigInt((bytes[64] ?? 27) - 27);
  const v = whole(isLegacy ? 2n * BigInt(made.chainId) + EIP_155 + parity : parity);
  const body = rlp([...fieldsOf(made), v, r ?? TYPE, s ?? TYPE]);
  return `0x${bytesToHex(isLegacy ? body : concatBytes(TYPE, body))}`;
}

/** The hash under which the chain knows such bytes. */
export const hashOf = (raw: string): string => `0x${bytesToHex(keccak_256(bytesOf(raw)))}`;

/** Reads signed bytes and their signer; nothing if they are invalid. */
export function readSigned(raw: string): (FeeTransaction & { readonly from: string }) | undefined {
  try {
    const bytes = bytesOf(raw);
    const isLegacy = (bytes[0] ?? 0) >= 0xc0;
    if (bytes[0] !== 2 && !isLegacy) return undefined;
    const [item, rest] = unrlp(isLegacy ? bytes : bytes.slice(1));
    const count = isLegacy ? 9 : 12;
    if (item instanceof Uint8Array || rest.length > 0 || item.length !== count) return undefined;
    const part = (at: number): Uint8Array => {
      const found = item[at];
      if (found instanceof Uint8Array) return found;
      throw new RangeError('a list where bytes are due');
    };
    const number = (at: number): bigint => BigInt(`0x0${bytesToHex(part(at))}`);
    const v = number(count - 3);
    // Without a chain id it would be valid on every chain.
    if (isLegacy && v < EIP_155) return undefined;
    const [nonce, tip, maxFee, gas, to, value, data] = MEMBERS[count];
    const made: FeeTransaction = {
      chainId: Number(isLegacy ? (v - EIP_155) / 2n : number(0)),
      nonce: Number(number(nonce)),
      tip: number(tip),
      maxFee: number(maxFee),
      ...(isLegacy && { isLegacy }),
      gas: number(gas),
      to: `0x${bytesToHex(part(to))}`,
      value: number(value),
      data: `0x${bytesToHex(part(data))}`,
    };
    const parity = Number(isLegacy ? (v - EIP_155) % 2n : v);
    return { ...made, from: signerOf(made, parity, part(count - 2), part(count - 1)) };
  } catch {
    return undefined;
  }
}

function signerOf(made: FeeTransaction, parity: number, r: Uint8Array, s: Uint8Array): string {
  const padded = (part: Uint8Array): Uint8Array =>
    concatBytes(new Uint8Array(32 - part.length), part);
  const signature = concatBytes(Uint8Array.of(parity), padded(r), padded(s));
  const digest = hexToBytes(signingDigest(made));
  const point = secp256k1.recoverPublicKey(signature, digest, { prehash: false });
  const key = secp256k1.Point.fromBytes(point).toBytes(false);
  return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(-20))}`;
}

/** The first item of RLP, and the bytes behind it. */
function unrlp(bytes: Uint8Array): [Rlp, Uint8Array] {
  const [head = 0] = bytes;
  if (head < 0x80) return [bytes.slice(0, 1), bytes.slice(1)];
  const base = head < 0xc0 ? 0x80 : 0xc0;
  const size = head - base;
  const long = size > LONG ? size - LONG : 0;
  const length = long === 0 ? size : Number(BigInt(`0x${bytesToHex(bytes.slice(1, 1 + long))}`));
  const start = 1 + long;
  if (bytes.length < start + length) throw new RangeError('too short');
  const body = bytes.slice(start, start + length);
  const rest = bytes.slice(start + length);
  if (base === 0x80) return [body, rest];
  const items: Rlp[] = [];
  for (let left: Uint8Array = body; left.length > 0;) {
    const [item, after] = unrlp(left);
    items.push(item);
    left = after;
  }
  return [items, rest];
}

/** A call of a contract: its selector and its arguments, addresses or numbers, of 32 bytes each. */
export const callData = (selector: string, ...args: readonly (string | bigint)[]): string =>
  selector + args.map((one) => word(typeof one === 'bigint' ? one : BigInt(one))).join('');

/** Parameters of permit2's `permitWitnessTransferFrom`. */
export interface PermitCall {
  readonly token: string;
  readonly lots: bigint;
  readonly owner: string;
  readonly to: string;
  readonly permit: PermitToSpend;
}

/**
 * The call by which a spender takes the whole permitted amount (Uniswap/permit2, SignatureTransfer.sol).
 */
export function permitCallData({ token, lots, owner, to, permit }: PermitCall): string {
  const { nonce, deadlineSeconds, witnessHash, witnessTypeString, signature } = permit;
  const type = dynamic(bytesToHex(utf8ToBytes(witnessTypeString)));
  const head = 10n * 32n;
  return (
    callData(SELECTORS.permitWitnessTransferFrom, token, lots, nonce, deadlineSeconds, to, lots) +
    [owner, witnessHash, head, head + BigInt(type.length / 2)]
      .map((one) => word(BigInt(one)))
      .join('') +
    type +
    dynamic(signature.replace(/^0x/, ''))
  );
}

/** Bytes of any length, given as digits: the length, and the bytes padded to whole words. */
const dynamic = (digits: string): string =>
  word(BigInt(digits.length / 2)) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');

const word = (value: bigint): string => value.toString(16).padStart(64, '0');

/** The separator that a permit2 contract at an address of a chain has. */
export function permit2Separator(chainId: number, address: string): string {
  const hash = (text: string): string => bytesToHex(keccak_256(utf8ToBytes(text)));
  const type = hash('EIP712Domain(string name,uint256 chainId,address verifyingContract)');
  const words = type + hash('Permit2') + word(BigInt(chainId)) + word(BigInt(address));
  return `0x${bytesToHex(keccak_256(hexToBytes(words)))}`;
}

export const SELECTORS = {
  balanceOf: '0x70a08231',
  decimals: '0x313ce567',
  allowance: '0xdd62ed3e',
  approve: '0x095ea7b3',
  transfer: '0xa9059cbb',
  permitWitnessTransferFrom: '0x137c29fe',
  domainSeparator: '0x3644e515',
  getL1Fee: '0x49948e0e',
} as const;

/** Topic of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A number as JSON-RPC writes it. */
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;
