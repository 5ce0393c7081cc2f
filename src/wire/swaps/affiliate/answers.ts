import { z } from 'zod';
import { integer, text, whole } from '../fields.ts';
import { swapMetadata } from '../metadata.ts';

/**
 * Answers of the Affiliate surface. Lots are text on the wire and `bigint` where they are read. The
 * records of networks are those of the Execution surface.
 */

/** Lots as this surface writes them; a number is read too. */
const lots = integer;

export const affiliateTokenRecord = z.object({
  network_id: whole,
  name: text,
  contract_address: text,
  symbol: text,
  icon_url: z.string(),
  /** Not empty: the token must be wrapped before it is swapped. */
  wrapped_token_address: z.string().nullish(),
});

/** Answer of GET `/tokens`. */
export const affiliateTokensAnswer = z.object({
  data: z.array(affiliateTokenRecord),
  pagination: z.object({ limit: whole, offset: whole, pages: whole, total: whole }),
});

/** Answer of POST `/quotes/best`. The token between is null if the swap goes straight. */
export const bestQuoteAnswer = z.object({
  id: text,
  source_chain: whole,
  source_token: text,
  dest_chain: whole,
  dest_token: text,
  intermediate_token: z.string().nullable(),
  intermediate_token_amount_min: lots.nullable(),
  intermediate_token_amount_max: lots.nullable(),
  intermediate_token_decimals: whole.nullable(),
  source_amount_lots: lots,
  source_amount_decimals: whole,
  min_dest_amount_lots: lots,
  max_dest_amount_lots: lots,
  dest_amount_decimals: whole,
  slippage_bps: z.string(),
  /** Unix milliseconds. */
  expiry: whole,
  swap_type: z.string(),
});

/** Answer of POST `/intents`; that of Bitcoin has neither deadline nor secret. */
export const affiliateIntentAnswer = z.object({
  intent_id: text,
  /** Unix seconds. */
  deadline_secs: whole.optional(),
  secret_hash: z.string().optional(),
  approval_mechanism: text,
  params_to_sign: z.record(z.string(), z.unknown()),
});

/** Answer of POST `/intents/{intent_id}/approvals`. */
export const affiliateApprovalAnswer = z.object({ intent_id: text });

/** Answer of GET `/intents/{intent_id}/status`, and an item of the history. */
export const affiliateStatusAnswer = z.object({
  intent_id: text,
  status: text,
  swap_metadata: swapMetadata,
  source_amount_decimals: whole,
  source_amount_lots: lots,
  source_chain: whole,
  source_token: text,
  dest_amount_decimals: whole,
  dest_chain: whole,
  dest_token: text,
  min_dest_amount_lots: lots,
  max_dest_amount_lots: lots,
});

/** Answer of GET `/swaps/history`. */
export const historyAnswer = z.object({
  items: z.array(affiliateStatusAnswer),
  limit: whole,
  offset: whole,
  total: whole,
  pages: whole,
});
