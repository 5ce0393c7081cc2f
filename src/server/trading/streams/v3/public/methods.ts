import type { Broadcast, Follower } from '../../market/broadcast.ts';
import { marketStreams, type MarketStreams } from '../../market/market-streams.ts';
import type { SessionMethods, ClientSession } from '../../part.ts';
import { channelOf, type RequestedChannel } from './channels.ts';

/** Subscription of a channel. */
interface Subscription {
  readonly broadcast: Broadcast;
  readonly keys: Set<string>;
}

/** The subscriptions of one socket. */
export class PublicMethodsV3 implements SessionMethods {
  readonly streams: MarketStreams;
  readonly #follower: Follower;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor({ service, connection }: ClientSession) {
    this.streams = marketStreams(service);
    this.#follower = connection;
  }

  /** The followed keys of a channel, in the order of their requests. */
  followed(ch: string): readonly string[] {
    return [...(this.#subscriptions.get(ch)?.keys ?? [])];
  }

  /**
   * Follows more keys of a channel. Frames do not name the currency of their prices, so another one ends
   * the subscriptions in the earlier.
   */
  follow(asked: RequestedChannel, keys: readonly string[], limit: number): void {
    const broadcast = channelOf(this.streams, asked);
    const before = this.#subscriptions.get(asked.ch);
    if (before !== undefined && before.broadcast !== broadcast) {
      this.end(asked.ch, [...before.keys]);
    }
    const { keys: followed } = this.#subscriptions.get(asked.ch) ?? { keys: new Set<string>() };
    for (const key of keys) followed.add(key);
    this.#subscriptions.set(asked.ch, { broadcast, keys: followed });
    broadcast.join(this.#follower, keys, limit);
  }

  /** Ends the subscriptions of keys of a channel. */
  end(ch: string, ended: readonly string[]): void {
    const subscription = this.#subscriptions.get(ch);
    if (subscription === undefined) return;
    const { broadcast, keys } = subscription;
    broadcast.leave(this.#follower, ended);
    for (const key of ended) keys.delete(key);
    if (keys.size === 0) this.#subscriptions.delete(ch);
  }

  close(): void {
    for (const [ch, { keys }] of [...this.#subscriptions]) this.end(ch, [...keys]);
  }
}
