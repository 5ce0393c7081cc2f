import { clientOrderIdHash } from '../../rules/client-order-id.ts';
import { RecentClientOrderIds } from './recent-client-order-ids.ts';
import { NONE as NO_ORDER, type Orders } from './orders.ts';
import { FIELD } from './record.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const NONE = NO_ORDER;
const { ACCOUNT, NAME_HASH, UPDATED_AT } = FIELD;

/** A name that an order had until lately. */
export const HELD = -2;
/** No order can have that name. */
export const MALFORMED = -3;

/** Numbers in a shard at first, and at most; an entry is two, and half of the entries are taken at most. */
const SHARD_MIN = 32;
const SHARD_MAX = 2 ** 14;

/**
 * A part of the table: the entries whose hashes end in the same `depth` bits, each the hash and the slot
 * plus one, at or after the place that the high bits of the hash give.
 */
class Shard {
  declare readonly depth: number;
  declare entries: Int32Array;
  count = 0;

  constructor(depth: number, length: number) {
    this.depth = depth;
    this.entries = new Int32Array(length);
  }
}

/**
 * Finds orders by account and client order id; the ids themselves stand with the orders. The table
 * is small, so that it stays in the caches of the machine: the name of an order that has ended is
 * held apart for a while. A shard that is full grows, and at its greatest is cut in two, so that no
 * growth makes a pause however many orders there are.
 */
export class ClientOrderIds {
  declare private readonly orders: Orders;
  /** By the last bits of a hash, as many as this has a power of two of places. */
  #shards: Shard[] = [new Shard(0, SHARD_MIN)];
  readonly #held = new RecentClientOrderIds();
  /** The name that was found free last, which its order mostly takes next, and its hash. */
  #account = 0;
  #clientOrderId: unknown = '';
  #hash = -1;
  /** Where the last search for a name that is not there ended. */
  #vacancy = 0;
  /** The hash of the name that was found vacant last. */
  #vacantHash = 0;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  /** Client order ids of orders that ended by then are free. */
  get until(): number {
    return this.#held.until;
  }

  /** The order of that name; HELD when one had it that ended lately, NONE when it is free. */
  find(account: number, clientOrderId: unknown): number {
    const hash = hashOf(account, clientOrderId);
    if (hash < 0) return MALFORMED;
    const order = this.#seek(this.#shardOf(hash), hash, account, clientOrderId);
    if (order !== NONE) return order;
    if (this.#held.has(hash, account, clientOrderId)) return HELD;
    this.#account = account;
    this.#clientOrderId = clientOrderId;
    this.#hash = hash;
    return NONE;
  }

  /** The order of that name, NONE when there is none. */
  order(account: number, clientOrderId: unknown): number {
    const hash = hashOf(account, clientOrderId);
    return hash < 0 ? NONE : this.#seek(this.#shardOf(hash), hash, account, clientOrderId);
  }

  /** Enters an order whose name is not there. */
  add(order: number, account: number, clientOrderId: string): void {
    const isKnown = account === this.#account && clientOrderId === this.#clientOrderId;
    const hash = isKnown ? this.#hash : hashOf(account, clientOrderId);
    this.orders.setNameHash(order, hash);
    const shard = this.#roomyShardOf(hash);
    shard.count += 1;
    insert(shard.entries, hash, order + 1);
  }

  /** True for a name that is free; then `enter` can enter an order under it, if nothing else comes before. */
  isVacant(account: number, clientOrderId: unknown): boolean {
    const hash = hashOf(account, clientOrderId);
    if (hash < 0) return false;
    const shard = this.#roomyShardOf(hash);
    if (this.#seek(shard, hash, account, clientOrderId) !== NONE) return false;
    this.#vacantHash = hash;
    return !this.#held.has(hash, account, clientOrderId);
  }

  /** Enters an order under the name that was found vacant just now. */
  enter(order: number): void {
    const hash = this.#vacantHash;
    const shard = this.#shardOf(hash);
    const { entries } = shard;
    const index = this.#vacancy;
    this.orders.setNameHash(order, hash);
    shard.count += 1;
    entries[index] = hash;
    entries[index | 1] = order + 1;
  }

  /** Holds the name of an order that is there and has ended, and is not found by it any more. */
  hold(order: number): void {
    const { doubles, integers, clientOrderIds } = this.orders;
    const hash = integers[(order << 5) | NAME_HASH];
    const endedAt = doubles[(order << 4) | UPDATED_AT];
    this.#remove(hash, order + 1);
    this.#held.add(hash, integers[(order << 5) | ACCOUNT], clientOrderIds[order], endedAt);
  }

  /** Makes the names of orders that ended by `until` free, and lets them go if it is time to. */
  clear(until: number): void {
    this.#held.until = until;
    if (this.#held.dueAt <= until) this.#held.drop();
  }

  /** The order of that name in its shard, NONE when there is none. */
  #seek({ entries }: Shard, hash: number, account: number, clientOrderId: unknown): number {
    const { integers, clientOrderIds } = this.orders;
    const mask = entries.length - 1;
    let index = home(hash, mask);
    for (let entry = entries[index | 1]; entry !== 0; entry = entries[index | 1]) {
      const order = entry - 1;
      if (
        entries[index] === hash &&
        integers[(order << 5) | ACCOUNT] === account &&
        clientOrderIds[order] === clientOrderId
      ) {
        return order;
      }
      index = (index + 2) & mask;
    }
    this.#vacancy = index;
    return NONE;
  }

  /** Entries behind the removed one move up, so that no gap cuts them off. */
  #remove(hash: number, entry: number): void {
    const shard = this.#shardOf(hash);
    const { entries } = shard;
    const mask = entries.length - 1;
    let hole = home(hash, mask);
    while (entries[hole | 1] !== entry) hole = (hole + 2) & mask;
    for (let index = (hole + 2) & mask; entries[index | 1] !== 0; index = (index + 2) & mask) {
      if (((index - home(entries[index], mask)) & mask) < ((index - hole) & mask)) continue;
      entries[hole] = entries[index];
      entries[hole | 1] = entries[index | 1];
      hole = index;
    }
    entries[hole | 1] = 0;
    shard.count -= 1;
  }

  #shardOf(hash: number): Shard {
    return this.#shards[hash & (this.#shards.length - 1)];
  }

