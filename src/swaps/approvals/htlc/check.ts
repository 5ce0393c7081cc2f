import { bytesToHex } from '@noble/hashes/utils.js';
import { equalBytes } from '@scure/btc-signer/utils.js';
import { z } from 'zod';
import { isRefusal } from '../../../model/refusals.ts';
import { addressOfScript, scriptOf } from '../../chains/families/bitcoin.ts';
import type { AgreedTerms, ApprovalSigner, HtlcParams, SignedApproval } from '../approval.ts';
import { agree, checkSigner, disagreement } from '../disagreement.ts';
import { memoMismatch } from '../memo.ts';
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
/** Bytes of the witness of an input, a quarter of which count: a script and its way up included. */
const WITNESS_VBYTES = 17n;
/** What an input has when it is signed to the end. */
const FINAL_FIELDS = ['07', '08'];
/** Signatures that cover everything. */
const COVER_ALL = new Set([undefined, 0, 1]);

/**
 * Signs a transaction where it pays exactly what was agreed into escrow and the change back, and
 * commits to what is got for it.
 */
export async function signHtlc(
  params: unknown,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
): Promise<SignedApproval> {
  checkSigner(agreed, signer);
  const asked = checkHtlc(params, agreed, signer.publicKey);
  if (signer.signPsbt === undefined) {
    throw disagreement('from', `The signer of ${signer.address} signs no transactions.`);
  }
  const psbt = await signer.signPsbt(asked.psbt, asked.inputs);
  const verified = verifyHtlc(signer.publicKey, asked, psbt);
  if (isRefusal(verified)) {
    throw disagreement('psbt', `The signer did something else than to sign: ${verified.message}`);
  }
  return { form: 'htlc', psbt };
}

/** What is to be signed. Throws `approval-refused` where a part of it is not what was agreed. */
export function checkHtlc(
  params: unknown,
  agreed: AgreedTerms,
  publicKey: string | undefined,
): HtlcParams {
  const { network } = agreed;
  const isOutput = network.family === 'bitcoin';
  agree(isOutput, 'approval_type', `Money on ${network.name} is not given by outputs.`);
  const read = schema.safeParse(params);
  if (!read.success) throw disagreement('params_to_sign', 'There is no psbt with its inputs.');
  const psbt = readPsbt(read.data.psbt);
  if (psbt === undefined)
    throw disagreement('psbt', 'It is no sound partially signed transaction.');
  agree(
    psbt.transaction.lockTime === 0,
    'psbt.lockTime',
    'The transaction cannot be sent at once.',
  );
  const spentLots = checkInputs(psbt, read.data.inputs, agreed, publicKey);
  const paidLots = checkOutputs(psbt, read.data.memo, agreed);
  const feeLots = spentLots - paidLots;
  const bytes = BigInt(psbt.unsigned.length) + WITNESS_VBYTES * BigInt(psbt.inputs.length);
  const isFair = feeLots >= 0n && feeLots <= FEE_PER_VBYTE_MAX * bytes;
  agree(
    isFair,
    'psbt.fee',
    `A fee of ${feeLots} is not between 0 and ${FEE_PER_VBYTE_MAX * bytes}.`,
  );
  return read.data;
}

/** All inputs are the user's, and listed once; gives what they have. */
function checkInputs(
  psbt: Psbt,
  listed: readonly number[],
  { from }: AgreedTerms,
  publicKey: string | undefined,
): bigint {
  const key = xOnlyKey(publicKey);
  if (key === undefined) throw disagreement('from', 'The signer tells no public key.');
  const wanted = psbt.inputs.map((_, at) => at).join();
  const isAll = [...listed].sort((one, other) => one - other).join() === wanted;
  agree(isAll, 'inputs', 'Not each input is listed once, or there are fewer.');
  const own = scriptOf(from);
  return psbt.inputs.reduce((sum, map, at) => {
    const field = `psbt.inputs.${at}`;
    const spent = spentOutput(map);
    if (spent === undefined || !equalBytes(spent.script, own)) {
      throw disagreement(field, `Input ${at} spends no output of ${from}.`);
    }
    const isOpen = ![...map.keys()].some(
      (pair) => isSignatureField(pair) || FINAL_FIELDS.includes(pair),
    );
    agree(isOpen, field, `Input ${at} is signed already.`);
    agree(COVER_ALL.has(askedSighash(map)), field, `Input ${at} asks to cover less than all.`);
    const hasPath = signingPaths(map, key).length > 0;
    agree(hasPath, field, `Input ${at} is not one that the key can sign.`);
    return sum + spent.lots;
  }, 0n);
}

/**
 * One output to escrow with exactly the lots, one that commits to what was agreed, and any others back
 * to the user; gives their sum.
 */
function checkOutputs(
  { transaction }: Psbt,
  memo: string | undefined,
  agreed: AgreedTerms,
): bigint {
  const own = bytesToHex(scriptOf(agreed.from));
  const outputs = Array.from({ length: transaction.outputsLength }, (_, at): ReadOutput => {
    const { script = new Uint8Array(), amount = 0n } = transaction.getOutput(at);
    return { script, amount };
  });
  checkCommitment(
    outputs.filter(({ script }) => isUnspendable(script)),
    memo,
    agreed,
  );
  const others = outputs.filter(
    ({ script }) => !isUnspendable(script) && bytesToHex(script) !== own,
  );
  const [escrow, ...more] = others;
  if (escrow === undefined || more.length > 0) {
    throw disagreement('psbt.outputs', 'There is not exactly one output that is not change.');
  }
  const address = addressOfScript(escrow.script);
  const { escrows } = agreed;
  const isTrusted = address !== undefined && (escrows?.includes(address) ?? true);
  agree(isTrusted, 'psbt.outputs', `${address ?? 'A script'} is no escrow that is trusted.`);
  const isExact = escrow.amount === agreed.lots;
  agree(isExact, 'psbt.outputs', `Escrow gets ${escrow.amount}, and ${agreed.lots} was agreed.`);
  return outputs.reduce((sum, { amount }) => sum + amount, 0n);
}

interface ReadOutput {
  readonly script: Uint8Array;
  readonly amount: bigint;
}

/** One output takes nothing, and commits to a memo that says what was agreed. */
function checkCommitment(
  given: readonly ReadOutput[],
  memo: string | undefined,
  agreed: AgreedTerms,
): void {
  const field = 'psbt.outputs.commitment';
  const [only, ...more] = given;
  if (only === undefined || more.length > 0) {
    throw disagreement(field, 'Not exactly one output commits to what the user gets.');
  }
  agree(only.amount === 0n, field, `The output that commits to it takes ${only.amount}.`);
  if (memo === undefined) throw disagreement('memo', 'There is no memo that says what it is for.');
  const mismatch = memoMismatch(memo, agreed);
  const member = mismatch === 'memo' ? 'memo' : `memo.${mismatch ?? ''}`;
  agree(mismatch === undefined, member, 'The memo is not what was agreed.');
  agree(isCommitmentTo(memo, only.script), field, 'It commits to another memo.');
}
