import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../config/document.ts';
import { SELF_MATCH_MODES } from '../exchange/state/self-match.ts';
import type { ExchangeOptions } from '../exchange/exchange.ts';
import { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import { faultPlan } from '../server/faults/plan.ts';
import type { SimulationSettings } from '../server/simulation/settings.ts';
import {
  DEFAULT_TIMING,
  type ChainRule,
  type ChainsOptions,
} from '../server/trading/wallet/chains.ts';
import { ORDERS_MAX } from '../wire/trading/limits.ts';
import { dailyRates, decimalText, spanUs, withoutAbsent } from '../config/fields.ts';
import { marketOf } from './venue/market.ts';
import { membersOf } from './venue/members.ts';
import { exchangeOrders } from './venue/exchange-orders.ts';
import { outsideOf } from './venue/chains.ts';
import { secretOf, type SecretSources } from './venue/secrets.ts';
import { swapsOf } from './venue/swaps.ts';
import { CURRENCIES, SYMBOLS } from './venue/symbols.ts';

const count = z.int().min(1).max(100_000_000);

const rules = z
  .strictObject({
    selfMatch: z
      .enum(SELF_MATCH_MODES)
      .optional()
      .describe('Where an order would trade with one of its own account; none: it trades.'),
    marketBuyFactor: decimalText
      .optional()
      .describe('A market buy must be able to pay so many times the levels it would take; 1.'),
    stopReached: z
      .enum(['wait', 'refuse'])
      .optional()
      .describe('What an order does whose stop price is reached already.'),
    unaffordable: z
      .enum(['refuse', 'cancel'])
      .optional()
      .describe('What a replacement does when funds are missing for it.'),
    ocoCancel: z
      .enum(['trade', 'trigger'])
      .optional()
      .describe('When a stop leg cancels the others.'),
    nameHold: spanUs
      .optional()
      .describe('How long a client order id stays taken after its order has ended; 1m.'),
  })
  .default({});

const limits = z
  .strictObject({
    requests: z
      .boolean()
      .default(true)
      .describe('Whether the rate limits of the specification hold.'),
    ordersPerAccount: count.default(ORDERS_MAX.total),
    ordersPerSymbol: count.default(ORDERS_MAX.perSymbol),
  })
  .prefault({});

const margin = z
  .strictObject({
    dailyRates,
    impactValue: decimalText
      .optional()
      .describe('Value of the orders whose prices make the premium index; 10000.'),
  })
  .default({});

const marketData = z
  .strictObject({
    tradesKept: count.optional().describe('Trades kept of each symbol; 100000.'),
    candlesKept: count.optional().describe('Candles kept of each symbol and period; 10000.'),
    bookChangesKept: count.optional().describe('Changes of levels kept of each book; 16384.'),
    rates: z
      .strictObject({
        quotes: z
          .array(z.string().min(1))
          .optional()
          .describe('Currencies in which the rates of all others are kept.'),
        every: spanUs.optional().describe('Time between two samples; 1s.'),
      })
      .default({}),
  })
  .prefault({});

const history = z
  .strictObject({
    ordersKept: count.optional().describe('Ended orders kept of each account.'),
    tradesKept: count.optional().describe('Trades kept of each account.'),
  })
  .default({});

const chain = z.union(
  [
    z.strictObject({
      send: spanUs
        .default(DEFAULT_TIMING.sendUs)
        .describe('From the commit of a withdrawal to its transaction.'),
      block: spanUs.default(DEFAULT_TIMING.blockUs).describe('From one block to the next.'),
    }),
    z.literal('byHand'),
  ],
  { error: 'byHand, or send: 2s and block: 5s' },
);

const chains = z
  .strictObject({
    networks: z.record(z.string().min(1), chain).default({}).describe('By their codes.'),
    others: chain.optional().describe('Those that are not named.'),
  })
  .prefault({})
  .describe('How fast withdrawals and deposits go outside, or that the admin calls say so.');

/** Schema of a venue's configuration. */
export const venueConfig = (sources: SecretSources) =>
  z
    .strictObject({
      host: z
        .string()
        .min(1)
        .regex(/^[^\s\0]*$/, 'an address or a name')
        .default('127.0.0.1')
        .describe('Address to listen on.'),
      port: z.int().min(0).max(65_535).default(8330).describe('0 for any free port.'),
      hosts: z
        .array(z.string().regex(/^[A-Za-z0-9.:[\]_-]+$/, 'the name of a host without a port'))
        .default([])
        .describe('Further names under which it may be called, such as that of a container.'),
      origins: z
        .array(z.string().regex(/^https?:\/\/[^\s/]+$/, 'an origin such as https://desk.example'))
        .default([])
        .describe('Origins whose pages may call it from a browser.'),
      symbols: SYMBOLS,
      currencies: CURRENCIES.default([]),
      members: membersOf(sources).describe('Who has accounts, by name.'),
      market: marketOf(sources.folder)
        .default([])
        .describe('What moves the markets: recordings, a generator, or only those who trade.'),
      rules,
      limits,
      margin,
      marketData,
      history,
      chains,
      admin: z
        .strictObject({
          token: secretOf(sources)
            .refine((token) => /^[\x21-\x7e]+$/.test(token), 'text that a header can carry')
            .describe('Text, or env: NAME, or file: PATH.'),
        })
        .optional()
        .describe('Opens the calls below /admin.'),
      outside: outsideOf(sources)
        .optional()
        .describe('Chains, and who has money there; swaps and exchange orders need them.'),
      swaps: swapsOf(sources).optional().describe('The swap service, below /v1 and /affiliate/v1.'),
      exchangeOrders: exchangeOrders.optional().describe('The exchange order service, at /v2.'),
      faults: faultPlan.optional().describe('What goes wrong on purpose.'),
    })
    .describe('A venue of Millrace.');

type VenueConfig = z.output<ReturnType<typeof venueConfig>>;

/** Reads the configuration of a venue. Throws `config-missing`, `config-invalid`. */
export function readVenueConfig(
  path: string,
  environment: SecretSources['environment'],
): SimulationSettings {
  const folder = dirname(resolve(path));
  return settingsOf(readConfig(path, venueConfig({ folder, environment })));
}

/** Converts the configuration to server settings. */
export function settingsOf(config: VenueConfig): SimulationSettings {
  const { host, port, hosts, origins, symbols, members, market } = config;
  const { limits: bounds, admin, faults } = config;
  return {
    host,
    port,
    hosts,
    origins,
    symbols,
    members,
    market,
    exchange: exchangeOf(config),
    chains: chainsOf(config),
    kept: withoutAbsent<SimulationSettings['kept']>({
      orders: config.history.ordersKept,
      trades: config.history.tradesKept,
    }),
    rateLimits: bounds.requests,
    ...(admin === undefined ? {} : { adminToken: admin.token }),
    ...(faults === undefined ? {} : { faults }),
    ...chainsAndServices(config),
  };
}

/** swaps and exchangeOrders need chains. */
function chainsAndServices({
  outside: far,
  swaps,
  exchangeOrders: orders,
}: VenueConfig): Pick<SimulationSettings, 'outside'> {
  if (far === undefined) {
    if (swaps === undefined && orders === undefined) return {};
    throw new MillraceError(
      'config-invalid',
      'swaps and exchangeOrders need chains: say under outside which there are.',
      {
        field: 'outside',
      },
    );
  }
  const [real] = far.real?.keys() ?? [];
  if (real !== undefined && orders !== undefined) {
    throw new MillraceError(
      'config-invalid',
      `exchangeOrders pay on simulated networks alone, and ${real} is a real one: leave exchangeOrders or ${real} out.`,
      { field: 'exchangeOrders' },
    );
  }
  return {
    outside: { ...far, ...(swaps && { swaps }), ...(orders && { exchangeOrders: orders }) },
  };
}

function chainsOf({ chains: { networks, others } }: VenueConfig): ChainsOptions {
  const rule = (given: z.output<typeof chain>): ChainRule =>
    given === 'byHand' ? given : { sendUs: given.send, blockUs: given.block };
  const rules = Object.entries(networks).map(([code, given]): [string, ChainRule] => [
    code,
    rule(given),
  ]);
  return {
    networks: Object.fromEntries(rules),
    ...(others === undefined ? {} : { others: rule(others) }),
  };
}

function exchangeOf(config: VenueConfig): ExchangeOptions {
  const { nameHold, marketBuyFactor, ...named } = config.rules;
  const { rates, ...sizes } = config.marketData;
  return {
    ...withoutAbsent<Pick<ExchangeOptions, keyof typeof named>>(named),
    ...(marketBuyFactor === undefined ? {} : { marketBuyFactor: new Decimal(marketBuyFactor) }),
    ...(nameHold === undefined ? {} : { nameHoldUs: nameHold }),
    limits: {
      perAccount: config.limits.ordersPerAccount,
      perSymbol: config.limits.ordersPerSymbol,
    },
    currencies: config.currencies,
    margin: withoutAbsent<NonNullable<ExchangeOptions['margin']>>(config.margin),
    marketData: withoutAbsent<NonNullable<ExchangeOptions['marketData']>>({
      ...sizes,
      rates: { quotes: rates.quotes, everyUs: rates.every },
    }),
  };
}