  /** The shard of a hash, with room for one entry more. */
  #roomyShardOf(hash: number): Shard {
    const shard = this.#shardOf(hash);
    return 4 * (shard.count + 1) > shard.entries.length ? this.#enlarged(hash) : shard;
  }

  /** The shard of a hash, made so large that it has room for one entry more. */
  #enlarged(hash: number): Shard {
    let shard = this.#shardOf(hash);
    while (4 * (shard.count + 1) > shard.entries.length) {
      if (shard.entries.length < SHARD_MAX) grow(shard);
      else this.#split(shard, hash);
      shard = this.#shardOf(hash);
    }
    return shard;
  }

  /** Replaces a shard by two, which differ in one more bit of the hash. */
  #split(shard: Shard, hash: number): void {
    const { depth, entries } = shard;
    if (2 ** depth === this.#shards.length) this.#shards = [...this.#shards, ...this.#shards];
    const halves = [new Shard(depth + 1, SHARD_MAX), new Shard(depth + 1, SHARD_MAX)];
    for (let index = 0; index < entries.length; index += 2) {
      if (entries[index | 1] === 0) continue;
      const half = halves[(entries[index] >>> depth) & 1];
      half.count += 1;
      insert(half.entries, entries[index], entries[index | 1]);
    }
    const step = 2 ** depth;
    for (let i = hash & (step - 1); i < this.#shards.length; i += step) {
      this.#shards[i] = halves[(i >>> depth) & 1];
    }
  }
}

function grow(shard: Shard): void {
  const { entries } = shard;
  const grown = new Int32Array(2 * entries.length);
  for (let index = 0; index < entries.length; index += 2) {
    if (entries[index | 1] !== 0) insert(grown, entries[index], entries[index | 1]);
  }
  shard.entries = grown;
}

/** Where the search for a hash begins; the low bits have chosen the shard. */
const home = (hash: number, mask: number): number => (hash >>> 16) & mask & ~1;

function insert(entries: Int32Array, hash: number, entry: number): void {
  const mask = entries.length - 1;
  let index = home(hash, mask);
  while (entries[index | 1] !== 0) index = (index + 2) & mask;
  entries[index] = hash;
  entries[index | 1] = entry;
}

/**
 * From 0 up, with good low and high bits; -1 when no order can have that id. The same id of another
 * account is another name.
 */
function hashOf(account: number, clientOrderId: unknown): number {
  const hash = clientOrderIdHash(clientOrderId);
  if (hash < 0) return hash;
  const value = Math.imul(hash ^ Math.imul(account, 0x9e3779b1), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 1;
}
