import type { PreparedTransaction } from '../node.ts';
import { readSigned, type FeeTransaction } from './encoding.ts';
import { quantity, type EvmProviders } from './providers.ts';

/** Fee offer of a transaction for a unit of gas, wei. */
export type Fees = Pick<FeeTransaction, 'tip' | 'maxFee' | 'isLegacy'>;

/**
 * Twice the base fee covers six full blocks; the tip is what nodes suggest. A chain whose blocks have no
 * base fee is without EIP-1559: all pay the price that they bid.
 */
export async function feesNow(providers: EvmProviders, baseFee: bigint | undefined): Promise<Fees> {
  const asked = await askedOf(providers, baseFee);
  const most = asked.reduce(larger, asked[0] ?? 0n);
  if (baseFee === undefined) {
    const price = larger(most, 1n);
    return { tip: price, maxFee: price, isLegacy: true };
  }
  return { tip: most, maxFee: 2n * baseFee + most };
}

/** Each node's present price: of gas, or the tip if there is a base fee. */
async function askedOf(
  providers: EvmProviders,
  baseFee: bigint | undefined,
): Promise<readonly bigint[]> {
  if (baseFee === undefined) {
    const answers = await providers.each('eth_gasPrice', []);
    return answers.map((one) => quantity(one, 'eth_gasPrice'));
  }
  const outcomes = await providers.outcomes('eth_maxPriorityFeePerGas', []);
  const tips = outcomes.flatMap((one) =>
    one.kind === 'result' ? [quantity(one.result, 'eth_maxPriorityFeePerGas')] : [],
  );
  // Some providers do not have the method; a tenth of the base fee is then offered.
  return tips.length > 0 ? tips : [baseFee / 10n + 1n];
}

/** The fees of a replacement: 15 % above the highest candidate, which every pool takes. */
export const raised = (now: Fees, earlier: readonly PreparedTransaction[]): Fees =>
  earlier.reduce((fees, { raw }) => {
    const { tip = 0n, maxFee = 0n } = readSigned(raw) ?? {};
    return { ...fees, tip: larger(fees.tip, more(tip)), maxFee: larger(fees.maxFee, more(maxFee)) };
  }, now);

/**
 * True if all candidates offer so little that a replacement, which pays 15 % more, would pay no more than
 * every node's present price: a single expensive node does not raise it.
 */
export async function areOutbid(
  made: readonly FeeTransaction[],
  providers: EvmProviders,
  baseFee: bigint | undefined,
): Promise<boolean> {
  const asked = await askedOf(providers, baseFee);
  const least = asked.reduce((low, one) => (one < low ? one : low), asked[0] ?? 0n);
  return made.every(({ tip, maxFee }) => {
    const left = maxFee - (baseFee ?? 0n);
    return more(left < tip ? left : tip) <= least;
  });
}

/** Always higher: zero becomes one. */
const more = (value: bigint): bigint => larger(value + 1n, (value * 115n + 99n) / 100n);

export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
