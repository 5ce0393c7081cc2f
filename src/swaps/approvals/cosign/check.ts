import { base58 } from '@scure/base';
import { bytesToHex } from '@noble/hashes/utils.js';
import { equalBytes } from '@scure/btc-signer/utils.js';
import { z } from 'zod';
import { solana } from '../../chains/families/solana.ts';
import type { AgreedTerms, ApprovalSigner, SignedApproval } from '../approval.ts';
import { ByteReader } from '../byte-reader.ts';
import { agree, ApprovalRejected, checkSigner, oneOf } from '../disagreement.ts';
import { memoMismatch, memoText } from '../memo.ts';
import { checkByCode } from '../policy/code.ts';
import type { ResolvedPolicy } from '../policy/resolve.ts';
import { strictSigning, type Signing } from '../policy/signing.ts';
import {
  readMessage,
  readTransaction,
  writeTransaction,
  type SolanaInstruction,
  type SolanaMessage,
  type SolanaTransaction,
} from './layout.ts';
import { PROGRAMS, tokenAccountOf, transferData } from './programs.ts';
import { isSignedBy, USER_SLOT } from './verify.ts';

const schema = z.object({ transaction: z.string() });

/** Number of signers: the resolver, the user, maybe a backend. */
const SIGNERS = [2, 3];
const TRANSFER_ACCOUNTS = 4;
const TRANSFER_BYTES = 10;
/** Programs that do nothing with what the user has, unless he is among their accounts. */
const HARMLESS: ReadonlySet<string> = new Set([
  PROGRAMS.tokenAccount,
  PROGRAMS.memo,
  PROGRAMS.computeBudget,
]);
/** Programs that move what a user has by nothing but his signature. */
const BASIC: ReadonlySet<string> = new Set([PROGRAMS.system, PROGRAMS.token, PROGRAMS.token2022]);

/** Signs a transaction if it moves exactly the agreed amount into escrow; writes only the own slot. */
export async function signCosign(
  params: unknown,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
  signing: Signing = strictSigning(params),
): Promise<SignedApproval> {
  checkSigner(agreed, signer);
  const { signatures, message } = checkCosign(params, agreed, signing);
  await checkByCode({ ...signing.question, form: 'cosign', agreed, takers: undefined });
  if (signer.signMessage === undefined) {
    const sentence = `The signer of ${signer.address} signs no messages.`;
    throw new ApprovalRejected('from', sentence, { value: 'a signer without', bound: 'one with signMessage' }); // prettier-ignore
  }
  const own = await signer.signMessage(message.slice());
  const isOwn = isSignedBy(agreed.from, message, own);
  agree(isOwn, 'signature', `The signer gave no signature of ${agreed.from}.`, {
    value: 'another one',
    bound: `one of ${agreed.from} over just this message`,
  });
  const transaction = writeTransaction({ signatures: signatures.with(USER_SLOT, own), message });
  return { form: 'cosign', transaction, userAddress: agreed.from };
}

/** The message to sign. Throws `approval-refused` if a part of it differs from the agreement. */
export function checkCosign(
  params: unknown,
  agreed: AgreedTerms,
  { policy }: Signing = strictSigning(params),
): SolanaTransaction {
  const { network } = agreed;
  const isSolana = network.family === 'solana';
  agree(isSolana, 'approval_type', `Money on ${network.name} is not given by a cosigned message.`, {
    value: 'cosign',
    bound: `the form of ${network.family}`,
  });
  const read = schema.safeParse(params);
  const hexadecimal = { bound: 'one of version 0 in hexadecimal' };
  if (!read.success) {
    const finding = { ...hexadecimal, value: undefined };
    throw new ApprovalRejected('transaction', 'There is no transaction.', finding);
  }
  const transaction = readTransaction(read.data.transaction);
  const message = transaction === undefined ? undefined : readMessage(transaction.message);
  if (transaction === undefined || message === undefined) {
    const finding = { ...hexadecimal, value: read.data.transaction };
    throw new ApprovalRejected('transaction', 'It is no transaction that can be read.', finding);
  }
  checkSlots(transaction, message, agreed);
  if (policy.check !== undefined) {
    checkOwnPrograms(message, agreed);
    return transaction;
  }
  const transfer = onlyTransfer(message);
  const target = checkTransfer(message, transfer, agreed);
  checkOthers(message, transfer, target, agreed, policy);
  return transaction;
}

