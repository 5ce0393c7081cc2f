import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseCoins,
  sumOf,
  vsizeOf,
  type Coin,
  type CoinRequest,
} from '../../../src/gateways/chains/bitcoin/coins.ts';

/** Weight units of Taproot: an input, and an output of either kind. */
const SIZES = { input: 230n, output: 172n, change: 172n } as const;
const DUST = 330n;

const wishOf = (
  values: readonly bigint[],
  lots: bigint,
  rate: bigint,
  required = 0,
): CoinRequest => {
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
function costOf(request: CoinRequest, coins: readonly Coin[]): bigint | undefined {
  const over = sumOf(coins) - request.lots;
  const bare = request.fee(vsizeOf(request, coins.length, false));
  const changed = request.fee(vsizeOf(request, coins.length, true));
  return coins.length > 0 && over >= bare && over - changed < request.dust ? over : undefined;
}

/** The same by trying each set: the least cost without change, else the largest coins. */
function naively(
  request: CoinRequest,
): { readonly feeLots: bigint; readonly changeLots: bigint } | undefined {
  // prettier-ignore
  const margin = request.fee(vsizeOf(request, 2, false)) - request.fee(vsizeOf(request, 1, false));
  const free = request.free.filter(({ lots }) => lots > margin + request.fee(1n));
  const sorted = free.toSorted((one, other) => (one.lots > other.lots ? -1 : Number(one.lots < other.lots))); // prettier-ignore
  let largest: { feeLots: bigint; changeLots: bigint } | undefined;
  for (let count = 0; count <= sorted.length && largest === undefined; count += 1) {
    const coins = [...request.required, ...sorted.slice(0, count)];
    const over = sumOf(coins) - request.lots;
    if (coins.length === 0 || over < request.fee(vsizeOf(request, coins.length, false))) continue;
    const feeLots = request.fee(vsizeOf(request, coins.length, true));
    const isChanged = over - feeLots >= request.dust;
    largest = isChanged
      ? { feeLots, changeLots: over - feeLots }
      : { feeLots: over, changeLots: 0n };
  }
  if (largest === undefined || request.required.length > 0) return largest;
  const most = largest.feeLots + (largest.changeLots > 0n ? margin : 0n);
  let best: bigint | undefined;
  for (let set = 1; set < 2 ** free.length; set += 1) {
    const coins = free.filter((_, at) => Math.floor(set / 2 ** at) % 2 === 1);
    const cost = costOf(request, coins);
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
      const request = wishOf(held, lots, by, required);
      const choice = chooseCoins(request);
      const twin = naively(request);
      expect(choice?.feeLots).toBe(twin?.feeLots);
      expect(choice?.changeLots).toBe(twin?.changeLots);
    }),
    { numRuns: 300 },
  );
});

test('what is chosen conserves value, pays for its size, leaves no dust, and has what is required', () => {
  fc.assert(
    fc.property(values, asked, rate, fc.nat(2), (held, lots, by, required) => {
      const request = wishOf(held, lots, by, required);
      const choice = chooseCoins(request);
      if (choice === undefined) return;
      const { coins, feeLots, changeLots } = choice;
      expect(sumOf(coins)).toBe(lots + feeLots + changeLots);
      expect(new Set(coins).size).toBe(coins.length);
      expect(coins.slice(0, request.required.length)).toEqual(request.required);
      expect(changeLots === 0n || changeLots >= DUST).toBe(true);
      const least = request.fee(vsizeOf(request, coins.length, changeLots > 0n));
      expect(feeLots).toBeGreaterThanOrEqual(least);
      expect(feeLots).toBeLessThan(least + DUST + (SIZES.change / 4n) * by);
    }),
    { numRuns: 300 },
  );
});

test('the same coins give the same choice in whatever order they come', () => {
  fc.assert(
    fc.property(values, asked, rate, (held, lots, by) => {
      const request = wishOf(held, lots, by);
      const turned = { ...request, free: request.free.toReversed() };
      expect(chooseCoins(turned)).toEqual(chooseCoins(request));
    }),
  );
});

test('two hundred equal coins are chosen from within a bound of tries', () => {
  const request = wishOf(
    Array.from({ length: 400 }, () => 10_000n),
    505_000n,
    3n,
  );
  const choice = chooseCoins(request);
  expect(choice?.coins).toHaveLength(52);
});
