import type { Sort } from '../../../wire/trading/paging.ts';

/** Most items of a chunk; a larger one is split, and one below a quarter joined with its neighbour. */
const CHUNK = 512;

/** Part and direction of a walk. */
export interface Bounds {
  readonly from: number;
  readonly till: number;
  readonly sort: Sort;
}

interface Numbered {
  readonly id: number;
}

/** The position of an item. */
interface ItemPosition {
  readonly chunk: number;
  readonly index: number;
}

/**
 * A long list in the order of a key, and of ids if keys are equal. Most items are added at the end; one in
 * the middle moves no more than a chunk. An item is found by its key without a scan, and an offset is
 * skipped chunk by chunk.
 */
export class OrderedHistory<T extends Numbered> {
  readonly #keyOf: (item: T) => number;
  readonly #chunks: T[][] = [];
  #length = 0;

  constructor(keyOf: (item: T) => number) {
    this.#keyOf = keyOf;
  }

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0];
  }

  add(item: T): void {
    this.#length += 1;
    const last = this.#chunks.at(-1);
    const end = last?.at(-1);
    if (last === undefined || end === undefined) {
      this.#chunks.push([item]);
    } else if (this.#compare(end, item) <= 0) {
      if (last.length < CHUNK) last.push(item);
      else this.#chunks.push([item]);
    } else {
      this.#insert(item);
    }
  }

  /** Removes an existing item. */
  remove(item: T): void {
    if (this.first === item) {
      this.#chunks[0].shift();
      this.#length -= 1;
      this.#tidy(0);
      return;
    }
    let { chunk, index } = this.#positionOf((other) => this.#compare(other, item) >= 0);
    while (this.#chunks[chunk][index] !== item) {
      index += 1;
      if (index < this.#chunks[chunk].length) continue;
      chunk += 1;
      index = 0;
    }
    this.#chunks[chunk].splice(index, 1);
    this.#length -= 1;
    this.#tidy(chunk);
  }

  /**
   * Walks the items whose key lies between the bounds, both included; the list must not change meanwhile.
   * `keyOf` may be another key than the list's own as long as it never falls from one item to the next.
   */
  between({ from, till, sort }: Bounds, keyOf = this.#keyOf): HistoryIterator<T> {
    const first = this.#positionOf((item) => keyOf(item) >= from);
    const end = this.#positionOf((item) => keyOf(item) > till);
    const isEmpty = comparePositions(first, end) >= 0;
    return new HistoryIterator(this.#chunks, first, isEmpty ? first : end, sort);
  }

  #compare(one: T, other: T): number {
    return this.#keyOf(one) - this.#keyOf(other) || one.id - other.id;
  }

  /** The first position whose item is beyond a border; the end if there is none. */
  #positionOf(isBeyond: (item: T) => boolean): ItemPosition {
    const chunks = this.#chunks;
    // Usually the oldest are searched, to be removed.
    const isInFirst = chunks.length > 0 && isBeyond(lastOf(chunks[0]));
    const chunk = isInFirst ? 0 : firstOf(chunks.length, (at) => isBeyond(lastOf(chunks[at])));
    if (chunk === chunks.length) return { chunk, index: 0 };
    const items = chunks[chunk];
    return { chunk, index: firstOf(items.length, (at) => isBeyond(items[at])) };
  }

  #insert(item: T): void {
    const { chunk, index } = this.#positionOf((other) => this.#compare(other, item) > 0);
    const items = this.#chunks[chunk];
    items.splice(index, 0, item);
    if (items.length <= CHUNK) return;
    this.#chunks.splice(chunk + 1, 0, items.splice(CHUNK / 2));
  }

  /** Joins a chunk that has become small with the one after it. */
  #tidy(chunk: number): void {
    const chunks = this.#chunks;
    const items = chunks[chunk];
    const next = chunks[chunk + 1];
    if (items.length === 0) {
      chunks.splice(chunk, 1);
    } else if (next !== undefined && 4 * (items.length + next.length) <= CHUNK) {
      chunks.splice(chunk, 2, [...items, ...next]);
    }
  }
}

/** Goes through a part of a timeline, item by item. */
export class HistoryIterator<T> {
  readonly #chunks: readonly (readonly T[])[];
  readonly #sort: Sort;
  /** Upwards, the next item and the end; downwards, the position after the next item, and the last. */
  #chunk: number;
  #index: number;
  readonly #stop: ItemPosition;

  constructor(
    chunks: readonly (readonly T[])[],
    first: ItemPosition,
    end: ItemPosition,
    sort: Sort,
  ) {
    this.#chunks = chunks;
    this.#sort = sort;
    const [start, stop] = sort === 'ASC' ? [first, end] : [end, first];
    this.#chunk = start.chunk;
    this.#index = start.index;
    this.#stop = stop;
    this.#settle();
  }

  /** The item `ahead` positions after the next one, which stays the next; undefined beyond the end. */
  peek(ahead = 0): T | undefined {
    const chunk = this.#chunk;
    const index = this.#index;
    this.skip(ahead);
    const isOver = this.#left() === 0;
    const at = this.#sort === 'ASC' ? this.#index : this.#index - 1;
    const item = isOver ? undefined : this.#chunks[this.#chunk][at];
    this.#chunk = chunk;
    this.#index = index;
    return item;
  }

  /** Skips `count` items, or to the end. */
  skip(count: number): void {
    for (let rest = count; rest > 0;) {
      const left = this.#left();
      if (left === 0) return;
      const step = Math.min(left, rest);
      this.#index += this.#sort === 'ASC' ? step : -step;
      rest -= step;
      this.#settle();
    }
  }

  /** Remaining items of this chunk. */
  #left(): number {
    const { chunk, index } = this.#stop;
    if (this.#sort === 'ASC') {
      const end = this.#chunk === chunk ? index : (this.#chunks[this.#chunk]?.length ?? 0);
      return end - this.#index;
    }
    return this.#index - (this.#chunk === chunk ? index : 0);
  }

  /** Goes to the next chunk if this one is finished. */
  #settle(): void {
    if (this.#chunk === this.#stop.chunk || this.#left() > 0) return;
    this.#chunk += this.#sort === 'ASC' ? 1 : -1;
    this.#index = this.#sort === 'ASC' ? 0 : this.#chunks[this.#chunk].length;
  }
}

const lastOf = <T>(items: readonly T[]): T => items[items.length - 1];

const comparePositions = (one: ItemPosition, other: ItemPosition): number =>
  one.chunk - other.chunk || one.index - other.index;

/** The first of `count` numbers for which something holds that holds for all after it too. */
function firstOf(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
