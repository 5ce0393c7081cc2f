/** Names in one block; blocks come and go, so that nothing is copied however many are held. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const PLACE = BLOCK - 1;

/** A generation has at least so many buckets, and more of them the more names the last one had. */
const BUCKETS = 2 ** 9;
/** Names for each bucket that a generation takes at most. */
const ROOM = 4;
const NEVER = Number.POSITIVE_INFINITY;

/** Columns of names, filled from the start to the end and emptied in the same order. */
class Block {
  readonly account = new Int32Array(BLOCK);
  /** The name that came before this one into the same bucket. */
  readonly before = new Int32Array(BLOCK);
  readonly endedAt = new Float64Array(BLOCK);
  readonly clientOrderId = new Array<string>(BLOCK).fill('');
}

/**
 * Leads from hashes to names that came one after another. Of each bucket it has the name that came
 * last, and marks of the hashes of all. A name leads to the one before it in its bucket.
 */
class Generation {
  readonly latest: Int32Array;
  readonly marks: Int32Array;
  /** The last name, and how many there are. */
  last = 0;
  count = 0;

  constructor(buckets: number) {
    this.latest = new Int32Array(buckets);
    this.marks = new Int32Array(buckets);
  }
}

/**
 * The names of ended orders that stay taken for a while, in the order in which the orders ended. A
 * name is a number that counts up and at 2^31 goes on below zero.
 *
 * Nearly every question is for a name that is not held, and the marks answer it without a look at
 * any name. Marks are never taken away: when the oldest generation has lost its last name, all of
 * it goes, and a new one takes the names that come from then on. So mostly there are two, nothing
 * is ever moved, and neither an addition nor a removal waits for memory that is not at hand.
 */
export class HeldNames {
  /** When the order of the name held longest ended, +Infinity when none is held. */
  since = NEVER;
  /** The name held longest, and the next one. */
  #oldest = 0;
  #next = 0;
  /** By the number of the block, as many as this has a power of two of places. */
  #blocks: Block[] = [new Block()];
  /** The latest comes last. */
  readonly #generations: Generation[] = [];
  #latest: Generation;

  constructor() {
    this.#latest = this.#begin(BUCKETS);
  }

  /**
   * True when an account holds that name for an order that ended after `until`; it takes the hash of
   * both.
   */
  has(hash: number, account: number, clientOrderId: unknown, until = -NEVER): boolean {
    const wanted = marksOf(hash);
    const generations = this.#generations;
    for (let i = 0; i < generations.length; i += 1) {
      const { latest, marks } = generations[i];
      const bucket = hash & (marks.length - 1);
      if ((marks[bucket] & wanted) !== wanted) continue;
      if (this.#chainHas(latest[bucket], account, clientOrderId, until)) return true;
    }
    return false;
  }

  /** Holds a name; none before it ended later. */
  add(hash: number, account: number, clientOrderId: string, endedAt: number): void {
    const name = this.#next;
    const place = name & PLACE;
    if (place === 0) this.#open();
    if (this.since === NEVER) this.since = endedAt;
    const generation = this.#roomy();
    const bucket = hash & (generation.marks.length - 1);
    const block = this.#block(name);
    block.account[place] = account;
    block.before[place] = generation.latest[bucket];
    block.endedAt[place] = endedAt;
    block.clientOrderId[place] = clientOrderId;
    generation.latest[bucket] = name;
    generation.marks[bucket] |= marksOf(hash);
    generation.last = name;
    generation.count += 1;
    this.#next = (name + 1) | 0;
  }

  /** Lets the oldest name go; there is one. */
  drop(): void {
    const name = this.#oldest;
    const next = (name + 1) | 0;
    this.#block(name).clientOrderId[name & PLACE] = '';
    this.#oldest = next;
    this.since = next === this.#next ? NEVER : this.#block(next).endedAt[next & PLACE];
    const [first] = this.#generations;
    if (this.#generations.length > 1) {
      if (first.last !== name) return;
      this.#generations.shift();
    }
    // The latest one has got names for as long as they are held; a few more do it no harm.
    const { count, marks } = this.#latest;
    if (count >= marks.length) this.#latest = this.#begin(bucketsFor(count));
  }

  #chainHas(last: number, account: number, clientOrderId: unknown, until: number): boolean {
    let name = last;
    while (this.#holds(name)) {
      const block = this.#block(name);
      const place = name & PLACE;
      // What is older ended no later.
      if (block.endedAt[place] <= until) return false;
      if (block.clientOrderId[place] === clientOrderId && block.account[place] === account) {
        return true;
      }
      // A bucket that had no name leads to any; only what is older is a step on.
      const before = block.before[place];
      if (((before - name) | 0) >= 0) return false;
      name = before;
    }
    return false;
  }

  /** True for the names from the oldest to the latest. */
  #holds(name: number): boolean {
    return ((name - this.#oldest) | 0) >= 0 && ((name - this.#next) | 0) < 0;
  }

  #block(name: number): Block {
    return this.#blocks[(name >>> BLOCK_BITS) & (this.#blocks.length - 1)];
  }

  /** Sees to it that the block of the next name is free, which is the first in it. */
  #open(): void {
    const blocks = this.#blocks;
    const used = ((this.#next - (this.#oldest & ~PLACE)) | 0) >>> BLOCK_BITS;
    if (used < blocks.length) return;
    const grown = Array.from({ length: 2 * blocks.length }, () => new Block());
    const first = this.#oldest >>> BLOCK_BITS;
    for (let i = 0; i < used; i += 1) {
      grown[(first + i) & (grown.length - 1)] = blocks[(first + i) & (blocks.length - 1)];
    }
    this.#blocks = grown;
  }

  /** The generation that takes the next name. */
  #roomy(): Generation {
    const { count, marks } = this.#latest;
    if (count === ROOM * marks.length) this.#latest = this.#begin(ROOM * marks.length);
    return this.#latest;
  }

  #begin(buckets: number): Generation {
    const generation = new Generation(buckets);
    this.#generations.push(generation);
    return generation;
  }
}

/** As many buckets as do for so many names: a power of two. */
function bucketsFor(names: number): number {
  let buckets = BUCKETS;
  while (2 * ROOM * buckets < 3 * names) buckets *= 2;
  return buckets;
}

/** Two of 32 marks; the low bits of the hash have chosen the bucket. */
const marksOf = (hash: number): number => (1 << (hash >>> 26)) | (1 << (hash >>> 21));
