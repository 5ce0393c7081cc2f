import type { Broadcast, Follower } from '../../market/broadcast.ts';
import { marketStreams, type MarketStreams } from '../../market/market-streams.ts';
import type { SessionMethods, ClientSession } from '../../part.ts';
import { channelOf, type RequestedChannel } from './channels.ts';

/** What is followed of a channel. */
interface Subscription {
  readonly broadcast: Broadcast;
  readonly keys: Set<string>;
}

/** The channels that one socket follows. */
export class PublicMethodsV3 implements SessionMethods {
  readonly streams: MarketStreams;
  readonly #follower: Follower;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor({ service, connection }: ClientSession) {
    this.streams = marketStreams(service);
    this.#follower = connection;
  }

  /** The keys that are followed of a channel, in the order in which they were asked for. */
  followed(ch: string): readonly string[] {
    return [...(this.#subscriptions.get(ch)?.keys ?? [])];
  }

  /**
   * Follows more of a channel. Frames do not say which currency their prices are in, so another one
   * than before ends what was followed in the former.
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

  /** Follows so much of a channel no longer. */
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
