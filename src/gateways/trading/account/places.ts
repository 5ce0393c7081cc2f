import { MillraceError, type Warn } from '../../../model/errors.ts';
import type {
  OtherPlace,
  PlaceBalance,
  PlaceBalances,
  PlaceListener,
} from '../../../model/place-balance.ts';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import { RIGHTS } from '../../../wire/trading/rights.ts';
import { ServiceError } from '../../http/service-error.ts';
import type { TradingClient } from '../client/client.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { TradingSocket } from '../socket/trading.ts';
import type { WalletSocket } from '../socket/wallet.ts';

/** A balance as the service writes it: of derivatives with what margin accounts hold. */
interface WireBalance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
  readonly reserved_margin?: Decimal | undefined;
  readonly cross_margin_reserved?: Decimal | undefined;
}

export interface TradingPlacesSetup {
  readonly client: TradingClient;
  readonly scheduler: Scheduler;
  readonly socket: Partial<SocketOptions> | undefined;
  readonly warn: Warn;
  /** The trading socket, which sends the derivatives balance too. */
  readonly trading: () => TradingSocket | undefined;
  /** Asks for what is only to be read until there is an answer. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
}

/** Balances that a service does not send unasked are requested after so long. */
const REPORTED_WITHIN_US = 2 * US_PER_SECOND;

interface Followed {
  readonly listener: PlaceListener;
  /** All balances were received on this connection. */
  isReported: boolean;
  /** Of the wait for them. */
  cancel: Cancel;
}

/**
 * Wallet and derivatives balance of a key, each from the moment on in which somebody follows it: the first by a
 * wallet socket of its own, the second by the trading socket. Each connection begins with all balances.
 */
export class TradingPlaces implements PlaceBalances {
  readonly #setup: TradingPlacesSetup;
  readonly #followed = new Map<OtherPlace, Followed>();
  #wallet: WalletSocket | undefined;
  #isClosed = false;

  constructor(setup: TradingPlacesSetup) {
    this.#setup = setup;
  }

  follow(place: OtherPlace, listener: PlaceListener): void {
    this.#followed.set(place, { listener, isReported: false, cancel: () => undefined });
    const asked = place === 'wallet' ? this.#followWallet() : this.#followDerivatives();
    asked.then(
      () => this.live(place),
      (error: unknown) => {
        if (!this.#isClosed) listener.failed(rejected(place, error));
      },
    );
  }

  /**
   * Takes balances of a place. The first of a connection are all that are not zero, later ones the changes.
   * Changes (`isAll` false) may come first where the service does not send all unasked.
   */
  reported(place: OtherPlace, balances: readonly WireBalance[], at: Micros, isAll = true): void {
    const followed = this.#followed.get(place);
    if (followed === undefined || this.#isClosed) return;
    const isWhole = isAll && !followed.isReported;
    if (isWhole) followed.cancel();
    followed.isReported ||= isAll;
    followed.listener.reported({ place, at, isWhole, balances: balances.map(read) });
  }

  /** A place is connected: what it does not send unasked is requested. */
  live(place: OtherPlace): void {
    const followed = this.#followed.get(place);
    if (followed === undefined || followed.isReported || this.#isClosed) return;
    const { scheduler } = this.#setup;
    followed.cancel();
    followed.cancel = scheduler.at(micros(scheduler.now() + REPORTED_WITHIN_US), () => {
      void this.#ask(place);
    });
  }

  /** The connection of a place is lost: the next one begins with all balances. */
  lost(place: OtherPlace): void {
    const followed = this.#followed.get(place);
    if (followed === undefined) return;
    followed.isReported = false;
    followed.cancel();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { cancel } of this.#followed.values()) cancel();
    await this.#wallet?.close();
  }

  async #followDerivatives(): Promise<void> {
    const socket = this.#setup.trading();
    if (socket === undefined) throw new MillraceError('unreachable', 'The account is not open.');
    await socket.request('futures_balance_subscribe', { mode: 'updates' });
  }

  async #followWallet(): Promise<void> {
    const { client, socket: options, warn } = this.#setup;
    const socket = client.walletSocket(
      {
        state: (state) => {
          if (state === 'live') this.live('wallet');
          else if (state === 'lost') this.lost('wallet');
        },
        notification: (...[method, params, at]) => {
          if (method === 'transaction_update') return;
          this.reported('wallet', params, at, method === 'wallet_balances');
        },
        failed: (error) => {
          warn(error);
        },
      },
      options,
    );
    this.#wallet = socket;
    const asked = socket.request('subscribe_wallet_balances');
    try {
      await Promise.all([socket.open(), asked]);
    } catch (error) {
      await socket.close();
      throw error;
    }
  }

  async #ask(place: OtherPlace): Promise<void> {
    const { ask, scheduler, warn } = this.#setup;
    try {
      const balances = await ask(async () =>
        place === 'wallet'
          ? ((await this.#wallet?.request('wallet_balances')) ?? [])
          : ((await this.#setup.trading()?.request('futures_balances')) ?? []),
      );
      if (this.#followed.get(place)?.isReported === false)
        this.reported(place, balances, scheduler.now());
    } catch (error) {
      if (error instanceof MillraceError && !this.#isClosed) warn(error);
    }
  }
}

const read = (one: WireBalance): PlaceBalance => ({
  currency: one.currency,
  available: one.available,
  reserved: one.reserved,
  reservedMargin: (one.reserved_margin ?? ZERO).plus(one.cross_margin_reserved ?? ZERO),
});

/** The service knows the key, which lacks the right. */
const FORBIDDEN = 1003;

function rejected(place: OtherPlace, error: unknown): MillraceError {
  const why = error instanceof Error ? error.message : String(error);
  const isForbidden = error instanceof ServiceError && error.serviceCode === FORBIDDEN;
  const right = RIGHTS[place === 'wallet' ? 'payment' : 'read'];
  const remedy = isForbidden ? ` Give the key the right "${right}".` : '';
  return new MillraceError(
    'balances-unsupported',
    `The service does not report the ${place} balances: ${why}${remedy}`,
    { field: 'place', cause: error },
  );
}
