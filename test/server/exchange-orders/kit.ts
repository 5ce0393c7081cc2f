import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import type { PriceOf } from '../../../src/model/portfolio.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import {
  ExchangeClients,
  type ExchangeClient,
} from '../../../src/server/exchange-orders/clients.ts';
import { mountExchangeOrders } from '../../../src/server/exchange-orders/mount.ts';
import { TradingService } from '../../../src/server/trading/service.ts';
import { Venue } from '../../../src/server/venue.ts';
import type { ChainTransaction } from '../../../src/swaps/chains/chain-world.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { ExchangeOrderService } from '../../../src/swaps/orders/service.ts';
import {
  defaultCurrencies,
  defaultExchangeTerms,
  type CurrencyTerms,
  type ExchangeOrderTerms,
} from '../../../src/swaps/orders/terms.ts';
import { lotsOf, type TokenTerms } from '../../../src/swaps/tokens.ts';
import { requestText } from '../../../src/wire/exchange-orders/envelope.ts';
import { readJson } from '../../../src/wire/json.ts';
import { apiKeyOf, signText } from '../../../src/wire/key-pair.ts';
import { granted, NETWORKS, STARTED, TOKENS } from '../../swaps/chains/harness.ts';
import { instruments } from '../instruments.ts';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Of the client `client`, whom nothing is arranged with. */
export const PRIVATE_KEY: KeyObject = pair.privateKey;
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Of the client `other`. */
export const OTHER_KEY: KeyObject = stranger.privateKey;
/** Of nobody. */
export const UNKNOWN_KEY: KeyObject = generateKeyPairSync('rsa', {
  modulusLength: 2048,
}).privateKey;

/** A currency whose payments need a destination tag. */
export const TAGGED: TokenTerms = {
  id: 42,
  network: 'solana',
  asset: 'XRP',
  name: 'Ripple',
  contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  decimals: 6,
  ticker: 'xrp',
  listed: true,
};

/** What assets are worth, unless a test moves the market. */
export const VALUE: Readonly<Record<string, string>> = {
  USDC: '1',
  ETH: '3000',
  BTC: '60000',
  SOL: '150',
  XRP: '0.5',
};

/** When a venue opens, Unix seconds. */
export const OPENED_SECONDS = STARTED / 1_000_000;

/** What payouts cost. */
const FEES: Readonly<Record<string, string>> = {
  USDC: '0.5',
  ETH: '0.0003',
  BTC: '0.00002',
  SOL: '0.001',
  XRP: '0.2',
};

export interface ExchangeVenueOptions {
  readonly terms?: Partial<ExchangeOrderTerms>;
  /** What is other than usual about a currency, by ticker. */
  readonly currencies?: Readonly<Record<string, Partial<CurrencyTerms>>>;
  /** What was arranged with the client `client`. */
  readonly client?: Partial<ExchangeClient>;
  readonly seed?: number;
}

/** An answer of the service. */
export interface RpcAnswer {
  readonly status: number;
  /** As it came. */
  readonly text: string;
  readonly headers: Headers;
  /** Read with all digits: long numbers are text. */
  readonly body: {
    readonly jsonrpc?: unknown;
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
}

export interface RpcAsk {
  readonly privateKey?: KeyObject;
  readonly id?: string | number;
  /** Sent as it is. */
  readonly text?: string;
  /** Changed after signing. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Signed instead of what is sent. */
  readonly signed?: string;
}

export interface ExchangeParts {
  readonly scheduler: VirtualScheduler;
  readonly chains: SimulatedChains;
  readonly service: ExchangeOrderService;
  /** What assets are worth; tests may change it. */
  readonly value: Record<string, string>;
}

/** The service and its chains, without a wire. A user and the service have money everywhere. */
export function exchangeParts(options: ExchangeVenueOptions = {}): ExchangeParts {
  const { terms = {}, currencies = {}, seed = 7 } = options;
  const scheduler = new VirtualScheduler(STARTED);
  const tokens = [...TOKENS, TAGGED];
  const chains = new SimulatedChains({ networks: NETWORKS, tokens, scheduler, seed });
  const worth: Record<string, string> = { ...VALUE };
  const valueOf: PriceOf = (asset) => {
    const value = worth[asset];
    return value === undefined ? undefined : new Decimal(value);
  };
  const defaults = defaultCurrencies(chains, (asset) => new Decimal(FEES[asset] ?? '0'));
  const listed = defaults.map((currency) => ({
    ...currency,
    ...(currency.ticker === 'xrp' ? { extraIdName: 'Destination tag' } : {}),
    ...currencies[currency.ticker],
  }));
  const service = new ExchangeOrderService({
    chains,
    priceOf: valueOf,
    scheduler,
    terms: { ...defaultExchangeTerms(listed, 'btc'), ...terms },
    seed,
  });
  for (const { id, network, asset, decimals } of chains.tokens) {
    const million = new Decimal(1_000_000).div(VALUE[asset] ?? '1').floor();
    const lots = lotsOf(million, decimals) ?? 0n;
    granted(chains.mint(id, chains.addressOf(network, 'user'), lots));
    granted(chains.mint(id, service.inventoryAt(network), 10n * lots));
  }
  return { scheduler, chains, service, value: worth };
}

/** The exchange order service on a free port of this machine; its clock moves when a test moves it. */
export class ExchangeVenue {
  readonly venue: Venue;
  readonly scheduler: VirtualScheduler;
  readonly chains: SimulatedChains;
  readonly service: ExchangeOrderService;
  readonly value: Record<string, string>;

