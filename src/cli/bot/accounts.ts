import { resolve } from 'node:path';
import { z } from 'zod';
import { WHOLE } from '../../config/explain.ts';
import { DEFAULT_LATENCY } from '../../backtest/plan.ts';
import type { MarketSettings, PaperSettings } from '../../bot/settings.ts';
import { US_PER_MS } from '../../platform/time.ts';
import { spanUs } from '../config-fields.ts';
import { amounts } from './fields.ts';
import { ACCOUNT_RISK, riskOf } from './risk.ts';
import { secretPlace } from './secret.ts';

/** Names of accounts and strategies: they become names of files and parts of order ids. */
export const nameOf = (length: number) =>
  z
    .string()
    .min(1)
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{1,${length}}$`),
      `1 to ${length} Latin letters, digits, _ or -`,
    );

/** Of an address only scheme, host and port; what is wrong is told without showing it. */
export const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const say = (message: string): never => {
    context.addIssue({ code: 'custom', message, params: { [WHOLE]: true } });
    return z.NEVER;
  };
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return say('url takes the address of the service, such as http://127.0.0.1:8330.');
  }
  if (url.username !== '' || url.password !== '') {
    return say('url holds a password or a user name; give them as key and secret of the account.');
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return say(`url takes the address without a path: ${url.origin}.`);
  }
  return url.origin;
});

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

const latency = `${DEFAULT_LATENCY.orderUs / US_PER_MS}ms`;

const paper = z
  .strictObject({
    balances: amounts.prefault({}).describe('What a paper account begins with, by currency.'),
    orderLatency: spanUs.prefault(latency).describe('From the strategy to the exchange.'),
    reportLatency: spanUs.prefault(latency).describe('From the exchange back.'),
  })
  .prefault({})
  .transform(({ balances, orderLatency, reportLatency }): PaperSettings => ({
    balances,
    orderUs: orderLatency,
    reportUs: reportLatency,
  }));

/** An account at a service. */
export const accountOf = (folder: string) =>
  z.strictObject({
    url: origin.describe('Address of the service, such as http://127.0.0.1:8330.'),
    key: secretPlace(folder).optional().describe('Where the API key is: env: NAME, file: PATH.'),
    secret: secretPlace(folder).optional().describe('Where its secret is: env: NAME, file: PATH.'),
    market: z
      .union([service, recordings(folder)], {
        error: 'service, or recordings: [PATH, …] for a paper bot',
      })
      .prefault('service')
      .describe('Where market data comes from.'),
    paper: paper.describe('How the account is played where mode is paper.'),
    risk: riskOf(ACCOUNT_RISK).describe('Limits of all strategies of the account together.'),
  });

export type AccountConfig = z.output<ReturnType<typeof accountOf>>;
