import { NONE, type Orders } from './orders.ts';

const SHARDS = 256;

/**
 * Finds orders by account and client order id. The table is cut into shards that grow one by one,
 * so that no single growth makes a pause; entries are slot numbers plus one, the ids themselves
 * stand with the orders.
 */
export class Names {
  readonly #orders: Orders;
  readonly #shards: Int32Array[] = Array.from({ length: SHARDS }, () => new Int32Array(8));
  readonly #counts = new Int32Array(SHARDS);

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  /** The order of that name, active or ended lately; NONE when there is none. */
  find(account: number, clientOrderId: string): number {
    const orders = this.#orders;
    const hash = hashOf(account, clientOrderId);
    const shard = this.#shards[hash & (SHARDS - 1)];
    const mask = shard.length - 1;
    for (let place = (hash >>> 8) & mask; shard[place] !== 0; place = (place + 1) & mask) {
      const order = shard[place] - 1;
      if (
        orders.nameHash[order] === hash &&
        orders.account[order] === account &&
        orders.clientOrderId[order] === clientOrderId
      ) {
        return order;
      }
    }
    return NONE;
  }

  /** Enters an order whose name is not there. */
  add(order: number): void {
    const hash = hashOf(this.#orders.account[order], this.#orders.clientOrderId[order]);
    this.#orders.nameHash[order] = hash;
    const number = hash & (SHARDS - 1);
    this.#counts[number] += 1;
    if (2 * this.#counts[number] > this.#shards[number].length) this.#grow(number);
    insert(this.#shards[number], hash, order);
  }

  /** Forgets an order that is there; entries behind it move up, so that no gap cuts them off. */
  remove(order: number): void {
    const hash = this.#orders.nameHash[order];
    const number = hash & (SHARDS - 1);
    const shard = this.#shards[number];
    const mask = shard.length - 1;
    let hole = (hash >>> 8) & mask;
    while (shard[hole] !== order + 1) hole = (hole + 1) & mask;
    for (let place = (hole + 1) & mask; shard[place] !== 0; place = (place + 1) & mask) {
      const home = (this.#orders.nameHash[shard[place] - 1] >>> 8) & mask;
      if (((place - home) & mask) < ((place - hole) & mask)) continue;
      shard[hole] = shard[place];
      hole = place;
    }
    shard[hole] = 0;
    this.#counts[number] -= 1;
  }

  #grow(number: number): void {
    const old = this.#shards[number];
    const shard = new Int32Array(2 * old.length);
    for (const entry of old) {
      if (entry !== 0) insert(shard, this.#orders.nameHash[entry - 1], entry - 1);
    }
    this.#shards[number] = shard;
  }
}

function insert(shard: Int32Array, hash: number, order: number): void {
  const mask = shard.length - 1;
  let place = (hash >>> 8) & mask;
  while (shard[place] !== 0) place = (place + 1) & mask;
  shard[place] = order + 1;
}

/** FNV-1a over the characters, begun with the account, and mixed so that the low bits are good. */
function hashOf(account: number, clientOrderId: string): number {
  let hash = 0x811c9dc5 ^ Math.imul(account, 0x9e3779b1);
  for (let i = 0; i < clientOrderId.length; i += 1) {
    hash = Math.imul(hash ^ clientOrderId.charCodeAt(i), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
