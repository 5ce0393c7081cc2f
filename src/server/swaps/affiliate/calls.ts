import { isRejection } from '../../../model/rejections.ts';
import type { SwapIntents } from '../../../swaps/intents/swap-intents.ts';
import type { AffiliateEntity } from '../../../wire/swaps/affiliate/errors.ts';
import {
  affiliateApprovalRequest,
  affiliateIntentRequest,
  bestQuoteRequest,
  historyQuery,
  tokensQuery,
  type QueryMembers,
} from '../../../wire/swaps/affiliate/requests.ts';
import { networkView } from '../execution/views.ts';
import { findTokens, pageOf } from '../pages.ts';
import { answer, read, type AdmittedRequest, type SurfaceCall } from '../surface.ts';
import { failure, rejectedOf } from './outcome.ts';
import { intentView, quoteView, statusView, tokenView } from './views.ts';

export type AffiliateRequest = AdmittedRequest<QueryMembers>;
export type AffiliateCall = SurfaceCall<QueryMembers>;

const wrong = (entity: AffiliateEntity) => (status: 400, message: string) =>
  failure(status, message, entity);

/** All calls of the Affiliate surface. */
export const AFFILIATE_CALLS: readonly AffiliateCall[] = [
  { method: 'GET', path: '/networks', handler: ({ networks }) => networks.map(networkView) },
  { method: 'GET', path: '/tokens', handler: tokens },
  { method: 'POST', path: '/quotes/best', handler: quote },
  { method: 'POST', path: '/intents', handler: createIntent },
  { method: 'POST', path: '/intents/:id/approvals', handler: approve },
  { method: 'GET', path: '/intents/:id/status', handler: status },
  { method: 'GET', path: '/swaps/history', handler: history },
];

function tokens(service: SwapIntents, { query }: AffiliateRequest): unknown {
  return read(tokensQuery, query, 'query', wrong('token'), ({ q, network_id, ...range }) => {
    const found = findTokens(service, { q, network: network_id });
    const { items, ...pagination } = pageOf(found, range);
    return { data: items.map((token) => tokenView(service, token)), pagination };
  });
}

function quote(service: SwapIntents, { partner, body }: AffiliateRequest): unknown {
  return read(bestQuoteRequest, body, 'body', wrong('quote'), (given) => {
    const made = service.quote(partner, {
      from: { network: given.source_chain, contract: given.source_token },
      to: { network: given.dest_chain, contract: given.dest_token },
      amount: given.amount,
      slippageBps: Number(given.slippage_bps),
      retailUser: given.retail_user_id,
    });
    return answer(made, rejectedOf('quote'), (value) => quoteView(service, value));
  });
}

function createIntent(service: SwapIntents, { partner, body }: AffiliateRequest): unknown {
  return read(affiliateIntentRequest, body, 'body', wrong('intent'), (given) => {
    const made = service.createIntent(partner, {
      quote: given.quote_id,
      from: given.user_source_address,
      publicKey: given.user_source_public_key,
      to: given.user_destination_address,
      refundTo: given.refund_address,
      retailUser: given.retail_user_id,
    });
    if (isRejection(made) && made.code === 'public-key-missing') {
      return failure(400, 'body.user_source_public_key is required', 'intent');
    }
    return answer(made, rejectedOf(isAboutQuote(made) ? 'quote' : 'intent'), intentView);
  });
}

const isAboutQuote = (made: unknown): boolean => isRejection(made) && made.field === 'quote';

function approve(service: SwapIntents, { partner, id, body }: AffiliateRequest): unknown {
  return read(affiliateApprovalRequest, body, 'body', wrong('approval'), (signed) => {
    const approved = service.approve(partner, id, signed);
    const entity = isRejection(approved) && approved.field === 'intent' ? 'intent' : 'approval';
    return answer(approved, rejectedOf(entity), (intent) => ({ intent_id: intent.id }));
  });
}

function status(service: SwapIntents, { partner, id }: AffiliateRequest): unknown {
  return answer(service.intent(partner, id), rejectedOf('intent'), (intent) =>
    statusView(service, intent),
  );
}

function history(service: SwapIntents, { partner, query }: AffiliateRequest): unknown {
  return read(historyQuery, query, 'query', wrong('history'), (given) => {
    const found = service.history(partner, {
      ...(given.wallet.length === 0 ? {} : { wallets: given.wallet }),
      retailUser: given.retail_id,
      isActive: given.active,
    });
    const page = pageOf(found, given);
    return { ...page, items: page.items.map((intent) => statusView(service, intent)) };
  });
}
