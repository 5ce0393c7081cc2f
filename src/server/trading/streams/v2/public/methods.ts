import { marketStreams, type MarketStreams } from '../../market/market-streams.ts';
import type { Follower } from '../../market/broadcast.ts';
import type { SessionMethods, ClientSession } from '../../part.ts';
import { channelOf, nameOf, type Followed } from './channels.ts';

/** Subscriptions of one socket of version 2. */
export class PublicMethodsV2 implements SessionMethods {
  readonly streams: MarketStreams;
  readonly #follower: Follower;
  /** How to end it, by channel and symbol. */
  readonly #ends = new Map<string, () => void>();

  constructor({ service, connection }: ClientSession) {
    this.streams = marketStreams(service);
    this.#follower = connection;
  }

  /** Follows a symbol; an existing subscriber gets the first frame again. */
  follow(followed: Followed, symbol: string, limit: number): void {
    const channel = channelOf(this.streams, followed);
    this.#ends.set(`${nameOf(followed)} ${symbol}`, () => {
      channel.leave(this.#follower, [symbol]);
    });
    channel.join(this.#follower, [symbol], limit);
  }

  /** Follows a symbol no longer. */
  end(followed: Followed, symbol: string): void {
    const name = `${nameOf(followed)} ${symbol}`;
    this.#ends.get(name)?.();
    this.#ends.delete(name);
  }

  close(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }
}
