import type { z } from 'zod';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { SwapRequest } from '../../../swaps/intents/quote.ts';
import type { SwapIntents } from '../../../swaps/intents/swap-intents.ts';
import { faultOf } from '../../../wire/swaps/errors.ts';
import {
  approvalRequest,
  intentRequest,
  quoteRequest,
  tokensQuery,
  type ApprovalAnswer,
} from '../../../wire/swaps/execution.ts';
import { findTokens, pageOf } from '../pages.ts';
import { failure, rejected, type Failure } from './outcome.ts';
import { intentView, networkView, quoteView, statusView, tokenView } from './views.ts';

/** An admitted request, with its members read from JSON or a query. */
export interface ExecutionRequest {
  readonly partner: string;
  /** The id in the path; empty if there is none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns the answer, or a failure. */
export type Handler = (service: SwapIntents, ask: ExecutionRequest) => unknown;

export interface ExecutionCall {
  readonly method: 'GET' | 'POST';
  /** Below the prefix. */
  readonly path: string;
  readonly handler: Handler;
}

/** All signed calls of the Execution surface. */
export const EXECUTION_CALLS: readonly ExecutionCall[] = [
  { method: 'GET', path: '/networks', handler: ({ networks }) => networks.map(networkView) },
  { method: 'GET', path: '/tokens', handler: tokens },
  { method: 'POST', path: '/quotes', handler: quote },
  { method: 'POST', path: '/intents', handler: createIntent },
  { method: 'GET', path: '/intents/:id', handler: status },
  { method: 'POST', path: '/intents/:id/approvals', handler: approve },
];

function tokens(service: SwapIntents, { query }: ExecutionRequest): unknown {
  return read(tokensQuery, query, 'query', ({ q, network_id: network, limit, offset }) => {
    const { items, ...pagination } = pageOf(findTokens(service, { q, network }), { limit, offset });
    return { data: items.map((token) => tokenView(service, token)), pagination };
  });
}

function quote(service: SwapIntents, { partner, body }: ExecutionRequest): unknown {
  return read(quoteRequest, body, 'body', (given) =>
    answer(service.quote(partner, managedOrderOf(given)), (made) => quoteView(service, made)),
  );
}

function createIntent(service: SwapIntents, { partner, body }: ExecutionRequest): unknown {
  return read(intentRequest, body, 'body', (given) => {
    const { quote_id, from, to, refund_address } = given;
    const made = service.createIntent(partner, {
      quote: quote_id,
      managedOrder: managedOrderOf(given),
      from: from.address,
      publicKey: from.public_key,
      to: to.address,
      refundTo: refund_address,
    });
    if (isRejection(made) && made.code === 'public-key-missing') {
      return failure(400, 'body.from.public_key is required');
    }
    return answer(made, intentView);
  });
}

function status(service: SwapIntents, { partner, id }: ExecutionRequest): unknown {
  return answer(service.intent(partner, id), (intent) => statusView(service, intent));
}

function approve(service: SwapIntents, { partner, id, body }: ExecutionRequest): unknown {
  return read(approvalRequest, body, 'body', (signed) =>
    answer(service.approve(partner, id, signed), (intent): ApprovalAnswer => ({
      intent_id: intent.id,
    })),
  );
}

type Selector = z.output<typeof quoteRequest>['from'];

const choiceOf = ({ token_id, network_id, token }: Selector): SwapRequest['from'] => ({
  id: token_id,
  network: network_id,
  contract: token,
});

const managedOrderOf = ({
  from,
  to,
  amount,
  slippage_bps,
}: Pick<
  z.output<typeof quoteRequest>,
  'from' | 'to' | 'amount' | 'slippage_bps'
>): SwapRequest => ({
  from: choiceOf(from),
  to: choiceOf(to),
  amount,
  slippageBps: Number(slippage_bps),
});

/** Reads members by a schema and continues with them. */
function read<S extends z.ZodType>(
  schema: S,
  given: unknown,
  where: string,
  next: (members: z.output<S>) => unknown,
): unknown {
  const members = schema.safeParse(given);
  return members.success ? next(members.data) : failure(400, faultOf(members.error, where));
}

const answer = <T extends object>(
  outcome: T | Rejection,
  view: (value: T) => object,
): object | Failure => (isRejection(outcome) ? rejected(outcome) : view(outcome));
