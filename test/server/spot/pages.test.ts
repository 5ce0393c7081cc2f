import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderIndexes } from '../../../src/server/trading/orders/series.ts';
import { OrderedHistory } from '../../../src/server/trading/orders/ordered-history.ts';
import type { Page } from '../../../src/server/trading/orders/page.ts';

interface Thing {
  readonly id: number;
  readonly market: 'spot' | 'margin';
  readonly symbol: string;
}

const byId = ({ id }: Thing): number => id;

/** A list by number alone. */
class Things {
  readonly #list = new OrderedHistory<Thing>(byId);

  get length(): number {
    return this.#list.length;
  }

  add(thing: Thing): void {
    this.#list.add(thing);
  }

  remove(thing: Thing): void {
    this.#list.remove(thing);
  }

  walk(page: Page) {
    return this.#list.between(page);
  }
}

const SYMBOLS = ['A', 'B', 'C', 'D'];

test('a page of several symbols and markets is what a filter of everything gives, however far it begins', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { minLength: 1, maxLength: 2_000, size: 'max' }),
      fc.subarray(SYMBOLS),
      fc.subarray(['spot', 'margin'] as const, { minLength: 1 }),
      fc.record({
        sort: fc.constantFrom('ASC' as const, 'DESC' as const),
        from: fc.nat(300),
        till: fc.integer({ min: 1_000, max: 2_500 }),
        offset: fc.oneof(fc.nat(30), fc.nat(2_500)),
        limit: fc.nat(60),
      }),
      (drawn, symbols, markets, { sort, from, till, offset, limit }) => {
        const indexes = new OrderIndexes<Thing>(() => new Things());
        // One symbol and one market have most of them.
        const things = drawn.map(([s, m], id) => ({
          id,
          market: m < 17 ? ('spot' as const) : ('margin' as const),
          symbol: SYMBOLS[s] ?? 'A',
        }));
        for (const one of things) indexes.add(one, one.market, one.symbol);
        const dropped = things.filter(({ id }) => id % 11 === 5);
        for (const one of dropped) indexes.remove(one, one.market, one.symbol);
        const fitting = things.filter(
          (one) =>
            !dropped.includes(one) &&
            markets.includes(one.market) &&
            (symbols.length === 0 || symbols.includes(one.symbol)) &&
            one.id >= from &&
            one.id <= till,
        );
        const sorted = sort === 'ASC' ? fitting : fitting.toReversed();
        const page = { by: 'id' as const, sort, from, till, offset, limit };
        expect(indexes.page({ markets, symbols, page }, byId)).toEqual(
          sorted.slice(offset, offset + limit),
        );
        expect(indexes.find(5)).toBeUndefined();
        expect(indexes.find(0)).toBe(things[0]);
        expect(indexes.length).toBe(things.length - dropped.length);
      },
    ),
    { seed: 17, numRuns: 60 },
  );
});
