import { MillraceError } from '../../../model/errors.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { NetworkFee, PaidFee } from '../../../swaps/execution/transfer-route.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import { amountOf, type NetworkTerms, type TokenTerms } from '../../../swaps/tokens.ts';
import type { ChainFee, ChainNode } from '../../chains/node.ts';

/** The used methods of a node for a fee. */
export type FeeNode = Pick<ChainNode, 'balance' | 'fee' | 'limits' | 'tokens'>;

/** A wallet whose transactions cost something. */
interface PayingWallet {
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  readonly signer: Pick<ApprovalSigner, 'address'>;
}

/**
 * Network fee of one or several transactions of the wallet; nothing if the chain has none. Rejected if the
 * wallet lacks the fee asset, and above the bound.
 */
export async function networkFee(
  node: FeeNode,
  { network, token, signer }: PayingWallet,
  of: NetworkFee['of'],
  times = 1n,
): Promise<NetworkFee | Rejection | undefined> {
  const { lots, expectedLots = lots, coin: id } = await node.fee(token.id);
  if (id === undefined || lots === 0n) return undefined;
  const { asset, decimals } = await coinOf(node, network.name, id);
  const [expected, most] = [expectedLots, lots].map((one) => amountOf(one * times, decimals));
  if (expectedLots > lots) {
    const message = `A transaction on ${network.name} costs about ${expected.toFixed()} ${asset} now and may cost ${most.toFixed()}: wait, or raise its feeBound.`;
    return { code: 'transfer-invalid', field: 'fee', message };
  }
  const coin = { asset, location: network.code };
  if (of === 'payment' && id === token.id) return { of, coin, expected, most, isIncluded: true };
  const there = await node.balance(id, signer.address);
  const reserve = (await node.limits?.(token.id))?.reserve ?? 0n;
  const held = amountOf(there < reserve ? 0n : there - reserve, decimals);
  if (!held.lessThan(most)) return { of, coin, expected, most, held, isIncluded: false };
  const what = of === 'payment' ? 'a transfer' : 'the approval of permit2';
  const stays =
    reserve === 0n ? '' : `, ${amountOf(reserve, decimals).toFixed()} of which must stay`;
  const message = `${signer.address} holds ${amountOf(there, decimals).toFixed()} ${asset} on ${network.name}${stays}, and ${what} may cost ${most.toFixed()} ${asset}: send some there first.`;
  return { code: 'funds-insufficient', field: 'fee', message };
}

/** Cost of the wallet's transaction, by its outcome. */
export async function paidFee(
  node: Pick<ChainNode, 'tokens'>,
  { network, token }: PayingWallet,
  of: NetworkFee['of'],
  fee: ChainFee | undefined,
): Promise<PaidFee | undefined> {
  if (fee?.coin === undefined) return undefined;
  const { asset, decimals } = await coinOf(node, network.name, fee.coin);
  return {
    coin: { asset, location: network.code },
    amount: amountOf(fee.lots, decimals),
    isIncluded: of === 'payment' && fee.coin === token.id,
  };
}

async function coinOf(
  node: Pick<ChainNode, 'tokens'>,
  network: string,
  id: number,
): Promise<TokenTerms> {
  const coin = (await node.tokens()).find((one) => one.id === id);
  if (coin !== undefined) return coin;
  const sentence = `The node of ${network} asks for its fee in token ${id}, which it does not list.`;
  throw new MillraceError('answer-invalid', sentence);
}
