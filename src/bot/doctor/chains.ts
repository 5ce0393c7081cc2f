import { realNode, type RealNode } from '../../gateways/chains/real-node.ts';
import { errorText, MillraceError } from '../../model/errors.ts';
import { amountOf } from '../../swaps/tokens.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';
import type { CheckDependencies } from './chain-look.ts';
import { checker, type CheckResult } from './check-result.ts';
import { checkEvm } from './evm.ts';
import { checkSolana } from './solana.ts';

/** Checks each network of a portfolio that has a live node configured. */
export async function checkChains(
  { chains }: RebalancingSettings,
  dependencies: CheckDependencies,
): Promise<readonly CheckResult[]> {
  const found = chains.map(async ({ location: place, node, signer: { address } }) => {
    if (typeof node === 'string' || 'path' in node) return [];
    switch (node.family) {
      case 'evm':
        return checkEvm({ place, address, options: node.options }, dependencies);
      case 'solana':
        return checkSolana({ place, address, options: node.options }, dependencies);
      case 'bitcoin':
        return [await checkByNode(node, { place, address }, dependencies)];
    }
  });
  return (await Promise.all(found)).flat();
}

/** Queries the node itself, which checks its chain first, for the wallet's balance of the fee asset. */
async function checkByNode(
  node: RealNode,
  { place, address }: { readonly place: string; readonly address: string },
  http: CheckDependencies,
): Promise<CheckResult> {
  const { ok, warn, fail } = checker('node', place);
  const made = realNode(node, http);
  try {
    const { coin, tokens } = node.options;
    const { decimals = 0, asset = '' } = tokens.find(({ id }) => id === coin) ?? {};
    const held = amountOf(await made.balance(coin, address), decimals).toFixed();
    return ok(`The nodes answer, of the right chain: ${address} holds ${held} ${asset}.`);
  } catch (error) {
    const isBusy = error instanceof MillraceError && error.code === 'journal-locked';
    if (isBusy) return warn('Another process pays out of this wallet, so that its nodes were not asked.', 'Stop it, and ask again.'); // prettier-ignore
    return fail(errorText(error), 'Look at urls and chain of this place.');
  } finally {
    await made.close?.();
  }
}
