import { generateKeyPairSync } from 'node:crypto';
import { Decimal } from '../../../../src/model/decimal.ts';
import { SystemScheduler } from '../../../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../../../src/platform/time.ts';
import { mountChains } from '../../../../src/server/chains/mount.ts';
import { mountSwaps } from '../../../../src/server/swaps/mount.ts';
import { Partners } from '../../../../src/server/swaps/partners.ts';
import { TradingService } from '../../../../src/server/trading/service.ts';
import { Venue } from '../../../../src/server/venue.ts';
import { SimulatedChains } from '../../../../src/swaps/chains/simulated-chains.ts';
import type { Intent } from '../../../../src/swaps/intents/intent.ts';
import { SwapIntents } from '../../../../src/swaps/intents/swap-intents.ts';
import { DEFAULT_SWAP_TERMS, type ResolverTerms } from '../../../../src/swaps/intents/terms.ts';
import { amountOf } from '../../../../src/swaps/tokens.ts';
import { instruments } from '../../../server/instruments.ts';
import { granted, NETWORKS, TOKENS, keysOf } from '../../../swaps/chains/harness.ts';

const USER = 'user';
const VALUE: Readonly<Record<string, string>> = {
  USDC: '1',
  ETH: '3000',
  BTC: '60000',
  SOL: '150',
};

/** A venue with the swap service and its chains, by the real clock. */
export class TrialVenue {
  readonly chains: SimulatedChains;
  readonly service: SwapIntents;
  /** Of the partner who asks. */
  readonly privateKey: string;
  readonly #venue: Venue;

  constructor(parts: Pick<TrialVenue, 'chains' | 'service' | 'privateKey'>, venue: Venue) {
    this.chains = parts.chains;
    this.service = parts.service;
    this.privateKey = parts.privateKey;
    this.#venue = venue;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#venue.port}`;
  }

  /** Keys of the user, hexadecimal, by network. */
  get keys(): Readonly<Record<string, string>> {
    return keysOf(this.chains, USER);
  }

  /** What the user holds of a token. */
  holds(token: number): Decimal {
    const found = TOKENS.find(({ id }) => id === token);
    if (found === undefined) throw new Error(`there is no token ${token}`);
    const lots = this.chains.balance(token, this.chains.addressOf(found.network, USER));
    return amountOf(lots, found.decimals);
  }

  /** The intents for which the user's money was taken. */
  get paid(): readonly Intent[] {
    return this.service.intents().filter(({ deposit }) => deposit !== undefined);
  }

  /** Lets the permit2 contract take a token of the user. */
  permit(token: number): void {
    const found = this.chains.tokens.find(({ id }) => id === token);
    if (found !== undefined) this.chains.approve(token, this.chains.addressOf(found.network, USER));
  }

  async close(): Promise<void> {
    this.service.close();
    this.chains.close();
    await this.#venue.close();
  }
}

/** Opens it, with a million in worth of each token for the user and ten for the resolver. */
export async function openTrialVenue(resolver: Partial<ResolverTerms> = {}): Promise<TrialVenue> {
  const scheduler = new SystemScheduler();
  const networks = NETWORKS.map((one) => ({ ...one, blockUs: 20 * US_PER_MS }));
  const chains = new SimulatedChains({ networks, tokens: TOKENS, scheduler, seed: 5 });
  const fast = { acceptUs: 20, depositUs: 60, fulfilUs: 150, refundUs: 50 };
  const paces = Object.entries(fast).map(([name, ms]) => [name, ms * US_PER_MS]);
  const service = new SwapIntents({
    chains,
    scheduler,
    seed: 5,
    priceOf: (asset) => new Decimal(VALUE[asset] ?? '1'),
    terms: {
      ...DEFAULT_SWAP_TERMS,
      resolver: { ...DEFAULT_SWAP_TERMS.resolver, ...Object.fromEntries(paces), ...resolver },
    },
  });
  for (const { id, network, asset, decimals } of TOKENS) {
    const lots = (10n ** BigInt(decimals) * 1_000_000n) / BigInt(VALUE[asset] ?? '1');
    granted(chains.mint(id, chains.addressOf(network, USER), lots));
    granted(chains.mint(id, service.resolverAt(network), 10n * lots));
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const partners = new Partners([
    { name: 'partner', publicKeys: [publicKey], affiliateKeys: ['affiliate-key'] },
  ]);
  const venue = await Venue.open({
    trading: new TradingService({ instruments: instruments(), scheduler }),
    port: 0,
    services: [(app) => mountSwaps(app, { service, partners }), (app) => mountChains(app, chains)],
  });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return new TrialVenue({ chains, service, privateKey: pem }, venue);
}
