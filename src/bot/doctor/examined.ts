import type { TradingClient } from '../../gateways/trading/client/client.ts';
import type { MarginAccountId } from '../../model/margin-account.ts';
import type { AccountSettings, ServiceSettings, StrategySettings } from '../settings/settings.ts';

/** Symbols by their codes, as the service lists them. */
export type ExaminedSymbols = Awaited<ReturnType<TradingClient['rest']['getSymbols']>>;

/** An account with its client, and the strategies that trade on it. */
export interface Examined {
  readonly account: AccountSettings & { readonly service: ServiceSettings };
  readonly client: TradingClient;
  readonly strategies: readonly StrategySettings[];
  readonly isLive: boolean;
  /** The strategy that opened a margin account, as the journal has it; absent if that cannot be read. */
  readonly ownerOf?: ((marginAccount: MarginAccountId) => string | undefined) | undefined;
}
