import { bytesToHex } from '@noble/hashes/utils.js';
import { equalBytes } from '@scure/btc-signer/utils.js';
import { z } from 'zod';
import { isRejection } from '../../../model/rejections.ts';
import { addressOfScript, scriptOf } from '../../chains/families/bitcoin.ts';
import type { AgreedTerms, ApprovalSigner, HtlcParams, SignedApproval } from '../approval.ts';
import { agree, ApprovalRejected, checkSigner, oneOf } from '../disagreement.ts';
import { memoMismatch, memoText } from '../memo.ts';
import { checkByCode } from '../policy/code.ts';
import type { ResolvedPolicy } from '../policy/resolve.ts';
import { strictSigning, type Signing } from '../policy/signing.ts';
import { isCommitmentTo, isUnspendable } from './commitment.ts';
import { readPsbt, type Psbt } from './psbt.ts';
import { xOnlyKey } from './public-key.ts';
import { askedSighash, isSignatureField, signingPaths, spentOutput } from './taproot.ts';
import { verifyHtlc } from './verify.ts';

const schema = z.object({
  psbt: z.string(),
  inputs: z.array(z.int().min(0)).min(1),
  memo: z.string().optional(),
});

/** The most that is left to the miner for each virtual byte, in smallest units. */
const FEE_PER_VBYTE_MAX = 50n;
/** Virtual bytes of an input's witness, a quarter of its bytes: a script and its proof included. */
const WITNESS_VBYTES = 17n;
/** Fields of a finalized input. */
const FINAL_FIELDS = ['07', '08'];
/** Signatures that cover everything. */
const COVER_ALL = new Set([undefined, 0, 1]);

/**
 * Signs a transaction if it pays exactly the agreed amount into escrow and the change back, and commits to
 * the memo.
 */
export async function signHtlc(
  params: unknown,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
  signing: Signing = strictSigning(params),
): Promise<SignedApproval> {
  checkSigner(agreed, signer);
  const asked = checkHtlc(params, agreed, signer.publicKey, signing);
  const takers = paidBy(asked.psbt);
  await checkByCode({ ...signing.question, form: 'htlc', agreed, takers });
  if (signer.signPsbt === undefined) {
    const sentence = `The signer of ${signer.address} signs no transactions.`;
    throw new ApprovalRejected('from', sentence, { value: 'a signer without', bound: 'one with signPsbt' }); // prettier-ignore
  }
  const psbt = await signer.signPsbt(asked.psbt, asked.inputs);
  const verified = verifyHtlc(signer.publicKey, asked, psbt);
  if (isRejection(verified)) {
    const sentence = `The signer did something else than to sign: ${verified.message}`;
    throw new ApprovalRejected('psbt', sentence, { value: 'changed', bound: 'signed alone' });
  }
  return { form: 'htlc', psbt };
}

/** The data to sign. Throws `approval-refused` if a part of it differs from the agreement. */
export function checkHtlc(
  params: unknown,
  agreed: AgreedTerms,
  publicKey: string | undefined,
  { policy }: Signing = strictSigning(params),
): HtlcParams {
  const { network } = agreed;
  const isOutput = network.family === 'bitcoin';
  agree(isOutput, 'approval_type', `Money on ${network.name} is not given by outputs.`, {
    value: 'htlc',
    bound: `the form of ${network.family}`,
  });
  const read = schema.safeParse(params);
  if (!read.success) {
    const finding = { value: 'not readable', bound: 'a psbt with the numbers of its inputs' };
    throw new ApprovalRejected('params_to_sign', 'There is no psbt with its inputs.', finding);
  }
  const psbt = readPsbt(read.data.psbt);
  if (psbt === undefined) {
    const finding = { value: read.data.psbt, bound: 'a PSBT in Base64' };
    throw new ApprovalRejected('psbt', 'It is no sound partially signed transaction.', finding);
  }
  const { lockTime } = psbt.transaction;
  const now = { value: lockTime, bound: '0' };
  agree(lockTime === 0, 'psbt.lockTime', 'The transaction cannot be sent at once.', now);
  const spentLots = checkInputs(psbt, read.data.inputs, agreed, publicKey);
  const paidLots = checkOutputs(psbt, read.data.memo, agreed, policy);
  const feeLots = spentLots - paidLots;
  const bytes = BigInt(psbt.unsigned.length) + WITNESS_VBYTES * BigInt(psbt.inputs.length);
  const isFair = feeLots >= 0n && feeLots <= FEE_PER_VBYTE_MAX * bytes;
  agree(isFair, 'psbt.fee', 'The fee of the miner is not fair.', {
    value: feeLots,
    bound: `between 0 and ${FEE_PER_VBYTE_MAX * bytes}`,
  });
  return read.data;
}

