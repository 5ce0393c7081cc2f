import { isSameAddress } from '../../../swaps/approvals/same-address.ts';
import { lotsOf } from '../../../swaps/tokens.ts';
import type { AffiliateSwapClient } from '../../swaps/affiliate-client.ts';
import { otherQuote } from './execution-surface.ts';
import type { SwapWallet } from './wallet.ts';
import type { SwapRequest, SwapApproval, SwapOffer, SwapService, SwapStatus } from './service.ts';

type Client = Pick<AffiliateSwapClient, 'getBestQuote' | 'createIntent' | 'approve' | 'getStatus'>;

/**
 * Swaps by the Affiliate surface, which knows its caller by a key and its tokens by network and
 * contract. Amount and slippage of an intent are those of its quote.
 */
export const affiliateSurface = (client: Client): SwapService => ({
  quote: (asked) => quote(client, asked),
  createIntent: ({ path }, id) => createIntent(client, path, id),
  approve: ({ intent: intent_id, form, params, deadline }, agreed, signer) => {
    const asked = { intent_id, approval_mechanism: form, params_to_sign: params };
    return client.approve({ ...asked, deadline_secs: deadline }, agreed, signer);
  },
  status: (id) => status(client, id),
});

async function quote(
  client: Client,
  { path: { from, to }, amount, slippage }: SwapRequest,
): Promise<SwapOffer> {
  const made = await client.getBestQuote({
    source_chain: from.network.id,
    source_token: from.token.contract,
    dest_chain: to.network.id,
    dest_token: to.token.contract,
    amount,
    slippage_bps: slippage,
  });
  const isAsked =
    isToken(from, made.source_chain, made.source_token) &&
    isToken(to, made.dest_chain, made.dest_token) &&
    made.source_amount_lots === lotsOf(amount, from.token.decimals) &&
    made.source_amount_decimals === from.token.decimals &&
    made.dest_amount_decimals === to.token.decimals;
  if (!isAsked) throw otherQuote();
  const { min_dest_amount_lots: leastLots, max_dest_amount_lots: mostLots } = made;
  return { id: made.id, leastLots, mostLots, expiresAt: made.expiry };
}

const isToken = ({ network, token }: SwapWallet, chain: number, contract: string): boolean =>
  chain === network.id && isSameAddress(contract, token.contract);

async function createIntent(
  client: Client,
  { from, to }: SwapRequest['path'],
  quoteId: string,
): Promise<SwapApproval> {
  const { address, publicKey } = from.signer;
  const made = await client.createIntent({
    quote_id: quoteId,
    refund_address: address,
    user_source_address: address,
    user_destination_address: to.signer.address,
    user_source_public_key: publicKey,
  });
  const { intent_id: intent, approval_mechanism: form, params_to_sign: params } = made;
  return { intent, form, params, deadline: made.deadline_secs };
}

async function status(client: Client, id: string): Promise<SwapStatus> {
  const { state, source_amount_lots: sentLots, swap_metadata: stages } = await client.getStatus(id);
  return {
    state,
    sentLots,
    depositTx: stages.user_deposit_tx ?? undefined,
    fulfilTx: stages.fulfill_tx ?? undefined,
  };
}
