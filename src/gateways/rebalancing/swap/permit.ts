import { createHash } from 'node:crypto';
import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type {
  TransferChange,
  TransferRecord,
  NetworkFee,
  PaidFee,
  Step,
} from '../../../swaps/execution/transfer-route.ts';
import { amountOf, lotsOf } from '../../../swaps/tokens.ts';
import type { Approval, PaymentOutcome } from '../../chains/node.ts';
import { numberIn, textIn } from '../data.ts';
import { candidatesIn, candidatesText } from '../payments/candidates.ts';
import { unlessRefused } from '../payments/chain-payer.ts';
import { networkFee, paidFee } from '../payments/network-fee.ts';
import type { SwapWallet } from './wallet.ts';

const CANDIDATES = 'permitCandidates';

/**
 * Before the service can take a token by permit2, its owner must approve the permit2 contract, on its
 * chain, by a transaction that is prepared, stored and sent like a payment. Its key is derived from the
 * transfer. A token may require that an old allowance is withdrawn first: then there are two. One whose fee
 * became too low gets a successor that excludes it.
 */
export function permitStep(transfer: TransferRecord, { network, token, signer }: SwapWallet): Step {
  const { id, data, send } = transfer;
  const candidate = candidatesIn(data, CANDIDATES)[sentIn(data)];
  if (candidate !== undefined) {
    return { name: 'permit', data: { hash: candidate.id, raw: candidate.raw }, pays: false };
  }
  const round = typeof data['permitRound'] === 'number' ? ` ${data['permitRound']}` : '';
  const nonce = createHash('sha256').update(`permit ${id} ${textIn(data, 'intent')}${round}`);
  return {
    name: 'preparePermit',
    data: {
      network: network.code,
      token: token.id,
      owner: signer.address,
      lots: `${lotsOf(send, token.decimals) ?? 0n}`,
      nonce: nonce.digest('hex').slice(0, 48),
    },
    pays: false,
  };
}

/** Prepares the transaction, and stores it. */
export async function preparePermit(
  transfer: TransferRecord,
  wallet: SwapWallet,
  { data }: Step,
): Promise<TransferChange> {
  const { signer, node, network, token } = wallet;
  if (signer.signTransfer === undefined) {
    throw new MillraceError('key-invalid', `The signer of ${signer.address} signs nothing of its own.`); // prettier-ignore
  }
  // Another one could withdraw the present allowance.
  if (await isGiven(transfer, wallet)) return permitted(transfer, wallet);
  const order: Approval = {
    network: textIn(data, 'network'),
    token: numberIn(data, 'token'),
    owner: textIn(data, 'owner'),
    lots: BigInt(textIn(data, 'lots')),
    nonce: textIn(data, 'nonce'),
  };
  const sign = signer.signTransfer.bind(signer);
  const purpose = `let permit2 take ${amountOf(order.lots, token.decimals).toFixed()} ${token.asset} of ${order.owner} on ${network.name}`;
  const earlier = candidatesIn(transfer.data, CANDIDATES);
  const made = await unlessRefused(node.prepare(order, async (digest) => sign(digest, purpose), earlier)); // prettier-ignore
  if (!isRejection(made)) {
    return { state: 'created', data: { [CANDIDATES]: candidatesText([...earlier, made]) } };
  }
  if (earlier.length === 0) return { state: 'failed', reason: made.message };
  const waiting = { ...WAITING.data, permitRaised: earlier.length };
  return { state: 'created', data: waiting, reason: made.message };
}

/** Sends it; throws if its outcome is unknown. */
export async function permit(
  transfer: TransferRecord,
  wallet: SwapWallet,
  { data }: Step,
): Promise<TransferChange> {
  const sent = await wallet.node.send(wallet.network.code, textIn(data, 'raw'));
  if (await isGiven(transfer, wallet)) return permitted(transfer, wallet);
  // An earlier candidate may still be the approval.
  if (isRejection(sent) && sentIn(transfer.data) === 0)
    return { state: 'failed', reason: sent.message };
  return oneMoreSent(transfer);
}

/**
 * Cost of the permit2 approval that a swap needs; nothing if it has one, or needs none. A token that
 * requires an old allowance to be withdrawn first needs two transactions.
 */
export async function permitFee(
  send: Decimal,
  wallet: SwapWallet,
): Promise<NetworkFee | Rejection | undefined> {
  const { node, network, token, signer } = wallet;
  if (network.family !== 'evm' && network.family !== 'tron') return undefined;
  if ((await node.fee(token.id)).coin === undefined) return undefined;
  const allowed = await node.allowance(token.id, signer.address);
  if (allowed >= (lotsOf(send, token.decimals) ?? 0n)) return undefined;
  return networkFee(node, wallet, 'approval', allowed > 0n ? 2n : 1n);
}

