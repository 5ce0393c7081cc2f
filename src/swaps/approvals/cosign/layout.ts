import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { ByteReader } from '../byte-reader.ts';

/** A transaction of Solana as it is sent: signatures, and the message that they sign. */
export interface SolanaTransaction {
  /** 64 bytes each; zeros if unsigned. */
  readonly signatures: readonly Uint8Array[];
  /** With its version byte, which is signed too. */
  readonly message: Uint8Array;
}

/** A message of version 0. */
export interface SolanaMessage {
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  /** Public keys, 32 bytes each, signers first. */
  readonly keys: readonly Uint8Array[];
  readonly blockhash: Uint8Array;
  readonly instructions: readonly SolanaInstruction[];
  /** Number of address tables. */
  readonly lookups: number;
}

/** Numbers of keys, and data that the program reads. */
export interface SolanaInstruction {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export const SIGNATURE_BYTES = 64;
/** First byte of a message of version 0; other versions have another layout. */
const VERSION_0 = 0x80;
const KEY_BYTES = 32;
/** Largest packet of the network. */
export const TRANSACTION_BYTES_MAX = 1232;

/** Reads hexadecimal; `undefined` for an invalid transaction, or one with another number of signatures. */
export function readTransaction(text: string): SolanaTransaction | undefined {
  const digits = text.replace(/^0x/, '');
  if (digits.length > 2 * TRANSACTION_BYTES_MAX || !/^(?:[\dA-Fa-f]{2})+$/.test(digits)) {
    return undefined;
  }
  try {
    const reader = new ByteReader(hexToBytes(digits));
    const signatures = list(reader, () => reader.take(SIGNATURE_BYTES));
    return { signatures, message: reader.rest() };
  } catch {
    return undefined;
  }
}

/** Writes hexadecimal. */
export const writeTransaction = ({ signatures, message }: SolanaTransaction): string =>
  bytesToHex(concatBytes(shortLength(signatures.length), ...signatures, message));

/** Reads a message of version 0; `undefined` for all others, and for one with trailing bytes. */
export function readMessage(bytes: Uint8Array): SolanaMessage | undefined {
  try {
    const reader = new ByteReader(bytes);
    if (reader.byte() !== VERSION_0) return undefined;
    const [signers, readonlySigners, readonlyOthers] = [
      reader.byte(),
      reader.byte(),
      reader.byte(),
    ];
    const keys = list(reader, () => reader.take(KEY_BYTES));
    const blockhash = reader.take(KEY_BYTES);
    const instructions = list(reader, () => ({
      program: reader.byte(),
      accounts: list(reader, () => reader.byte()),
      data: reader.take(readShortLength(reader)),
    }));
    const lookups = list(reader, () => {
      reader.take(KEY_BYTES);
      reader.take(readShortLength(reader));
      reader.take(readShortLength(reader));
    }).length;
    if (!reader.isAtEnd || signers > keys.length) return undefined;
    return { signers, readonlySigners, readonlyOthers, keys, blockhash, instructions, lookups };
  } catch {
    return undefined;
  }
}

/** Writes a message that names all its keys itself. */
export const writeMessage = (message: Omit<SolanaMessage, 'lookups'>): Uint8Array =>
  concatBytes(
    Uint8Array.of(VERSION_0, message.signers, message.readonlySigners, message.readonlyOthers),
    shortLength(message.keys.length),
    ...message.keys,
    message.blockhash,
    shortLength(message.instructions.length),
    ...message.instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(program),
      shortLength(accounts.length),
      Uint8Array.from(accounts),
      shortLength(data.length),
      data,
    ]),
    shortLength(0),
  );

function list<Each>(reader: ByteReader, read: () => Each): Each[] {
  return Array.from({ length: readShortLength(reader) }, read);
}

/** A length in 7 bits a byte, lowest first, in the shortest form of at most three bytes. */
function readShortLength(reader: ByteReader): number {
  let value = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = reader.byte();
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) throw new RangeError('The length is longer than it has to be.');
      return value;
    }
  }
  throw new RangeError('The length is longer than three bytes.');
}

function shortLength(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return Uint8Array.of(...bytes, rest);
}
