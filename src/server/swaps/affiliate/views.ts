import type { z } from 'zod';
import { US_PER_SECOND } from '../../../platform/time.ts';
import type { Intent } from '../../../swaps/intents/intent.ts';
import type { Quote } from '../../../swaps/intents/quote.ts';
import type { SwapIntents } from '../../../swaps/intents/swap-intents.ts';
import type { TokenTerms } from '../../../swaps/tokens.ts';
import type {
  affiliateIntentAnswer,
  affiliateStatusAnswer,
  affiliateTokenRecord,
  bestQuoteAnswer,
} from '../../../wire/swaps/affiliate/answers.ts';
import { statusName } from '../../../wire/swaps/statuses.ts';
import { msOf } from '../../../wire/time.ts';
import { metadataOf } from '../metadata.ts';

/** The service's records in the form of the Affiliate surface; amounts are text. */

export const tokenView = (
  service: SwapIntents,
  token: TokenTerms,
): z.input<typeof affiliateTokenRecord> => ({
  network_id: service.networkOf(token).id,
  name: token.name,
  contract_address: token.contract,
  symbol: token.asset,
  icon_url: '',
  wrapped_token_address: token.wrapped ?? null,
});

export function quoteView(service: SwapIntents, quote: Quote): z.input<typeof bestQuoteAnswer> {
  const { from, to, mid, outcome } = quote;
  return {
    id: quote.id,
    source_chain: service.networkOf(from).id,
    source_token: from.contract,
    dest_chain: service.networkOf(to).id,
    dest_token: to.contract,
    intermediate_token: mid?.token.contract ?? null,
    intermediate_token_amount_min: mid === undefined ? null : String(mid.outcome.leastLots),
    intermediate_token_amount_max: mid === undefined ? null : String(mid.outcome.mostLots),
    intermediate_token_decimals: mid?.token.decimals ?? null,
    source_amount_lots: String(quote.fromLots),
    source_amount_decimals: from.decimals,
    min_dest_amount_lots: String(outcome.leastLots),
    max_dest_amount_lots: String(outcome.mostLots),
    dest_amount_decimals: to.decimals,
    slippage_bps: String(quote.slippageBps),
    expiry: msOf(quote.expiresAt),
    swap_type: 'standard',
  };
}

/** The form of Bitcoin has the name here that its approval has. */
export function intentView({
  id,
  deadline,
  order,
  issued,
}: Intent): z.input<typeof affiliateIntentAnswer> {
  const params_to_sign = { ...issued.params };
  if (issued.form === 'htlc') {
    return { intent_id: id, approval_mechanism: 'psbt', params_to_sign };
  }
  return {
    intent_id: id,
    deadline_secs: deadline / US_PER_SECOND,
    secret_hash: order.secretHash,
    approval_mechanism: issued.form,
    params_to_sign,
  };
}

export function statusView(
  service: SwapIntents,
  intent: Intent,
): z.input<typeof affiliateStatusAnswer> {
  const { from, fromLots, to, outcome } = intent.quote;
  return {
    intent_id: intent.id,
    status: statusName(intent.state, 'affiliate'),
    swap_metadata: metadataOf(intent),
    source_amount_decimals: from.decimals,
    source_amount_lots: String(fromLots),
    source_chain: service.networkOf(from).id,
    source_token: from.contract,
    dest_amount_decimals: to.decimals,
    dest_chain: service.networkOf(to).id,
    dest_token: to.contract,
    min_dest_amount_lots: String(outcome.leastLots),
    max_dest_amount_lots: String(outcome.mostLots),
  };
}
