import type { Exact } from './decimal.ts';

/** How the naive exchange decides where the rules leave a choice. */
export interface NaiveRules {
  selfMatch: string;
  marketBuyFactor: string;
  stopReached: string;
  unaffordable: string;
  ocoCancel: string;
}

export const DEFAULT_RULES: NaiveRules = {
  selfMatch: 'none',
  marketBuyFactor: '1',
  stopReached: 'wait',
  unaffordable: 'refuse',
  ocoCancel: 'trade',
};

/** What an order pays, as taker and as maker. */
export interface NaiveRates {
  readonly take: Exact;
  readonly make: Exact;
}
