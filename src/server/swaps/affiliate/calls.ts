import type { z } from 'zod';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
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
import { faultOf } from '../../../wire/swaps/errors.ts';
import { networkView } from '../execution/views.ts';
import { findTokens, pageOf } from '../pages.ts';
import { failure, rejected } from './outcome.ts';
import { intentView, quoteView, statusView, tokenView } from './views.ts';

/** An admitted request, with its members read from JSON or a query. */
export interface AffiliateRequest {
  readonly partner: string;
  /** The id in the path; empty if there is none. */
  readonly id: string;
  readonly query: QueryMembers;
  readonly body: unknown;
}

export interface AffiliateCall {
  readonly method: 'GET' | 'POST';
  /** Below the prefix. */
  readonly path: string;
  /** Returns the answer, or a failure. */
  readonly handler: (service: SwapIntents, ask: AffiliateRequest) => unknown;
}

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
  return read(tokensQuery, query, 'query', 'token', ({ q, network_id, ...range }) => {
    const found = findTokens(service, { q, network: network_id });
    const { items, ...pagination } = pageOf(found, range);
    return { data: items.map((token) => tokenView(service, token)), pagination };
  });
}

function quote(service: SwapIntents, { partner, body }: AffiliateRequest): unknown {
  return read(bestQuoteRequest, body, 'body', 'quote', (given) => {
    const made = service.quote(partner, {
      from: { network: given.source_chain, contract: given.source_token },
      to: { network: given.dest_chain, contract: given.dest_token },
      amount: given.amount,
      slippageBps: Number(given.slippage_bps),
      retailUser: given.retail_user_id,
    });
    return answer(made, 'quote', (value) => quoteView(service, value));
  });
}

function createIntent(service: SwapIntents, { partner, body }: AffiliateRequest): unknown {
  return read(affiliateIntentRequest, body, 'body', 'intent', (given) => {
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
    return answer(made, isAboutQuote(made) ? 'quote' : 'intent', intentView);
  });
}

const isAboutQuote = (made: unknown): boolean => isRejection(made) && made.field === 'quote';

function approve(service: SwapIntents, { partner, id, body }: AffiliateRequest): unknown {
  return read(affiliateApprovalRequest, body, 'body', 'approval', (signed) => {
    const approved = service.approve(partner, id, signed);
    const entity = isRejection(approved) && approved.field === 'intent' ? 'intent' : 'approval';
    return answer(approved, entity, (intent) => ({ intent_id: intent.id }));
  });
}

function status(service: SwapIntents, { partner, id }: AffiliateRequest): unknown {
  return answer(service.intent(partner, id), 'intent', (intent) => statusView(service, intent));
}

function history(service: SwapIntents, { partner, query }: AffiliateRequest): unknown {
  return read(historyQuery, query, 'query', 'history', (given) => {
    const found = service.history(partner, {
      ...(given.wallet.length === 0 ? {} : { wallets: given.wallet }),
      retailUser: given.retail_id,
      isActive: given.active,
    });
    const page = pageOf(found, given);
    return { ...page, items: page.items.map((intent) => statusView(service, intent)) };
  });
}

/** Reads members by a schema and continues with them. */
function read<S extends z.ZodType>(
  schema: S,
  given: unknown,
  where: string,
  entity: AffiliateEntity,
  next: (members: z.output<S>) => unknown,
): unknown {
  const members = schema.safeParse(given);
  return members.success ? next(members.data) : failure(400, faultOf(members.error, where), entity);
}

const answer = <T extends object>(
  outcome: T | Rejection,
  entity: AffiliateEntity,
  view: (value: T) => object,
): object => (isRejection(outcome) ? rejected(outcome, entity) : view(outcome));
