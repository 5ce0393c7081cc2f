import { z } from 'zod';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import type { OutsideSettings, WalletSettings } from '../../server/simulation/chain-settings.ts';
import { amount, positive } from '../../config/amounts.ts';
import { spanUs, withoutAbsent } from '../../config/fields.ts';
import { realEvm, realNetworks, refuseMixed } from './real-chain.ts';
import type { SecretSources } from './secrets.ts';

const word = z.string().regex(/^[\w.-]{1,64}$/, '1 to 64 letters, digits, _ . or -');

const id = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);

const networkOf = (sources: SecretSources) =>
  z.strictObject({
    id: id.describe('network_id of the swap service.'),
    name: z.string().min(1).optional().describe('What people read; the code where absent.'),
    family: z.enum(['evm', 'tron', 'bitcoin', 'solana']),
    chainId: id.optional().describe('Of typed data; of the families evm and tron.'),
    block: spanUs.prefault('2s').describe('From one block to the next.'),
    confirmations: z.int().min(1).max(1_000).default(2).describe('After which a payment is made.'),
    customTokens: z.boolean().default(false).describe('Tokens that are not listed can be swapped.'),
    trading: z
      .string()
      .min(1)
      .optional()
      .describe('What the trading service calls it; withdrawals and deposits go over it then.'),
    evm: realEvm(sources).optional().describe('Nodes of a real chain; simulated where absent.'),
  });

const token = z.strictObject({
  id: id.describe('token_id of the swap service.'),
  network: word,
  asset: word.describe('One code for the same asset on all networks: USDC.'),
  name: z.string().min(1).optional().describe('The asset where absent.'),
  contract: z.string().min(1).describe('Contract or mint address.'),
  decimals: z.int().min(0).max(24),
  ticker: z
    .string()
    .regex(/^[a-z\d]{1,32}$/, 'small letters and digits')
    .describe('Its name at the exchange order service.'),
  wrapped: z.string().min(1).optional().describe('The contract that wraps it.'),
  listed: z.boolean().default(true),
});

const prices = z.union([positive, z.strictObject({ symbol: z.string().min(1) })], {
  error: 'an amount above zero, or { symbol: NAME } for the last price of a symbol',
});

const wallet = z.strictObject({
  address: z.string().min(1),
  balances: z.record(word, amount).default({}).describe('By assets.'),
  approved: z
    .array(word)
    .default([])
    .describe('Assets that the permit2 contract may take from there.'),
});

/** Tokens as files name them. */
const tokensOf = (given: readonly z.output<typeof token>[]): readonly TokenTerms[] =>
  given.map(({ name, ...one }) => withoutAbsent<TokenTerms>({ ...one, name: name ?? one.asset }));

/** The external chains of a venue, and the balances there. */
export const outsideOf = (sources: SecretSources) =>
  z
    .strictObject({
      networks: z.record(word, networkOf(sources)).describe('Chains, by their codes.'),
      tokens: z.array(token),
      prices: z
        .record(word, prices)
        .describe('What assets are worth, in one unit for all of them.'),
      wallets: z
        .record(word, z.record(word, wallet))
        .default({})
        .describe('Who has money there at the start: by name, then by network.'),
      seed: z
        .int()
        .min(0)
        .optional()
        .describe(
          'Keys and hashes of the services come of it; by chance where absent, as whoever knows it can sign for them.',
        ),
    })
    .superRefine(refuseMixed)
    .transform((given): OutsideSettings => ({
      ...realNetworks(given.networks, tokensOf(given.tokens)),
      networks: Object.entries(given.networks).map(([code, one]): NetworkTerms =>
        withoutAbsent<NetworkTerms>({
          id: one.id,
          code,
          name: one.name ?? code,
          family: one.family,
          chainId: one.chainId,
          blockUs: one.block,
          confirmations: one.confirmations,
          customTokens: one.customTokens,
        }),
      ),
      tokens: tokensOf(given.tokens),
      prices: new Map(Object.entries(given.prices)),
      wallets: Object.entries(given.wallets).flatMap(([name, places]) =>
        Object.entries(places).map(([place, one]): WalletSettings => ({
          name,
          network: place,
          address: one.address,
          balances: new Map(Object.entries(one.balances)),
          approved: one.approved,
        })),
      ),
      trading: new Map(
        Object.entries(given.networks).flatMap(([code, { trading }]) =>
          trading === undefined ? [] : [[code, trading] as const],
        ),
      ),
      seed: given.seed,
    }));
