import { HeldNames } from './held-names.ts';
import { NONE, type Orders } from './orders.ts';

/** A name that an order had until lately. */
export const HELD = -2;

const SHARDS = 256;

/**
 * Finds orders by account and client order id. The table is cut into shards that grow one by one,
 * so that no single growth makes a pause. An entry is two numbers, the hash and the slot plus one;
 * the ids themselves stand with the orders. The name of an ended order can be held for a while:
 * then the second number is below zero, and the id stands with the held names.
 */
export class Names {
  readonly #orders: Orders;
  readonly #shards: Int32Array[] = Array.from({ length: SHARDS }, () => new Int32Array(2 * 8));
  readonly #counts = new Int32Array(SHARDS);
  readonly #held = new HeldNames();
  /** The name that was hashed last: whoever asks whether it is free mostly takes it next. */
  #account = 0;
  #clientOrderId = '';
  #hashed = hashOf(0, '');

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  /** The order of that name; HELD when an order had it until lately, NONE when it is free. */
  find(account: number, clientOrderId: string): number {
    const orders = this.#orders;
    const hash = this.#hash(account, clientOrderId);
    const shard = this.#shards[hash & (SHARDS - 1)];
    const mask = shard.length - 1;
    for (let place = home(hash, mask); shard[place + 1] !== 0; place = (place + 2) & mask) {
      if (shard[place] !== hash) continue;
      const entry = shard[place + 1];
      if (entry < 0) {
        if (this.#held.is(-1 - entry, account, clientOrderId)) return HELD;
      } else if (
        orders.account(entry - 1) === account &&
        orders.clientOrderId(entry - 1) === clientOrderId
      ) {
        return entry - 1;
      }
    }
    return NONE;
  }

  /** Enters an order whose name is not there. */
  add(order: number): void {
    const hash = this.#hash(this.#orders.account(order), this.#orders.clientOrderId(order));
    this.#orders.setNameHash(order, hash);
    const number = hash & (SHARDS - 1);
    this.#counts[number] += 1;
    if (4 * this.#counts[number] > this.#shards[number].length) this.#grow(number);
    insert(this.#shards[number], hash, order + 1);
  }

  /** Holds the name of an order that is there, which ended then and is not found by it any more. */
  hold(order: number, endedAt: number): void {
    const orders = this.#orders;
    const hash = orders.nameHash(order);
    const name = this.#held.add(orders.account(order), hash, orders.clientOrderId(order), endedAt);
    const shard = this.#shards[hash & (SHARDS - 1)];
    shard[placeOf(shard, hash, order + 1) + 1] = -1 - name;
  }

  /** Frees the name held longest when its order ended by `until`; true when it did. */
  free(until: number): boolean {
    const held = this.#held;
    if (held.count === 0) return false;
    const name = held.oldest();
    if (held.endedAt(name) > until) return false;
    this.#remove(held.hash(name), -1 - name);
    held.drop();
    return true;
  }

  /** Entries behind the removed one move up, so that no gap cuts them off. */
  #remove(hash: number, entry: number): void {
    const number = hash & (SHARDS - 1);
    const shard = this.#shards[number];
    const mask = shard.length - 1;
    let hole = placeOf(shard, hash, entry);
    for (let place = (hole + 2) & mask; shard[place + 1] !== 0; place = (place + 2) & mask) {
      if (((place - home(shard[place], mask)) & mask) < ((place - hole) & mask)) continue;
      shard[hole] = shard[place];
      shard[hole + 1] = shard[place + 1];
      hole = place;
    }
    shard[hole + 1] = 0;
    this.#counts[number] -= 1;
  }

  #hash(account: number, clientOrderId: string): number {
    if (account !== this.#account || clientOrderId !== this.#clientOrderId) {
      this.#account = account;
      this.#clientOrderId = clientOrderId;
      this.#hashed = hashOf(account, clientOrderId);
    }
    return this.#hashed;
  }

  #grow(number: number): void {
    const old = this.#shards[number];
    const shard = new Int32Array(2 * old.length);
    for (let place = 0; place < old.length; place += 2) {
      if (old[place + 1] !== 0) insert(shard, old[place], old[place + 1]);
    }
    this.#shards[number] = shard;
  }
}

/** Where the search for a hash begins; the low bits have chosen the shard. */
const home = (hash: number, mask: number): number => (hash >>> 7) & mask & ~1;

/** The place of an entry that is there. */
function placeOf(shard: Int32Array, hash: number, entry: number): number {
  const mask = shard.length - 1;
  let place = home(hash, mask);
  while (shard[place + 1] !== entry) place = (place + 2) & mask;
  return place;
}

function insert(shard: Int32Array, hash: number, entry: number): void {
  const mask = shard.length - 1;
  let place = home(hash, mask);
  while (shard[place + 1] !== 0) place = (place + 2) & mask;
  shard[place] = hash;
  shard[place + 1] = entry;
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
