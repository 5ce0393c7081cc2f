import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { Decimal } from '../../../src/model/decimal.ts';
import type { PriceOf } from '../../../src/model/portfolio.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { micros } from '../../../src/platform/time.ts';
import { mountSwaps } from '../../../src/server/swaps/mount.ts';
import { Faults } from '../../../src/server/faults/faults.ts';
import { faultPlan } from '../../../src/server/faults/plan.ts';
import { Partners } from '../../../src/server/swaps/partners.ts';
import { TradingService } from '../../../src/server/trading/service.ts';
import { Venue } from '../../../src/server/venue.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { SwapIntents } from '../../../src/swaps/intents/swap-intents.ts';
import {
  DEFAULT_SWAP_TERMS,
  type ResolverTerms,
  type SwapTerms,
} from '../../../src/swaps/intents/terms.ts';
import type { TokenTerms } from '../../../src/swaps/tokens.ts';
import { apiKeyOf } from '../../../src/wire/key-pair.ts';
import { readJson } from '../../../src/wire/json.ts';
import { signedHeaders } from '../../../src/wire/swaps/credentials.ts';
import {
  granted,
  isConserved,
  NETWORKS,
  STARTED,
  TOKENS as BASIC,
} from '../../swaps/chains/harness.ts';
import { instruments } from '../instruments.ts';
import { signedBody, userOf, type User } from './users.ts';

export {
  BTC,
  SOL,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  WETH,
} from '../../swaps/chains/harness.ts';

export const USDT = 12;
/** A coin that must be wrapped first. */
export const COIN = 13;
/** A token that is not on the list, of the network that allows such. */
export const UNLISTED = 42;
/** One of a network that does not. */
export const HIDDEN = 14;

const defaults = { network: 'ethereum', decimals: 6, listed: true } as const;

export const SWAP_TOKENS: readonly TokenTerms[] = [
  ...BASIC,
  {
    ...defaults,
    id: USDT,
    asset: 'USDT',
    name: 'Tether',
    contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    ticker: 'usdt20',
  },
  {
    ...defaults,
    id: COIN,
    asset: 'ETH',
    name: 'Ether',
    contract: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    decimals: 18,
    ticker: 'eth',
    wrapped: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  },
  {
    ...defaults,
    id: HIDDEN,
    asset: 'USDT',
    name: 'Hidden',
    contract: '0x1111111111111111111111111111111111111111',
    ticker: 'hidden',
    listed: false,
  },
  {
    id: UNLISTED,
    network: 'solana',
    asset: 'USDT',
    name: 'Tether on Solana',
    contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    decimals: 6,
    ticker: 'usdtsol',
    listed: false,
  },
];

/** What assets are worth, unless a test moves the market. */
export const VALUE: Readonly<Record<string, string>> = {
  USDC: '1',
  USDT: '1',
  ETH: '3000',
  BTC: '60000',
  SOL: '150',
};

/** One key pair for all tests of a file: making one takes its time. */
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const PRIVATE_KEY: KeyObject = pair.privateKey;
export const PUBLIC_KEY: KeyObject = pair.publicKey;
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Of a second partner. */
export const OTHER_KEY: KeyObject = stranger.privateKey;

/** A key of the Affiliate surface of the same partner. */
export const AFFILIATE_KEY = 'affiliate-key-of-the-test';

let uuids = 0;

/** A UUID that no request of the file had. */
export function freshUuid(): string {
  uuids += 1;
  return `00000000-0000-4000-8000-${uuids.toString(16).padStart(12, '0')}`;
}

/** Members that fit a token's source chain: who sends, and by which key. */
export interface SwapBody {
  readonly from: Readonly<Record<string, unknown>>;
  readonly to: Readonly<Record<string, unknown>>;
  readonly refund_address: string;
  readonly amount: number | string;
  readonly slippage_bps: string;
}

export interface SwapVenueOptions {
  readonly terms?: Partial<Omit<SwapTerms, 'resolver'>>;
  readonly resolver?: Partial<ResolverTerms>;
  readonly seed?: number;
  /** Nobody is given any money. */
  readonly poor?: boolean;
  /** What goes wrong on purpose. */
  readonly faults?: z.input<typeof faultPlan>;
}

