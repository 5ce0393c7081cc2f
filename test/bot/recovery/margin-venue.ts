import { Amount } from '../../../src/model/amount.ts';
import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import type {
  EndedPosition,
  MarginSnapshot,
  PositionCarry,
  AccountSnapshot,
} from '../../../src/gateways/venue-account.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  VenuePosition,
} from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { isActive, type VenueOrder } from '../../../src/model/order.ts';
import type { PlaceRequest } from '../../../src/model/order-request.ts';
import type { Fill, OrderReport } from '../../../src/model/report.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros, type Micros } from '../../../src/platform/time.ts';

/** What a report of the venue is about. */
export type Reported = OrderReport | MarginAccountReport;

interface Position {
  readonly id: number;
  lots: number;
  /** In ticks × lots. */
  cost: bigint;
  pnl: Decimal;
  fees: Decimal;
  carry: Decimal;
  readonly createdAt: Micros;
  updatedAt: Micros;
}

interface Account {
  isOpen: boolean;
  balance: Decimal;
  leverage: Decimal;
  readonly positions: Map<string, Position>;
}

/** Tick size times quantity increment of the symbols here. */
const QUANTUM = new Decimal('0.0000001');
const amountOf = (count: bigint): Decimal => new Decimal(count.toString()).times(QUANTUM);

/**
 * Margin accounts as simply as can be: orders fill as the test says, positions and funds follow, and
 * everything is kept for the snapshot. An isolated account has one symbol, a cross one has two.
 */
export class MarginVenue {
  now: Micros;
  readonly orders: VenueOrder[] = [];
  readonly fills: Fill[] = [];
  readonly ended: EndedPosition[] = [];
  readonly carries: PositionCarry[] = [];
  /** What was brought to accounts, less what came back. */
  brought = ZERO;
  readonly #accounts = new Map<MarginMode, Account>();
  readonly #emit: (report: Reported) => void;
  #lastId = 0;

  constructor(now: Micros, emit: (report: Reported) => void) {
    this.now = now;
    this.#emit = emit;
  }

  state(mode: MarginMode): MarginAccountState | undefined {
    const account = this.#accounts.get(mode);
    if (account === undefined) return undefined;
    const { isOpen, balance, leverage, positions } = account;
    return {
      mode,
      isOpen,
      isContract: false,
      currency: 'USDT',
      balance,
      ...(mode === 'isolated' ? { symbol: 'BTCUSDT' } : {}),
      ...(isOpen ? { leverage } : {}),
      reservedOrders: ZERO,
      reservedPositions: ZERO,
      positions: [...positions].map(([symbol, one]) => shown(symbol, one)),
    };
  }

  /** Sets funds and leverage; told where they change. */
  set(mode: MarginMode, balance: Decimal, leverage: Decimal): void {
    const known = this.#accounts.get(mode);
    const isOpen = known?.isOpen === true;
    if (!isOpen && balance.isZero()) return;
    if (isOpen && balance.isZero() && known.positions.size > 0) return;
    const account = known ?? { isOpen: false, balance: ZERO, leverage, positions: new Map<string, Position>() }; // prettier-ignore
    this.#accounts.set(mode, account);
    this.brought = this.brought.plus(balance.minus(account.balance));
    const reason = balance.isZero() ? 'closed' : isOpen ? 'marginChanged' : known === undefined ? 'created' : 'reopened'; // prettier-ignore
    account.isOpen = !balance.isZero();
    account.balance = balance;
    account.leverage = leverage;
    this.#report(mode, { reason });
  }

  place(request: PlaceRequest): void {
    const { clientOrderId, symbol, side, type, timeInForce, lots, ticks, margin } = request;
    const order: VenueOrder = {
      id: (this.#lastId += 1),
      clientOrderId,
      symbol,
      side,
      type,
      timeInForce,
      lots,
      ticks,
      margin,
      status: 'new',
      filledLots: 0 as Lots,
      postOnly: false,
      createdAt: this.now,
      updatedAt: this.now,
    };
    this.orders.push(order);
    this.#emit({ kind: 'new', at: this.now, order });
  }

  get active(): readonly VenueOrder[] {
    return this.orders.filter(({ status }) => isActive(status));
  }

  /** Executes lots of an order at a price: the trade, then its account. */
  fill(order: VenueOrder, lots: number, ticks: number): void {
    const mode = order.margin?.mode ?? 'isolated';
    if (this.#accounts.get(mode)?.isOpen !== true) return;
    const filledLots = (order.filledLots + lots) as Lots;
    const status = filledLots === order.lots ? 'filled' : 'partiallyFilled';
    const after = { ...order, filledLots, status, updatedAt: this.now } as const;
    this.orders[this.orders.findIndex(({ id }) => id === order.id)] = after;
    const { clientOrderId, symbol, side } = order;
    const fee = Amount.units(3 * lots, 4);
    const fill: Fill = {
      id: this.fills.length + 1,
      clientOrderId,
      symbol,
      side,
      ticks: ticks as Ticks,
      lots: lots as Lots,
      fee,
      feeCurrency: 'USDT',
      taker: false,
      margin: mode,
      at: this.now,
    };
    this.fills.push(fill);
    this.#emit({ kind: 'trade', at: this.now, order: after, fill });
    const signed = side === 'buy' ? lots : -lots;
    this.#trade(mode, symbol, signed, ticks, fee.toDecimal());
  }

  /** Pays funding of each position of an account. */
  pay(mode: MarginMode, cents: number, kind: 'funding' | 'interest'): void {
    const account = this.#accounts.get(mode);
    if (account === undefined) return;
    for (const [symbol, position] of account.positions) {
      const amount = new Decimal(cents).times('0.0001').times(position.lots > 0 ? -1 : 1);
      const carry = { kind, amount };
      account.balance = account.balance.plus(amount);
      position.carry = position.carry.plus(amount);
      position.updatedAt = this.now;
      this.carries.push({ positionId: position.id, symbol, mode, carry, at: this.now });
      const reason = kind === 'interest' ? 'interestTaken' : 'updated';
      this.#report(mode, { reason, position: shown(symbol, position), carry });
    }
  }

  /** Takes a position from its holder, with a loss. */
  liquidate(mode: MarginMode, symbol: string, lossCents: number): void {
    const account = this.#accounts.get(mode);
    const position = account?.positions.get(symbol);
    if (account === undefined || position === undefined) return;
    const loss = new Decimal(lossCents).times('0.0001');
    account.balance = account.balance.minus(loss);
    position.pnl = position.pnl.minus(loss);
    this.#end(mode, symbol, position, 'liquidated');
    this.#report(mode, {
      reason: 'liquidated',
      end: 'liquidated',
      position: { ...shown(symbol, { ...position, lots: 0, cost: 0n }), updatedAt: this.now },
    });
  }

