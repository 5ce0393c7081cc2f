import { z } from 'zod';
import { parseDecimal } from '../../../model/decimal.ts';
import { lotsOf } from '../../../swaps/tokens.ts';
import {
  approvalAnswer,
  intentAnswer,
  networksAnswer,
  quoteAnswer,
  statusAnswer,
  tokenRecord,
} from '../../../wire/swaps/execution.ts';
import { integer, plainMembers, text, whole } from '../../../wire/swaps/fields.ts';
import { membersOf, reader, renamed, unixTime, type Members } from './read.ts';
import { readStatus } from './state.ts';

/**
 * Answers of the Execution surface, read in every existing form: members with and without a prefix,
 * `contract_address` for `token`, `expires_at` for `deadline_at`, the flat status and the newest one. They
 * are converted to the names of the specification.
 */

const TOKEN = { token: ['contract_address'] };
const DECIMALS = { amount_decimals: ['decimals'] };

/** Smallest units from an amount and decimals, for readers of units; nothing if these are absent. */
function lotsFrom(side: Members, name: string): Members {
  const reported = side[name];
  const isReported = typeof reported === 'string' || typeof reported === 'number';
  const amount = isReported ? parseDecimal(String(reported)) : undefined;
  const decimals = Number(side['amount_decimals'] ?? Number.NaN);
  if (amount === undefined || !Number.isInteger(decimals)) return {};
  const lots = lotsOf(amount, decimals);
  return lots === undefined ? {} : { [`${name}_lots`]: lots.toString() };
}

function sideOf(prefix: string, given: unknown): Members {
  const side = renamed(membersOf(plainMembers(prefix)(given)), { ...TOKEN, ...DECIMALS });
  const amounts = ['amount', 'min_amount', 'max_amount'].map((name) => lotsFrom(side, name));
  return Object.assign({}, ...amounts, side) as Members;
}

const NO_MID = {
  token_id: null,
  token: null,
  token_min_amount: null,
  token_max_amount: null,
  token_decimals: null,
};

function plainQuote(json: unknown): unknown {
  const quote = renamed(membersOf(json), { id: ['quote_id'], expires_at: ['expiry'] });
  const mid = renamed(membersOf(plainMembers('mid_')(quote['mid'])), TOKEN);
  const slippage = quote['slippage_bps'];
  return {
    ...quote,
    from: sideOf('from_', quote['from']),
    mid: { ...NO_MID, ...mid },
    to: sideOf('to_', quote['to']),
    slippage_bps: typeof slippage === 'number' ? String(slippage) : slippage,
  };
}

const quote = z.preprocess(plainQuote, quoteAnswer.extend({ expires_at: unixTime }));

const plainIntent = (json: unknown): unknown =>
  renamed(membersOf(json), {
    id: ['intent_id'],
    deadline_at: ['expires_at', 'deadline_secs'],
    approval_type: ['approval_mechanism'],
    secret_hash: ['secretHash'],
  });

const intent = z.preprocess(
  (json) => withoutNulls(plainIntent(json)),
  intentAnswer.extend({ deadline_at: unixTime.optional() }),
);

/** Members that are null are as good as absent. */
const withoutNulls = (value: unknown): unknown =>
  Object.fromEntries(
    Object.entries(membersOf(value)).filter(([, member]) => (member ?? undefined) !== undefined),
  );

/** The newest status, which has an object for each side, as the flat one. */
function flatStatus(json: unknown): unknown {
  const given = membersOf(json);
  const flat = renamed(given, { intent_id: ['id'] });
  if (typeof given['from'] !== 'object' || typeof given['to'] !== 'object') return flat;
  const from = sideOf('from_', given['from']);
  const to = sideOf('to_', given['to']);
  const sides = {
    from_amount_lots: from['amount_lots'],
    from_network_id: from['network_id'],
    from_token: from['token'],
    from_token_id: from['token_id'],
    to_network_id: to['network_id'],
    to_token: to['token'],
    to_token_id: to['token_id'],
    to_min_amount_lots: to['min_amount_lots'],
    to_max_amount_lots: to['max_amount_lots'],
  };
  const stages = {
    id: flat['intent_id'],
    user_deposit_tx: from['tx'] ?? null,
    user_deposited_at: from['tx_at'] ?? null,
    fulfill_tx: to['tx'] ?? null,
    fulfilled_at: to['tx_at'] ?? null,
  };
  return { ...sides, swap_metadata: stages, ...flat };
}

const status = z
  .preprocess(
    flatStatus,
    statusAnswer.extend({
      from_amount_lots: integer,
      to_min_amount_lots: integer,
      to_max_amount_lots: integer,
    }),
  )
  .transform((record) => ({ ...record, ...readStatus(record.status) }));

const plainToken = (json: unknown): unknown =>
  renamed(membersOf(json), { contract_address: ['token'], token_id: ['id'] });

const tokens = z.object({
  data: z.array(z.preprocess(plainToken, tokenRecord)),
  pagination: z.object({ limit: whole, offset: whole, pages: whole, total: whole }),
});

/** A page of swaps, which the newest form alone has; nothing is sure of an item but its status. */
const swaps = z
  .object({
    items: z.array(
      z
        .preprocess(
          flatStatus,
          z.object({
            intent_id: text,
            status: text,
            from_amount_lots: integer.optional(),
            from_network_id: whole.optional(),
            from_token: text.optional(),
            to_network_id: whole.optional(),
            to_token: text.optional(),
            to_min_amount_lots: integer.optional(),
            to_max_amount_lots: integer.optional(),
          }),
        )
        .transform((record) => ({ ...record, ...readStatus(record.status) })),
    ),
  })
  .transform(({ items }) => items);

/** A quote; lots are `bigint`, times microseconds. */
export type SwapQuote = z.output<typeof quote>;
/** Content to sign for an intent. */
export type SwapIntent = z.output<typeof intent>;
/** State of an intent: the service's status, and its meaning. */
export type SwapStatus = z.output<typeof status>;
export type SwapNetwork = z.output<typeof networksAnswer>[number];
export type SwapToken = z.output<typeof tokenRecord>;
/** A swap as a list shows it. */
export type SwapSummary = z.output<typeof swaps>[number];
export type SwapTokens = z.output<typeof tokens>;

export const readQuote = reader(quote);
export const readIntent = reader(intent);
export const readIntentStatus = reader(status);
export const readApprovalAnswer = reader(
  z.preprocess((json) => renamed(membersOf(json), { intent_id: ['id'] }), approvalAnswer),
);
export const readNetworks = reader(networksAnswer);
export const readTokens = reader(tokens);
export const readSwaps = reader(swaps);
