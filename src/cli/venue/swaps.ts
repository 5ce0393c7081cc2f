import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { IS_SENTENCE } from '../../config/explain.ts';
import { MillraceError } from '../../model/errors.ts';
import type { SwapSettings } from '../../server/simulation/chain-settings.ts';
import { DEFAULT_SWAP_TERMS } from '../../swaps/intents/terms.ts';
import { readPublicKey } from '../../wire/key-pair.ts';
import { amount } from '../../config/amounts.ts';
import { spanUs } from '../../config/fields.ts';
import { secretOf, type SecretSources } from './secrets.ts';

const defaults = DEFAULT_SWAP_TERMS;

/** A public RSA key as its owner shares it. */
export const publicKey = z.string().transform((text, context): KeyObject => {
  try {
    return readPublicKey(text);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    context.addIssue({ code: 'custom', message: error.message, params: { [IS_SENTENCE]: true } });
    return z.NEVER;
  }
});

const share = z.number().min(0).max(1);

const span = (us: number) => spanUs.prefault(`${us / 1_000}ms`);

const resolver = z
  .strictObject({
    accept: span(defaults.resolver.acceptUs).describe('From the approval until it is accepted.'),
    deposit: span(defaults.resolver.depositUs).describe('From then until the money is in escrow.'),
    fulfil: span(defaults.resolver.fulfilUs).describe('From then until the user is paid.'),
    refund: span(defaults.resolver.refundUs).describe('From the request until the money is back.'),
    declineShare: share.default(0).describe('Share of the intents that are declined.'),
    failShare: share.default(0).describe('Share of the deposited intents that are refunded.'),
    byHand: z.boolean().default(false).describe('Nothing happens by time; admin calls say what.'),
  })
  .prefault({})
  .transform(({ accept, deposit, fulfil, refund, ...rest }) => ({
    acceptUs: accept,
    depositUs: deposit,
    fulfilUs: fulfil,
    refundUs: refund,
    ...rest,
  }));

/** The swap service of a venue. */
export const swapsOf = (sources: SecretSources) =>
  z
    .strictObject({
      partners: z
        .record(
          z.string().min(1),
          z.strictObject({
            publicKey: publicKey.optional().describe('PEM or hexadecimal, of /v1.'),
            affiliateKey: secretOf(sources).optional().describe('The key of /affiliate/v1.'),
          }),
        )
        .default({})
        .describe('Who may ask, by name.'),
      inventory: z
        .record(z.string(), amount)
        .default({})
        .describe('What the resolver pays out of: so much of an asset on each network of it.'),
      quoteFor: span(defaults.quoteUs).describe('How long a quote is valid.'),
      intentFor: span(defaults.intentUs).describe(
        'From the creation of an intent to its deadline.',
      ),
      spreadBps: z.int().min(0).max(10_000).default(defaults.spreadBps),
      minimumValue: amount.prefault(defaults.minimumValue.toFixed()),
      maximumValue: amount.prefault(defaults.maximumValue.toFixed()),
      stable: z
        .array(z.string())
        .default([...defaults.stable])
        .describe('Assets with a steady value.'),
      mid: z.string().optional().describe('Asset that others are swapped over.'),
      quoteRequired: z.array(z.string()).default([]).describe('Networks that ask for a quote_id.'),
      resolver,
    })
    .transform((given): SwapSettings => ({
      partners: Object.entries(given.partners).map(([name, one]) => ({
        name,
        publicKeys: one.publicKey === undefined ? [] : [one.publicKey],
        affiliateKeys: one.affiliateKey === undefined ? [] : [one.affiliateKey],
      })),
      inventory: new Map(Object.entries(given.inventory)),
      terms: {
        quoteUs: given.quoteFor,
        intentUs: given.intentFor,
        spreadBps: given.spreadBps,
        minimumValue: given.minimumValue,
        maximumValue: given.maximumValue,
        stable: given.stable,
        mid: given.mid,
        quoteRequired: given.quoteRequired,
        resolver: given.resolver,
      },
    }));
