import type { Tariff } from './tariff-route.ts';

/** A portfolio in whole units of worth; everything is worth 1. */
export interface SmallCase {
  readonly holdings: readonly {
    readonly name: string;
    readonly value: number;
    /** Of what the holdings without an amount are worth together. */
    readonly weight: number;
    /** A share, or of the amount. */
    readonly band: number;
    readonly reserve: number;
    /** Instead of the weight, which is 0 then. */
    readonly goal?: number;
  }[];
  readonly tariffs: readonly Tariff[];
  readonly minimumValue: number;
}

/** What transfers come to: holdings moved though they were in their bands, then what is lost. */
export interface Verdict {
  readonly touched: number;
  readonly cost: number;
}

const HAIR = 1e-9;

/**
 * Tries every amount of a grid on every pair, all subsets of pairs with it. It knows nothing of
 * ways, orders or extreme points: what leaves and what arrives is booked, and the result looked at.
 * Pairs that leave a location that is only passed through stand last; nothing may stay there.
 */
export function bruteForce(small: SmallCase, grid: readonly number[]): Verdict | undefined {
  let best: Verdict | undefined;
  const flows = small.tariffs.map(() => 0);
  const turn = (at: number): void => {
    if (at === flows.length) {
      const verdict = goesRound(small, flows) ? undefined : judge(small, flows);
      if (verdict !== undefined && (best === undefined || isBetter(verdict, best))) best = verdict;
      return;
    }
    for (const amount of [0, ...grid, ...restOf(small, flows, at)]) {
      if (amount > 0 && !isTaken(small, at, amount)) continue;
      flows[at] = amount;
      turn(at + 1);
    }
    flows[at] = 0;
  };
  turn(0);
  return best;
}

/** True where money comes back to where it was: that only burns it, until shares are as wanted. */
function goesRound({ tariffs }: SmallCase, flows: readonly number[]): boolean {
  const used = tariffs.filter((_, at) => (flows[at] ?? 0) > 0);
  const leads = (from: string, path: readonly string[]): boolean =>
    path.includes(from) || used.some((one) => one.from === from && leads(one.to, [...path, from]));
  return used.some(({ from }) => leads(from, []));
}

/** All that has come to a location that is only passed through and has not gone on yet. */
function restOf({ holdings, tariffs }: SmallCase, flows: readonly number[], at: number): number[] {
  const here = tariffs[at]?.from;
  if (holdings.some(({ name }) => name === here)) return [];
  const rest = tariffs.slice(0, at).reduce((sum, { from, to, fixed, share, slip = '0' }, index) => {
    const flow = flows[index] ?? 0;
    if (flow === 0) return sum;
    const least = (flow * (1 - Number(share)) - Number(fixed)) * (1 - Number(slip));
    return sum - (from === here ? flow : 0) + (to === here ? least : 0);
  }, 0);
  return rest > HAIR ? [rest] : [];
}

const isBetter = (a: Verdict, b: Verdict): boolean =>
  a.touched < b.touched || (a.touched === b.touched && a.cost < b.cost);

/** Money is not burned: more than this part of what is sent is left after all fees. */
const ARRIVES = 0.01;

function isTaken({ tariffs, minimumValue }: SmallCase, at: number, amount: number): boolean {
  const { minimum = '0', maximum = '1000000000', fixed, share, slip = '0', fee } = tariffs[at];
  if (amount < Number(minimum) || amount > Number(maximum) || amount < minimumValue) return false;
  const least = (amount * (1 - Number(share)) - Number(fixed)) * (1 - Number(slip));
  return least - Number(fee?.expected ?? 0) > ARRIVES * amount;
}

