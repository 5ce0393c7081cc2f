/** Ids in one block; blocks come and go, so that nothing is copied however many are held. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const PLACE = BLOCK - 1;

/** A generation has at least so many buckets, and more of them the more names the last one had. */
const BUCKETS = 2 ** 9;
/** Ids for each bucket that a generation takes at most. */
const ROOM = 4;
const NEVER = Number.POSITIVE_INFINITY;

/** Fields of a name in a block, side by side, as who looks at one looks at all. */
const ACCOUNT = 0;
/** The name that came before this one into the same bucket. */
const BEFORE = 1;
const HASH = 2;
/** Bits of a field's place below the name's. */
const FIELD_BITS = 2;

/** Ids, filled from the start to the end and let go all at once. */
class Block {
  readonly fields = new Int32Array(BLOCK << FIELD_BITS);
  readonly endedAt = new Float64Array(BLOCK);
  readonly clientOrderId = new Array<string>(BLOCK).fill('');
}

/**
 * Leads from hashes to names that came one after another. Of each bucket it has marks of the hashes
 * of all its names, and the name that came last, which leads to the one before it in its bucket. Marks
 * stand apart: they alone are looked at for a name that is not held, and are half as much to keep at
 * hand.
 */
class Generation {
  /** The first name that is its own. */
  declare readonly first: number;
  declare readonly marks: Int32Array;
  declare readonly last: Int32Array;
  /** The generation before it, as long as that has names. */
  declare previous: Generation | undefined;

  constructor(first: number, buckets: number, previous?: Generation) {
    this.first = first;
    this.previous = previous;
    this.marks = new Int32Array(buckets);
    this.last = new Int32Array(buckets);
  }
}

/**
 * The names of ended orders that stay taken for a while, in the order in which the orders ended. A
 * name is a number that counts up and at 2^31 goes on below zero. Ids go a block at a time, when
 * the last of it is free; `until` says up to when orders must have ended for their names to be free,
 * so that it does not matter when they go.
 *
 * Nearly every question is for a name that is not held, and the marks answer it without a look at
 * any name. Marks are never taken away: when the oldest generation has lost its last name, all of
 * it goes, and a new one takes the names that come from then on. So mostly there are two, nothing
 * is ever moved, and neither an addition nor a removal waits for memory that is not at hand.
 */
export class RecentClientOrderIds {
  /** Client order ids of orders that ended by then are free; who holds names lets it rise. */
  until = Number.NEGATIVE_INFINITY;
  /** When the last order of the oldest block ended, +Infinity while that is not full. */
  dueAt = NEVER;
  /** The first name of the oldest block, and the next one that comes. */
  #oldest = 0;
  #next = 0;
  /** By the number of the block, as many as this has a power of two of places. */
  #blocks: Block[] = [new Block()];
  /** The block of the names that come now. */
  declare private block: Block;
  /** The generation that takes names. */
  declare private latest: Generation;

  constructor() {
    this.block = this.#blocks[0];
    this.latest = new Generation(0, BUCKETS);
  }

