import type {
  AccountListener,
  AccountSnapshot,
  VenueAccount,
} from '../../../src/gateways/venue-account.ts';
import { Amount } from '../../../src/model/amount.ts';
import { decimal, ZERO, type Decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import {
  marginAccountKey,
  marginAccountId,
  type MarginAccountReport,
  type MarginAccountState,
  type VenuePosition,
} from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { isActive, type NewOrder, type VenueOrder } from '../../../src/model/order.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import type { Fill } from '../../../src/model/report.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { PERPETUAL, SPOT } from '../../exchange/margin/kit.ts';

/** When an order comes to the venue whose outcome was not known until then. */
const LATE_US = 3_000_000;

/**
 * What the venue does with the next market orders on margin: `late`, it says nothing of one that comes to it
 * later all the same. It fills all that come after them.
 */
export type Answer = 'late' | { readonly fills: number } | { readonly rejection: Rejection };

/** A venue with margin accounts that does what a test says, and cuts what only reduces to the position. */
export class MarginVenue implements VenueAccount {
  readonly instruments = [new Instrument(SPOT), new Instrument(PERPETUAL)];
  /** What was sent to it. */
  readonly sent: OrderRequest[] = [];
  readonly answers: Answer[] = [];
  readonly marks = new Map<string, Decimal | undefined>();
  readonly margin: VenueAccount['margin'];
  readonly #clock: VirtualScheduler;
  readonly #accounts = new Map<string, MarginAccountState>();
  readonly #orders = new Map<string, VenueOrder>();
  readonly #fills: Fill[] = [];
  #listener: AccountListener | undefined;
  #number = 0;

  constructor(clock: VirtualScheduler) {
    this.#clock = clock;
    this.margin = {
      set: ({ symbol, mode, balance = ZERO, leverage }) =>
        this.have(symbol, mode, { balance, leverage }),
      prices: { markPrice: (symbol) => this.marks.get(symbol) },
    };
  }

  open(listener: AccountListener): Promise<void> {
    this.#listener = listener;
    listener.connectionState('live');
    listener.report({
      kind: 'balance',
      at: this.#clock.now(),
      currency: 'USDT',
      available: Amount.of(decimal('1000')),
      reserved: Amount.of(ZERO),
    });
    return Promise.resolve();
  }

  /** Gives a margin account other funds, or other positions of so many lots at 100, and tells it. */
  have(
    symbol: string,
    mode: MarginMode,
    change: Partial<Pick<MarginAccountState, 'balance' | 'leverage' | 'isCalled'>> = {},
    lots?: number,
  ): void {
    const { account, before } = this.#account(symbol, mode);
    const positions =
      lots === undefined
        ? account.positions
        : [
            ...account.positions.filter((one) => one.symbol !== symbol),
            ...(lots === 0 ? [] : [this.#position(symbol, lots)]),
          ];
    const reason = before === undefined ? 'created' : lots === undefined ? 'marginChanged' : 'openTrade'; // prettier-ignore
    this.#emit(reason, { ...account, ...change, positions });
  }

  lots(symbol: string, mode: MarginMode): number {
    const { account } = this.#account(symbol, mode);
    return account.positions.find((one) => one.symbol === symbol)?.lots ?? 0;
  }

  send(request: OrderRequest): void {
    this.sent.push(request);
    const now = this.#clock.now();
    if (request.kind === 'place' && request.type === 'market') {
      this.#clock.at(now, () => this.#execute(request));
    } else if (request.kind === 'place') {
      this.#clock.at(now, () => this.#say('new', this.#orderOf(request)));
    } else if (request.kind === 'cancel') {
      const order = this.#orders.get(request.clientOrderId);
      if (order === undefined) return;
      this.#clock.at(now, () => this.#say('canceled', { ...order, status: 'canceled' }));
    }
  }

  snapshot(): Promise<AccountSnapshot> {
    const orders = [...this.#orders.values()];
    return Promise.resolve({
      at: this.#clock.now(),
      orders: orders.filter(({ status }) => isActive(status)),
      ended: orders.filter(({ status }) => !isActive(status)),
      fills: this.#fills,
      balances: [{ currency: 'USDT', available: decimal('1000'), reserved: ZERO }],
      margin: { accounts: [...this.#accounts.values()], ended: [], carries: [] },
    });
  }

  clockSkewUs(): Promise<number> {
    return Promise.resolve(0);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #execute(order: NewOrder): void {
    const answer = this.answers.shift() ?? { fills: order.lots };
    const at = this.#clock.now();
    const { clientOrderId, symbol } = order;
    if (answer === 'late') {
      this.#listener?.report({
        kind: 'outcome-unknown',
        at,
        request: 'place',
        clientOrderId,
        symbol,
      });
      this.#clock.at(micros(at + LATE_US), () => this.#fill(order, order.lots));
      return;
    }
    if ('rejection' in answer) {
      const { rejection } = answer;
      this.#listener?.report({ kind: 'rejected', at, request: 'place', clientOrderId, symbol, rejection }); // prettier-ignore
      return;
    }
    this.#fill(order, answer.fills);
  }

  #fill(order: NewOrder, most: number): void {
    const mode = order.margin?.mode ?? 'isolated';
    const before = this.lots(order.symbol, mode);
    const isReducing = order.side === 'buy' ? before < 0 : before > 0;
    const lots = Math.min(most, isReducing ? Math.abs(before) : 0) as Lots;
    if (lots === 0) {
      const rejection: Rejection = { code: 'position-unknown', message: 'There is no position.' };
      const { clientOrderId, symbol } = order;
      this.#listener?.report({ kind: 'rejected', at: this.#clock.now(), request: 'place', clientOrderId, symbol, rejection }); // prettier-ignore
      return;
    }
    const status = lots === order.lots ? 'filled' : 'expired';
    const executed = { ...this.#orderOf(order), status, filledLots: lots } as const;
    const fill: Fill = {
      id: ++this.#number,
      clientOrderId: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      ticks: 100 as Ticks,
      lots,
      fee: Amount.of(ZERO),
      feeCurrency: 'USDT',
      taker: true,
      margin: mode,
      at: this.#clock.now(),
    };
    this.#fills.push(fill);
    this.#orders.set(order.clientOrderId, executed);
    const left = before + (order.side === 'buy' ? 1 : -1) * lots;
    this.#listener?.report({ kind: 'trade', at: fill.at, order: executed, fill });
    this.have(order.symbol, mode, {}, left);
  }

  #say(kind: 'new' | 'canceled', order: VenueOrder): void {
    this.#orders.set(order.clientOrderId, order);
    this.#listener?.report({ kind, at: this.#clock.now(), order });
  }

  #orderOf(order: NewOrder): VenueOrder {
    const now = this.#clock.now();
    const known = this.#orders.get(order.clientOrderId);
    return {
      ...order,
      id: known?.id ?? ++this.#number,
      status: 'new',
      filledLots: 0 as Lots,
      createdAt: now,
      updatedAt: now,
    };
  }

  #emit(reason: MarginAccountReport['reason'], account: MarginAccountState): void {
    this.#accounts.set(marginAccountKey(account), account);
    this.#listener?.margin({ kind: 'marginAccount', at: this.#clock.now(), reason, account });
  }

  #account(symbol: string, mode: MarginMode) {
    const instrument = this.instruments.find((one) => one.symbol === symbol) ?? this.instruments[0];
    const marginAccount = marginAccountId(instrument, mode);
    const before = this.#accounts.get(marginAccountKey(marginAccount));
    const none = { balance: ZERO, reservedOrders: ZERO, reservedPositions: ZERO, positions: [] };
    return {
      before,
      account: before ?? { ...marginAccount, ...none, isOpen: true, isCalled: false },
    };
  }

  #position(symbol: string, lots: number): VenuePosition {
    const now = this.#clock.now();
    const isLong = lots > 0;
    return {
      id: 7,
      symbol,
      lots,
      entryPrice: decimal('100'),
      entryValue: decimal('100').times(Math.abs(lots)),
      realizedPnl: decimal('2'),
      fees: decimal('0.5'),
      carry: decimal('-0.25'),
      marginCallPrice: decimal(isLong ? '85' : '115'),
      liquidationPrice: decimal(isLong ? '80' : '120'),
      createdAt: now,
      updatedAt: now,
    };
  }
}
