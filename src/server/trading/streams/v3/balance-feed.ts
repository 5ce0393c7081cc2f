import type { Ledger } from '../../../../exchange/ledger/ledger.ts';
import type { Cancel } from '../../../../platform/scheduler.ts';
import { micros, US_PER_MS } from '../../../../platform/time.ts';
import { TRADING_NOTIFICATIONS } from '../../../../wire/trading/v3/streams/trading.ts';
import { balanceView, balanceViews, type Balance } from '../../views/v3/balance.ts';
import { noticesOf } from '../notices.ts';
import type { ClientSession } from '../part.ts';

/** `updates` sends each change at once, `batches` collects changes. */
export type BalanceMode = 'updates' | 'batches';

/** How long changes are gathered for a batch. */
const BATCH_US = 100 * US_PER_MS;

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** Emits the spot or the futures balances of an account: first all that there are, then changes. */
export class BalanceFeed {
  readonly #session: ClientSession;
  readonly #market: 'spot' | 'futures';
  /** Currencies that have changed since the last batch. */
  readonly #changed = new Set<number>();
  #mode: BalanceMode | undefined;
  #unfollow: Cancel | undefined;
  #cancelBatch: Cancel | undefined;

  constructor(session: ClientSession, market: 'spot' | 'futures') {
    this.#session = session;
    this.#market = market;
  }

  get ledger(): Ledger {
    const { exchange } = this.#session.service;
    return this.#market === 'spot' ? exchange.ledger : exchange.derivatives;
  }

  /** Follows the balances; an existing follower gets the new mode from now on. */
  start(mode: BalanceMode): void {
    this.#mode = mode;
    const accountType = this.#market === 'spot' ? 'spot' : 'derivatives';
    this.#unfollow ??= this.#session.service.news.follow(this.#session.account, {
      balance: (where, currency) => {
        if (where === accountType) this.#note(currency);
      },
    });
  }

  /** Emits every balance that is not zero. */
  emitAll(): void {
    this.#session.service.act(() => undefined);
    this.#emit(balanceViews(this.ledger, this.#session.account).filter((one) => !isEmpty(one)));
  }

  stop(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    this.#changed.clear();
  }

  #note(currency: number): void {
    this.#changed.add(currency);
    if (this.#mode === 'updates') this.#flush();
    else this.#gather();
  }

  /** Begins a batch if none is begun. */
  #gather(): void {
    const { timers } = this.#session.service;
    this.#cancelBatch ??= timers.at(micros(timers.now() + BATCH_US), () => {
      this.#flush();
    });
  }

  #flush(): void {
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    const { account } = this.#session;
    this.#emit([...this.#changed].map((currency) => balanceView(this.ledger, account, currency)));
    this.#changed.clear();
  }

  #emit(balances: readonly Balance[]): void {
    const { connection } = this.#session;
    if (this.#market === 'spot') connection.send(notice('spot_balance', balances));
    else connection.send(notice('futures_balance', balances));
  }
}

const isEmpty = ({ currency: _, ...amounts }: Balance): boolean =>
  Object.values(amounts).every((amount) => Number(amount ?? 0) === 0);
