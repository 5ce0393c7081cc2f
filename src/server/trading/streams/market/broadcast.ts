import type { PublicTrade } from '../../../../exchange/market-data/public-trades.ts';
import type { Frame } from '../../../socket/frame.ts';

/** A follower: a connection. */
export interface Follower {
  send(frame: string | Frame): void;
}

/** A channel: what it sends about a key (a symbol, or a currency of rates) to all subscribers of the key. */
export interface Broadcast {
  /**
   * Sends the state of these keys and follows them; `limit` is the length of their history. Called right
   * after an update: all others are up to date, so that the next changes are the same for all.
   */
  join(follower: Follower, keys: readonly string[], limit: number): void;
  /** Ends that; keys that are not followed do not matter. */
  leave(follower: Follower, keys: readonly string[]): void;
}

/** A channel's data of one key: a first frame for each new subscriber, then changes for all. */
export interface Topic {
  /**
   * The first frame of a new follower, with at most `limit` past entries; `undefined` if it would list
   * nothing, since a client takes each frame of a list as news.
   */
  first(limit: number): string | undefined;
  /** Frames of the changes since the last call. */
  due(): readonly string[];
  /** A trade of its symbol, to be included in the due frames. */
  trade?(trade: PublicTrade): void;
}
