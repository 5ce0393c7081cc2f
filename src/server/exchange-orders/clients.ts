import type { KeyObject } from 'node:crypto';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Micros } from '../../platform/time.ts';
import type { OrderClient } from '../../swaps/orders/service.ts';
import type { ExchangeMethod } from '../../wire/exchange-orders/methods.ts';
import { apiKeyOf } from '../../wire/key-pair.ts';
import { SlidingWindow } from '../../wire/sliding-window.ts';

/** A client of the exchange order service, and its terms. */
export interface ExchangeClient {
  readonly name: string;
  readonly publicKey: KeyObject;
  /** 10 if absent. */
  readonly requestsPerSecond?: number;
  /** Allowed methods; all if absent. */
  readonly methods?: readonly ExchangeMethod[];
  /** True if it may send `userMetadata`. */
  readonly userMetadata?: boolean;
  /** True if currencies have `coin` and `network` in place of `protocol` and `blockchain`. */
  readonly coinAndNetwork?: boolean;
  /** Its own fee, in percent; 0 if absent. */
  readonly extraFee?: Decimal;
  /** Whether errors about amounts keep the limits to themselves. */
  readonly limitsUnreported?: boolean;
}

const REQUESTS_PER_SECOND = 10;

/** A client whose requests are counted. */
export class KnownClient implements OrderClient {
  readonly settings: ExchangeClient;
  readonly name: string;
  readonly extraFee: Decimal;
  readonly requestsPerSecond: number;
  readonly #window: SlidingWindow;

  constructor(settings: ExchangeClient) {
    this.settings = settings;
    this.name = settings.name;
    this.extraFee = settings.extraFee ?? ZERO;
    this.requestsPerSecond = settings.requestsPerSecond ?? REQUESTS_PER_SECOND;
    this.#window = new SlidingWindow({ rate: this.requestsPerSecond, burst: 0 });
  }

  /** Counts a request; false if it is one too many within a second. */
  take(now: Micros): boolean {
    return this.#window.take(now);
  }

  may(method: ExchangeMethod): boolean {
    return this.settings.methods?.includes(method) ?? true;
  }
}

/** Clients by the name of their key. */
export class ExchangeClients {
  readonly #clients: ReadonlyMap<string, KnownClient>;

  /** Throws `config-invalid` if two clients have one key. */
  constructor(clients: readonly ExchangeClient[]) {
    this.#clients = new Map(
      clients.map((client) => [apiKeyOf(client.publicKey), new KnownClient(client)] as const),
    );
    if (this.#clients.size < clients.length) {
      const message = 'Two clients of the exchange order service have one key.';
      throw new MillraceError('config-invalid', message);
    }
  }

  find(apiKey: string): KnownClient | undefined {
    return this.#clients.get(apiKey);
  }

  named(name: string): KnownClient | undefined {
    return [...this.#clients.values()].find((client) => client.name === name);
  }
}
