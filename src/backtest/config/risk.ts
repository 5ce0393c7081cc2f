import { z } from 'zod';
import type { Decimal } from '../../model/decimal.ts';
import { PASSING_CAUSES } from '../../risk/guards/breach.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import { count, fraction, leverage, limit, positiveSpan, positives } from '../../config/amounts.ts';

/** Default limits; `none` in the file disables one. */
interface Fallback {
  readonly priceCollar: string;
  readonly maxOpenOrders: number;
  readonly maxOrdersPerSecond: number;
  readonly staleAfter: string;
  readonly maxRejectsPerMinute: number | 'none';
  readonly maxClockSkew: string;
  /** Only for accounts. */
  readonly maxUnexplained?: string;
}

/** Limits of one strategy. */
export const STRATEGY_RISK: Fallback = {
  priceCollar: '0.05',
  maxOpenOrders: 50,
  maxOrdersPerSecond: 20,
  staleAfter: '2m',
  maxRejectsPerMinute: 30,
  maxClockSkew: 'none',
};

/** Limits of all strategies of an account together. */
export const ACCOUNT_RISK: Fallback = {
  priceCollar: 'none',
  maxOpenOrders: 200,
  maxOrdersPerSecond: 50,
  staleAfter: 'none',
  maxRejectsPerMinute: 60,
  maxClockSkew: '5s',
  maxUnexplained: '0.01',
};

const FRACTION = 'a fraction above 0 and at most 1, such as 0.05 for 5 %';
const LEVERAGE = 'a number of 1 or more, such as 5';
const COUNT = 'a whole number of 1 or more';
const SPAN = 'a span longer than none, such as 30s';

/** Limits of a backtest: a recording has no data when its market had none. */
export const BACKTEST_RISK: Fallback = {
  ...STRATEGY_RISK,
  staleAfter: 'none',
  maxRejectsPerMinute: 'none',
};

/** Limits; one without a default is off unless it is set. */
export const riskOf = (fallback: Fallback) => riskLimits(fallback).prefault({});

/** Limits that may be absent as a whole. */
export const riskLimits = (fallback: Fallback) =>
  z
    .strictObject({
      maxQuantity: positives.describe('Largest quantity of one order, by symbol.'),
      maxNotional: positives.describe('Largest value of one order, by quote currency.'),
      priceCollar: limit(
        fraction,
        fallback.priceCollar,
        FRACTION,
        'How far beyond the market a price may be: 0.05 is 5 %.',
      ),
      maxPosition: positives.describe(
        'Most that may be held long with all open buys, or short with all open sells, by symbol.',
      ),
      maxShort: positives.describe('Most that may be sold short with all open sells, by symbol.'),
      maxExposure: positives.describe(
        'Largest value of all holdings, longs, shorts and open orders, by quote currency.',
      ),
      maxNetExposure: positives.describe(
        'Largest value of longs less shorts, either way, by quote currency.',
      ),
      maxLeverage: limit(
        leverage,
        'none',
        LEVERAGE,
        'Largest effective leverage of a margin account, and the largest that may be set.',
      ),
      maxMarginUse: limit(
        fraction,
        'none',
        FRACTION,
        'Largest part of the equity of a margin account that its positions must keep.',
      ),
      minLiquidationDistance: limit(
        fraction,
        'none',
        FRACTION,
        'Shortest way from the mark price to the liquidation of a position, of the mark price.',
      ),
      onLiquidationDistance: z
        .enum(['warn', 'reduce'])
        .default('warn')
        .describe('What a shorter one leads to in running: a warning, or the state reducing.'),
      stopBeyondLiquidation: z
        .enum(['warn', 'reject'])
        .default('warn')
        .describe('What becomes of a stop loss that the liquidation comes before.'),
      maxOpenOrders: limit(count, fallback.maxOpenOrders, COUNT, 'Orders open at once.'),
      maxOrdersPerSecond: limit(
        count,
        fallback.maxOrdersPerSecond,
        COUNT,
        'Requests in any second.',
      ),
      preventOwnCross: z
        .boolean()
        .default(true)
        .describe('Refuses an order that would trade with one of the same account.'),
      maxDailyLoss: positives.describe('Loss since midnight UTC, by quote currency.'),
      maxDrawdown: limit(fraction, 'none', FRACTION, 'Fall of the equity from its highest.'),
      staleAfter: limit(positiveSpan, fallback.staleAfter, SPAN, 'No market data for so long.'),
      maxRejectsPerMinute: limit(
        count,
        fallback.maxRejectsPerMinute,
        COUNT,
        'Requests that the venue rejected in any minute.',
      ),
      maxClockSkew: limit(
        positiveSpan,
        fallback.maxClockSkew,
        SPAN,
        "Distance of the venue's clock from ours.",
      ),
      ...(fallback.maxUnexplained === undefined
        ? {}
        : {
            maxUnexplained: limit(
              fraction,
              fallback.maxUnexplained,
              FRACTION,
              'Change of the account by no fill, as a fraction of what it was worth.',
            ),
          }),
      autoResume: z
        .union([z.literal('none'), z.array(z.enum(PASSING_CAUSES)).min(1)], {
          error: `a list of ${PASSING_CAUSES.join(', ')}, or none`,
        })
        .default(['data', 'connection'])
        .describe('Causes after whose end trading resumes automatically.'),
      onBreach: z
        .enum(['reducing', 'halted', 'killed'])
        .default('halted')
        .describe('The state that a limit of the running leads to.'),
    })
    .transform(
      ({ staleAfter, maxClockSkew, autoResume, maxUnexplained, ...rest }): RiskSettings => ({
        ...rest,
        // Its schema checks it if there is one.
        maxUnexplained: maxUnexplained as Decimal | undefined,
        staleAfterUs: staleAfter,
        maxClockSkewUs: maxClockSkew,
        autoResume: new Set(autoResume === 'none' ? [] : autoResume),
      }),
    );