  snapshot(since: number): AccountSnapshot & { readonly margin: MarginSnapshot } {
    const accounts = (['isolated', 'cross'] as const).flatMap((mode) => this.state(mode) ?? []);
    return {
      at: this.now,
      orders: this.active,
      ended: this.orders.filter(({ status }) => !isActive(status)),
      fills: this.fills.filter(({ at }) => at >= since),
      balances: [],
      margin: {
        accounts: accounts.filter(({ isOpen }) => isOpen),
        ended: this.ended.filter(({ at }) => at >= since),
        carries: this.carries.filter(({ at }) => at >= since),
      },
    };
  }

  #trade(mode: MarginMode, symbol: string, signed: number, ticks: number, fee: Decimal): void {
    const account = this.#accounts.get(mode);
    if (account === undefined) return;
    account.balance = account.balance.minus(fee);
    const held = account.positions.get(symbol);
    if (held === undefined || held.lots > 0 === signed > 0) {
      const position = held ?? this.#open(account, symbol);
      grow(position, signed, ticks, fee, this.now);
      this.#report(mode, { reason: 'openTrade', position: shown(symbol, position) });
      return;
    }
    const all = Math.abs(held.lots);
    const size = Math.min(all, Math.abs(signed));
    const share = (2n * held.cost * BigInt(size) + BigInt(all)) / (2n * BigInt(all));
    const proceeds = BigInt(ticks) * BigInt(size);
    const pnl = amountOf(held.lots > 0 ? proceeds - share : share - proceeds);
    account.balance = account.balance.plus(pnl);
    held.pnl = held.pnl.plus(pnl);
    held.fees = held.fees.plus(fee);
    held.cost -= share;
    held.lots += Math.sign(signed) * size;
    held.updatedAt = this.now;
    if (held.lots !== 0) {
      this.#report(mode, { reason: 'closeTrade', position: shown(symbol, held) });
      return;
    }
    const rest = Math.abs(signed) - size;
    this.#end(mode, symbol, held, rest === 0 ? 'closed' : 'flipped');
    if (rest === 0) {
      this.#report(mode, { reason: 'closed', end: 'closed', position: shown(symbol, held) });
      return;
    }
    const turned = this.#open(account, symbol);
    grow(turned, Math.sign(signed) * rest, ticks, ZERO, this.now);
    this.#report(mode, { reason: 'flipTrade', position: shown(symbol, turned) });
  }

  #open(account: Account, symbol: string): Position {
    const position: Position = {
      id: (this.#lastId += 1),
      lots: 0,
      cost: 0n,
      pnl: ZERO,
      fees: ZERO,
      carry: ZERO,
      createdAt: this.now,
      updatedAt: this.now,
    };
    account.positions.set(symbol, position);
    return position;
  }

  #end(
    mode: MarginMode,
    symbol: string,
    { id, pnl, fees }: Position,
    end: EndedPosition['end'],
  ): void {
    // prettier-ignore
    this.#accounts.get(mode)?.positions.delete(symbol);
    this.ended.push({ id, symbol, mode, realizedPnl: pnl, fees, end, at: this.now });
  }

  #report(
    mode: MarginMode,
    more: Pick<MarginAccountReport, 'reason'> & Partial<MarginAccountReport>,
  ): void {
    const account = this.state(mode);
    if (account === undefined) return;
    this.#emit({ kind: 'marginAccount', at: micros(this.now), account, ...more });
  }
}

function grow(position: Position, signed: number, ticks: number, fee: Decimal, at: Micros): void {
  position.lots += signed;
  position.cost += BigInt(ticks) * BigInt(Math.abs(signed));
  position.fees = position.fees.plus(fee);
  position.updatedAt = at;
}

/** The mean price at the tick size, half up. */
function shown(symbol: string, position: Position): VenuePosition {
  const { id, lots, cost, pnl, fees, carry, createdAt, updatedAt } = position;
  const all = BigInt(Math.abs(lots));
  const ticks = all === 0n ? 0n : (2n * cost + all) / (2n * all);
  return {
    id,
    symbol,
    lots,
    entryPrice: new Decimal(ticks.toString()).times('0.01'),
    entryValue: amountOf(cost),
    realizedPnl: pnl,
    fees,
    carry,
    createdAt,
    updatedAt,
  };
}
