import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';
import type { CheckResult } from './check-result.ts';
import { checkEvm } from './evm.ts';
import { checkSolana } from './solana.ts';

/** Looks at each network of a portfolio that a node of a real chain is configured for. */
export async function checkChains(
  { chains }: RebalancingSettings,
  surroundings: { readonly scheduler: Scheduler; readonly random: Random },
): Promise<readonly CheckResult[]> {
  const found = chains.map(async ({ place, node, signer: { address } }) => {
    if (typeof node === 'string' || 'path' in node) return [];
    return node.family === 'evm'
      ? checkEvm({ place, address, options: node.options }, surroundings)
      : checkSolana({ place, address, options: node.options }, surroundings);
  });
  return (await Promise.all(found)).flat();
}