/**
 * Limits that a code check cannot lift: every instruction of a token program or the system program that the
 * user signs must be a transfer from his account, of the agreed amount at most in total. Other programs are
 * left to the code.
 */
function checkOwnPrograms(message: SolanaMessage, agreed: AgreedTerms): void {
  const field = 'transaction.instructions';
  const own = ownInstructions(message).filter(({ program }) =>
    BASIC.has(programOf(message, program)),
  );
  let lots = 0n;
  for (const one of own) {
    checkTransfer(message, one, agreed, (moved) => {
      lots += moved;
      const finding = { value: lots, bound: `at most ${agreed.lots}` };
      agree(lots <= agreed.lots, field, 'Transfers move more than was agreed.', finding);
    });
  }
}

/** The resolver pays, the user is the second to sign, and has not signed yet. */
function checkSlots(
  transaction: SolanaTransaction,
  message: SolanaMessage,
  { from }: AgreedTerms,
): void {
  const field = 'transaction.signatures';
  const { signers, keys, lookups } = message;
  const isCounted = SIGNERS.includes(signers) && transaction.signatures.length === signers;
  agree(isCounted, field, 'There are not two or three signers with a slot each.', {
    value: `${signers} signers, ${transaction.signatures.length} slots`,
    bound: 'two or three of both',
  });
  agree(lookups === 0, 'transaction.lookups', 'It takes accounts from tables that do not show.', {
    value: lookups,
    bound: '0',
  });
  const user = base58.decode(from);
  const places = keys.flatMap((key, at) => (equalBytes(key, user) ? [at] : []));
  const slot = { value: places.join() || 'none', bound: `${USER_SLOT}` };
  agree(places[0] !== 0, field, 'The user pays for the transaction.', slot);
  agree(places.join() === `${USER_SLOT}`, field, `The second signer is not ${from}.`, slot);
  const isEmpty = transaction.signatures[USER_SLOT]?.every((byte) => byte === 0) ?? false;
  agree(isEmpty, field, 'The slot of the user is taken.', { value: 'taken', bound: 'empty' });
}

const ownInstructions = ({ instructions }: SolanaMessage): readonly SolanaInstruction[] =>
  instructions.filter(
    ({ program, accounts }) => program === USER_SLOT || accounts.includes(USER_SLOT),
  );

/** The one instruction that the user signs. */
function onlyTransfer(message: SolanaMessage): SolanaInstruction {
  const own = ownInstructions(message);
  const [first, ...more] = own;
  if (first === undefined || more.length > 0) {
    const sentence = "Not exactly one instruction is the user's.";
    const finding = { value: own.length, bound: '1' };
    throw new ApprovalRejected('transaction.instructions', sentence, finding);
  }
  return first;
}

/**
 * Checks that it moves the token from the user's account, exactly the agreed amount unless `moves` says
 * otherwise; returns the target account.
 */
function checkTransfer(
  message: SolanaMessage,
  { program, accounts, data }: SolanaInstruction,
  agreed: AgreedTerms,
  moves?: (lots: bigint) => void,
): Uint8Array {
  const field = 'transaction.instructions.transfer';
  const [source, mint, target, owner] = accounts.map((at) => message.keys[at]);
  const isToken = isProgram(message, program, PROGRAMS.token);
  const isTransfer = isToken && accounts.length === TRANSFER_ACCOUNTS;
  agree(isTransfer && data.length === TRANSFER_BYTES, field, 'It is no transfer of tokens.', {
    value: `${bytesToHex(data)} of ${programOf(message, program)}`,
    bound: 'a TransferChecked of the program of tokens',
  });
  if (source === undefined || mint === undefined || target === undefined || owner === undefined) {
    const finding = { value: undefined, bound: 'four accounts' };
    throw new ApprovalRejected(field, 'An account of the transfer is not there.', finding);
  }
  const agreedMint = base58.decode(agreed.token);
  agree(equalBytes(mint, agreedMint), field, `It is not of the token ${agreed.token}.`, {
    value: base58.encode(mint),
    bound: agreed.token,
  });
  const account = tokenAccountOf(base58.decode(agreed.from), mint);
  const isOwn = accounts[TRANSFER_ACCOUNTS - 1] === USER_SLOT;
  const isFromUser = isOwn && equalBytes(source, account);
  agree(isFromUser, field, 'It is not from the token account of the user.', {
    value: base58.encode(source),
    bound: base58.encode(account),
  });
  const decimals = data[TRANSFER_BYTES - 1] ?? 0;
  const lots = new ByteReader(data.slice(1)).little(8);
  const isRead = equalBytes(data, transferData(lots, decimals));
  const isExact = isRead && (moves !== undefined || lots === agreed.lots);
  agree(isExact, field, `It does not move exactly ${agreed.lots}.`, {
    value: isRead ? lots : bytesToHex(data),
    bound: `a transfer of exactly ${agreed.lots}`,
  });
  moves?.(lots);
  return target;
}

