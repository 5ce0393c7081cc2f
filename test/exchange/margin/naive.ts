import { Decimal } from '../../../src/model/decimal.ts';

/** Lots open and their cost in ticks × lots, both signed: a short has brought its cost. */
interface NaivePosition {
  lots: number;
  cost: Decimal;
}

/**
 * A margin account as slow and plain as can be: every execution is booked one by one, on whole
 * decimals. It shares no code with the exchange.
 */
export class NaiveAccount {
  balance = new Decimal(0);
  readonly positions = new Map<string, NaivePosition>();

  /** Books so many lots at a price, negative where sold; gives the result of what they closed. */
  trade(symbol: string, lots: number, ticks: number): Decimal {
    const position = this.positions.get(symbol) ?? { lots: 0, cost: new Decimal(0) };
    const before = position.lots;
    let closing = 0;
    if (Math.sign(before) === -Math.sign(lots)) {
      closing = Math.min(Math.abs(before), Math.abs(lots)) * Math.sign(lots);
    }
    let pnl = new Decimal(0);
    if (closing !== 0) {
      // Their share of the cost, to a whole tick × lot, a half away from zero.
      const share = position.cost
        .times(Math.abs(closing))
        .div(Math.abs(before))
        .toDecimalPlaces(0, Decimal.ROUND_HALF_UP);
      pnl = new Decimal(-closing).times(ticks).minus(share);
      position.cost = position.cost.minus(share);
    }
    position.lots += lots;
    position.cost = position.cost.plus(new Decimal(lots - closing).times(ticks));
    if (position.lots === 0) this.positions.delete(symbol);
    else this.positions.set(symbol, position);
    this.balance = this.balance.plus(pnl);
    return pnl;
  }
}

/** An open order that can make a position larger. */
export interface NaiveOrder {
  readonly id: number;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  readonly ticks: number;
  /** Orders of the same set of legs, of which one can execute. */
  readonly set: string | undefined;
}

/**
 * What orders hold, by the words of docs/margin-and-futures.md: per side the value of what goes beyond the position
 * that it would close, oldest first, of each set the dearest; the larger side at v × (1/L + f + f × (1 + 1/L)).
 */
export function naiveOrderReserve(
  orders: readonly NaiveOrder[],
  position: number,
  leverage: number,
  rate: string,
): Decimal {
  const sides = (['buy', 'sell'] as const).map((side) => {
    const own = orders.filter((order) => order.side === side);
    const counted = own.filter(
      (order) =>
        order.set === undefined ||
        own
          .filter((other) => other.set === order.set)
          .sort((a, b) => b.ticks * b.lots - a.ticks * a.lots || a.id - b.id)[0] === order,
    );
    let reducible = side === 'buy' ? Math.max(0, -position) : Math.max(0, position);
    let value = 0;
    for (const { lots, ticks } of counted.sort((a, b) => a.id - b.id)) {
      const reducing = Math.min(reducible, lots);
      reducible -= reducing;
      value += (lots - reducing) * ticks;
    }
    return value;
  });
  return reserveOf(Math.max(...sides), leverage, rate);
}

/** v × (1/L + f + f × (1 + 1/L)), up to the twelfth decimal. */
function reserveOf(value: number, leverage: number, rate: string): Decimal {
  const share = new Decimal(1).div(leverage);
  const f = new Decimal(rate);
  const factor = share.plus(f).plus(f.times(share.plus(1)));
  return factor.times(value).toDecimalPlaces(12, Decimal.ROUND_CEIL);
}

/** (N/L + δ) + f × (N + N/L + δ), up to the twelfth decimal. */
export function naivePositionReserve(
  value: Decimal,
  loss: Decimal,
  leverage: number,
  rate: string,
): Decimal {
  const margin = value.div(leverage).plus(Decimal.max(loss, 0));
  return margin.plus(value.plus(margin).times(rate)).toDecimalPlaces(12, Decimal.ROUND_CEIL);
}

/** What a position is beside its price: lots signed, cost positive, and the mark's worth of it. */
export interface NaiveHolding {
  readonly lots: number;
  readonly cost: Decimal;
  /** What its lots are worth at the mark, positive. */
  readonly value: Decimal;
}

/**
 * The price that is shown for a limit of the leverage, in ticks, found by trying: of a long the lowest
 * and of a short the highest at which the account, the others at their marks, is not beyond the limit.
 */
export function naiveLimitTicks(
  balance: Decimal,
  position: NaiveHolding,
  others: readonly NaiveHolding[],
  limit: number,
  rate: string,
): number {
  const keep = new Decimal(1).div(limit).plus(rate);
  let left = balance;
  for (const { lots, cost, value } of others) {
    left = left.plus(lots > 0 ? value.minus(cost) : cost.minus(value));
    left = left.minus(value.times(keep).toDecimalPlaces(12, Decimal.ROUND_CEIL));
  }
  const size = Math.abs(position.lots);
  const isWithin = (ticks: number): boolean => {
    const value = new Decimal(ticks).times(size);
    const pnl = position.lots > 0 ? value.minus(position.cost) : position.cost.minus(value);
    return left.plus(pnl).greaterThanOrEqualTo(value.times(keep));
  };
  // A long is within at high prices, a short at low ones: halve what is between.
  let [low, high] = [0, 1];
  const isLong = position.lots > 0;
  if (isWithin(0) === isLong) return 0;
  while (isWithin(high) !== isLong) high *= 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(middle) === isLong) high = middle;
    else low = middle;
  }
  return isLong ? high : low;
}
