import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, base64 } from '@scure/base';
import { ByteReader, littleEndian } from '../../../swaps/approvals/byte-reader.ts';
import {
  readMessage,
  readTransaction,
  writeMessage,
  writeTransaction,
  type SolanaMessage,
} from '../../../swaps/approvals/cosign/layout.ts';
import {
  CREATE_TOKEN_ACCOUNT,
  PROGRAMS,
  tokenAccountOf,
  transferData,
} from '../../../swaps/approvals/cosign/programs.ts';
import { isSignedBy } from '../../../swaps/approvals/cosign/verify.ts';

/** A call of a program; accounts in the order in which the program takes them. */
export interface Call {
  readonly program: string;
  readonly accounts: readonly {
    readonly key: string;
    readonly signs?: boolean;
    readonly writes?: boolean;
  }[];
  readonly data: Uint8Array;
}

/** Members of a mint that a transfer needs. */
export interface Mint {
  readonly address: string;
  readonly decimals: number;
  /** Token or Token-2022. */
  readonly program: string;
}

/** The account in which the tokens of an owner usually lie. */
export const associatedAccount = (owner: string, { address, program }: Mint): string =>
  base58.encode(tokenAccountOf(base58.decode(owner), base58.decode(address), program));

const SET_LIMIT = 2;
const SET_PRICE = 3;

/** How many compute units it may use, and micro-lamports offered for each. */
export const budget = (units: bigint, price: bigint): readonly Call[] => [
  { program: PROGRAMS.computeBudget, accounts: [], data: Uint8Array.of(SET_LIMIT, ...littleEndian(units, 4)) }, // prettier-ignore
  { program: PROGRAMS.computeBudget, accounts: [], data: Uint8Array.of(SET_PRICE, ...littleEndian(price, 8)) }, // prettier-ignore
];

export const coinTransfer = (from: string, to: string, lots: bigint): Call => ({
  program: PROGRAMS.system,
  accounts: [
    { key: from, signs: true, writes: true },
    { key: to, writes: true },
  ],
  data: Uint8Array.of(2, 0, 0, 0, ...littleEndian(lots, 8)),
});

/** Makes the token account of an owner if there is none, at the cost of the payer. */
export const createAccount = (payer: string, owner: string, mint: Mint): Call => ({
  program: PROGRAMS.tokenAccount,
  accounts: [
    { key: payer, signs: true, writes: true },
    { key: associatedAccount(owner, mint), writes: true },
    { key: owner },
    { key: mint.address },
    { key: PROGRAMS.system },
    { key: mint.program },
  ],
  data: CREATE_TOKEN_ACCOUNT,
});

/** Moves tokens from one token account to another; the program checks the mint's decimals. */
export const tokenTransfer = (
  owner: string,
  mint: Mint,
  { source, target, lots }: { readonly source: string; readonly target: string; readonly lots: bigint }, // prettier-ignore
): Call => ({
  program: mint.program,
  accounts: [
    { key: source, writes: true },
    { key: mint.address },
    { key: target, writes: true },
    { key: owner, signs: true },
  ],
  data: transferData(lots, mint.decimals),
});

export const memoCall = (text: string): Call => ({
  program: PROGRAMS.memo,
  accounts: [],
  data: utf8ToBytes(text),
});

/** The message of a transaction of version 0 that one address pays for and signs alone. */
export function messageOf(payer: string, calls: readonly Call[], blockhash: string): Uint8Array {
  const uses = new Map([[payer, true]]);
  for (const { accounts } of calls) {
    for (const { key, writes = false } of accounts) uses.set(key, writes || uses.get(key) === true);
  }
  for (const { program } of calls) uses.set(program, uses.get(program) ?? false);
  const others = [...uses].filter(([key]) => key !== payer);
  const [written, read] = [true, false].map((kind) =>
    others.filter(([, writes]) => writes === kind).map(([key]) => key),
  ) as [string[], string[]];
  const keys = [payer, ...written, ...read];
  return writeMessage({
    signers: 1,
    readonlySigners: 0,
    readonlyOthers: read.length,
    keys: keys.map((key) => base58.decode(key)),
    blockhash: base58.decode(blockhash),
    instructions: calls.map(({ program, accounts, data }) => ({
      program: keys.indexOf(program),
      accounts: accounts.map(({ key }) => keys.indexOf(key)),
      data,
    })),
  });
}

/** Signed bytes in Base64, as nodes take them. */
export const signedBytes = (message: Uint8Array, signature: Uint8Array): string =>
  base64.encode(hexToBytes(writeTransaction({ signatures: [signature], message })));

/** Content of bytes signed by one address. */
export interface SignedMessage extends SolanaMessage {
  /** The signature, by which the chain knows it. */
  readonly id: string;
  readonly from: string;
}

/** Reads signed bytes in Base64; nothing if they are invalid or signed by somebody else. */
export function readSigned(raw: string): SignedMessage | undefined {
  const transaction = bytesIn(raw);
  if (transaction === undefined) return undefined;
  const { signatures, message } = transaction;
  const read = readMessage(message);
  const [signature] = signatures;
  const [payer] = read?.keys ?? [];
  if (read === undefined || signature === undefined || payer === undefined) return undefined;
  const from = base58.encode(payer);
  if (signatures.length !== 1 || read.signers !== 1 || !isSignedBy(from, message, signature)) {
    return undefined;
  }
  return { ...read, id: base58.encode(signature), from };
}

function bytesIn(raw: string): ReturnType<typeof readTransaction> {
  try {
    return readTransaction(bytesToHex(base64.decode(raw)));
  } catch {
    return undefined;
  }
}

/** The accounts that a transaction writes to; fees paid for them show what to offer. */
export const writtenBy = (calls: readonly Call[]): readonly string[] => [
  ...new Set(
    calls.flatMap(({ accounts }) => accounts.filter(({ writes }) => writes).map(({ key }) => key)),
  ),
];

/** Fee offer of signed bytes for a compute unit, micro-lamports. */
export function priceIn(raw: string): bigint | undefined {
  const read = readSigned(raw);
  const found = read?.instructions.find(({ program, data }) => base58.encode(read.keys[program] ?? data) === PROGRAMS.computeBudget && data[0] === SET_PRICE); // prettier-ignore
  return found && new ByteReader(found.data.slice(1)).little(8);
}
