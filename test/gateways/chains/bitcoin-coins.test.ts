import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseCoins,
  sumOf,
  vsizeOf,
  type Coin,
  type CoinWish,
} from '../../../src/gateways/chains/bitcoin/coins.ts';

/** Weight units of Taproot: an input, and an output of either kind. */
const SIZES = { input: 230n, output: 172n, change: 172n } as const;
const DUST = 330n;

const wishOf = (values: readonly bigint[], lots: bigint, rate: bigint, required = 0): CoinWish => {
  const coins = values.map((value, index): Coin => ({ txid: 'a'.repeat(64), index, lots: value }));
  return {
    ...SIZES,
    dust: DUST,
    lots,
    required: coins.slice(0, required),
    free: coins.slice(required),
    fee: (vsize) => vsize * rate,
  };
};

/** What a set of coins costs without change; nothing where it does not suffice or needs change. */
function costOf(wish: CoinWish, coins: readonly Coin[]): bigint | undefined {
  const over = sumOf(coins) - wish.lots;
  const bare = wish.fee(vsizeOf(wish, coins.length, false));
  const changed = wish.fee(vsizeOf(wish, coins.length, true));
  return coins.length > 0 && over >= bare && over - changed < wish.dust ? over : undefined;
}

/** The same by trying each set: the least cost without change, else the largest coins. */
function naively(
  wish: CoinWish,
): { readonly feeLots: bigint; readonly changeLots: bigint } | undefined {
  // prettier-ignore
  const margin = wish.fee(vsizeOf(wish, 2, false)) - wish.fee(vsizeOf(wish, 1, false));
  const free = wish.free.filter(({ lots }) => lots > margin + wish.fee(1n));
  const sorted = free.toSorted((one, other) => (one.lots > other.lots ? -1 : Number(one.lots < other.lots))); // prettier-ignore
  let largest: { feeLots: bigint; changeLots: bigint } | undefined;
  for (let count = 0; count <= sorted.length && largest === undefined; count += 1) {
    const coins = [...wish.required, ...sorted.slice(0, count)];
    const over = sumOf(coins) - wish.lots;
    if (coins.length === 0 || over < wish.fee(vsizeOf(wish, coins.length, false))) continue;
    const feeLots = wish.fee(vsizeOf(wish, coins.length, true));
    const isChanged = over - feeLots >= wish.dust;
    largest = isChanged
      ? { feeLots, changeLots: over - feeLots }
      : { feeLots: over, changeLots: 0n };
  }
  if (largest === undefined || wish.required.length > 0) return largest;
  const most = largest.feeLots + (largest.changeLots > 0n ? margin : 0n);
  let best: bigint | undefined;
  for (let set = 1; set < 2 ** free.length; set += 1) {
    const coins = free.filter((_, at) => Math.floor(set / 2 ** at) % 2 === 1);
    const cost = costOf(wish, coins);
    if (cost !== undefined && cost <= most && (best === undefined || cost < best)) best = cost;
  }
  return best === undefined ? largest : { feeLots: best, changeLots: 0n };
}

const value = fc.oneof(
  fc.bigInt({ min: 1n, max: 3_000n }),
  fc.bigInt({ min: 1_000n, max: 100_000n }),
  fc.constantFrom(10_000n, 20_000n, 10_057n),
);
const values = fc.array(value, { minLength: 0, maxLength: 9 });
const asked = fc.oneof(fc.bigInt({ min: DUST, max: 150_000n }), fc.constantFrom(9_000n, 29_000n));
const rate = fc.bigInt({ min: 1n, max: 20n });

test('coins are chosen as a search of each set chooses them, at the same cost', () => {
  fc.assert(
    fc.property(values, asked, rate, fc.nat(2), (held, lots, by, required) => {
      const wish = wishOf(held, lots, by, required);
      const choice = chooseCoins(wish);
      const twin = naively(wish);
      expect(choice?.feeLots).toBe(twin?.feeLots);
      expect(choice?.changeLots).toBe(twin?.changeLots);
    }),
    { numRuns: 300 },
  );
});

test('what is chosen conserves value, pays for its size, leaves no dust, and has what is required', () => {
  fc.assert(
    fc.property(values, asked, rate, fc.nat(2), (held, lots, by, required) => {
      const wish = wishOf(held, lots, by, required);
      const choice = chooseCoins(wish);
      if (choice === undefined) return;
      const { coins, feeLots, changeLots } = choice;
      expect(sumOf(coins)).toBe(lots + feeLots + changeLots);
      expect(new Set(coins).size).toBe(coins.length);
      expect(coins.slice(0, wish.required.length)).toEqual(wish.required);
      expect(changeLots === 0n || changeLots >= DUST).toBe(true);
      const least = wish.fee(vsizeOf(wish, coins.length, changeLots > 0n));
      expect(feeLots).toBeGreaterThanOrEqual(least);
      expect(feeLots).toBeLessThan(least + DUST + (SIZES.change / 4n) * by);
    }),
    { numRuns: 300 },
  );
});

test('the same coins give the same choice in whatever order they come', () => {
  fc.assert(
    fc.property(values, asked, rate, (held, lots, by) => {
      const wish = wishOf(held, lots, by);
      const turned = { ...wish, free: wish.free.toReversed() };
      expect(chooseCoins(turned)).toEqual(chooseCoins(wish));
    }),
  );
});

test('two hundred equal coins are chosen from within a bound of tries', () => {
  const wish = wishOf(
    Array.from({ length: 400 }, () => 10_000n),
    505_000n,
    3n,
  );
  const choice = chooseCoins(wish);
  expect(choice?.coins).toHaveLength(52);
});
