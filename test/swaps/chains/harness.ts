import type { NetworkTerms, TokenTerms } from '../../../src/swaps/tokens.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';

const network = (
  id: number,
  code: string,
  family: NetworkTerms['family'],
  rest: Partial<NetworkTerms> = {},
): NetworkTerms => ({
  id,
  code,
  name: code.charAt(0).toUpperCase() + code.slice(1),
  family,
  blockUs: 10 * US_PER_SECOND,
  confirmations: 3,
  customTokens: false,
  ...rest,
});

/** One network of each family, the numbers as the swap service has them. */
export const NETWORKS: readonly NetworkTerms[] = [
  network(1, 'ethereum', 'evm', { chainId: 1, blockUs: 12 * US_PER_SECOND }),
  network(2, 'tron', 'tron', { chainId: 728_126_428, blockUs: 3 * US_PER_SECOND }),
  network(3, 'bitcoin', 'bitcoin', { blockUs: 600 * US_PER_SECOND, confirmations: 2 }),
  network(4, 'solana', 'solana', { blockUs: US_PER_SECOND, confirmations: 1 }),
];

const token = (
  id: number,
  network: string,
  asset: string,
  decimals: number,
  contract: string,
): TokenTerms => ({
  id,
  network,
  asset,
  name: asset,
  contract,
  decimals,
  ticker: asset.toLowerCase() + (asset === 'USDC' ? network.slice(0, 3) : ''),
  listed: true,
});

export const USDC_ETHEREUM = 10;
export const WETH = 11;
export const USDC_TRON = 20;
export const BTC = 30;
export const USDC_SOLANA = 40;
export const SOL = 41;

export const TOKENS: readonly TokenTerms[] = [
  token(USDC_ETHEREUM, 'ethereum', 'USDC', 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  token(WETH, 'ethereum', 'ETH', 18, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
  token(USDC_TRON, 'tron', 'USDC', 6, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'),
  token(BTC, 'bitcoin', 'BTC', 8, 'BTC'),
  token(USDC_SOLANA, 'solana', 'USDC', 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  token(SOL, 'solana', 'SOL', 9, 'So11111111111111111111111111111111111111112'),
];

/** When the chains of a test begin. */
export const STARTED = micros(Date.UTC(2026, 0, 5, 10) * 1_000);

export interface ChainsHarness {
  readonly chains: SimulatedChains;
  readonly scheduler: VirtualScheduler;
}

/** Chains of all families under a clock that a test moves; nobody holds anything yet. */
export function world(seed = 7): ChainsHarness {
  const scheduler = new VirtualScheduler(STARTED);
  const chains = new SimulatedChains({ networks: NETWORKS, tokens: TOKENS, scheduler, seed });
  return { chains, scheduler };
}

/** Keys of somebody whose addresses were made by the seed, hexadecimal, by network. */
export const keysOf = (chains: SimulatedChains, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    chains.networks.map(({ code }) => [
      code,
      Buffer.from(chains.keyOf(code, name)).toString('hex'),
    ]),
  );

/** What did not have to be refused. */
export function granted<Outcome>(outcome: Outcome | Rejection): Outcome {
  if (isRejection(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

/** Code of what had to be refused. */
export function rejectedWith(outcome: unknown): string {
  if (!isRejection(outcome)) throw new Error('it was not refused');
  return outcome.code;
}

/** True where all that was minted is held, of every token. */
export const isConserved = (chains: SimulatedChains): boolean =>
  chains.tokens.every(({ id }) => {
    const { minted, held } = chains.supply(id);
    return minted === held;
  });
