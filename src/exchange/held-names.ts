/** Names in one block; blocks come and go, so that nothing is copied however many are held. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const PLACE = BLOCK - 1;

/** Buckets of the first generation; each later one has four times as many as the one before. */
const BUCKETS = 2 ** 9;
const NEVER = Number.POSITIVE_INFINITY;

/** Columns of names, filled from the start to the end and emptied in the same order. */
class Block {
  readonly account = new Int32Array(BLOCK);
  /** The name that was held before this one in the same bucket. */
  readonly before = new Int32Array(BLOCK);
  readonly endedAt = new Float64Array(BLOCK);
  readonly clientOrderId = new Array<string>(BLOCK).fill('');
}

/**
 * Leads from hashes to names. Of each bucket it has the name that came last, and marks of all
 * hashes that came while one was held there. A name leads to the one before it in its bucket.
 */
interface Generation {
  readonly latest: Int32Array;
  readonly marks: Int32Array;
  /** Names beyond which there is a larger generation. */
  readonly room: number;
  /** The last name that it got. */
  last: number;
}

/**
 * The names of ended orders that stay taken for a while, in the order in which the orders ended. A
 * name is a number that counts up and at 2^31 goes on below zero.
 *
 * Nearly every question is for a name that is not held, and the marks answer it without a look at
 * any name. A bucket forgets nothing: names below the oldest one count as not there. When buckets
 * become too few, a larger generation takes the names that come from then on, and the smaller one
 * goes when its last name does; nothing is ever moved.
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
  #generations: Generation[] = [generationOf(BUCKETS)];

  /** True when an account holds that name; it takes the hash of both. */
  has(hash: number, account: number, clientOrderId: unknown): boolean {
    const generations = this.#generations;
    for (let i = 0; i < generations.length; i += 1) {
      const { latest, marks } = generations[i];
      const bucket = bucketOf(hash, marks);
      const wanted = marksOf(hash);
      if ((marks[bucket] & wanted) !== wanted) continue;
      if (this.#chainHas(latest[bucket], account, clientOrderId)) return true;
    }
    return false;
  }

  /** Holds a name; none before it ended later. */
  add(hash: number, account: number, clientOrderId: string, endedAt: number): void {
    const name = this.#next;
    const place = name & PLACE;
    if (place === 0) this.#open();
    if (this.since === NEVER) this.since = endedAt;
    const generation = this.#generation();
    const { latest, marks } = generation;
    const bucket = bucketOf(hash, marks);
    const before = latest[bucket];
    const chained = this.#holds(before);
    const block = this.#block(name);
    block.account[place] = account;
    block.before[place] = chained ? before : this.#oldest - 1;
    block.endedAt[place] = endedAt;
    block.clientOrderId[place] = clientOrderId;
    latest[bucket] = name;
    marks[bucket] = marksOf(hash) | (chained ? marks[bucket] : 0);
    generation.last = name;
    this.#next = (name + 1) | 0;
  }

  /** Lets the oldest name go; there is one. */
  drop(): void {
    const name = this.#oldest;
    this.#block(name).clientOrderId[name & PLACE] = '';
    this.#oldest = (name + 1) | 0;
    this.since =
      this.#oldest === this.#next ? NEVER : this.#block(this.#oldest).endedAt[this.#oldest & PLACE];
    if (this.#generations.length > 1 && this.#generations[0].last === name) {
      this.#generations.shift();
    }
  }

  #chainHas(last: number, account: number, clientOrderId: unknown): boolean {
    let name = last;
    while (this.#holds(name)) {
      const block = this.#block(name);
      const place = name & PLACE;
      if (block.clientOrderId[place] === clientOrderId && block.account[place] === account) {
        return true;
      }
      name = block.before[place];
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
  #generation(): Generation {
    const last = this.#generations[this.#generations.length - 1];
    if (((this.#next - this.#oldest) | 0) < last.room) return last;
    const larger = generationOf(4 * last.marks.length);
    this.#generations.push(larger);
    return larger;
  }
}

/** There are up to two names for each bucket. */
const generationOf = (buckets: number): Generation => ({
  latest: new Int32Array(buckets),
  marks: new Int32Array(buckets),
  room: 2 * buckets,
  last: -1,
});

const bucketOf = (hash: number, marks: Int32Array): number => hash & (marks.length - 1);

/** Two of 32 marks; the low bits of the hash have chosen the bucket. */
const marksOf = (hash: number): number => (1 << (hash >>> 26)) | (1 << (hash >>> 21));
