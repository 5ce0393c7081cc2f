import type { Order } from './kit.ts';

/** An order of the naive exchange. */
export interface Resting {
  readonly name: string;
  readonly account: number;
  readonly order: Order;
  /** Grows with time; a replacement gets a new one. */
  readonly turn: number;
  lots: number;
  executed: number;
  ticks: number;
  /** Tape lots before it by the display, which knows of some prints before they come. */
  ahead: number;
  /** Tape lots before it by the prints alone. */
  printable: number;
  restedAt: number;
}

export const isFok = (order: Order): boolean =>
  order.timeInForce === 'FOK' || (order.ticks === undefined && order.timeInForce === undefined);
