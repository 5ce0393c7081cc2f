import type { ContingencyType, OrderType } from '../../../src/model/order.ts';
import type { Order } from '../kit.ts';
import type { NaiveRates } from './rules.ts';

/** Where an active order is: on its way into the book, in it, waiting for its trigger, triggered, going on with its rest, or waiting for its primary. */
export type Place = 'moving' | 'resting' | 'waiting' | 'triggered' | 'going' | 'inactive';

/** An active order of the naive exchange. */
export interface NaiveOrder {
  readonly name: string;
  readonly account: number;
  readonly order: Order;
  readonly symbol: string;
  readonly type: OrderType;
  /** Grows with time; a replacement gets a new one. */
  readonly turn: number;
  /** Of the coming to the place where it waits. */
  came: number;
  lots: number;
  executed: number;
  /** 0 for market types. */
  ticks: number;
  stop: number;
  expireAt: number;
  /** Recorded lots before it by the display, which knows of some prints before they come. */
  ahead: number;
  /** Recorded lots before it by the prints alone. */
  printable: number;
  /** From when on it is held to have been where it rests or waits. */
  restedAt: number;
  place: Place;
  /** What it pays, fixed when it came. */
  readonly rates: NaiveRates;
  list: NaiveList | undefined;
}

export interface NaiveList {
  readonly type: ContingencyType;
  /** Those that have not ended, by their number in the list. */
  readonly members: Map<number, NaiveOrder>;
  /** True until the primary has filled. */
  waiting: boolean;
}

/** The legs of which only one can execute, this one included; the order alone where there are none. */
export function setOf(r: NaiveOrder): NaiveOrder[] {
  const { list } = r;
  if (list === undefined || list.waiting) return [r];
  const legs = [...list.members].filter(([number]) => isLegNumber(list, number));
  const set = legs.sort(([a], [b]) => a - b).map(([, leg]) => leg);
  return set.includes(r) ? set : [r];
}

export const isLegNumber = ({ type }: NaiveList, number: number): boolean =>
  type === 'oneCancelOther' || (type === 'oneTriggerOneCancelOther' && number > 0);

/** An order's number in its list, -1 where it is in none. */
export const numberOf = (r: NaiveOrder): number =>
  [...(r.list?.members ?? [])].find(([, member]) => member === r)?.[0] ?? -1;

export const typeOf = (order: Order): OrderType =>
  order.type ?? (order.ticks === undefined ? 'market' : 'limit');

export const left = (r: NaiveOrder): number => r.lots - r.executed;

/** Market types are fill or kill where nothing is said, the others good till canceled. */
export const lifeOf = ({ order, type }: NaiveOrder): string =>
  order.timeInForce ?? (/market$/i.test(type) ? 'FOK' : 'GTC');

/** True when a trade at this price triggers a waiting order. */
export function isTriggered({ type, order, stop }: NaiveOrder, ticks: number): boolean {
  const isStop = type === 'stopLimit' || type === 'stopMarket';
  return isStop === (order.side === 'buy') ? ticks >= stop : ticks <= stop;
}

/** True when it waits for the price to rise. */
export const waitsForRise = ({ type, order }: NaiveOrder): boolean =>
  (type === 'stopLimit' || type === 'stopMarket') === (order.side === 'buy');

/** Of one trade: first who waited for a rise, the lowest stop first, then the others from the highest. */
export function byTrigger(a: NaiveOrder, b: NaiveOrder): number {
  if (waitsForRise(a) !== waitsForRise(b)) return waitsForRise(a) ? -1 : 1;
  return (waitsForRise(a) ? a.stop - b.stop : b.stop - a.stop) || a.came - b.came;
}
