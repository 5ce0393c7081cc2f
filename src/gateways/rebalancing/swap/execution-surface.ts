import { MillraceError } from '../../../model/errors.ts';
import { lotsOf } from '../../../swaps/tokens.ts';
import type { SwapClient } from '../../swaps/client.ts';
import type { SwapRequest, SwapApproval, SwapOffer, SwapService, SwapStatus } from './service.ts';

type Client = Pick<SwapClient, 'getQuote' | 'createIntent' | 'approve' | 'getIntent'>;

/** Swaps by the Execution surface, whose requests are signed. */
export const executionSurface = (client: Client): SwapService => ({
  quote: (asked) => quote(client, asked),
  createIntent: (asked, id) => createIntent(client, asked, id),
  approve: ({ intent: id, form, params, deadline }, agreed, signer) => {
    const intent = { id, approval_type: form, params_to_sign: params, deadline_at: deadline };
    return client.approve(intent, agreed, signer);
  },
  status: (id) => status(client, id),
});

async function quote(
  client: Client,
  { path: { from, to }, amount, slippage }: SwapRequest,
): Promise<SwapOffer> {
  const made = await client.getQuote({
    from: { token_id: from.token.id },
    to: { token_id: to.token.id },
    amount,
    slippage_bps: slippage,
  });
  const isAsked =
    made.from.amount_lots === lotsOf(amount, from.token.decimals) &&
    made.to.token_id === to.token.id &&
    made.to.amount_decimals === to.token.decimals;
  if (!isAsked) throw otherQuote();
  const { min_amount_lots: leastLots, max_amount_lots: mostLots } = made.to;
  return { id: made.id, leastLots, mostLots, expiresAt: made.expires_at };
}

async function createIntent(
  client: Client,
  { path: { from, to }, amount, slippage }: SwapRequest,
  quoteId: string,
): Promise<SwapApproval> {
  const { publicKey } = from.signer;
  const key = publicKey === undefined ? {} : { public_key: publicKey };
  const intent = await client.createIntent({
    quote_id: quoteId,
    from: { token_id: from.token.id, address: from.signer.address, ...key },
    to: { token_id: to.token.id, address: to.signer.address },
    refund_address: from.signer.address,
    amount,
    slippage_bps: slippage,
  });
  const { id, approval_type: form, params_to_sign: params, deadline_at: deadline } = intent;
  return { intent: id, form, params, deadline };
}

async function status(client: Client, id: string): Promise<SwapStatus> {
  const { state, from_amount_lots: sentLots, swap_metadata: stages } = await client.getIntent(id);
  return {
    state,
    sentLots,
    depositTx: stages.user_deposit_tx ?? undefined,
    fulfilTx: stages.fulfill_tx ?? undefined,
  };
}

/** The quote differs from the request, so nothing may be agreed by it. */
export const otherQuote = (): MillraceError =>
  new MillraceError('answer-invalid', 'The swap service quotes what it was not asked for.');
