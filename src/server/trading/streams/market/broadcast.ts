import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Frame } from '../../../socket/frame.ts';

/** Whoever follows something: a connection. */
export interface Follower {
  send(frame: string | Frame): void;
}

/** A channel: what it tells of a key (a symbol, or a currency of rates), to all who follow that. */
export interface Broadcast {
  /**
   * Sends what there is of these keys and follows them; `limit` is how much past that may have. Comes
   * when the service has looked: all others have been told of everything, so that the changes to
   * come are the same for all.
   */
  join(follower: Follower, keys: readonly string[], limit: number): void;
  /** Ends that; keys that are not followed do not matter. */
  leave(follower: Follower, keys: readonly string[]): void;
}

/** What a channel tells of one key: a beginning for each who joins, then changes for all. */
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
