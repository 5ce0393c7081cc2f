import { membersOf } from '../../model/members.ts';
import type { AgreedNetwork, AgreedTerms } from '../../swaps/approvals/approval.ts';
import { ApprovalRejected } from '../../swaps/approvals/disagreement.ts';
import { lotsOf } from '../../swaps/tokens.ts';
import { invalid } from '../http/invalid.ts';
import { refuseNoObject, refuseUnknownOption } from '../http/unknown-members.ts';
import { checked, intentArguments, type SwapIntentRequest } from './arguments.ts';
import type { SwapQuote } from './reading/execution.ts';

/** A user's conditions, whatever a service answers. */
export interface SwapConditions extends Pick<
  AgreedTerms,
  'latest' | 'escrows' | 'permit2Contracts'
> {
  /** The source network. */
  readonly network: AgreedNetwork;
  /** Least received amount, in the smallest units of the target token. */
  readonly leastLots: bigint;
}

const CONDITIONS = membersOf<SwapConditions & { readonly quote: unknown }>({
  network: true,
  leastLots: true,
  latest: true,
  escrows: true,
  permit2Contracts: true,
  quote: true,
});

/** Throws `request-invalid` for an unknown condition: it would have no effect. */
export const refuseUnknownCondition = (conditions: SwapConditions): void => {
  refuseNoObject('swap', 'conditions', conditions);
  refuseUnknownOption('swap', conditions, CONDITIONS);
  refuseNoObject('swap', 'network', conditions.network);
  if (typeof conditions.leastLots === 'bigint') return;
  throw invalid('swap', 'leastLots is required and must be a bigint, such as 100n', 'leastLots');
};

/**
 * The agreed terms of a quote for a request. Throws `approval-refused` if the quote is of other tokens or
 * another amount, or promises less than the user requires.
 */
export function agreedTerms(
  request: SwapIntentRequest,
  quote: SwapQuote,
  conditions: SwapConditions,
): AgreedTerms {
  const { network, leastLots, ...trusted } = conditions;
  const { from, to, amount } = checked('swap', intentArguments, request);
  sameToken('from', from, quote.from);
  sameToken('to', to, quote.to);
  if (quote.from.network_id !== network.id) {
    throw differs('from.network_id', quote.from.network_id, network.id);
  }
  const lots = lotsOf(amount, quote.from.amount_decimals);
  if (lots !== quote.from.amount_lots) {
    throw differs('amount', `${quote.from.amount_lots} lots`, `${lots ?? amount.toFixed()} lots`);
  }
  if (quote.to.min_amount_lots < leastLots) {
    throw differs('leastLots', quote.to.min_amount_lots, `at least ${leastLots}`);
  }
  return {
    ...trusted,
    network,
    token: quote.from.token,
    lots,
    from: from.address,
    destination: {
      network: quote.to.network_id,
      token: quote.to.token,
      address: to.address,
      leastLots: quote.to.min_amount_lots,
    },
  };
}

interface Selected {
  readonly token_id?: number | undefined;
  readonly network_id?: number | undefined;
  readonly token?: string | undefined;
}

/** Addresses of EVM-type networks mean the same in capital and small letters. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^0x/i.test(value) ? value.toLowerCase() : value;

function sameToken(side: 'from' | 'to', asked: Selected, reported: Selected): void {
  for (const member of ['token_id', 'network_id', 'token'] as const) {
    if (asked[member] === undefined || plain(asked[member]) === plain(reported[member])) continue;
    throw differs(`${side}.${member}`, reported[member], String(asked[member]));
  }
}

const differs = (field: string, value: unknown, bound: string | number): ApprovalRejected =>
  new ApprovalRejected(field, 'The quote is not for what was asked.', { value, bound: `${bound}` });