/** Checks that all inputs are the user's, and listed once; returns their sum. */
function checkInputs(
  psbt: Psbt,
  listed: readonly number[],
  { from }: AgreedTerms,
  publicKey: string | undefined,
): bigint {
  const key = xOnlyKey(publicKey);
  if (key === undefined) {
    const finding = { value: publicKey, bound: 'a public key' };
    throw new ApprovalRejected('from', 'The signer gives no public key.', finding);
  }
  const wanted = psbt.inputs.map((_, at) => at).join();
  const isAll = [...listed].sort((one, other) => one - other).join() === wanted;
  const all = { value: listed.join(), bound: wanted };
  agree(isAll, 'inputs', 'Not each input is listed once, or there are fewer.', all);
  const own = scriptOf(from);
  return psbt.inputs.reduce((sum, map, at) => {
    const field = `psbt.inputs.${at}`;
    const spent = spentOutput(map);
    if (spent === undefined || !equalBytes(spent.script, own)) {
      const value = spent === undefined ? undefined : addressOfScript(spent.script);
      const sentence = `Input ${at} spends no output of ${from}.`;
      throw new ApprovalRejected(field, sentence, { value, bound: from });
    }
    const isOpen = ![...map.keys()].some(
      (pair) => isSignatureField(pair) || FINAL_FIELDS.includes(pair),
    );
    agree(isOpen, field, `Input ${at} is signed already.`, { value: 'signed', bound: 'open' });
    const covers = askedSighash(map);
    const cover = { value: covers, bound: 'absent, 0 or 1' };
    agree(COVER_ALL.has(covers), field, `Input ${at} asks to cover less than all.`, cover);
    const hasPath = signingPaths(map, key).length > 0;
    const path = { value: 'of another key', bound: `one that ${from} can sign` };
    agree(hasPath, field, `Input ${at} is not one that the key can sign.`, path);
    return sum + spent.lots;
  }, 0n);
}

/**
 * Checks that one output pays escrow exactly the agreed amount, one commits to the agreement, and all
 * others pay the user; returns their sum. If the policy requires no memo, unspendable outputs may have any
 * content and no amount.
 */
function checkOutputs(
  psbt: Psbt,
  memo: string | undefined,
  agreed: AgreedTerms,
  { htlcMemo, check }: ResolvedPolicy,
): bigint {
  const outputs = outputsOf(psbt);
  const unspendable = outputs.filter(({ script }) => isUnspendable(script));
  if (htlcMemo === 'required' && check === undefined) checkCommitment(unspendable, memo, agreed);
  for (const { amount } of unspendable) {
    const finding = { value: amount, bound: '0' };
    agree(amount === 0n, 'psbt.outputs', 'An output that nobody can spend takes money.', finding);
  }
  const own = bytesToHex(scriptOf(agreed.from));
  const others = outputs.filter(
    ({ script }) => !isUnspendable(script) && bytesToHex(script) !== own,
  );
  const [escrow, ...more] = others;
  if (escrow === undefined || more.length > 0) {
    const sentence = 'There is not exactly one output that is not change.';
    throw new ApprovalRejected('psbt.outputs', sentence, { value: others.length, bound: '1' });
  }
  const address = addressOfScript(escrow.script);
  const { escrows } = agreed;
  const isTrusted = address !== undefined && (escrows?.includes(address) ?? true);
  agree(isTrusted, 'psbt.outputs', `${address ?? 'A script'} is no escrow that is trusted.`, {
    value: address ?? bytesToHex(escrow.script),
    bound: escrows === undefined ? 'an address' : oneOf(escrows),
  });
  const isExact = escrow.amount === agreed.lots;
  agree(isExact, 'psbt.outputs', 'Escrow gets another amount than was agreed.', {
    value: escrow.amount,
    bound: `exactly ${agreed.lots}`,
  });
  return outputs.reduce((sum, { amount }) => sum + amount, 0n);
}

const outputsOf = ({ transaction }: Psbt): readonly ReadOutput[] =>
  Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { script = new Uint8Array(), amount = 0n } = transaction.getOutput(at);
    return { script, amount };
  });

/** Addresses that a transaction pays. */
function paidBy(text: string): readonly string[] {
  const psbt = readPsbt(text);
  const scripts = psbt === undefined ? [] : outputsOf(psbt).map(({ script }) => script);
  return scripts.map(addressOfScript).filter((address) => address !== undefined);
}

interface ReadOutput {
  readonly script: Uint8Array;
  readonly amount: bigint;
}

/** Checks that one output has no amount, and commits to a memo of the agreement. */
function checkCommitment(
  given: readonly ReadOutput[],
  memo: string | undefined,
  agreed: AgreedTerms,
): void {
  const field = 'psbt.outputs.commitment';
  const [only, ...more] = given;
  if (only === undefined || more.length > 0) {
    const sentence = 'Not exactly one output commits to what the user gets.';
    throw new ApprovalRejected(field, sentence, { value: given.length, bound: '1' });
  }
  agree(only.amount === 0n, field, 'The output that commits to it takes money.', {
    value: only.amount,
    bound: '0',
  });
  if (memo === undefined) {
    const finding = { value: undefined, bound: 'text that says what the user gets' };
    throw new ApprovalRejected('memo', 'There is no memo that says what it is for.', finding);
  }
  const mismatch = memoMismatch(memo, agreed);
  const member = mismatch === 'memo' ? 'memo' : `memo.${mismatch ?? ''}`;
  const agreedMemo = { value: memo, bound: memoText(agreed) };
  agree(mismatch === undefined, member, 'The memo is not what was agreed.', agreedMemo);
  const other = { value: bytesToHex(only.script), bound: 'made of the memo' };
  agree(isCommitmentTo(memo, only.script), field, 'It commits to another memo.', other);
}
