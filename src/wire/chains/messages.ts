import { z } from 'zod';

/** Messages of the node of the simulated chains: JSON, amounts as whole numbers in text. */

export const CHAINS_PREFIX = '/chains/v1';

const LOTS_DIGITS = 78;

/** Smallest units: text on the wire, since many are beyond what a JSON number holds. */
const lots = z.codec(z.string().regex(new RegExp(`^\\d{1,${LOTS_DIGITS}}$`)), z.bigint(), {
  decode: BigInt,
  encode: String,
});

const text = z.string().max(256);
const count = z.int().min(0);

export const networkMessage = z.object({
  id: count,
  code: text,
  name: text,
  family: z.enum(['evm', 'tron', 'bitcoin', 'solana']),
  chainId: z.optional(count),
  chain: z.optional(text),
  blockUs: count,
  confirmations: count,
  customTokens: z.boolean(),
});

export const tokenMessage = z.object({
  id: count,
  network: text,
  asset: text,
  name: text,
  contract: text,
  decimals: z.int().min(0).max(LOTS_DIGITS),
  ticker: text,
  wrapped: z.optional(text),
  listed: z.boolean(),
});

/** Balance of an address in a token, and whether the permit2 contract may take it. */
export const balanceMessage = z.object({ token: count, lots, permitted: z.boolean() });

export const outputMessage = z.object({ txid: text, index: count, lots });

export const transactionMessage = z.object({
  hash: text,
  index: count,
  network: text,
  token: count,
  from: text,
  to: text,
  lots,
  memo: z.optional(text),
  /** Microseconds since 1970. */
  at: z.int(),
  confirmations: count,
});

/** A transfer that the owner of the money has signed. */
export const signedTransferMessage = z.object({
  network: text,
  token: count,
  from: text,
  to: text,
  lots,
  memo: z.optional(text),
  nonce: text,
  signature: text,
});

/** An owner's signed approval of the permit2 contract. */
export const signedPermitMessage = z.object({
  network: text,
  token: count,
  owner: text,
  allowed: z.boolean(),
  nonce: text,
  signature: text,
});

/** A signed transaction of Bitcoin, raw hexadecimal. */
export const rawTransactionMessage = z.object({ transaction: z.string() });

/** Why something was refused. */
export const chainsErrorMessage = z.object({
  code: z.string(),
  message: z.string(),
  field: z.optional(z.string()),
});

/** Paths below the prefix; `{name}` is replaced by a percent-encoded member. */
export const CHAINS_PATHS = {
  networks: '/networks',
  tokens: '/tokens',
  balance: '/tokens/{token}/balances/{address}',
  outputs: '/networks/{network}/outputs/{address}',
  transaction: '/networks/{network}/transactions/{hash}',
  /** Accepts raw transactions. */
  transactions: '/networks/{network}/transactions',
  transfers: '/transfers',
  permits: '/permits',
} as const;
