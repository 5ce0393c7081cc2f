import { clientOrderIdHash } from '../../rules/client-order-id.ts';
import { RecentClientOrderIds } from './recent-client-order-ids.ts';
import { NONE as NO_ORDER, type Orders } from './orders.ts';
import { FIELD } from './record.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const NONE = NO_ORDER;
const { ACCOUNT, NAME_HASH, UPDATED_AT } = FIELD;

/** The id belongs to an order that ended a short time ago. */
export const HELD = -2;
/** The id is not a valid client order id. */
export const MALFORMED = -3;

/**
 * Least and most numbers in a shard; an entry takes two, and at most half of the entries are used.
 */
const SHARD_MIN = 32;
const SHARD_MAX = 2 ** 14;

/**
 * A part of the table: entries whose hashes end in the same `depth` bits, each the hash and the
 * slot plus one, at or after the index of the hash's high bits.
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
 * Finds orders by account and client order id; the ids themselves are in the order records. The
 * table is small, so that it stays in the CPU caches: the ids of ended orders are held separately.
 * A full shard grows, and at its maximum is split, so that growth never pauses, however many orders
 * there are.
 */
export class ClientOrderIds {
  declare private readonly orders: Orders;
  /** By the last bits of a hash; the length is a power of two. */
  #shards: Shard[] = [new Shard(0, SHARD_MIN)];
  readonly #held = new RecentClientOrderIds();
  /** Account of the id found free last, which the next order usually takes. */
  #account = 0;
  #clientOrderId: unknown = '';
  #hash = -1;
  /** Entry where the last search for an absent id ended. */
  #vacancy = 0;
  /** Hash of the id found free last. */
  #vacantHash = 0;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  /** Client order ids of orders that ended at this time or before are free. */
  get until(): number {
    return this.#held.until;
  }

  /**
   * The order with that id; HELD if it belongs to an order that ended a short time ago, NONE if it
   * is free.
   */
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

  /** The order with that id, NONE if there is none. */
  order(account: number, clientOrderId: unknown): number {
    const hash = hashOf(account, clientOrderId);
    return hash < 0 ? NONE : this.#seek(this.#shardOf(hash), hash, account, clientOrderId);
  }

  /** Adds an order whose id is absent. */
  add(order: number, account: number, clientOrderId: string): void {
    const isKnown = account === this.#account && clientOrderId === this.#clientOrderId;
    const hash = isKnown ? this.#hash : hashOf(account, clientOrderId);
    this.orders.setNameHash(order, hash);
    const shard = this.#roomyShardOf(hash);
    shard.count += 1;
    insert(shard.entries, hash, order + 1);
  }

  /** True for a free id; `enter` can then add an order under it, if no other call comes before. */
  isVacant(account: number, clientOrderId: unknown): boolean {
    const hash = hashOf(account, clientOrderId);
    if (hash < 0) return false;
    const shard = this.#roomyShardOf(hash);
    if (this.#seek(shard, hash, account, clientOrderId) !== NONE) return false;
    this.#vacantHash = hash;
    return !this.#held.has(hash, account, clientOrderId);
  }

  /** Adds an order under the id that `isVacant` just found free. */
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

  /** Holds the id of a known order that has ended, and no longer finds the order by it. */
  hold(order: number): void {
    const { doubles, integers, clientOrderIds } = this.orders;
    const hash = integers[(order << 5) | NAME_HASH];
    const endedAt = doubles[(order << 4) | UPDATED_AT];
    this.#remove(hash, order + 1);
    this.#held.add(hash, integers[(order << 5) | ACCOUNT], clientOrderIds[order], endedAt);
  }

  /** Frees the ids of orders that ended by `until`, and drops a block of them if due. */
  clear(until: number): void {
    this.#held.until = until;
    if (this.#held.dueAt <= until) this.#held.drop();
  }

  /** The order with that id in its shard, NONE if there is none. */
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

  /** The shard of a hash, enlarged to take one entry more. */
  #enlarged(hash: number): Shard {
    let shard = this.#shardOf(hash);
    while (4 * (shard.count + 1) > shard.entries.length) {
      if (shard.entries.length < SHARD_MAX) grow(shard);
      else this.#split(shard, hash);
      shard = this.#shardOf(hash);
    }
    return shard;
  }

  /** Splits a shard in two, by one more bit of the hash. */
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

/** Entry where the search for a hash begins; the low bits have chosen the shard. */
const home = (hash: number, mask: number): number => (hash >>> 16) & mask & ~1;

function insert(entries: Int32Array, hash: number, entry: number): void {
  const mask = entries.length - 1;
  let index = home(hash, mask);
  while (entries[index | 1] !== 0) index = (index + 2) & mask;
  entries[index] = hash;
  entries[index | 1] = entry;
}

/** A hash with good low and high bits, -1 for an invalid id. The account is part of it. */
function hashOf(account: number, clientOrderId: unknown): number {
  const hash = clientOrderIdHash(clientOrderId);
  if (hash < 0) return hash;
  const value = Math.imul(hash ^ Math.imul(account, 0x9e3779b1), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 1;
}
