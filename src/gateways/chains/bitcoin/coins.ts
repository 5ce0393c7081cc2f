import { BASE_WEIGHT } from './addresses.ts';

/** A spendable unspent output. */
export interface Coin {
  readonly txid: string;
  readonly index: number;
  readonly lots: bigint;
}

/** Inputs of coin selection. All coins are of one address, so all inputs have the same weight. */
export interface CoinRequest {
  /** The payment's amount. */
  readonly lots: bigint;
  /** Those that must be among the inputs, first and in this order. */
  readonly required: readonly Coin[];
  readonly free: readonly Coin[];
  /** Weight units of an input, of the payment output, and of the change output. */
  readonly input: bigint;
  readonly output: bigint;
  readonly change: bigint;
  /** Less change is not made: it goes to the fee. */
  readonly dust: bigint;
  /** Least fee of a size in virtual bytes; it never falls with the size. */
  fee(vsize: bigint): bigint;
}

export interface CoinChoice {
  readonly coins: readonly Coin[];
  readonly feeLots: bigint;
  /** 0 if there is none. */
  readonly changeLots: bigint;
}

/** Most inputs of one transaction: their number stays one byte. */
export const INPUTS_MAX = 200;
/** Most sets of coins that are tried for one without change. */
const TRIES_MAX = 50_000;

/**
 * Chooses the inputs of a payment. A set that needs no change is searched by branch and bound, as Bitcoin
 * Core does (Murch, "An Evaluation of Coin Selection Strategies", 2016); if there is none, or it costs more
 * than change and its later spending, the largest coins are used. The choice does not depend on the order
 * of the coins. `undefined` if they do not suffice.
 */
export function chooseCoins(request: CoinRequest): CoinChoice | undefined {
  const free = spendable(request);
  const largest = largestFirst(request, free);
  if (request.required.length > 0 || largest === undefined) return largest;
  const later = feeOf(request, 2, false) - feeOf(request, 1, false);
  const most = largest.feeLots + (largest.changeLots > 0n ? later : 0n);
  return withoutChange(request, free, most) ?? largest;
}

/** Virtual bytes of a transaction by its number of inputs. */
export const vsizeOf = (
  request: Pick<CoinRequest, 'input' | 'output' | 'change'>,
  inputs: number,
  hasChange: boolean,
): bigint =>
  (BASE_WEIGHT + BigInt(inputs) * request.input + request.output + (hasChange ? request.change : 0n) + 3n) / 4n; // prettier-ignore

const feeOf = (request: CoinRequest, inputs: number, hasChange: boolean): bigint =>
  request.fee(vsizeOf(request, inputs, hasChange));

/** Coins worth more than the cost of their input, the largest first. */
function spendable(request: CoinRequest): readonly Coin[] {
  // Sizes are rounded up, so one input may cost a little more than another.
  const cost = feeOf(request, 2, false) - feeOf(request, 1, false) + request.fee(1n);
  return request.free.filter(({ lots }) => lots > cost).toSorted(byValue).slice(0, INPUTS_MAX - request.required.length); // prettier-ignore
}

function byValue(one: Coin, other: Coin): number {
  if (one.lots !== other.lots) return one.lots > other.lots ? -1 : 1;
  if (one.txid !== other.txid) return one.txid < other.txid ? -1 : 1;
  return one.index - other.index;
}

function largestFirst(request: CoinRequest, free: readonly Coin[]): CoinChoice | undefined {
  const coins = [...request.required];
  let sum = sumOf(coins);
  for (let at = 0; ; at += 1) {
    const choice = coins.length === 0 ? undefined : choiceOf(request, coins, sum);
    const next = free[at];
    if (choice !== undefined || next === undefined) return choice;
    coins.push(next);
    sum += next.lots;
  }
}

function choiceOf(
  request: CoinRequest,
  coins: readonly Coin[],
  sum: bigint,
): CoinChoice | undefined {
  const over = sum - request.lots;
  if (over < feeOf(request, coins.length, false)) return undefined;
  const feeLots = feeOf(request, coins.length, true);
  const changeLots = over - feeLots;
  if (changeLots < request.dust) return { coins: [...coins], feeLots: over, changeLots: 0n };
  return { coins: [...coins], feeLots, changeLots };
}

/** The cheapest set without change, at most `most`. */
function withoutChange(
  request: CoinRequest,
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
    const cost = sum - request.lots;
    if (tries > TRIES_MAX || cost > most || (best !== undefined && cost >= best.feeLots)) return;
    if (chosen.length > 0) {
      const choice = choiceOf(request, chosen, sum);
      if (choice?.changeLots === 0n) best = choice;
      // More coins only cost more from here on.
      if (choice !== undefined) return;
    }
    const next = free[at];
    if (next === undefined || sum + (rests[at] ?? 0n) < request.lots) return;
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
