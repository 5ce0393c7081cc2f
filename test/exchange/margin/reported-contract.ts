import { expect } from 'vitest';
import type { MarginReport } from '../../../src/exchange/positions/report.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../../src/platform/time.ts';
import type { MarginFloor } from './kit.ts';

const SYMBOL = 'BTCUSDT_PERP';
const OWN_PERIOD = 8 * US_PER_HOUR;

/** Who holds how many lots of the contract, by account, and since when. */
type Held = ReadonlyMap<string, { readonly lots: number; readonly since: number }>;

interface Coming {
  readonly rate: Decimal;
  readonly at: number;
  readonly nextAt: number;
}

/**
 * What a venue tells of a contract, kept as plainly as can be: one mark, the next funding and the one
 * that waits for its rate. It shares no code with the exchange, and expects each funding once.
 */
export class ReportedContract {
  fundings = 0;
  marks = 0;
  #mark: Decimal | undefined;
  #isReported = false;
  #coming: Coming | undefined;
  /** Told a minute before the one that is coming. */
  #later: Coming | undefined;
  #awaitedAt = Infinity;
  #paidAt = -Infinity;
  #pending:
    | { at: number; mark: Decimal | undefined; held: Held | undefined; isDue: boolean }
    | undefined;
  /** What accounts were reported to have paid, negative, or received. */
  #carried = new Map<string, Decimal>();
  readonly #floor: MarginFloor;
  readonly #held: () => Held;
  readonly #read: () => void;

  constructor(floor: MarginFloor, held: () => Held, read: () => void) {
    this.#floor = floor;
    this.#held = held;
    this.#read = read;
  }

  /** Takes what an account was reported to have paid or received. */
  book(key: string, { position, carry }: MarginReport): void {
    if (position?.symbol !== SYMBOL || carry?.kind !== 'funding') return;
    this.#carried.set(key, (this.#carried.get(key) ?? new Decimal(0)).plus(carry.amount));
  }

  emitMark(mark: Decimal): void {
    this.#mark = mark;
    this.#floor.mark(mark.toFixed());
    expect(this.#floor.exchange.margin.price(2)?.toFixed()).toBe(mark.toFixed());
    this.marks += 1;
  }

  emitFunding(text: string, at: number, nextAt: number): void {
    const now = this.#floor.at;
    const reported = { rate: new Decimal(text), at, nextAt };
    const isFirst = !this.#isReported;
    if (isFirst) this.#paidAt = Math.floor(now / OWN_PERIOD) * OWN_PERIOD;
    this.#isReported = true;
    const held = this.#held();
    let expected: Map<string, Decimal> | undefined = new Map();
    if (at <= this.#paidAt) {
      if (isFirst) this.#await(nextAt, now);
    } else if (at <= now) {
      expected = this.#late(reported, held);
      this.#coming = undefined;
      this.#paidAt = at;
      this.#await(nextAt, now);
      if (this.#later !== undefined) this.#come(this.#later);
    } else if (this.#coming !== undefined && this.#isEarly(at, now)) this.#later = reported;
    else this.#come(reported);
    this.#floor.funding(text, at, nextAt);
    this.#read();
    this.#compare(expected, held);
  }

  /** Comes to one funding after the other, so that what is paid at each can be told apart. */
  wait(till: number): void {
    const floor = this.#floor;
    for (let next = this.#lookAt(); next <= till; next = this.#lookAt()) {
      floor.advance(Math.max(floor.at, next - 1));
      this.#read();
      this.#carried.clear();
      const held = this.#held();
      const paid = this.#coming;
      floor.advance(next);
      this.#read();
      if (paid === undefined) {
        const stood = isSame(held, this.#held()) ? held : undefined;
        // One that was said to be is not forgotten for one that may be.
        const isDue = next === this.#awaitedAt;
        if (isDue || this.#pending?.isDue !== true) {
          this.#pending = { at: next, mark: this.#mark, held: stood, isDue };
        }
        this.#awaitedAt = Infinity;
        this.#compare(new Map(), held);
      } else {
        this.#compare(this.#payments(held, this.#mark, paid.rate), held);
        this.#coming = undefined;
        this.#paidAt = next;
        this.#await(paid.nextAt, next);
        if (this.#later !== undefined) this.#come(this.#later);
      }
    }
    floor.advance(till);
    this.#read();
    this.#carried.clear();
  }

  get #nextAt(): number {
    return this.#coming?.at ?? this.#awaitedAt;
  }

  /** Where nobody knows when the next funding is, each full hour may be one. */
  #lookAt(): number {
    const hour = Math.floor(this.#floor.at / US_PER_HOUR + 1) * US_PER_HOUR;
    const isLooking = this.#isReported && this.#nextAt === Infinity;
    return isLooking ? hour : this.#nextAt;
  }

  #isEarly(at: number, now: number): boolean {
    return at > this.#nextAt && this.#nextAt - now <= US_PER_MINUTE;
  }

  #come(reported: Coming): void {
    this.#coming = reported;
    this.#later = undefined;
    this.#pending = undefined;
    this.#awaitedAt = Infinity;
  }

  #await(nextAt: number, now: number): void {
    this.#awaitedAt = nextAt > now ? nextAt : Infinity;
  }

  #late({ rate, at }: Coming, held: Held): Map<string, Decimal> | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending?.at === at) {
      return pending.held && this.#payments(pending.held, pending.mark, rate);
    }
    const before = new Map([...held].filter(([, { since }]) => since < at));
    return this.#payments(before, this.#mark, rate);
  }

  /** `undefined` where the mark follows from the market, which these books do not know. */
  #payments(
    held: Held,
    mark: Decimal | undefined,
    rate: Decimal,
  ): Map<string, Decimal> | undefined {
    if (mark === undefined) return undefined;
    return new Map(
      [...held].map(([key, { lots }]) => [
        key,
        mark.times(rate).times(-lots).toDecimalPlaces(12, Decimal.ROUND_FLOOR),
      ]),
    );
  }

  /** Where positions stood still meanwhile, each account has paid what is expected, and no other. */
  #compare(expected: Map<string, Decimal> | undefined, before: Held): void {
    const carried = this.#carried;
    this.#carried = new Map();
    if (expected === undefined || !isSame(before, this.#held())) return;
    const shown = (all: Map<string, Decimal>): string[] =>
      [...all].map(([key, amount]) => `${key} ${amount.plus(0).toFixed()}`).sort();
    expect(shown(carried)).toEqual(shown(expected));
    this.fundings += expected.size;
  }
}

const isSame = (one: Held, other: Held): boolean =>
  one.size === other.size && [...one].every(([key, { lots }]) => other.get(key)?.lots === lots);
