import type { MillraceError } from '../../../model/errors.ts';
import type { ArgumentsOf } from '../../../wire/trading/call.ts';
import type { Micros } from '../../../platform/time.ts';
import { CHANNELS, readChannel } from '../../../wire/trading/v3/streams/channels.ts';
import {
  marketRequestFrame,
  readMarketFrame,
  subscription,
  type MarketDataFrame,
  type MarketMethod,
} from '../../../wire/trading/v3/streams/market.ts';
import { refuseExtraArguments } from '../../http/extra-arguments.ts';
import { invalid } from '../../http/invalid.ts';
import { refuseUnknownListener, refuseWrongOption } from '../../http/unknown-members.ts';
import { writeParams } from '../client/request.ts';
import { ReconnectingSocket, OPEN_OPTIONS, type OpenOptions } from './reconnecting-socket.ts';
import { checkedSetup, resolveSetup, type SocketSetup } from './options.ts';
import { RequestLimiter } from './request-limiter.ts';
import type { RpcCall } from './requests.ts';
import { SOCKET_LISTENER, type SocketListener, type SocketState } from './state.ts';
import { SafeListener } from './safe-listener.ts';
import type { SubscriptionRequest } from './subscriptions.ts';

/** Receives market data. */
export interface MarketListener extends SocketListener {
  /** A frame of a channel, read. */
  data?(frame: MarketDataFrame, receivedAt: Micros): void;
}

const LISTENER: ReadonlySet<string> = new Set([...Object.keys(SOCKET_LISTENER), 'data']);

/** Parameters of a channel: `symbols`, `currencies` of rates, `limit`, `target_currency`. */
export type Subscription = ArgumentsOf<typeof subscription>;

/** How every frame of data begins, as readers of the family count on it. */
const DATA = '{"ch":';

/** A subscription as requested, without the names that later requests have taken over or ended. */
interface Followed extends SubscriptionRequest {
  readonly ch: string;
  names: readonly string[];
}

/**
 * The market data socket of version 3. It needs no login. Subscriptions are repeated after every reconnect;
 * channels with a snapshot begin with one then.
 */
export class MarketSocket {
  static {
    const asking = { subscribe: 2, unsubscribe: 2, subscriptions: 1 } as const;
    refuseExtraArguments(MarketSocket, { open: 1, renew: 1, close: 0, ...asking });
  }

  readonly #listener: MarketListener;
  readonly #voice: SafeListener;
  readonly #link: ReconnectingSocket;
  #followed: Followed[] = [];