/** Judges flows by what they leave; nothing where a rule is broken. */
export function judge(
  { holdings, tariffs }: SmallCase,
  flows: readonly number[],
): Verdict | undefined {
  const out = new Map<string, number>();
  const [least, most] = [new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, key: string, by: number) =>
    map.set(key, (map.get(key) ?? 0) + by);
  for (const [at, { from, to, fixed, share, slip = '0' }] of tariffs.entries()) {
    const flow = flows[at] ?? 0;
    if (flow === 0) continue;
    const expected = flow * (1 - Number(share)) - Number(fixed);
    add(out, from, flow);
    add(least, to, expected * (1 - Number(slip)));
    add(most, to, expected);
  }
  const names = new Set([...out.keys(), ...least.keys(), ...holdings.map(({ name }) => name)]);
  for (const name of names) {
    const own = holdings.find((one) => one.name === name);
    const free = own === undefined ? 0 : Math.max(0, own.value - own.reserve);
    const left = free + (least.get(name) ?? 0) - (out.get(name) ?? 0);
    if (left < -HAIR || (own === undefined && left > HAIR)) return undefined;
  }
  const fees = feesOf(tariffs, flows);
  for (const [coin, { high, held }] of fees) {
    const own = Math.max(0, (out.get(coin) ?? 0) - (least.get(coin) ?? 0));
    if (high + own > held + HAIR) return undefined;
  }
  const after = holdings.map(({ name, value }) => ({
    low: value - (out.get(name) ?? 0) + (least.get(name) ?? 0) - (fees.get(name)?.high ?? 0),
    high: value - (out.get(name) ?? 0) + (most.get(name) ?? 0) - (fees.get(name)?.low ?? 0),
  }));
  const before = holdings.map(({ value }) => ({ low: value, high: value }));
  // What was in its band and only pays fees is judged as if it had not.
  const judged = (at: number): typeof after => {
    const { name } = holdings[at];
    const net = (out.get(name) ?? 0) - (least.get(name) ?? 0);
    const fee = Math.abs(net) > HAIR || !isIn(holdings, before, at) ? undefined : fees.get(name);
    return after.map((own, other) => other === at && fee !== undefined ? { low: own.low + fee.high, high: own.high + fee.low } : own); // prettier-ignore
  };
  if (holdings.some((_, at) => !isIn(holdings, judged(at), at))) return undefined;
  const touched = holdings.filter(({ name }, at) => {
    const net = (out.get(name) ?? 0) - (least.get(name) ?? 0);
    return isIn(holdings, before, at) && Math.abs(net) > HAIR;
  });
  const start = holdings.reduce((sum, { value }) => sum + value, 0);
  const end = after.reduce((sum, { high }) => sum + high, 0);
  const outside = [...fees].filter(([coin]) => holdings.every(({ name }) => name !== coin));
  const lost = outside.reduce((sum, [, { low }]) => sum + low, 0);
  return { touched: touched.length, cost: start - end + lost };
}

/** What networks take of each coin, as expected and at the most, and what there is of it. */
function feesOf(
  tariffs: SmallCase['tariffs'],
  flows: readonly number[],
): ReadonlyMap<string, { readonly low: number; readonly high: number; readonly held: number }> {
  const fees = new Map<string, { low: number; high: number; held: number }>();
  for (const [at, { fee }] of tariffs.entries()) {
    if (fee === undefined || (flows[at] ?? 0) === 0) continue;
    const { low, high } = fees.get(fee.coin) ?? { low: 0, high: 0 };
    const held = Number(fee.held);
    fees.set(fee.coin, { low: low + Number(fee.expected), high: high + Number(fee.most), held });
  }
  return fees;
}

function isIn(
  holdings: SmallCase['holdings'],
  values: readonly { readonly low: number; readonly high: number }[],
  at: number,
): boolean {
  const [holding, own] = [holdings[at], values[at]];
  if (holding === undefined || own === undefined) return false;
  if (holding.goal !== undefined) {
    return (
      own.high <= holding.goal + holding.band + HAIR &&
      own.low >= holding.goal - holding.band - HAIR
    );
  }
  let [low, high] = [0, 0];
  for (const [other, value] of values.entries()) {
    if (other === at || holdings[other]?.goal !== undefined) continue;
    low += value.low;
    high += value.high;
  }
  const shareOf = (part: number, rest: number): number => (part + rest === 0 ? holding.weight : part / (part + rest)); // prettier-ignore
  const above = shareOf(own.high, low) - holding.weight - holding.band;
  const below = holding.weight - holding.band - shareOf(own.low, high);
  return above <= HAIR && below <= HAIR;
}
