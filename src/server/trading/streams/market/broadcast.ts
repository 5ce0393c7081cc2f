import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Frame } from '../../../socket/frame.ts';

/** Whoever follows something: a connection. */
export interface Follower {
  send(frame: string | Frame): void;
}

/** A channel: what it sends about a key (a symbol, or a currency of rates) to all subscribers of the key. */
export interface Broadcast {
  /**
   * Sends what there is of these keys and follows them; `limit` is how much past that may have. Called
   * right after an update: all others are up to date, so that the next changes are the same for all.
   */
  join(follower: Follower, keys: readonly string[], limit: number): void;
  /** Ends that; keys that are not followed do not matter. */
  leave(follower: Follower, keys: readonly string[]): void;
}

/** What a channel sends about one key: a beginning for each new subscriber, then changes for all. */
export interface Topic {
  /**
   * The frame for who joins, with at most `limit` entries of the past; `undefined` where it would
   * list nothing, since a client takes each frame of a list for news.
   */
  first(limit: number): string | undefined;
  /** Frames of what has changed since this was asked before. */
  due(): readonly string[];
  /** A trade of its symbol; what is due then has it. */
  trade?(trade: PublicTrade): void;
}
