import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { Rejection } from '../../../model/rejections.ts';
import type { ApprovalOrder, CosignParams, ResolverKeys } from '../approval.ts';
import {
  SIGNATURE_BYTES,
  TRANSACTION_BYTES_MAX,
  writeMessage,
  writeTransaction,
  type SolanaInstruction,
} from './layout.ts';
import { memoOf } from '../memo.ts';
import { CREATE_TOKEN_ACCOUNT, PROGRAMS, tokenAccountOf, transferData } from './programs.ts';

const LOTS_END = 2n ** 64n;
const EMPTY = new Uint8Array(SIGNATURE_BYTES);

/**
 * Makes the transaction that a user cosigns: the resolver pays for it, the user's tokens go to escrow, and
 * a memo says what the user receives. Signatures are those of resolver, user and backend, in this order;
 * those of given keys are included.
 */
export function issueCosign(order: ApprovalOrder, keys: ResolverKeys): CosignParams | Rejection {
  if (order.publicKey === undefined)
    return rejected('public-key-missing', 'There is no public key.');
  if (!isKeyOf(order.from, order.publicKey)) {
    return rejected('address-invalid', `${order.from} is not the address of the public key.`);
  }
  if (order.lots >= LOTS_END) {
    return rejected('amount-above-maximum', 'The amount has more than 64 bits.', 'amount');
  }
  const mint = keyBytes(order.token.contract);
  if (mint === undefined) {
    return rejected('token-unknown', `${order.token.contract} is no mint of a token.`, 'token');
  }
  const message = messageOf(order, mint, keys.backend);
  const signatures = [
    keys.resolver,
    undefined,
    ...(keys.backend === undefined ? [] : [keys.backend]),
  ];
  const transaction = writeTransaction({
    signatures: signatures.map((key) => (key === undefined ? EMPTY : ed25519.sign(message, key))),
    message,
  });
  if (transaction.length <= 2 * TRANSACTION_BYTES_MAX) return { transaction };
  return rejected('address-invalid', 'What the user gets is too long for a transaction.', 'to');
}

function messageOf(order: ApprovalOrder, mint: Uint8Array, backend?: Uint8Array): Uint8Array {
  const [resolver, user, escrow] = [order.resolver, order.from, order.escrow].map((address) =>
    base58.decode(address),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const programs = [PROGRAMS.system, PROGRAMS.token, PROGRAMS.tokenAccount, PROGRAMS.memo];
  const third = backend === undefined ? [] : [ed25519.getPublicKey(backend)];
  const [source, target] = [tokenAccountOf(user, mint), tokenAccountOf(escrow, mint)];
  const unwritten = [escrow, mint, ...programs.map((program) => base58.decode(program))];
  const keys = distinct([resolver, user, ...third, source, target, ...unwritten]);
  const numbers = new Map(keys.map((key, at) => [bytesToHex(key), at]));
  const at = (key: Uint8Array | string): number =>
    numbers.get(bytesToHex(typeof key === 'string' ? base58.decode(key) : key)) ?? 0;
  const instructions: SolanaInstruction[] = [
    {
      program: at(PROGRAMS.tokenAccount),
      accounts: [resolver, target, escrow, mint, PROGRAMS.system, PROGRAMS.token].map(at),
      data: CREATE_TOKEN_ACCOUNT,
    },
    {
      program: at(PROGRAMS.token),
      accounts: [source, mint, target, user].map(at),
      data: transferData(order.lots, order.token.decimals),
    },
    { program: at(PROGRAMS.memo), accounts: [], data: utf8ToBytes(memoOf(order)) },
  ];
  return writeMessage({
    signers: 2 + third.length,
    readonlySigners: third.length,
    readonlyOthers: keys.length - 4 - third.length,
    keys,
    blockhash: sha256(utf8ToBytes(`millrace block ${order.intent}`)),
    instructions,
  });
}

/** Each key once, at its first position. */
const distinct = (keys: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(keys.toReversed().map((key) => [bytesToHex(key), key]))
    .values()
    .toArray()
    .toReversed(),
];

/** A public key in hexadecimal or Base58 is the address itself. */
const isKeyOf = (address: string, key: string): boolean =>
  key === address || key.toLowerCase() === bytesToHex(base58.decode(address));

function keyBytes(address: string): Uint8Array | undefined {
  try {
    const bytes = base58.decode(address);
    return bytes.length === 32 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

const rejected = (code: Rejection['code'], message: string, field = 'public_key'): Rejection => ({
  code,
  field,
  message,
});
