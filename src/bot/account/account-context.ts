import type { MarketSource } from '../../gateways/market-source.ts';
import type { Guards } from '../risk/guards.ts';
import type { PaperAccount } from '../paper/account.ts';
import type { AccountSettings } from '../settings/settings.ts';
import type { Account } from './account.ts';
import type { MarketHub } from './market-hub.ts';

/** An account with everything that belongs to it in a bot. */
export interface AccountContext {
  readonly settings: AccountSettings;
  readonly account: Account;
  readonly hub: MarketHub;
  readonly market: MarketSource;
  /** Set for a paper account; transfers of the inventory go through it. */
  readonly paper: PaperAccount | undefined;
  readonly close: () => Promise<void>;
  /** True if transfers of an inventory go through it, which change its balances without fills. */
  movesInventory: boolean;
  guards: Guards;
}