  /**
   * True when an account holds that name for an order that ended after `until`; it takes the hash of both.
   * It does not take the time, as a fractional number that is passed on becomes an object.
   */
  has(hash: number, account: number, clientOrderId: unknown): boolean {
    const wanted = marksOf(hash);
    let generation: Generation | undefined = this.latest;
    for (; generation !== undefined; generation = generation.previous) {
      const { marks, last } = generation;
      const bucket = hash & (marks.length - 1);
      if ((marks[bucket] & wanted) !== wanted) continue;
      if (this.#chainHas(last[bucket], hash, account, clientOrderId)) return true;
    }
    return false;
  }

  /** Holds a name; none before it ended later. */
  add(hash: number, account: number, clientOrderId: string, endedAt: number): void {
    const name = this.#next;
    const index = name & PLACE;
    if (index === 0) this.#open();
    const generation = this.#generationOf(name);
    const { marks, last } = generation;
    const bucket = hash & (marks.length - 1);
    const { fields, endedAt: ends, clientOrderId: ids } = this.block;
    const start = index << FIELD_BITS;
    fields[start | ACCOUNT] = account;
    fields[start | BEFORE] = last[bucket];
    fields[start | HASH] = hash;
    ends[index] = endedAt;
    ids[index] = clientOrderId;
    last[bucket] = name;
    marks[bucket] |= marksOf(hash);
    this.#next = (name + 1) | 0;
    if (index === PLACE && this.dueAt === NEVER) this.#note();
  }

  /** The generation that a new name becomes a part of. */
  #generationOf(name: number): Generation {
    const { latest } = this;
    const isFull = ((name - latest.first) | 0) >= ROOM * latest.marks.length;
    return isFull ? this.#begin(ROOM * latest.marks.length) : latest;
  }

  /** Lets the names of the oldest block go, which is full. */
  drop(): void {
    this.#block(this.#oldest).clientOrderId.fill('');
    this.#oldest = (this.#oldest + BLOCK) | 0;
    this.#note();
    let generation = this.latest;
    while (generation.previous !== undefined && !this.#isGone(generation)) {
      generation = generation.previous;
    }
    generation.previous = undefined;
    // The latest one has got names for as long as they are held; a few more do it no harm.
    const { first, marks, previous } = this.latest;
    const count = (this.#next - first) | 0;
    if (previous === undefined && count >= marks.length) this.#begin(bucketsFor(count));
  }

  /** True when all names before those of a generation have gone. */
  #isGone({ first }: Generation): boolean {
    return ((first - this.#oldest) | 0) <= 0;
  }

  #chainHas(last: number, hash: number, account: number, clientOrderId: unknown): boolean {
    let name = last;
    while (this.#holds(name)) {
      const block = this.#block(name);
      const { fields } = block;
      const start = (name & PLACE) << FIELD_BITS;
      if (
        fields[start | HASH] === hash &&
        fields[start | ACCOUNT] === account &&
        block.clientOrderId[name & PLACE] === clientOrderId
      ) {
        // What is older of the same name ended no later.
        return block.endedAt[name & PLACE] > this.until;
      }
      // A bucket that had no name leads to any; only what is older is a step on.
      const before = fields[start | BEFORE];
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

  /** Notes when the oldest block can go. */
  #note(): void {
    const isFull = ((this.#next - this.#oldest) | 0) >= BLOCK;
    this.dueAt = isFull ? this.#block(this.#oldest).endedAt[PLACE] : NEVER;
  }

  /** Sees to it that the block of the next name is free, which is the first in it. */
  #open(): void {
    if (((this.#next - this.#oldest) | 0) >>> BLOCK_BITS === this.#blocks.length) this.#grow();
    this.block = this.#block(this.#next);
  }

  /** Twice as many blocks, those in use among them. */
  #grow(): void {
    const blocks = this.#blocks;
    const used = blocks.length;
    const first = this.#oldest >>> BLOCK_BITS;
    this.#blocks = Array.from({ length: 2 * used }, (_, index) => {
      const isInUse = ((index - first) & (2 * used - 1)) < used;
      return isInUse ? blocks[index & (used - 1)] : new Block();
    });
  }

  #begin(buckets: number): Generation {
    this.latest = new Generation(this.#next, buckets, this.latest);
    return this.latest;
  }
}

/** As many buckets as do for so many names: a power of two. */
function bucketsFor(names: number): number {
  let buckets = BUCKETS;
  while (2 * ROOM * buckets < 3 * names) buckets *= 2;
  return buckets;
}

/** Three of 32 marks; the low bits of the hash have chosen the bucket. */
const marksOf = (hash: number): number =>
  (1 << (hash >>> 26)) | (1 << (hash >>> 21)) | (1 << (hash >>> 16));
