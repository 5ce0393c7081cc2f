import type { ChainWorld } from '../chains/chain-world.ts';
import { isFinal, type Intent } from './intent.ts';

/** Which intents somebody asks for. */
export interface HistoryFilter {
  /** Addresses that money came from or went to; any where absent. */
  readonly wallets?: readonly string[] | undefined;
  readonly retailUser?: string | undefined;
  /** Only those that have not ended. */
  readonly isActive?: boolean | undefined;
}

/** The intents of a partner that a filter lets through, newest first. */
export function historyOf(
  intents: Iterable<Intent>,
  partner: string,
  { wallets, retailUser, isActive = false }: HistoryFilter,
  chains: ChainWorld,
): readonly Intent[] {
  // One address can be written in several ways, on some networks.
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
