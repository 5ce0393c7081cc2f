import { BASE_WEIGHT } from './addresses.ts';

/** An unspent output that may be spent. */
export interface Coin {
  readonly txid: string;
  readonly index: number;
  readonly lots: bigint;
}

/** What coins are chosen for. All of them are of one address, so an input weighs what each weighs. */
export interface CoinWish {
  /** What is paid. */
  readonly lots: bigint;
  /** Those that must be among the inputs, first and in this order. */
  readonly required: readonly Coin[];
  readonly free: readonly Coin[];
  /** Weight units of an input, of the output that pays, and of the one that gives change. */
  readonly input: bigint;
  readonly output: bigint;
  readonly change: bigint;
  /** Change below that is not made: it goes to the fee. */
  readonly dust: bigint;
  /** The least fee of so many virtual bytes; never less for more. */
  fee(vsize: bigint): bigint;
}

export interface CoinChoice {
  readonly coins: readonly Coin[];
  readonly feeLots: bigint;
  /** 0 where there is none. */
  readonly changeLots: bigint;
}

/** Inputs of one transaction at most: their number stays one byte. */
export const INPUTS_MAX = 200;
/** Sets of coins that are looked at for one without change. */
const TRIES_MAX = 50_000;

/**
 * The inputs of a payment. A set that needs no change is looked for by branch and bound, as Bitcoin
 * Core does (Murch, "An Evaluation of Coin Selection Strategies", 2016); where there is none, or it
 * costs more than change and its later spending do, the largest coins are taken. The same coins give
 * the same choice in whatever order they come. `undefined` where they do not suffice.
 */
export function chooseCoins(wish: CoinWish): CoinChoice | undefined {
  const free = spendable(wish);
  const largest = largestFirst(wish, free);
  if (wish.required.length > 0 || largest === undefined) return largest;
  const later = feeOf(wish, 2, false) - feeOf(wish, 1, false);
  const most = largest.feeLots + (largest.changeLots > 0n ? later : 0n);
  return withoutChange(wish, free, most) ?? largest;
}

/** Virtual bytes of a transaction of so many inputs. */
export const vsizeOf = (
  wish: Pick<CoinWish, 'input' | 'output' | 'change'>,
  inputs: number,
  hasChange: boolean,
): bigint =>
  (BASE_WEIGHT + BigInt(inputs) * wish.input + wish.output + (hasChange ? wish.change : 0n) + 3n) / 4n; // prettier-ignore

const feeOf = (wish: CoinWish, inputs: number, hasChange: boolean): bigint =>
  wish.fee(vsizeOf(wish, inputs, hasChange));

/** What is worth more than its own input costs, the largest first. */
function spendable(wish: CoinWish): readonly Coin[] {
  // Sizes are rounded up, so one input may cost a little more than another.
  const cost = feeOf(wish, 2, false) - feeOf(wish, 1, false) + wish.fee(1n);
  return wish.free.filter(({ lots }) => lots > cost).toSorted(byValue).slice(0, INPUTS_MAX - wish.required.length); // prettier-ignore
}

function byValue(one: Coin, other: Coin): number {
  if (one.lots !== other.lots) return one.lots > other.lots ? -1 : 1;
  if (one.txid !== other.txid) return one.txid < other.txid ? -1 : 1;
  return one.index - other.index;
}

function largestFirst(wish: CoinWish, free: readonly Coin[]): CoinChoice | undefined {
  const coins = [...wish.required];
  let sum = sumOf(coins);
  for (let at = 0; ; at += 1) {
    const choice = coins.length === 0 ? undefined : choiceOf(wish, coins, sum);
    const next = free[at];
    if (choice !== undefined || next === undefined) return choice;
    coins.push(next);
    sum += next.lots;
  }
}

function choiceOf(wish: CoinWish, coins: readonly Coin[], sum: bigint): CoinChoice | undefined {
  const over = sum - wish.lots;
  if (over < feeOf(wish, coins.length, false)) return undefined;
  const feeLots = feeOf(wish, coins.length, true);
  const changeLots = over - feeLots;
  if (changeLots < wish.dust) return { coins: [...coins], feeLots: over, changeLots: 0n };
  return { coins: [...coins], feeLots, changeLots };
}

/** The set without change that costs least, and no more than `most`. */
function withoutChange(
  wish: CoinWish,
  free: readonly Coin[],
  most: bigint,
): CoinChoice | undefined {
  const rests = [0n];
  for (const { lots } of free.toReversed()) rests.unshift((rests[0] ?? 0n) + lots);
  let best: CoinChoice | undefined;
  let tries = 0;
  const chosen: Coin[] = [];
  const look = (at: number, sum: bigint): void => {
    tries += 1;
    const cost = sum - wish.lots;
    if (tries > TRIES_MAX || cost > most || (best !== undefined && cost >= best.feeLots)) return;
    if (chosen.length > 0) {
      const choice = choiceOf(wish, chosen, sum);
      if (choice?.changeLots === 0n) best = choice;
      // More coins only cost more from here on.
      if (choice !== undefined) return;
    }
    const next = free[at];
    if (next === undefined || sum + (rests[at] ?? 0n) < wish.lots) return;
    chosen.push(next);
    look(at + 1, sum + next.lots);
    chosen.pop();
    look(at + 1, sum);
  };
  look(0, 0n);
  return best;
}

export const sumOf = (coins: readonly Pick<Coin, 'lots'>[]): bigint =>
  coins.reduce((sum, { lots }) => sum + lots, 0n);