/** Finds the outcome of a started permit. */
export async function recallPermit(
  transfer: TransferRecord,
  wallet: SwapWallet,
): Promise<TransferChange | 'undone'> {
  if (await isGiven(transfer, wallet)) return permitted(transfer, wallet);
  // One that excludes it may be in a block: then it can never be sent, and is not waited for.
  const { kind } = await wallet.node.outcome(wallet.network.code, candidatesIn(transfer.data, CANDIDATES)); // prettier-ignore
  return kind === 'unseen' ? 'undone' : oneMoreSent(transfer);
}

const oneMoreSent = ({ data }: TransferRecord): TransferChange => ({
  state: 'created',
  data: { ...WAITING.data, permitSent: sentIn(data) + 1 },
});

/** Reads the state of a sent permit; nothing if it has not changed. */
export async function observePermit(
  transfer: TransferRecord,
  wallet: SwapWallet,
): Promise<TransferChange | undefined> {
  if (await isGiven(transfer, wallet)) return permitted(transfer, wallet);
  const candidates = candidatesIn(transfer.data, CANDIDATES);
  const outcome = await wallet.node.outcome(wallet.network.code, candidates);
  switch (outcome.kind) {
    case 'unseen': {
      // Earlier ones pay too little by now, and excluding them is its purpose.
      const last = candidates.at(-1);
      if (last !== undefined) await wallet.node.send(wallet.network.code, last.raw);
      return undefined;
    }
    case 'made': {
      if (!outcome.isFinal) return undefined;
      // It may be in a block since the allowance was read.
      if (await isGiven(transfer, wallet)) return permitted(transfer, wallet);
      // An allowance was withdrawn first, or used up meanwhile.
      const round =
        typeof transfer.data['permitRound'] === 'number' ? transfer.data['permitRound'] : 0;
      if (round >= MOST_ROUNDS) return { state: 'failed', reason: NOT_GIVEN };
      const anew = { [CANDIDATES]: null, permitSent: null, permitRaised: null };
      const data = { ...UNPERMITTED.data, ...anew, permitRound: round + 1 };
      return { state: 'created', data, paidFee: await paidWith(transfer, wallet, outcome) };
    }
    case 'stuck': {
      const { length } = candidates;
      if (transfer.data['permitRaised'] === length) return undefined;
      return { state: 'created', data: { ...UNPERMITTED.data, permitSent: length } };
    }
    case 'failed':
      if (!outcome.isFinal) return undefined;
      return {
        state: 'failed',
        reason: outcome.reason,
        paidFee: await paidWith(transfer, wallet, outcome),
      };
    case 'dead':
      return { state: 'failed', reason: outcome.reason };
    default:
      return undefined;
  }
}

/** The contract may take the amount; its cost is known by now. */
async function permitted(transfer: TransferRecord, wallet: SwapWallet): Promise<TransferChange> {
  const candidates = candidatesIn(transfer.data, CANDIDATES);
  if (candidates.length === 0) return PERMITTED;
  const outcome = await wallet.node.outcome(wallet.network.code, candidates);
  return { ...PERMITTED, paidFee: await paidWith(transfer, wallet, outcome) };
}

/** Cost of a transfer's approvals, including that of an outcome. */
async function paidWith(
  { paidFee: before }: TransferRecord,
  { node, ...wallet }: SwapWallet,
  outcome: PaymentOutcome,
): Promise<PaidFee | undefined> {
  const fee = 'fee' in outcome ? outcome.fee : undefined;
  const paid = await paidFee(node, wallet, 'approval', fee);
  if (paid === undefined || before === undefined) return paid ?? before;
  return { ...paid, amount: before.amount.plus(paid.amount) };
}

/** How many of the candidates were sent. */
const sentIn = (data: TransferRecord['data']): number =>
  typeof data['permitSent'] === 'number' ? data['permitSent'] : 0;

/** Whether the contract may take what the transfer sends. */
export async function isGiven(
  { send }: TransferRecord,
  { node, token, signer }: SwapWallet,
): Promise<boolean> {
  const needed = lotsOf(send, token.decimals) ?? 0n;
  return (await node.allowance(token.id, signer.address)) >= needed;
}

const MOST_ROUNDS = 3;
const NOT_GIVEN = 'The permit2 contract was approved, and may not take what the transfer sends.';

export const UNPERMITTED: TransferChange = { state: 'created', data: { permit: 'missing' } };

const WAITING: TransferChange = { state: 'created', data: { permit: 'sent' } };

const PERMITTED: TransferChange = { state: 'created', data: { permit: 'given' } };
