import { MillraceError, type Warn } from '../../../model/errors.ts';
import type {
  NonSpotAccountType,
  NonSpotBalance,
  NonSpotBalanceSource,
  NonSpotBalanceListener,
} from '../../../model/non-spot-balance.ts';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Cancel, Scheduler } from '../../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import { RIGHTS } from '../../../wire/trading/rights.ts';
import { ServiceError } from '../../http/service-error.ts';
import type { TradingClient } from '../client/client.ts';
import type { SocketOptions } from '../socket/options.ts';
import type { TradingSocket } from '../socket/trading.ts';
import type { WalletSocket } from '../socket/wallet.ts';

/** A balance on the wire: for derivatives including the funds of margin accounts. */
interface WireBalance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
  readonly reserved_margin?: Decimal | undefined;
  readonly cross_margin_reserved?: Decimal | undefined;
}

export interface TradingNonSpotBalancesSetup {
  readonly client: TradingClient;
  readonly scheduler: Scheduler;
  readonly socket: Partial<SocketOptions> | undefined;
  readonly warn: Warn;
  /** The trading socket, which sends the derivatives balance too. */
  readonly trading: () => TradingSocket | undefined;
  /** Repeats a read until it succeeds. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
}

/** Balances that a service does not send unasked are requested after this time. */
const REPORTED_WITHIN_US = 2 * US_PER_SECOND;

interface Followed {
  readonly listener: NonSpotBalanceListener;
  /** All balances were received on this connection. */
  isReported: boolean;
  /** Of the wait for them. */
  cancel: Cancel;
}

/**
 * Wallet and derivatives balances of a key, each from the moment on in which somebody follows it: the first
 * by its own wallet socket, the second by the trading socket. Each connection begins with all balances.
 */
export class TradingNonSpotBalances implements NonSpotBalanceSource {
  readonly #setup: TradingNonSpotBalancesSetup;
  readonly #followed = new Map<NonSpotAccountType, Followed>();
  #wallet: WalletSocket | undefined;
  #isClosed = false;

  constructor(setup: TradingNonSpotBalancesSetup) {
    this.#setup = setup;
  }

  follow(accountType: NonSpotAccountType, listener: NonSpotBalanceListener): void {
    this.#followed.set(accountType, { listener, isReported: false, cancel: () => undefined });
    const asked = accountType === 'wallet' ? this.#followWallet() : this.#followDerivatives();
    asked.then(
      () => this.live(accountType),
      (error: unknown) => {
        if (!this.#isClosed) listener.failed(rejected(accountType, error));
      },
    );
  }

  /**
   * Processes balances of an account type. The first of a connection are all that are not zero, later ones
   * the changes. Changes (`isAll` false) may come first if the service does not send all unasked.
   */
  reported(
    accountType: NonSpotAccountType,
    balances: readonly WireBalance[],
    at: Micros,
    isAll = true,
  ): void {
    const followed = this.#followed.get(accountType);
    if (followed === undefined || this.#isClosed) return;
    const isWhole = isAll && !followed.isReported;
    if (isWhole) followed.cancel();
    followed.isReported ||= isAll;
    followed.listener.reported({ accountType, at, isWhole, balances: balances.map(read) });
  }

  /** An account type is connected: balances that it does not send unasked are requested. */
  live(accountType: NonSpotAccountType): void {
    const followed = this.#followed.get(accountType);
    if (followed === undefined || followed.isReported || this.#isClosed) return;
    const { scheduler } = this.#setup;
    followed.cancel();
    followed.cancel = scheduler.at(micros(scheduler.now() + REPORTED_WITHIN_US), () => {
      void this.#ask(accountType);
    });
  }

  /** The connection of an account type is lost: the next one begins with all balances. */
  lost(accountType: NonSpotAccountType): void {
    const followed = this.#followed.get(accountType);
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

  async #ask(accountType: NonSpotAccountType): Promise<void> {
    const { ask, scheduler, warn } = this.#setup;
    try {
      const balances = await ask(async () =>
        accountType === 'wallet'
          ? ((await this.#wallet?.request('wallet_balances')) ?? [])
          : ((await this.#setup.trading()?.request('futures_balances')) ?? []),
      );
      if (this.#followed.get(accountType)?.isReported === false)
        this.reported(accountType, balances, scheduler.now());
    } catch (error) {
      if (error instanceof MillraceError && !this.#isClosed) warn(error);
    }
  }
}

const read = (one: WireBalance): NonSpotBalance => ({
  currency: one.currency,
  available: one.available,
  reserved: one.reserved,
  reservedMargin: (one.reserved_margin ?? ZERO).plus(one.cross_margin_reserved ?? ZERO),
});

/** The service knows the key, which lacks the permission. */
const FORBIDDEN = 1003;

function rejected(accountType: NonSpotAccountType, error: unknown): MillraceError {
  const why = error instanceof Error ? error.message : String(error);
  const isForbidden = error instanceof ServiceError && error.serviceCode === FORBIDDEN;
  const right = RIGHTS[accountType === 'wallet' ? 'payment' : 'read'];
  const remedy = isForbidden ? ` Give the key the right "${right}".` : '';
  return new MillraceError(
    'balances-unsupported',
    `The service does not report the ${accountType} balances: ${why}${remedy}`,
    { field: 'accountType', cause: error },
  );
}
