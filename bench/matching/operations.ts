import { BUY, SELL } from '../../src/exchange/orders/side.ts';
import { Random } from '../../src/platform/random.ts';
import { Market } from './market.ts';

/** An order that comes to rest, a cancellation of an alive one, an order that takes. */
export const ADD = 0;
export const CANCEL = 1;
export const TAKE = 2;

/** A file of operations, column by column; a row is one operation. */
export interface Operations {
  readonly length: number;
  readonly kind: Uint8Array;
  /** Number of the order that enters or is canceled; numbers count up from 0. */
  readonly order: Int32Array;
  readonly side: Uint8Array;
  readonly ticks: Int32Array;
  readonly lots: Int32Array;
  /** Orders that enter. */
  readonly orders: number;
  /** Rows at the beginning that only fill the book and belong to no measurement. */
  readonly filling: number;
  readonly seed: number;
}

const START_TICKS = 130_000;
/** How far a price is from the walk, at most. */
const BAND_TICKS = 50;
const ADD_LOTS_MAX = 100;
/**
 * Each takes about five resting orders, a little less than come in, so that some 4,000 rest on
 * average. With such a book `nodejs-order-book` does the 0.3 M operations a second that it is known
 * for; it loses with longer queues.
 */
const TAKE_LOTS_MAX = 490;
const WALK_CHANCE = 0.2;
/** Orders at one price, on average, of those that fill the book beyond the band. */
const FILLING_QUEUE = 10;
/** How far from the start of the walk they begin: so many bands are not walked in a file. */
const FILLING_BANDS = 40;

/** Orders that rest before the others come, beyond the band on both sides. */
export interface Filling {
  readonly orders: number;
  /**
   * True where they are canceled as any other, so that an operation mostly comes upon one of them.
   * Where not, the operations are the same however many rest beside them.
   */
  readonly isCanceled: boolean;
}

const NO_FILLING: Filling = { orders: 0, isCanceled: false };

/**
 * Draws a file: 60% orders that come to rest, 35% cancellations of any alive order, 5% orders
 * that take, all prices within 50 ticks of a random walk. The takers follow the walk, so that the
 * book does too; an order that would cross rests at the next price that does not.
 */
export function drawOperations(count: number, seed: number, filling = NO_FILLING): Operations {
  const resting = filling.orders;
  const random = new Random(seed);
  const randomFilling = new Random(seed + 1);
  const market = new Market();
  const length = resting + count;
  const kind = new Uint8Array(length);
  const order = new Int32Array(length);
  const side = new Uint8Array(length);
  const ticks = new Int32Array(length);
  const lots = new Int32Array(length);
  let orders = 0;
  let walk = START_TICKS;
  const levels = Math.max(1, resting / 2 / FILLING_QUEUE);
  for (let row = 0; row < length; row += 1) {
    if (row < resting) {
      kind[row] = ADD;
      side[row] = row & 1;
      const away = FILLING_BANDS * BAND_TICKS + randomFilling.integer(1, levels);
      ticks[row] = side[row] === BUY ? walk - away : walk + away;
      lots[row] = randomFilling.integer(1, ADD_LOTS_MAX);
    } else {
      if (random.chance(WALK_CHANCE)) walk += random.chance(0.5) ? 1 : -1;
      const chance = random.unit();
      kind[row] = chance < 0.6 || market.pickable === 0 ? ADD : chance < 0.95 ? CANCEL : TAKE;
    }
    if (kind[row] === CANCEL) {
      order[row] = market.pick(random.integer(0, market.pickable - 1));
      market.remove(order[row]);
      continue;
    }
    order[row] = orders;
    orders += 1;
    if (kind[row] === TAKE) {
      side[row] = 2 * walk >= market.best(BUY) + market.best(SELL) ? BUY : SELL;
      ticks[row] = side[row] === BUY ? walk + BAND_TICKS : walk - BAND_TICKS;
      lots[row] = random.integer(1, TAKE_LOTS_MAX);
      market.take(side[row], ticks[row], lots[row]);
      continue;
    }
    if (row >= resting) {
      side[row] = random.chance(0.5) ? BUY : SELL;
      const away = random.integer(1, BAND_TICKS);
      ticks[row] =
        side[row] === BUY
          ? Math.min(walk - away, market.best(SELL) - 1)
          : Math.max(walk + away, market.best(BUY) + 1);
      lots[row] = random.integer(1, ADD_LOTS_MAX);
    }
    market.add(order[row], side[row], ticks[row], lots[row]);
    if (row < resting && !filling.isCanceled) market.exclude(order[row]);
  }
  return { length, kind, order, side, ticks, lots, orders, filling: resting, seed };
}

/**
 * Of each row of a file the client order id of its order, 12 characters. Each row has a text of its
 * own, an order's cancellation too, as every request brings its own: who sends one does not send the
 * object that came with the order.
 */
export const namesOf = ({ order }: Operations): string[] =>
  Array.from(order, (number) => `c${String(number).padStart(11, '0')}`);
