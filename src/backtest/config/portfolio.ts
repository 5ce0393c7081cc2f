import { z } from 'zod';
import type { RunPortfolio } from '../portfolio/settings.ts';
import type {
  PortfolioModel,
  ServiceModel,
} from '../../gateways/rebalancing/simulated/settings.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Span } from '../../platform/span.ts';
import { parseHoldingKey, holdingName, type HoldingKey } from '../../model/portfolio.ts';
import { gone, nameOf } from '../../config/fields.ts';
import { US_PER_DAY, US_PER_SECOND } from '../../platform/time.ts';
import { amount, fraction, positive } from '../../config/amounts.ts';
import { spanUs } from '../../config/fields.ts';

/**
 * Portfolio of a backtest and a paper bot: wallets, and models of the services that transfer
 * between them.
 */

const shortName = nameOf(32);

const longSpan = spanUs.refine(
  (us) => us >= 1_000_000,
  'a span of a second or more such as 10s or 1m',
);

/** Keeps times whole numbers after any addition. */
const boundSpan = spanUs.refine(
  (us) => us <= 3_650 * US_PER_DAY,
  'a span of ten years at the most',
);

/** A duration: `30s`, `{ from: 10s, to: 1m }` or `{ mean: 30s }`. */
const span = z.union(
  [
    boundSpan,
    z
      .strictObject({ from: boundSpan, to: boundSpan })
      .refine(({ from, to }) => from <= to, 'from must not be later than to')
      .transform(({ from, to }): Span => ({ kind: 'uniform', fromUs: from, toUs: to })),
    z
      .strictObject({ mean: boundSpan })
      .transform(({ mean }): Span => ({ kind: 'exponential', meanUs: mean })),
  ],
  {
    error:
      'a span such as 30s, evenly { from: 10s, to: 1m } (the shorter first), or exponentially { mean: 30s }',
  },
);

/** A share from 0 to 1. */
const share = amount.refine((value) => !value.greaterThan(1), 'a share from 0 to 1');

const chance = z.number().min(0).max(1).default(0);

const holding = z.string().transform((text, context): HoldingKey => {
  const read = parseHoldingKey(text);
  if (read !== undefined) return read;
  context.addIssue({
    code: 'custom',
    message: 'ASSET@LOCATION, such as USDC@ethereum',
    input: text,
  });
  return z.NEVER;
});

const timed = {
  takes: span.prefault('2m').describe('Duration, without the one-second block that confirms it.'),
  fails: chance.describe('How likely it fails, 0 to 1.'),
};

const withdrawal = z
  .strictObject({
    fees: z
      .record(z.string().min(1), amount)
      .default({})
      .describe('What is taken of each withdrawal, by asset.'),
    ...timed,
  })
  .prefault({});

const deposit = z
  .strictObject({
    ...timed,
    fees: gone('the trading service takes no fee of a deposit'),
  })
  .prefault({});

/** Slippage is sent in whole basis points. */
const slippage = share.refine(
  (value) => value.times(10_000).isInteger(),
  'a share in whole basis points, such as 0.005',
);

const service = z
  .strictObject({
    kind: z.enum(['swap', 'exchangeOrder']).default('swap'),
    holdings: z
      .array(holding)
      .min(2)
      .refine(
        (holdings) => new Set(holdings.map(holdingName)).size === holdings.length,
        'holdings that are each named once',
      )
      .describe('Wallets, as ASSET@LOCATION; each is swapped for each other one.'),
    spread: share.prefault('0.001').describe('Share of the price that is lost.'),
    fee: amount.optional().describe('Extra cost of each swap, in the currency of prices; 0.'),
    networkFees: z
      .record(z.string().min(1), amount)
      .optional()
      .describe('What a payout of an exchange order costs, by asset.'),
    impact: share
      .optional()
      .describe('Share of the price that is lost for each 1,000 of value that is swapped; 0.'),
    slippage: slippage
      .optional()
      .describe(
        'How much less than quoted may arrive; 0.005 of a swap, 0 (a fixed rate) of an order.',
      ),
    minimum: amount.prefault(0).describe('The least that is taken, in the unit of prices.'),
    maximum: positive.optional().describe('The most that is taken, in the unit of prices.'),
    valid: spanUs.prefault('30s').describe('How long an offer stands.'),
    accept: span.prefault('1s').describe('How long it takes to take an offer up.'),
    confirm: span.optional().describe('From the approval of a swap to its deposit; 30s.'),
    deliver: span.prefault('1m').describe('From there, or from the payment, to the delivery.'),
    chances: z
      .strictObject({
        refused: chance.describe('There is no offer.'),
        expired: chance.describe('An offer no longer stands when it is taken up.'),
        failed: chance.describe('An approved swap is declined, and nothing leaves.'),
        refunded: chance.describe('What was paid comes back instead of a delivery.'),
      })
      .prefault({})
      .describe('How likely something goes wrong, 0 to 1.'),
    decimals: gone('tokens have the decimals of portfolio.decimals, by asset'),
  })
  .refine(({ minimum, maximum }) => maximum === undefined || !minimum.greaterThan(maximum), {
    path: ['maximum'],
    message: 'an amount that is not below the minimum',
  })
  .superRefine((given, context) => {
    const { kind, chances } = given;
    const strays: Readonly<Record<string, string>> = {
      swap: { networkFees: 'nothing, as a swap costs its fee' },
      exchangeOrder: {
        fee: 'nothing, as an exchange order costs its networkFees, by asset',
        impact: 'nothing, as an exchange order has one rate for all amounts',
        confirm: 'nothing, as an exchange order is exchanged once its payment is in a block',
      },
    }[kind];
    for (const [key, message] of Object.entries(strays)) {
      if (given[key as keyof typeof given] === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message, input: key });
    }
    if (kind === 'swap' || chances.failed === 0) return;
    const message = '0: an exchange order that fails is refunded, which refunded says';
    context.addIssue({
      code: 'custom',
      path: ['chances', 'failed'],
      message,
      input: chances.failed,
    });
  })
  .transform((given): ServiceModel => {
    const { kind, fee, networkFees, impact, confirm, valid, decimals: _, ...rest } = given;
    const common = { ...rest, validUs: valid, maximum: given.maximum };
    if (kind === 'exchangeOrder') {
      const fees = new Map(Object.entries(networkFees ?? {}));
      return { ...common, kind, networkFees: fees, slippage: given.slippage ?? ZERO };
    }
    return {
      ...common,
      kind,
      fee: fee ?? ZERO,
      impact: impact ?? ZERO,
      slippage: given.slippage ?? SLIPPAGE,
      confirm: confirm ?? 30 * US_PER_SECOND,
    };
  });

