import { base58 } from '@scure/base';
import { equalBytes } from '@scure/btc-signer/utils.js';
import { z } from 'zod';
import type { AgreedTerms, ApprovalSigner, SignedApproval } from '../approval.ts';
import { agree, checkSigner, disagreement } from '../disagreement.ts';
import { memoMismatch } from '../memo.ts';
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

/** Who signs: the resolver, the user, maybe a backend. */
const SIGNERS = [2, 3];
const TRANSFER_ACCOUNTS = 4;
const TRANSFER_BYTES = 10;
/** Programs that do nothing with what the user has, unless he is among their accounts. */
const HARMLESS: ReadonlySet<string> = new Set([
  PROGRAMS.tokenAccount,
  PROGRAMS.memo,
  PROGRAMS.computeBudget,
]);

/** Signs a transaction where it moves exactly what was agreed into escrow; writes the own slot alone. */
export async function signCosign(
  params: unknown,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
): Promise<SignedApproval> {
  checkSigner(agreed, signer);
  const { signatures, message } = checkCosign(params, agreed);
  if (signer.signMessage === undefined) {
    throw disagreement('from', `The signer of ${signer.address} signs no messages.`);
  }
  const own = await signer.signMessage(message.slice());
  const isOwn = isSignedBy(agreed.from, message, own);
  agree(isOwn, 'signature', `The signer gave no signature of ${agreed.from}.`);
  const transaction = writeTransaction({ signatures: signatures.with(USER_SLOT, own), message });
  return { form: 'cosign', transaction, userAddress: agreed.from };
}

/** What is to be signed. Throws `approval-refused` where a part of it is not what was agreed. */
export function checkCosign(params: unknown, agreed: AgreedTerms): SolanaTransaction {
  const { network } = agreed;
  const isSolana = network.family === 'solana';
  agree(isSolana, 'approval_type', `Money on ${network.name} is not given by a cosigned message.`);
  const read = schema.safeParse(params);
  if (!read.success) throw disagreement('transaction', 'There is no transaction.');
  const transaction = readTransaction(read.data.transaction);
  const message = transaction === undefined ? undefined : readMessage(transaction.message);
  if (transaction === undefined || message === undefined) {
    throw disagreement('transaction', 'It is no transaction of version 0 in hexadecimal.');
  }
  checkSlots(transaction, message, agreed);
  const transfer = onlyTransfer(message);
  const target = checkTransfer(message, transfer, agreed);
  checkOthers(message, transfer, target, agreed);
  return transaction;
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
  agree(isCounted, field, 'There are not two or three signers with a slot each.');
  agree(lookups === 0, 'transaction.lookups', 'It takes accounts from tables that do not show.');
  const user = base58.decode(from);
  const places = keys.flatMap((key, at) => (equalBytes(key, user) ? [at] : []));
  agree(places[0] !== 0, field, 'The user pays for the transaction.');
  agree(places.join() === `${USER_SLOT}`, field, `The second signer is not ${from}.`);
  const isEmpty = transaction.signatures[USER_SLOT]?.every((byte) => byte === 0) ?? false;
  agree(isEmpty, field, 'The slot of the user is taken.');
}

/** The one instruction that the user stands behind. */
function onlyTransfer({ instructions }: SolanaMessage): SolanaInstruction {
  const own = instructions.filter(
    ({ program, accounts }) => program === USER_SLOT || accounts.includes(USER_SLOT),
  );
  const [first, ...more] = own;
  if (first === undefined || more.length > 0) {
    throw disagreement('transaction.instructions', "Not exactly one instruction is the user's.");
  }
  return first;
}

/** It moves the lots of the token from the user's account; gives the account that it moves them to. */
function checkTransfer(
  message: SolanaMessage,
  { program, accounts, data }: SolanaInstruction,
  agreed: AgreedTerms,
): Uint8Array {
  const field = 'transaction.instructions.transfer';
  const [source, mint, target, owner] = accounts.map((at) => message.keys[at]);
  const isToken = isProgram(message, program, PROGRAMS.token);
  const isTransfer = isToken && accounts.length === TRANSFER_ACCOUNTS;
  agree(isTransfer && data.length === TRANSFER_BYTES, field, 'It is no transfer of tokens.');
  if (source === undefined || mint === undefined || target === undefined || owner === undefined) {
    throw disagreement(field, 'An account of the transfer is not there.');
  }
  const agreedMint = base58.decode(agreed.token);
  agree(equalBytes(mint, agreedMint), field, `It is not of the token ${agreed.token}.`);
  const user = base58.decode(agreed.from);
  const isOwn = accounts[TRANSFER_ACCOUNTS - 1] === USER_SLOT;
  const isFromUser = isOwn && equalBytes(source, tokenAccountOf(user, mint));
  agree(isFromUser, field, 'It is not from the token account of the user.');
  const decimals = data[TRANSFER_BYTES - 1] ?? 0;
  const isExact = equalBytes(data, transferData(agreed.lots, decimals));
  agree(isExact, field, `It does not move exactly ${agreed.lots}.`);
  return target;
}

/** All else is harmless: makes escrow's account, says what the user gets, sets the network's fee. */
function checkOthers(
  message: SolanaMessage,
  transfer: SolanaInstruction,
  target: Uint8Array,
  agreed: AgreedTerms,
): void {
  const field = 'transaction.instructions';
  const others = message.instructions.filter((one) => one !== transfer);
  const unknown = others.find(({ program }) => !HARMLESS.has(programOf(message, program)));
  agree(unknown === undefined, field, 'It calls a program that is none of a swap.');
  const source = message.keys[transfer.accounts[0] ?? -1];
  const touches = others.some(({ accounts }) => accounts.includes(transfer.accounts[0] ?? -1));
  agree(source !== undefined && !touches, field, 'Something else touches the tokens of the user.');
  checkEscrow(message, others, target, agreed);
  const memos = others.filter(({ program }) => isProgram(message, program, PROGRAMS.memo));
  const [memo, ...more] = memos;
  if (memo === undefined || more.length > 0) {
    throw disagreement(`${field}.memo`, 'Not exactly one memo says what the user gets.');
  }
  const mismatch = memoMismatch(new TextDecoder().decode(memo.data), agreed);
  agree(
    mismatch === undefined,
    `${field}.memo.${mismatch ?? ''}`,
    'The memo is not what was agreed.',
  );
}

/** The tokens go to the account of an escrow: one that is trusted, or that the transaction names. */
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
  const owners = escrows?.map((escrow) => base58.decode(escrow)) ?? named;
  const isEscrow = owners.some(
    (owner) => base58.encode(owner) !== from && equalBytes(tokenAccountOf(owner, mint), target),
  );
  agree(isEscrow, field, 'It goes to no token account of an escrow that is trusted.');
}

const programOf = ({ keys }: SolanaMessage, at: number): string =>
  base58.encode(keys[at] ?? new Uint8Array());

const isProgram = (message: SolanaMessage, at: number, program: string): boolean =>
  programOf(message, at) === program;
