import type { ChainWorld } from '../chains/chain-world.ts';
import { isFinal, type Intent } from './intent.ts';

/** Filter of intents. */
export interface HistoryFilter {
  /** Source or target addresses; any if absent. */
  readonly wallets?: readonly string[] | undefined;
  readonly retailUser?: string | undefined;
  /** Only those that have not ended. */
  readonly isActive?: boolean | undefined;
}

/** The intents of a partner that pass a filter, newest first. */
export function historyOf(
  intents: Iterable<Intent>,
  partner: string,
  { wallets, retailUser, isActive = false }: HistoryFilter,
  chains: ChainWorld,
): readonly Intent[] {
  // An address has several forms on some networks.
  const isOf = ({ from, to, quote }: Intent, wallet: string): boolean =>
    chains.canonical(quote.from.network, wallet) === from ||
    chains.canonical(quote.to.network, wallet) === to;
  return [...intents]
    .filter(
      (intent) =>
        intent.partner === partner &&
        (wallets === undefined || wallets.some((wallet) => isOf(intent, wallet))) &&
        (retailUser === undefined || intent.retailUser === retailUser) &&
        !(isActive && isFinal(intent.state)),
    )
    .toReversed();
}
