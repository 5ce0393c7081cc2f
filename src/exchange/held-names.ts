import { NONE } from './orders.ts';

/** Names in one block; blocks come and go, so that nothing is copied however many are held. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const PLACE = BLOCK - 1;

/** Columns of names, filled from the start to the end and emptied in the same order. */
class Block {
  /** Number of the block that was filled after this one. */
  next = NONE;
  readonly account = new Int32Array(BLOCK);
  readonly hash = new Int32Array(BLOCK);
  readonly endedAt = new Float64Array(BLOCK);
  readonly clientOrderId = new Array<string>(BLOCK).fill('');
}

/**
 * The names of ended orders that stay taken for a while, in the order in which the orders ended.
 * They stand apart from the records of the orders, so that new orders can use those again while
 * they are still in the caches of the machine. A name is a number.
 */
export class HeldNames {
  /** How many names are held. */
  count = 0;
  readonly #blocks: Block[] = [];
  readonly #spare: number[] = [];
  /** The name held longest, and the number that the next one gets unless its block is full. */
  #first = 0;
  #next = 0;

  /** Holds a name; none before it ended later. */
  add(account: number, hash: number, clientOrderId: string, endedAt: number): number {
    if ((this.#next & PLACE) === 0) this.#open();
    const name = this.#next;
    const block = this.#blocks[name >>> BLOCK_BITS];
    const place = name & PLACE;
    block.account[place] = account;
    block.hash[place] = hash;
    block.endedAt[place] = endedAt;
    block.clientOrderId[place] = clientOrderId;
    this.#next = name + 1;
    this.count += 1;
    return name;
  }

  /** The name that is held longest; there is one. */
  oldest(): number {
    return this.#first;
  }

  /** Lets the oldest name go. */
  drop(): void {
    const number = this.#first >>> BLOCK_BITS;
    const block = this.#blocks[number];
    block.clientOrderId[this.#first & PLACE] = '';
    this.#first += 1;
    this.count -= 1;
    if ((this.#first & PLACE) !== 0) return;
    this.#spare.push(number);
    this.#first = block.next << BLOCK_BITS;
  }

  endedAt(name: number): number {
    return this.#blocks[name >>> BLOCK_BITS].endedAt[name & PLACE];
  }

  hash(name: number): number {
    return this.#blocks[name >>> BLOCK_BITS].hash[name & PLACE];
  }

  is(name: number, account: number, clientOrderId: string): boolean {
    const block = this.#blocks[name >>> BLOCK_BITS];
    return (
      block.account[name & PLACE] === account && block.clientOrderId[name & PLACE] === clientOrderId
    );
  }

  /** Gives the next name the first place of an empty block. */
  #open(): void {
    const full = (this.#next - 1) >>> BLOCK_BITS;
    const number = this.#spare.pop() ?? this.#blocks.length;
    if (number === this.#blocks.length) this.#blocks.push(new Block());
    this.#next = number << BLOCK_BITS;
    if (this.count === 0) this.#first = this.#next;
    else this.#blocks[full].next = number;
  }
}
