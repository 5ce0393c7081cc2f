import type { z } from 'zod';
import { CHANNELS, hasSnapshot } from '../../wire/trading/v3/streams/channels.ts';
import { PAYLOADS, type Part } from '../../wire/trading/v3/streams/market.ts';

/** A feed of the market data socket of version 3. */
export interface MarketFeed {
  readonly ch: string;
  readonly parts: readonly Part[];
  /** Of a symbol, or of a currency. */
  readonly payload: z.ZodType;
}

/** Every feed by the name of its channel. */
export const MARKET_FEEDS: readonly MarketFeed[] = [...CHANNELS].map(([ch, { feed }]) => ({
  ch,
  parts: hasSnapshot(feed) ? ['snapshot', 'update'] : ['data'],
  payload: PAYLOADS[feed],
}));
