import { z } from 'zod';
import type { ExchangeOrderSettings } from '../../server/simulation/chain-settings.ts';
import { defaultExchangeTerms } from '../../swaps/orders/terms.ts';
import { EXCHANGE_METHODS, type ExchangeMethod } from '../../wire/exchange-orders/methods.ts';
import { amount } from '../../config/amounts.ts';
import { spanUs, withoutAbsent } from '../../config/fields.ts';
import { publicKey } from './swaps.ts';

const defaults = defaultExchangeTerms([], '');

const span = (us: number) => spanUs.prefault(`${us / 1_000}ms`);

const METHODS = Object.keys(EXCHANGE_METHODS) as [ExchangeMethod, ...ExchangeMethod[]];

const client = z.strictObject({
  publicKey: publicKey.describe('PEM or hexadecimal.'),
  requestsPerSecond: z.int().min(1).max(100_000).default(10),
  methods: z.array(z.enum(METHODS)).optional().describe('What it may call; all where absent.'),
  userMetadata: z.boolean().default(false).describe('Whether it may give userMetadata along.'),
  coinAndNetwork: z
    .boolean()
    .default(false)
    .describe('Currencies name coin and network in place of protocol and blockchain.'),
  extraFee: amount.prefault(0).describe('What it takes for itself, in percent.'),
  limitsUnreported: z.boolean().default(false).describe('Errors about amounts state no limits.'),
});

const currency = z.strictObject({
  enabled: z.boolean().optional(),
  enabledFrom: z.boolean().optional(),
  enabledTo: z.boolean().optional(),
  fixRateEnabled: z.boolean().optional(),
  fixedTime: spanUs.optional().describe('How long a fixed transaction may be paid.'),
  networkFee: amount.optional().describe('What a payout costs, in the currency.'),
  liquidity: amount.optional().describe('The most that one transaction may take out.'),
  extraIdName: z.string().min(1).optional().describe('What addresses need beside them.'),
});

/** The exchange order service of a venue. */
export const exchangeOrders = z
  .strictObject({
    clients: z.record(z.string().min(1), client).default({}).describe('Who may ask, by name.'),
    currencies: z
      .record(z.string(), currency)
      .default({})
      .describe('What is special of currencies, by tickers; every listed token is one.'),
    inventory: z
      .record(z.string(), amount)
      .default({})
      .describe('What it pays out of: so much of an asset on each network of it.'),
    serviceFee: amount.prefault(defaults.serviceFee.toFixed()).describe('Percent.'),
    minimumValue: amount.prefault(defaults.minimumValue.toFixed()),
    maximumValue: amount.prefault(defaults.maximumValue.toFixed()),
    bases: z
      .array(z.string())
      .default([...defaults.bases])
      .describe('Assets of one-step pairs.'),
    middle: z.string().describe('Ticker of the currency that others are exchanged over.'),
    rateFor: span(defaults.rateUs).describe('How long a fixed rate can be used.'),
    floatFor: span(defaults.floatUs).describe('How long a float transaction may be paid.'),
    exchange: span(defaults.exchangeUs).describe('From the payment to the payout.'),
    send: span(defaults.sendUs).describe('From there until it is delivered.'),
    refund: span(defaults.refundUs).describe('From a failure until the money is back.'),
  })
  .transform((given): ExchangeOrderSettings => ({
    clients: Object.entries(given.clients).map(([name, one]) =>
      withoutAbsent<ExchangeOrderSettings['clients'][number]>({ name, ...one }),
    ),
    inventory: new Map(Object.entries(given.inventory)),
    currencies: new Map(
      Object.entries(given.currencies).map(([ticker, { fixedTime, ...one }]) => [
        ticker,
        withoutAbsent<
          ExchangeOrderSettings['currencies'] extends ReadonlyMap<string, infer T> ? T : never
        >({
          ...one,
          fixedTimeMs: fixedTime === undefined ? undefined : Math.floor(fixedTime / 1_000),
        }),
      ]),
    ),
    terms: {
      serviceFee: given.serviceFee,
      minimumValue: given.minimumValue,
      maximumValue: given.maximumValue,
      bases: given.bases,
      middle: given.middle,
      rateUs: given.rateFor,
      floatUs: given.floatFor,
      exchangeUs: given.exchange,
      sendUs: given.send,
      refundUs: given.refund,
    },
  }));
