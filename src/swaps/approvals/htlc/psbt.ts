import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { ByteReader } from '../byte-reader.ts';
import { hasShape } from './psbt-shapes.ts';

/** Pairs of a map of a PSBT, key and value in hexadecimal, in their order. */
export type PsbtMap = ReadonlyMap<string, string>;

/** A partially signed transaction of version 0 (BIP 174), down to its pairs. */
export interface Psbt {
  readonly global: PsbtMap;
  readonly inputs: readonly PsbtMap[];
  readonly outputs: readonly PsbtMap[];
  /** Its unsigned transaction: the bytes, and read. */
  readonly unsigned: Uint8Array;
  readonly transaction: Transaction;
}

const MAGIC = '70736274ff';
const MAGIC_BYTES = 5;
const UNSIGNED = '00';
const TEXT_MAX = 400_000;

/**
 * Reads Base64. `undefined` for an invalid PSBT: trailing bytes, a key twice in one map, a number not in
 * its shortest form, a Taproot field of a wrong length (BIP 371).
 */
export function readPsbt(text: string): Psbt | undefined {
  if (text.length > TEXT_MAX) return undefined;
  try {
    const reader = new ByteReader(base64.decode(text));
    if (bytesToHex(reader.take(MAGIC_BYTES)) !== MAGIC) return undefined;
    const global = readMap(reader);
    const unsigned = hexToBytes(global.get(UNSIGNED) ?? '');
    const transaction = Transaction.fromRaw(unsigned, TX_OPTIONS);
    // The parsed part must be everything: no witness, no script, no trailing bytes.
    if (bytesToHex(transaction.toBytes(false, false)) !== bytesToHex(unsigned)) return undefined;
    const inputs = maps(reader, transaction.inputsLength);
    const outputs = maps(reader, transaction.outputsLength);
    const isSound =
      reader.isAtEnd &&
      inputs.every((map) => hasShape(map, 'input')) &&
      outputs.every((map) => hasShape(map, 'output'));
    return isSound ? { global, inputs, outputs, unsigned, transaction } : undefined;
  } catch {
    return undefined;
  }
}

const TX_OPTIONS = {
  allowUnknownOutputs: true,
  allowUnknownInputs: true,
  allowUnknownVersion: true,
  disableScriptCheck: true,
};

/** Writes Base64, each pair as it was read. */
export const writePsbt = ({ global, inputs, outputs }: Omit<Psbt, 'transaction'>): string =>
  base64.encode(
    concatBytes(hexToBytes(MAGIC), ...[global, ...inputs, ...outputs].map((map) => mapBytes(map))),
  );

/** The final transaction, raw, of the stack of witnesses of each input. */
export function withWitnesses(unsigned: Uint8Array, stacks: readonly Uint8Array[][]): Uint8Array {
  const witnesses = stacks.flatMap((stack) => [
    compactSize(stack.length),
    ...stack.flatMap((item) => [compactSize(item.length), item]),
  ]);
  const markerAndFlag = Uint8Array.of(0, 1);
  const [version, rest, lockTime] = [
    unsigned.subarray(0, 4),
    unsigned.subarray(4, -4),
    unsigned.subarray(-4),
  ];
  return concatBytes(version, markerAndFlag, rest, ...witnesses, lockTime);
}

const maps = (reader: ByteReader, count: number): PsbtMap[] =>
  Array.from({ length: count }, () => readMap(reader));

function readMap(reader: ByteReader): PsbtMap {
  const map = new Map<string, string>();
  for (;;) {
    const length = readCompactSize(reader);
    if (length === 0) return map;
    const key = bytesToHex(reader.take(length));
    if (map.has(key)) throw new RangeError('A key is there twice.');
    map.set(key, bytesToHex(reader.take(readCompactSize(reader))));
  }
}

function mapBytes(map: PsbtMap): Uint8Array {
  const pairs = [...map].map(([key, value]) => {
    const [keyBytes, valueBytes] = [hexToBytes(key), hexToBytes(value)];
    return concatBytes(
      compactSize(keyBytes.length),
      keyBytes,
      compactSize(valueBytes.length),
      valueBytes,
    );
  });
  return concatBytes(...pairs, Uint8Array.of(0));
}

/** Reads a length in the shortest form that it has. */
export function readCompactSize(reader: ByteReader): number {
  const first = reader.byte();
  if (first < 0xfd) return first;
  const bytes = 2 ** (first - 0xfc);
  const value = reader.little(bytes);
  if (value < (bytes === 2 ? 0xfdn : 1n << BigInt(4 * bytes))) throw new RangeError('Too long.');
  return Number(value);
}

function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value);
  if (value <= 0xffff) return Uint8Array.of(0xfd, value & 0xff, value >> 8);
  return Uint8Array.of(0xfe, ...[0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff));
}
