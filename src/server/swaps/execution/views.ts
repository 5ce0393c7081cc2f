import { US_PER_SECOND } from '../../../platform/time.ts';
import type { Intent } from '../../../swaps/intents/intent.ts';
import type { Quote } from '../../../swaps/intents/quote.ts';
import type { SwapIntents } from '../../../swaps/intents/swap-intents.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type {
  IntentAnswer,
  NetworkRecord,
  QuoteAnswer,
  StatusAnswer,
  TokenRecord,
} from '../../../wire/swaps/execution.ts';
import { statusName } from '../../../wire/swaps/statuses.ts';
import { msOf } from '../../../wire/time.ts';
import { metadataOf } from '../metadata.ts';

/** The service's records in the form of the Execution surface. */

export function quoteView(service: SwapIntents, quote: Quote): QuoteAnswer {
  const { from, to, mid, outcome } = quote;
  return {
    id: quote.id,
    from: {
      network_id: service.networkOf(from).id,
      token: from.contract,
      token_id: from.id,
      amount_lots: quote.fromLots,
      amount_decimals: from.decimals,
    },
    mid: {
      token_id: mid?.token.id ?? null,
      token: mid?.token.contract ?? null,
      token_min_amount: mid?.outcome.leastLots ?? null,
      token_max_amount: mid?.outcome.mostLots ?? null,
      token_decimals: mid?.token.decimals ?? null,
    },
    to: {
      network_id: service.networkOf(to).id,
      token: to.contract,
      token_id: to.id,
      min_amount_lots: outcome.leastLots,
      max_amount_lots: outcome.mostLots,
      amount_decimals: to.decimals,
    },
    slippage_bps: String(quote.slippageBps),
    expires_at: msOf(quote.expiresAt),
  };
}

export function intentView({ id, deadline, order, issued }: Intent): IntentAnswer {
  const { form: approval_type, params } = issued;
  const params_to_sign = { ...params };
  if (issued.form === 'htlc') return { id, approval_type, params_to_sign };
  const deadline_at = deadline / US_PER_SECOND;
  return { id, deadline_at, secret_hash: order.secretHash, approval_type, params_to_sign };
}

export function statusView(service: SwapIntents, intent: Intent): StatusAnswer {
  const { from, fromLots, to, outcome } = intent.quote;
  return {
    intent_id: intent.id,
    status: statusName(intent.state, 'execution'),
    from_amount_lots: String(fromLots),
    from_network_id: service.networkOf(from).id,
    from_token: from.contract,
    from_token_id: from.id,
    to_network_id: service.networkOf(to).id,
    to_token: to.contract,
    to_token_id: to.id,
    to_min_amount_lots: String(outcome.leastLots),
    to_max_amount_lots: String(outcome.mostLots),
    swap_metadata: metadataOf(intent),
  };
}

export const networkView = (network: NetworkTerms): NetworkRecord => ({
  id: network.id,
  name: network.name,
  type: network.family.toUpperCase(),
  supports_optimized_swap: false,
  icon_url: '',
  supports_custom_tokens: network.customTokens,
});

export const tokenView = (service: SwapIntents, token: TokenTerms): TokenRecord => ({
  token_id: token.id,
  network_id: service.networkOf(token).id,
  name: token.name,
  contract_address: token.contract,
  symbol: token.asset,
  decimals: token.decimals,
  icon_url: '',
  wrapped_token_address: token.wrapped ?? null,
});
