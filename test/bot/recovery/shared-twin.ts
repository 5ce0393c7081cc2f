import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import type { Fill } from '../../../src/model/report.ts';
import { splitLots } from '../../../src/rules/margin/split.ts';

/** Those who have a part of an account; what is nobody's comes last. */
export const OWNERS = ['one', 'two', 'nobody'] as const;
export type Owner = (typeof OWNERS)[number];

/** Tick size times quantity increment of the symbols here. */
const QUANTUM = new Decimal('0.0000001');

interface Part {
  cash: Decimal;
  /** What came from the spot balance. */
  brought: Decimal;
  /** What positions paid and received. */
  paid: Decimal;
  readonly lots: Map<string, number>;
}

const noPart = (): Part => ({ cash: ZERO, brought: ZERO, paid: ZERO, lots: new Map() });

/** The parts of an account as plain sums of what happened at the venue, whatever anybody has heard of it. */
export class SharedTwin {
  readonly parts: Readonly<Record<Owner, Part>> = {
    one: noPart(),
    two: noPart(),
    nobody: noPart(),
  };

  bring(owner: Owner, amount: Decimal): void {
    const part = this.parts[owner];
    part.cash = part.cash.plus(amount);
    part.brought = part.brought.plus(amount);
  }

  fill(owner: Owner, { symbol, side, lots, ticks, fee }: Fill): void {
    const signed = lots * (side === 'buy' ? 1 : -1);
    this.#trade(owner, symbol, signed, QUANTUM.times(ticks).times(-signed).minus(fee.toDecimal()));
  }

  /** Interest by the lots on the side of the net position, funding by each position. */
  pay(symbol: string, amount: Decimal, kind: 'interest' | 'funding'): void {
    const held = OWNERS.map((owner) => this.lots(owner, symbol));
    const net = held.reduce((sum, one) => sum + one, 0);
    const weights = held.map((one) => (kind === 'funding' ? one * Math.sign(net) : Math.max(0, one * Math.sign(net)))); // prettier-ignore
    const all = weights.reduce((sum, one) => sum + one, 0);
    for (const [index, owner] of OWNERS.entries()) {
      const part = this.parts[owner];
      const paid = amount.times(weights[index] ?? 0).div(all);
      part.cash = part.cash.plus(paid);
      part.paid = part.paid.plus(paid);
    }
  }

  /** The net position is closed: lots of those on its side, by what each has, and what it changed of cash by them. */
  force(symbol: string, net: number, cash: Decimal): void {
    const held = OWNERS.map((owner) => Math.max(0, this.lots(owner, symbol) * Math.sign(net)));
    const taken = splitLots(Math.abs(net), held);
    for (const [index, owner] of OWNERS.entries()) {
      const size = taken[index] ?? 0;
      this.#trade(owner, symbol, -size * Math.sign(net), cash.times(size).div(Math.abs(net)));
    }
  }

  lots(owner: Owner, symbol: string): number {
    return this.parts[owner].lots.get(symbol) ?? 0;
  }

  #trade(owner: Owner, symbol: string, signed: number, cash: Decimal): void {
    const part = this.parts[owner];
    part.cash = part.cash.plus(cash);
    part.lots.set(symbol, this.lots(owner, symbol) + signed);
  }
}