  constructor({ scheduler, chains, service, value }: ExchangeParts, venue: Venue) {
    this.venue = venue;
    this.scheduler = scheduler;
    this.chains = chains;
    this.service = service;
    this.value = value;
  }

  get base(): string {
    return `http://127.0.0.1:${this.venue.port}`;
  }

  /** Lets time pass, in seconds. */
  pass(seconds: number): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + seconds * 1_000_000));
  }

  /** The address of somebody who has money there, of the network of a currency. */
  address(ticker: string, name = 'user'): string {
    return this.chains.addressOf(this.service.currencies.of(ticker).chain.code, name);
  }

  /** What an address holds of a currency. */
  balance(ticker: string, address: string): string {
    const { terms } = this.service.currencies.of(ticker);
    const lots = this.chains.balance(terms.id, address);
    return new Decimal(String(lots)).div(new Decimal(10).pow(terms.decimals)).toFixed();
  }

  /** Pays from the user's address. */
  pay(ticker: string, to: string, amount: string, memo?: string): ChainTransaction {
    const { terms, chain } = this.service.currencies.of(ticker);
    return granted(
      this.chains.transfer({
        token: terms.id,
        from: this.chains.addressOf(chain.code, 'user'),
        to,
        lots: lotsOf(new Decimal(amount), terms.decimals) ?? 0n,
        memo,
      }),
    );
  }

  /** A signed request; time goes on by a tenth of a second first, so that no limit is met. */
  async ask(method: string, params?: unknown, ask: RpcAsk = {}): Promise<RpcAnswer> {
    this.pass(0.1);
    return this.send(ask.text ?? requestText(ask.id ?? 'test', method, params), ask);
  }

  /** The result of a method that must succeed. */
  async result<R = unknown>(method: string, params?: unknown, ask?: RpcAsk): Promise<R> {
    const { body, text } = await this.ask(method, params, ask);
    if (!('result' in body)) throw new Error(`${method}: ${text}`);
    return body.result as R;
  }

  /** The error of a method that must fail: code and message. */
  async error(method: string, params?: unknown, ask?: RpcAsk): Promise<readonly [number, string]> {
    const { body, text } = await this.ask(method, params, ask);
    if (body.error === undefined) throw new Error(`${method}: ${text}`);
    return [body.error.code, body.error.message];
  }

  /** Sends a body, signed. */
  async send(text: string, ask: RpcAsk = {}): Promise<RpcAnswer> {
    const { privateKey = PRIVATE_KEY, headers = {}, signed = text } = ask;
    const sent = Object.entries({
      'content-type': 'application/json',
      'x-api-key': apiKeyOf(privateKey),
      'x-api-signature': signText(signed, privateKey),
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== undefined);
    const response = await fetch(`${this.base}/v2`, { method: 'POST', headers: sent, body: text });
    const answer = await response.text();
    const body = readJson(answer) as RpcAnswer['body'];
    return { status: response.status, text: answer, headers: response.headers, body };
  }

  /** All that a refused request must not change: orders, rates, holdings. */
  state(): string {
    const { chains, service } = this;
    const holdings = chains.tokens.map(({ id }) => [id, chains.holders(id)]);
    const rates = service.openRates().map(({ id, client }) => [id, client]);
    return JSON.stringify(
      [service.orders(), service.strays(), rates, holdings],
      (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
  }
}

/** Opens a venue that whoever asks must close. */
export async function startExchangeVenue(
  options: ExchangeVenueOptions = {},
): Promise<ExchangeVenue> {
  const parts = exchangeParts(options);
  const { service, scheduler } = parts;
  const clients = new ExchangeClients([
    { name: 'client', publicKey: pair.publicKey, ...options.client },
    { name: 'other', publicKey: stranger.publicKey },
  ]);
  const venue = await Venue.open({
    trading: new TradingService({ instruments: instruments(), scheduler }),
    port: 0,
    services: [
      (app) => {
        mountExchangeOrders(app, { service, clients });
      },
    ],
  });
  return new ExchangeVenue(parts, venue);
}

/** Closes what `startExchangeVenue` has opened. */
export async function closeExchangeVenue({ venue, service, chains }: ExchangeVenue): Promise<void> {
  service.close();
  chains.close();
  await venue.close();
}

/** Opens a venue for the test that asks. */
export async function openExchangeVenue(
  options: ExchangeVenueOptions = {},
): Promise<ExchangeVenue> {
  const test = await startExchangeVenue(options);
  onTestFinished(() => closeExchangeVenue(test));
  return test;
}
