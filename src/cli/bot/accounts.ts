import { resolve } from 'node:path';
import { z } from 'zod';
import { WHOLE } from '../../config/explain.ts';
import { DEFAULT_LATENCY } from '../../backtest/plan.ts';
import type { MarketSettings, PaperSettings } from '../../bot/settings.ts';
import type { TradingAddress } from '../../gateways/trading/client/address.ts';
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

/** Which addresses a member takes, and how one looks. */
interface AddressForm {
  readonly name: string;
  readonly schemes: RegExp;
  readonly example: string;
  readonly path: boolean;
}

/** An address, without a slash at its end; what is wrong is told without showing a secret. */
const address = ({ name, schemes, example, path }: AddressForm) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const say = (message: string): never => {
      context.addIssue({ code: 'custom', message, params: { [WHOLE]: true } });
      return z.NEVER;
    };
    if (url === undefined || !schemes.test(url.protocol)) {
      return say(`${name} takes the address of the service, such as ${example}.`);
    }
    if (url.username !== '' || url.password !== '') {
      return say(
        `${name} holds a password or a user name; give them as key and secret of the account.`,
      );
    }
    const home = `${url.protocol}//${url.host}`;
    if (!path && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
      return say(`${name} takes the address without a path: ${home}.`);
    }
    if (url.search !== '' || url.hash !== '') {
      return say(`${name} ends with its path; nothing may follow from ? or # on.`);
    }
    return home + url.pathname.replace(/\/+$/, '');
  });

/** Of an address only scheme, host and port. */
export const origin = address({
  ...{ name: 'url', schemes: /^https?:$/, path: false },
  example: 'http://127.0.0.1:8330',
});

/** The members that say where a trading service is; `tradingAddress` reads them. */
export const TRADING_ADDRESS = {
  url: origin.optional().describe('Address of the service, such as http://127.0.0.1:8330.'),
  baseUrl: address({
    ...{ name: 'baseUrl', schemes: /^https?:$/, path: true },
    example: 'https://api.example.com/api/3',
  })
    .optional()
    .describe('Instead of url: address of REST calls, such as https://api.example.com/api/3.'),
  wsUrl: address({
    ...{ name: 'wsUrl', schemes: /^wss?:$/, path: true },
    example: 'wss://api.example.com/api/3/ws',
  })
    .optional()
    .describe('Beside baseUrl: address of sockets, such as wss://api.example.com/api/3/ws.'),
};

/** For editors: either `url`, or the two others. */
export const TRADING_ADDRESS_RULE = {
  oneOf: [{ required: ['url'] }, { required: ['baseUrl', 'wsUrl'] }],
};

/** What the members of `TRADING_ADDRESS` say; `refuse` is told a sentence where they do not fit. */
export function tradingAddress(
  {
    url,
    baseUrl,
    wsUrl,
  }: Readonly<Partial<Record<keyof typeof TRADING_ADDRESS, string | undefined>>>,
  refuse: (sentence: string) => never,
): TradingAddress {
  if (baseUrl === undefined && wsUrl === undefined) {
    return url === undefined
      ? refuse(
          'url is missing; say where the service is, such as http://127.0.0.1:8330, or give baseUrl and wsUrl.',
        )
      : { url };
  }
  if (url !== undefined) {
    return refuse('url stands beside baseUrl or wsUrl; give url alone, or baseUrl and wsUrl.');
  }
  if (baseUrl === undefined) {
    return refuse('baseUrl is missing beside wsUrl, such as https://api.example.com/api/3.');
  }
  if (wsUrl === undefined) {
    return refuse('wsUrl is missing beside baseUrl, such as wss://api.example.com/api/3/ws.');
  }
  return { baseUrl, wsUrl };
}

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
  z
    .strictObject({
      ...TRADING_ADDRESS,
      key: secretPlace(folder).optional().describe('Where the API key is: env: NAME, file: PATH.'),
      secret: secretPlace(folder)
        .optional()
        .describe('Where its secret is: env: NAME, file: PATH.'),
      market: z
        .union([service, recordings(folder)], {
          error: 'service, or recordings: [PATH, …] for a paper bot',
        })
        .prefault('service')
        .describe('Where market data comes from.'),
      paper: paper.describe('How the account is played where mode is paper.'),
      risk: riskOf(ACCOUNT_RISK).describe('Limits of all strategies of the account together.'),
    })
    .meta(TRADING_ADDRESS_RULE);

export type AccountConfig = z.output<ReturnType<typeof accountOf>>;
