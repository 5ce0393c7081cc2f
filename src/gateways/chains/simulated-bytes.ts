import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { Rejection } from '../../model/rejections.ts';
import type { ChainTransaction } from '../../swaps/chains/chain-world.ts';
import { FAMILIES } from '../../swaps/chains/families/families.ts';
import {
  permitDigest,
  transferDigest,
  type OwnPermit,
  type OwnTransfer,
} from '../../swaps/chains/signed-transfer.ts';
import type { NetworkTerms } from '../../swaps/tokens.ts';
import { signedPermitMessage, signedTransferMessage } from '../../wire/chains/messages.ts';
import type {
  Approval,
  ChainNode,
  PaymentOutcome,
  PreparedTransaction,
  SignDigest,
} from './node.ts';

/** The bytes of a transaction of a simulated chain: JSON of what is signed; of Bitcoin may be raw. */
const signedText = z.union([
  z.strictObject({ transfer: signedTransferMessage }),
  z.strictObject({ permit: signedPermitMessage }),
]);

/** Decoded transaction bytes. */
export type SignedBytes =
  | z.output<typeof signedText>
  | { readonly bitcoin: string }
  | { readonly rejection: Rejection };

/** The largest allowance: simulated permit2 takes all or nothing. */
export const WHOLE_ALLOWANCE = (1n << 256n) - 1n;

/** Signs for a simulated chain: its nonce is that of the order, and there is no fee. */
export async function prepareSimulated(
  networks: readonly NetworkTerms[],
  order: OwnTransfer | Approval,
  sign: SignDigest,
): Promise<PreparedTransaction | Rejection> {
  const network = networks.find(({ code }) => code === order.network);
  if (network === undefined) {
    const message = `There is no network ${order.network}.`;
    return { code: 'network-unknown', field: 'network', message };
  }
  const isTransfer = 'to' in order;
  const digest = isTransfer ? transferDigest(order) : permitDigest(permitOf(order));
  const signature = await sign(digest);
  const signed = isTransfer
    ? { transfer: { ...order, signature } }
    : { permit: { ...permitOf(order), signature } };
  return {
    // An approval is no transaction there; its digest identifies it.
    id: isTransfer ? FAMILIES[network.family].hash(hexToBytes(digest)) : digest,
    raw: JSON.stringify(z.encode(signedText, signed)),
    uses: `nonce ${order.nonce} of ${isTransfer ? order.from : order.owner}`,
    feeLots: 0n,
  };
}

const permitOf = ({ lots, ...order }: Approval): OwnPermit => ({ ...order, allowed: lots > 0n });

/** Reads what was prepared, or a raw transaction of Bitcoin. */
export function readSimulated(raw: string): SignedBytes {
  if (!raw.startsWith('{')) return { bitcoin: raw };
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    json = undefined;
  }
  const read = signedText.safeDecode(json as z.input<typeof signedText>);
  if (read.success) return read.data;
  const message = 'It is no transaction of a simulated chain.';
  return { rejection: { code: 'transfer-invalid', field: 'transaction', message } };
}

/** Simulated chains keep accepted transactions, and neither fail nor drop them. */
export async function simulatedOutcome(
  node: Pick<ChainNode, 'networks' | 'transaction'>,
  code: string,
  candidates: readonly PreparedTransaction[],
): Promise<PaymentOutcome> {
  const networks = await node.networks();
  const needed = networks.find((one) => one.code === code)?.confirmations ?? 0;
  for (const { id } of candidates) {
    const transaction = await node.transaction(code, id);
    if (transaction !== undefined) {
      return { kind: 'made', transaction, isFinal: isEnough(transaction, needed) };
    }
  }
  return { kind: 'unseen' };
}

const isEnough = ({ confirmations }: ChainTransaction, needed: number): boolean =>
  confirmations >= needed;
