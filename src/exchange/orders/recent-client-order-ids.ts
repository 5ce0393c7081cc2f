/**
 * Ids in one block; blocks are added and dropped, so that nothing is copied however many ids are
 * held.
 */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const PLACE = BLOCK - 1;

/** Least buckets of a generation; it has more after a generation with more ids. */
const BUCKETS = 2 ** 9;
/** Most ids per bucket that a generation takes. */
const IDS_PER_BUCKET_MAX = 4;
const NEVER = Number.POSITIVE_INFINITY;

/** Fields of an id in a block, adjacent as they are read together. */
const ACCOUNT = 0;
/** The id that came before this one in the same bucket. */
const PREVIOUS = 1;
const HASH = 2;
/** Bits of a field's index below the id's. */
const FIELD_BITS = 2;

/** Client order ids, filled from start to end and dropped together. */
class Block {
  readonly fields = new Int32Array(BLOCK << FIELD_BITS);
  readonly endedAt = new Float64Array(BLOCK);
  readonly clientOrderId = new Array<string>(BLOCK).fill('');
}

/**
 * Finds consecutive ids by hash. Each bucket has marks of the hashes of all its ids, and its last
 * id, which links to the one before. Marks are separate: a lookup of an id that is not held reads
 * only them, and they take half the memory.
 */
class Generation {
  /** Its first own id. */
  declare readonly first: number;
  declare readonly marks: Int32Array;
  declare readonly last: Int32Array;
  /** The generation before, while that has ids. */
  declare previous: Generation | undefined;

  constructor(first: number, buckets: number, previous?: Generation) {
    this.first = first;
    this.previous = previous;
    this.marks = new Int32Array(buckets);
    this.last = new Int32Array(buckets);
  }
}

/**
 * Ids of ended orders that stay taken for a while, in the order in which the orders ended. An id is
 * identified by a serial number that wraps at 2^31 to negative numbers. A block of ids is dropped
 * when its last one is free; `until` decides which ids are free, so it does not matter when a block
 * is dropped.
 *
 * Nearly every lookup is for an id that is not held, and the marks answer it alone. Marks are never
 * removed: when the oldest generation has lost its last id, it is dropped whole, and a new one
 * takes later ids. So there are mostly two, nothing is ever moved, and neither an addition nor a
 * removal waits for uncached memory.
 */
export class RecentClientOrderIds {
  /** Client order ids of orders that ended at this time or before are free; raised by the owner. */
  until = Number.NEGATIVE_INFINITY;
  /** When the last order of the oldest block ended, +Infinity while the block is not full. */
  dueAt = NEVER;
  /** Serial number of the oldest block's first id, and of the next id. */
  #oldest = 0;
  #next = 0;
  /** By block number; the length is a power of two. */
  #blocks: Block[] = [new Block()];
  /** Block of new ids. */
  declare private block: Block;
  /** Generation of new ids. */
  declare private latest: Generation;

  constructor() {
    this.block = this.#blocks[0];
    this.latest = new Generation(0, BUCKETS);
  }

  /**
   * True if an account holds that id, with this hash of both, for an order that ended after
   * `until`. The time is no argument, as V8 would allocate a fractional number.
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

  /** Holds an id; none before it ended later. */
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
    fields[start | PREVIOUS] = last[bucket];
    fields[start | HASH] = hash;
    ends[index] = endedAt;
    ids[index] = clientOrderId;
    last[bucket] = name;
    marks[bucket] |= marksOf(hash);
    this.#next = (name + 1) | 0;
    if (index === PLACE && this.dueAt === NEVER) this.#note();
  }

  /** The generation of a new id. */
  #generationOf(name: number): Generation {
    const { latest } = this;
    const isFull = ((name - latest.first) | 0) >= IDS_PER_BUCKET_MAX * latest.marks.length;
    return isFull ? this.#begin(IDS_PER_BUCKET_MAX * latest.marks.length) : latest;
  }

  /** Drops the ids of the oldest block, which is full. */
  drop(): void {
    this.#block(this.#oldest).clientOrderId.fill('');
    this.#oldest = (this.#oldest + BLOCK) | 0;
    this.#note();
    let generation = this.latest;
    while (generation.previous !== undefined && !this.#isGone(generation)) {
      generation = generation.previous;
    }
    generation.previous = undefined;
    // The latest generation has taken ids for as long as they are held; a few more do no harm.
    const { first, marks, previous } = this.latest;
    const count = (this.#next - first) | 0;
    if (previous === undefined && count >= marks.length) this.#begin(bucketsFor(count));
  }

  /** True if all ids before a generation's are dropped. */
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
        // An older entry of the same id ended no later.
        return block.endedAt[name & PLACE] > this.until;
      }
      // A bucket without an id may link to any; only an older one is a step back.
      const before = fields[start | PREVIOUS];
      if (((before - name) | 0) >= 0) return false;
      name = before;
    }
    return false;
  }

  /** True for serial numbers from the oldest to the latest id. */
  #holds(name: number): boolean {
    return ((name - this.#oldest) | 0) >= 0 && ((name - this.#next) | 0) < 0;
  }

  #block(name: number): Block {
    return this.#blocks[(name >>> BLOCK_BITS) & (this.#blocks.length - 1)];
  }

  /** Notes when the oldest block can be dropped. */
  #note(): void {
    const isFull = ((this.#next - this.#oldest) | 0) >= BLOCK;
    this.dueAt = isFull ? this.#block(this.#oldest).endedAt[PLACE] : NEVER;
  }

  /** Makes the block of the next id, its first, free. */
  #open(): void {
    if (((this.#next - this.#oldest) | 0) >>> BLOCK_BITS === this.#blocks.length) this.#grow();
    this.block = this.#block(this.#next);
  }

  /** Doubles the list of blocks. */
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

/** Number of buckets for `names` ids: a power of two. */
function bucketsFor(names: number): number {
  let buckets = BUCKETS;
  while (2 * IDS_PER_BUCKET_MAX * buckets < 3 * names) buckets *= 2;
  return buckets;
}

/** Three of 32 marks; the low bits of the hash have chosen the bucket. */
const marksOf = (hash: number): number =>
  (1 << (hash >>> 26)) | (1 << (hash >>> 21)) | (1 << (hash >>> 16));
