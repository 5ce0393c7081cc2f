import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_LATENCY } from '../../backtest/plan.ts';
import type {
  MarketSettings,
  PaperSettings,
  SharedMarginSettings,
} from '../../bot/settings/settings.ts';
import { US_PER_MS } from '../../platform/time.ts';
import { dailyRates, spanUs } from '../../config/fields.ts';
import { amounts, leverage, NON_SPOT_BALANCES } from '../../config/amounts.ts';
import { ACCOUNT_RISK, riskOf } from '../../backtest/config/risk.ts';
import { MARGIN_OF_SYMBOLS, marginOfSymbols } from '../../backtest/config/margin.ts';
import { ownModuleOf } from '../config-modules.ts';
import { ccxtVenueOf } from './ccxt.ts';
import { secretSource } from './secret.ts';
import { TRADING_ADDRESS, TRADING_ADDRESS_RULE } from './trading-address.ts';

const recordings = (folder: string) =>
  z
    .strictObject({
      recordings: z.array(z.string().min(1)).min(1).describe('Relative to this file.'),
      speed: z
        .number()
        .positive()
        .max(1_000_000)
        .default(1)
        .describe('1 is as fast as it was recorded.'),
    })
    .transform(({ recordings: paths, speed }): MarketSettings => ({
      kind: 'recordings',
      paths: paths.map((path) => resolve(folder, path)),
      speed,
    }));

const service = z.literal('service').transform((): MarketSettings => ({ kind: 'service' }));

const nats = z
  .strictObject({
    nats: z.string().min(1).describe('NATS servers to which `millrace feed publish` publishes.'),
    venue: z
      .string()
      .min(1)
      .optional()
      .describe(
        'What --venue of the publisher says; after the address of the service where absent.',
      ),
  })
  .transform(({ nats: url, venue }): MarketSettings => ({ kind: 'nats', url, venue, env: {} }));

const latency = `${DEFAULT_LATENCY.orderUs / US_PER_MS}ms`;

const paper = z
  .strictObject({
    balances: amounts.prefault({}).describe('What a paper account begins with, by currency.'),
    nonSpotBalances: NON_SPOT_BALANCES.optional().describe(
      'What its wallet and its derivatives balance have at each start, by currency.',
    ),
    orderLatency: spanUs.prefault(latency).describe('From the strategy to the exchange.'),
    reportLatency: spanUs.prefault(latency).describe('From the exchange back.'),
    margin: MARGIN_OF_SYMBOLS.optional().describe(
      'On what terms symbols are traded on margin, instead of those of the market.',
    ),
    dailyRates,
  })
  .prefault({})
  .transform(
    ({
      balances,
      nonSpotBalances,
      orderLatency,
      reportLatency,
      margin,
      dailyRates: rates,
    }): PaperSettings => ({
      balances,
      nonSpotBalances,
      orderUs: orderLatency,
      reportUs: reportLatency,
      ...(margin === undefined ? {} : { margin: marginOfSymbols(margin) }),
      ...(rates === undefined ? {} : { dailyRates: rates }),
    }),
  );

const SHARED_FORM =
  'cross: CURRENCY with market: spot or futures, or isolated: SYMBOL; and strategies: [NAME, …], at least two';

const shared = {
  leverage: leverage
    .optional()
    .describe('Of the account; the most that each symbol allows where absent.'),
  strategies: z
    .array(z.string().min(1))
    .min(2)
    .describe('Those that share it; they trade on this account.'),
};

const sharedCross = z
  .strictObject({
    cross: z.string().min(1).describe('Settlement currency of the cross margin account.'),
    market: z.enum(['spot', 'futures']).describe('Spot and futures have accounts of their own.'),
    ...shared,
  })
  .transform(({ cross: currency, ...rest }): SharedMarginSettings => ({
    mode: 'cross',
    currency,
    ...rest,
  }));

const sharedIsolated = z
  .strictObject({
    isolated: z.string().min(1).describe('Symbol of the isolated margin account.'),
    ...shared,
  })
  .transform(({ isolated: symbol, ...rest }): SharedMarginSettings => ({
    mode: 'isolated',
    symbol,
    ...rest,
  }));

type VenueFaults = readonly (readonly z.core.$ZodIssue[])[];

/** The first problem of the kind of venue that the input names. */
function venueFault(input: unknown, [ofModule = [], ofCcxt = []]: VenueFaults = []): string {
  const given = typeof input === 'object' && input !== null ? Object.keys(input) : [];
  const isOne = given.includes('module') !== given.includes('ccxt');
  const [fault] = given.includes('ccxt') ? ofCcxt : ofModule;
  if (!isOne || fault === undefined) return 'module: PATH, or ccxt: EXCHANGE';
  return fault.path.length === 0 ? fault.message : `${fault.path.join('.')}: ${fault.message}`;
}

/** An account at a service. */
export const accountOf = (folder: string) =>
  z
    .strictObject({
      ...TRADING_ADDRESS,
      venue: z
        .union([ownModuleOf(folder, 'a gateway'), ccxtVenueOf(folder)], {
          error: ({ input, errors }) => venueFault(input, errors as VenueFaults | undefined),
        })
        .optional()
        .describe(
          'Instead of an address and a key: a module that makes a gateway to a venue, or an exchange of ccxt.',
        ),
      key: secretSource(folder).optional().describe('Where the API key is: env: NAME, file: PATH.'),
      secret: secretSource(folder)
        .optional()
        .describe('Where its secret is: env: NAME, file: PATH.'),
      market: z
        .union([service, nats, recordings(folder)], {
          error: 'service, nats: URL, or recordings: [PATH, …] for a paper bot',
        })
        .prefault('service')
        .describe('Where market data comes from.'),
      paper: paper.describe('How the account is played where mode is paper.'),
      risk: riskOf(ACCOUNT_RISK).describe('Limits of all strategies of the account together.'),
      sharedMargin: z
        .array(z.union([sharedCross, sharedIsolated], { error: SHARED_FORM }))
        .optional()
        .describe(
          "Margin accounts that several strategies share; each other one is a single strategy's.",
        ),
    })
    .meta({ oneOf: [...TRADING_ADDRESS_RULE.oneOf, { required: ['venue'] }] });

export type AccountConfig = z.output<ReturnType<typeof accountOf>>;