export interface SwapAnswer {
  readonly status: number;
  /** As it came. */
  readonly text: string;
  /** Read with all digits: long numbers are text. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SwapAsk {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly privateKey?: KeyObject;
  readonly apiKey?: string;
  /** Unix seconds; now where absent. */
  readonly seconds?: number;
  readonly nonce?: string;
  /** Changed after signing. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Signed instead of what is sent. */
  readonly signed?: Partial<{ method: string; path: string; query: string; body: string }>;
}

/** The swap service on a free port of this machine; its clock moves when a test moves it. */
export class SwapVenue {
  readonly venue: Venue;
  readonly scheduler: VirtualScheduler;
  readonly chains: SimulatedChains;
  readonly service: SwapIntents;
  /** What assets are worth; tests may change it. */
  readonly value: Record<string, string>;

  constructor(made: Parts, venue: Venue) {
    this.venue = venue;
    this.scheduler = made.scheduler;
    this.chains = made.chains;
    this.service = made.service;
    this.value = made.value;
  }

  get base(): string {
    return `http://127.0.0.1:${this.venue.port}`;
  }

  /** Somebody with money on each network, who has let permit2 take all tokens. */
  user(network: string, name = 'user'): User {
    return userOf(this.chains, network, name);
  }

  /** Lets time pass, in microseconds. */
  pass(us: number): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + us));
  }

  get seconds(): number {
    return Math.floor(this.scheduler.now() / 1_000_000);
  }

  /** A signed call of the Execution surface: `GET`, `/v1/tokens?limit=3`. */
  async call(method: string, target: string, ask: SwapAsk = {}): Promise<SwapAnswer> {
    const { privateKey = PRIVATE_KEY, json, headers = {}, signed = {} } = ask;
    const body = ask.text ?? (json === undefined ? '' : JSON.stringify(json));
    const [path = '', query = ''] = target.split('?');
    const parts = { method, path, query, body, ...signed };
    const caller = {
      privateKey,
      apiKey: ask.apiKey ?? apiKeyOf(privateKey),
      seconds: ask.seconds ?? this.seconds,
      nonce: ask.nonce ?? freshUuid(),
    };
    const sent = Object.entries({
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...signedHeaders(parts, caller),
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== undefined);
    const response = await fetch(this.base + target, {
      method,
      headers: sent,
      ...(body === '' ? {} : { body }),
    });
    const text = await response.text();
    const read: unknown = text === '' ? {} : readJson(text);
    return { status: response.status, text, body: read as SwapAnswer['body'] };
  }

  /** What POST `/v1/intents` takes: the user gives one token and gets another. */
  swapBody(fromToken: number, toToken: number, amount: number | string = 100): SwapBody {
    const from = this.owner(fromToken);
    const key = from.publicKey === undefined ? {} : { public_key: from.publicKey };
    return {
      from: { token_id: fromToken, address: from.address, ...key },
      to: { token_id: toToken, address: this.owner(toToken, 'receiver').address },
      refund_address: this.owner(fromToken, 'refund').address,
      amount,
      slippage_bps: '50',
    };
  }

  /** Who is called so on the network of a token. */
  owner(token: number, name = 'user'): User {
    const found = this.chains.tokens.find(({ id }) => id === token);
    return this.user(found?.network ?? '', name);
  }

  /** Makes an intent, over the wire; gives the answer. */
  async createIntent(
    fromToken: number,
    toToken: number,
    amount?: number | string,
  ): Promise<SwapAnswer['body']> {
    const json = this.swapBody(fromToken, toToken, amount);
    const { status, body } = await this.call('POST', '/v1/intents', { json });
    if (status !== 200) throw new Error(`no intent: ${String(body['message'])}`);
    return body;
  }

  /** What POST approvals takes, signed by the user as it was asked for. */
  async approvalBody(
    created: SwapAnswer['body'],
    token: number,
    signer = this.owner(token),
  ): Promise<Readonly<Record<string, unknown>>> {
    const order = this.service.intents().find(({ id }) => id === created['id']);
    return signedBody(signer, created, {
      token: order?.order.token.contract ?? '',
      lots: order?.order.lots ?? 0n,
    });
  }

  /** Approves an intent, over the wire. */
  async approve(created: SwapAnswer['body'], token: number): Promise<SwapAnswer> {
    const json = await this.approvalBody(created, token);
    return this.call('POST', `/v1/intents/${String(created['id'])}/approvals`, { json });
  }

  /** The record of an intent. */
  async status(created: SwapAnswer['body']): Promise<SwapAnswer['body']> {
    const { body } = await this.call('GET', `/v1/intents/${String(created['id'])}`);
    return body;
  }

  /** True where all that was minted is held, of every token. */
  get isConserved(): boolean {
    return isConserved(this.chains);
  }

  /** All that a refused request must not change: intents, holdings and permits. */
  state(): string {
    const { chains, service } = this;
    const holdings = chains.tokens.map(({ id }) => [id, chains.holders(id)]);
    return JSON.stringify([service.intents(), holdings], (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  }
}

interface Parts {
  readonly scheduler: VirtualScheduler;
  readonly chains: SimulatedChains;
  readonly service: SwapIntents;
  readonly value: Record<string, string>;
}

/** The service and its chains, without a wire. */
export function swapParts({
  terms = {},
  resolver = {},
  seed = 7,
  poor = false,
}: SwapVenueOptions = {}): Parts {
  const scheduler = new VirtualScheduler(STARTED);
  const networks = NETWORKS.map((network) => ({
    ...network,
    customTokens: network.code === 'solana',
  }));
  const chains = new SimulatedChains({ networks, tokens: SWAP_TOKENS, scheduler, seed });
  const worth: Record<string, string> = { ...VALUE };
  const valueOf: PriceOf = (asset) => {
    const value = worth[asset];
    return value === undefined ? undefined : new Decimal(value);
  };
  const service = new SwapIntents({
    chains,
    priceOf: valueOf,
    scheduler,
    terms: {
      ...DEFAULT_SWAP_TERMS,
      ...terms,
      resolver: { ...DEFAULT_SWAP_TERMS.resolver, ...resolver },
    },
    seed,
  });
  if (!poor) fund(chains, service);
  return { scheduler, chains, service, value: worth };
}

/** A million in worth of each token for the user and ten times that for the resolver. */
function fund(chains: SimulatedChains, service: SwapIntents): void {
  for (const { id, network, asset, decimals } of chains.tokens) {
    const lots = (10n ** BigInt(decimals) * 1_000_000n) / BigInt(VALUE[asset] ?? '1');
    const user = chains.addressOf(network, 'user');
    granted(chains.mint(id, user, lots));
    granted(chains.mint(id, service.resolverAt(network), 10n * lots));
    const family = chains.networks.find(({ code }) => code === network)?.family;
    if (family === 'evm' || family === 'tron') chains.approve(id, user);
  }
}

/** Opens a venue that whoever asks must close. */
export async function startSwapVenue(options: SwapVenueOptions = {}): Promise<SwapVenue> {
  const parts = swapParts(options);
  const { service, scheduler } = parts;
  const partners = new Partners([
    { name: 'partner', publicKeys: [PUBLIC_KEY], affiliateKeys: [AFFILIATE_KEY] },
    { name: 'other', publicKeys: [stranger.publicKey], affiliateKeys: ['another-affiliate-key'] },
  ]);
  const { faults } = options;
  const plan = faults === undefined ? undefined : faultPlan.parse(faults);
  const venue = await Venue.open({
    ...(plan === undefined ? {} : { faults: new Faults(scheduler, plan) }),
    trading: new TradingService({ instruments: instruments(), scheduler }),
    port: 0,
    services: [
      (app) => {
        mountSwaps(app, { service, partners });
      },
    ],
  });
  return new SwapVenue(parts, venue);
}

/** Opens a venue for the test that asks. */
export async function openSwapVenue(options: SwapVenueOptions = {}): Promise<SwapVenue> {
  const test = await startSwapVenue(options);
  onTestFinished(async () => {
    await closeSwapVenue(test);
  });
  return test;
}

/** Opens one venue for all tests of a file or a group, which share what they do to it. */
export function sharedSwapVenue(options: SwapVenueOptions = {}): () => SwapVenue {
  let shared: SwapVenue | undefined;
  beforeAll(async () => {
    shared = await startSwapVenue(options);
  });
  afterAll(async () => {
    if (shared !== undefined) await closeSwapVenue(shared);
  });
  return () => {
    if (shared === undefined) throw new Error('the venue is opened before the tests run');
    return shared;
  };
}

async function closeSwapVenue({ venue, service, chains }: SwapVenue): Promise<void> {
  service.close();
  chains.close();
  await venue.close();
}