/**
 * Checks that all others are harmless: they create escrow's account, hold the memo, or set the network fee.
 */
function checkOthers(
  message: SolanaMessage,
  transfer: SolanaInstruction,
  target: Uint8Array,
  agreed: AgreedTerms,
  { programs, cosignMemo }: ResolvedPolicy,
): void {
  const field = 'transaction.instructions';
  const others = message.instructions.filter((one) => one !== transfer);
  const allowed = new Set([...HARMLESS, ...programs]);
  const unknown = others
    .map(({ program }) => programOf(message, program))
    .find((program) => !allowed.has(program));
  const finding = { value: unknown, bound: oneOf(allowed) };
  agree(unknown === undefined, field, 'It calls a program that is none of a swap.', finding);
  const source = message.keys[transfer.accounts[0] ?? -1];
  const touches = others.some(({ accounts }) => accounts.includes(transfer.accounts[0] ?? -1));
  agree(source !== undefined && !touches, field, 'Something else touches the tokens of the user.', {
    value: 'two instructions',
    bound: 'one transfer',
  });
  checkEscrow(message, others, target, agreed);
  if (cosignMemo === 'none') return;
  const memos = others.filter(({ program }) => isProgram(message, program, PROGRAMS.memo));
  const [memo, ...more] = memos;
  if (memo === undefined || more.length > 0) {
    const sentence = 'Not exactly one memo says what the user gets.';
    throw new ApprovalRejected(`${field}.memo`, sentence, { value: memos.length, bound: '1' });
  }
  const text = new TextDecoder().decode(memo.data);
  const mismatch = memoMismatch(text, agreed);
  const memoField = `${field}.memo.${mismatch ?? ''}`;
  const agreedMemo = { value: text, bound: memoText(agreed) };
  agree(mismatch === undefined, memoField, 'The memo is not what was agreed.', agreedMemo);
}

/** Checks that the tokens go to an escrow account: a trusted one, or the one that the transaction names. */
function checkEscrow(
  message: SolanaMessage,
  others: readonly SolanaInstruction[],
  target: Uint8Array,
  { escrows, token, from }: AgreedTerms,
): void {
  const field = 'transaction.instructions.transfer';
  const mint = base58.decode(token);
  const named = others
    .filter(({ program }) => isProgram(message, program, PROGRAMS.tokenAccount))
    .map(({ accounts }) => message.keys[accounts[2] ?? -1] ?? new Uint8Array());
  const owners = escrows?.flatMap(keyOf) ?? named;
  const isEscrow = owners.some(
    (owner) => base58.encode(owner) !== from && equalBytes(tokenAccountOf(owner, mint), target),
  );
  const sentence = 'It goes to no token account of an escrow that is trusted.';
  const bound = `the token account of ${oneOf(escrows ?? named.map((one) => base58.encode(one)))}`;
  agree(isEscrow, field, sentence, { value: base58.encode(target), bound });
}

/** The key of an address; nothing if it is no Solana address. */
const keyOf = (address: string): readonly Uint8Array[] =>
  solana.canonical(address) === undefined ? [] : [base58.decode(address)];

const programOf = ({ keys }: SolanaMessage, at: number): string =>
  base58.encode(keys[at] ?? new Uint8Array());

const isProgram = (message: SolanaMessage, at: number, program: string): boolean =>
  programOf(message, at) === program;
