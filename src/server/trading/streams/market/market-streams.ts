import type { Cancel } from '../../../../platform/scheduler.ts';
import type { TradingService } from '../../service.ts';
import { IntervalScheduler } from './interval-scheduler.ts';
import type { Broadcast, Topic } from './broadcast.ts';
import { MarketFlow, type Moved } from './flow.ts';
import { TopicChannel } from './topic-channel.ts';

/** Shared by the market data sockets of all versions: the followed market, and time. */
export class MarketStreams {
  readonly service: TradingService;
  readonly beats: IntervalScheduler;
  readonly #flow: MarketFlow;
  readonly #channels = new Map<string, Broadcast>();

  constructor(service: TradingService) {
    this.service = service;
    this.beats = new IntervalScheduler(service);
    this.#flow = new MarketFlow(service.news);
  }

  /** The channel of a name, made on first use. */
  channel(name: string, make: () => Broadcast): Broadcast {
    let channel = this.#channels.get(name);
    if (channel === undefined) {
      channel = make();
      this.#channels.set(name, channel);
    }
    return channel;
  }

  /** A channel of topics, one for each symbol, that send market changes at once. */
  following(moved: Moved, open: (instrument: number) => Topic): Broadcast {
    const { exchange } = this.service;
    return new TopicChannel(
      (symbol) => open(exchange.instrument(symbol)),
      (symbol, topic, emit): Cancel =>
        this.#flow.add(exchange.instrument(symbol), moved, topic, emit),
    );
  }

  /** A channel of topics that send from time to time. */
  polling(everyMs: number, open: (instrument: number) => Topic): Broadcast {
    return new TopicChannel(
      (symbol) => open(this.service.exchange.instrument(symbol)),
      (_symbol, _topic, emit): Cancel => this.beats.every(everyMs, emit),
    );
  }
}

const streams = new WeakMap<TradingService, MarketStreams>();

/** The one that all sockets of a service share. */
export function marketStreams(service: TradingService): MarketStreams {
  let found = streams.get(service);
  if (found === undefined) {
    found = new MarketStreams(service);
    streams.set(service, found);
  }
  return found;
}