/** How much less than quoted a swap may deliver, as for a live one. */
const SLIPPAGE = new Decimal('0.005');

const prices = z.union([positive, z.strictObject({ symbol: z.string().min(1) })], {
  error: 'an amount above zero, or { symbol: NAME } for the price of a recording',
});

const MODEL = z.strictObject({
  account: shortName.default('trading').describe('What targets call the account: USDT@trading.'),
  tolerance: fraction
    .prefault('0.005')
    .describe('How much worse than the book the limit of a trade may be.'),
  prices: z
    .record(z.string().min(1), prices)
    .describe('What assets are worth, in one unit for all of them.'),
  wallets: z
    .record(shortName, z.record(z.string().min(1), amount))
    .describe('What wallets hold at the start: by location, by asset.'),
  decimals: z
    .record(z.string().min(1), z.int().min(0).max(18))
    .default({})
    .describe('Decimals of the tokens of an asset; 8.'),
  networks: z
    .record(shortName, z.strictObject({ withdrawal, deposit }))
    .default({})
    .describe('How account and wallets send money to each other, by location.'),
  services: z
    .record(shortName, service)
    .default({})
    .describe('What swaps between wallets, by name.'),
});

/** Checks that names agree, and that services and networks have wallets of priced assets. */
function checkModel(model: z.output<typeof MODEL>, context: z.RefinementCtx): void {
  const { account, wallets, networks, services, prices: priceConfig } = model;
  const say = (path: (string | number)[], input: string, message: string): void => {
    context.addIssue({ code: 'custom', path, message, input });
  };
  for (const [member, named] of Object.entries({ wallets, networks, services })) {
    if (!Object.hasOwn(named, account)) continue;
    say([member, account], account, `another name than ${account}, which is that of the account`);
  }
  const locations = Object.keys(wallets);
  for (const name of Object.keys(networks)) {
    if (!locations.includes(name))
      say(['networks', name], name, `a location of wallets: ${listed(locations)}`);
  }
  for (const [name, { holdings }] of Object.entries(services)) {
    holdings.forEach((one, index) => {
      const at = ['services', name, 'holdings', index];
      const own = Object.keys(wallets[one.location] ?? {});
      if (!locations.includes(one.location))
        say(at, holdingName(one), `a wallet, at one of ${listed(locations)}`);
      else if (!own.includes(one.asset))
        say(at, holdingName(one), `a wallet at ${one.location}: ${listed(own)}`);
      else if (!Object.hasOwn(priceConfig, one.asset))
        say(
          at,
          holdingName(one),
          `an asset that prices names: ${listed(Object.keys(priceConfig))}`,
        );
    });
  }
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'none is named' : names.join(', ');

/** `paper` of a bot's portfolio. */
export const MODEL_CONFIG = MODEL.superRefine(checkModel);

/** `portfolio` of a backtest: the same, with the time that reading and planning take. */
export const PORTFOLIO_CONFIG = MODEL.extend({
  every: longSpan.prefault('10s').describe('How often it is looked at what is held.'),
  planning: span.prefault('1s').describe('From the request to the offers that it is planned with.'),
}).superRefine(checkModel);

/** The portfolio model of a configuration. */
export function portfolioModel(config: z.output<typeof MODEL>): PortfolioModel {
  const { account, tolerance, prices: priceConfig, wallets, decimals, networks, services } = config;
  return {
    account,
    tolerance,
    prices: new Map(Object.entries(priceConfig)),
    wallets: new Map(
      Object.entries(wallets).map(([name, assets]) => [name, new Map(Object.entries(assets))]),
    ),
    decimals: new Map(Object.entries(decimals)),
    networks: new Map(
      Object.entries(networks).map(([name, { withdrawal: out, deposit: into }]) => [
        name,
        { withdrawal: { ...out, fees: new Map(Object.entries(out.fees)) }, deposit: into },
      ]),
    ),
    services: new Map(Object.entries(services)),
  };
}

/** The portfolio of a run's configuration. */
export const runPortfolio = (config: z.output<typeof PORTFOLIO_CONFIG>): RunPortfolio => ({
  ...portfolioModel(config),
  planning: config.planning,
  everyUs: config.every,
});