  constructor(setup: SocketSetup<MarketListener>) {
    // The service counts no messages of this socket.
    const limiter = new RequestLimiter({}, () => undefined, checkedSetup(setup).scheduler);
    refuseUnknownListener(setup.listener, LISTENER);
    this.#listener = setup.listener;
    this.#voice = new SafeListener(setup.listener);
    this.#link = new ReconnectingSocket({
      ...resolveSetup(setup, limiter),
      voice: this.#voice,
      receive: (frame, receivedAt) => {
        this.#receive(frame, receivedAt);
      },
    });
  }

  get state(): SocketState {
    return this.#link.state;
  }

  /** Opens the socket and keeps it open until `close`, as the other sockets do. */
  async open(options: OpenOptions = {}): Promise<void> {
    refuseWrongOption('open', options, OPEN_OPTIONS);
    const { timeoutUs } = options;
    return this.#link.open(timeoutUs);
  }

  /** Terminates a useless connection; the next one follows automatically. */
  renew(why: MillraceError): void {
    this.#link.renew(why);
  }

  /** Closes the socket for good: nothing is emitted any more. Resolves when it is completely closed. */
  async close(): Promise<void> {
    return this.#link.close();
  }

  /**
   * Subscribes to a channel, such as `trades` or `orderbook/full`, and returns the symbols that the service
   * accepted (the currencies, of rates). Subscribed to again, a channel starts again, with a snapshot if it
   * has one. While the socket is not live the promise waits for that.
   */
  async subscribe(ch: string, given: Subscription): Promise<readonly string[]> {
    const written = writtenFor('subscribe', ch, given);
    const member = CHANNELS.get(ch)?.feed === 'price-rate' ? 'currencies' : 'symbols';
    if (namesOf(given).length === 0) throw invalid('subscribe', `${member} is required`, member);
    this.#release(ch, namesOf(given));
    const managedOrder: Followed = {
      ch,
      names: namesOf(given),
      method: 'subscribe',
      params: given,
      frame: (id) => marketRequestFrame('subscribe', ch, named(written, managedOrder.names), id),
      answered: (result) => {
        // A symbol that the service does not accept would be rejected for ever.
        if (!managedOrder.names.includes('*')) {
          managedOrder.names = managedOrder.names.filter((name) =>
            (result as readonly string[]).includes(name),
          );
        }
      },
    };
    this.#followed.push(managedOrder);
    const taken = (await this.#link.follow(managedOrder)) as readonly string[] | undefined;
    return taken ?? [];
  }

  /** Unsubscribes from a channel, from all of it without symbols; returns what is left. */
  async unsubscribe(ch: string, given: Subscription = {}): Promise<readonly string[]> {
    const ask = this.#ask('unsubscribe', ch, given);
    const names = namesOf(given);
    this.#release(ch, names.length === 0 || names.includes('*') ? undefined : names);
    const left = await this.#link.end(ask);
    return (left as readonly string[] | undefined) ?? this.#namesOn(ch);
  }

  /** The service's subscriptions of a channel. */
  async subscriptions(ch: string): Promise<readonly string[]> {
    const [names] = await this.#link.ask(this.#ask('subscriptions', ch, {}));
    return names as readonly string[];
  }

  #ask(method: MarketMethod, ch: string, given: Subscription): RpcCall {
    const written = writtenFor(method, ch, given);
    return {
      method,
      params: given,
      replies: 1,
      changes: false,
      frame: (id) => marketRequestFrame(method, ch, named(written, namesOf(given)), id),
    };
  }

  /** Removes names of a channel, or all, from earlier subscriptions. */
  #release(ch: string, names: readonly string[] | undefined): void {
    for (const managedOrder of this.#followed) {
      if (managedOrder.ch !== ch) continue;
      managedOrder.names =
        names === undefined ? [] : managedOrder.names.filter((name) => !names.includes(name));
      if (managedOrder.names.length === 0) this.#link.forget(managedOrder);
    }
    this.#followed = this.#followed.filter(({ names: left }) => left.length > 0);
  }

  #namesOn(ch: string): readonly string[] {
    return this.#followed
      .filter((managedOrder) => managedOrder.ch === ch)
      .flatMap(({ names }) => names);
  }

  #receive(frame: string, receivedAt: Micros): void {
    if (frame.startsWith(DATA)) {
      if (this.#voice.isSilent || this.#listener.raw?.(frame, receivedAt) === true) return;
    }
    const read = readMarketFrame(frame);
    switch (read.kind) {
      case 'data':
        if (!this.#voice.isSilent) this.#listener.data?.(read, receivedAt);
        return;
      case 'subscriptions':
        this.#link.result(read.id, read.subscriptions);
        return;
      case 'error':
        this.#link.error(read.id, read.error);
        return;
      case 'unknown':
        this.#link.invalid(read.fault.description ?? read.fault.message);
    }
  }
}

const namesOf = ({ symbols, currencies }: Subscription): readonly string[] =>
  symbols ?? currencies ?? [];

/** Params as a query has them. */
type WireParams = Readonly<Record<string, unknown>>;

/** The params of a request for a channel. Throws `request-invalid` for an unknown one. */
function writtenFor(method: MarketMethod, ch: string, given: Subscription): WireParams {
  const channel = readChannel(typeof ch === 'string' ? ch : undefined);
  if (channel.kind === 'fault') {
    throw invalid(method, channel.fault.description ?? channel.fault.message, 'ch');
  }
  return writeParams(method, subscription, given) as WireParams;
}

/** Params of a socket with the present names: lists are no text with commas. */
function named(written: WireParams, names: readonly string[]): WireParams {
  if (names.length === 0) return written;
  return { ...written, ['currencies' in written ? 'currencies' : 'symbols']: names };
}
