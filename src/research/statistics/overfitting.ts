import { linearRegression, mean } from 'simple-statistics';
import { MillraceError } from '../../model/errors.ts';
import { checkAllReturns, type Returns } from './returns.ts';

/** How well the best trial of one half of the time does in the other. */
export interface OverfittingProbability {
  /** Share of halves whose best is at or below the median in the other half, 0 to 1. */
  readonly probability: number;
  /** Number of halves tried, and of blocks. */
  readonly halves: number;
  readonly blocks: number;
  /** Mean of the logits of the ranks; above 0 if the best stay good. */
  readonly meanLogit: number;
  /** Sharpe ratios of the best in the one half and in the other, for each half. */
  readonly pairs: readonly (readonly [inSample: number, outOfSample: number])[];
  /** Slope of the line through them; below 0 if in-sample gains are lost out of sample. */
  readonly slope: number;
  /** Share of halves whose best lost money in the other half. */
  readonly losses: number;
  readonly logits: readonly number[];
}

/** Below it a logit is 0: the median rank. */
const LOGIT_EPSILON = 1e-12;

/**
 * The probability of over-fitting by combinatorially symmetric cross-validation (D. H. Bailey, J.
 * Borwein, M. López de Prado and Q. J. Zhu, "The Probability of Backtest Overfitting", 2017).
 * `trials` are the returns of all tried trials, not only the best, in the same periods. The time is
 * cut into `blocks` of equal length, an even number; remaining periods at the end are not used.
 * Throws `out-of-range`.
 */
export function overfittingProbability(
  trials: readonly Returns[],
  blocks = 16,
): OverfittingProbability {
  checkAllReturns(trials, 'overfittingProbability');
  const [{ length } = []] = trials;
  checkShape(trials, length, blocks);
  const rows = Math.floor(length / blocks);
  const sums = trials.map((returns) => blockSums(returns, rows, blocks));
  const logits: number[] = [];
  const pairs: (readonly [number, number])[] = [];
  for (const half of halvesOf(blocks)) {
    const inside = sums.map((trial) => sharpeOf(trial, half, true, rows));
    const outside = sums.map((trial) => sharpeOf(trial, half, false, rows));
    const best = inside.indexOf(Math.max(...inside));
    const rank = rankOf(outside, best) / (trials.length + 1);
    const logit = Math.log(rank / (1 - rank));
    logits.push(Math.abs(logit) < LOGIT_EPSILON ? 0 : logit);
    pairs.push([inside[best], outside[best]]);
  }
  const share = (count: number): number => count / logits.length;
  return {
    halves: logits.length,
    blocks,
    logits,
    pairs,
    meanLogit: mean(logits),
    probability: share(logits.filter((logit) => logit <= 0).length),
    slope: linearRegression(pairs.map((pair) => [...pair])).m,
    losses: share(pairs.filter(([, outside]) => outside < 0).length),
  };
}

function checkShape(trials: readonly Returns[], length: number, blocks: number): void {
  const invalidOption = (message: string, field: string): MillraceError =>
    new MillraceError('out-of-range', message, { field });
  if (!Number.isSafeInteger(blocks) || blocks < 2 || blocks > 24 || blocks % 2 !== 0) {
    throw invalidOption(`blocks is ${blocks}; give an even number from 2 to 24.`, 'blocks');
  }
  if (trials.length < 2) {
    throw invalidOption(
      `Over-fitting needs at least 2 trials, and there are ${trials.length}.`,
      'trials',
    );
  }
  if (trials.some((each) => each.length !== length)) {
    throw invalidOption('All trials need returns of the same periods.', 'trials');
  }
  if (length < 2 * blocks) {
    throw invalidOption(
      `${blocks} blocks need at least ${2 * blocks} returns, and not ${length}.`,
      'trials',
    );
  }
}

/** For each block the sum of returns and that of their squares. */
function blockSums(returns: Returns, rows: number, blocks: number): Float64Array {
  const sums = new Float64Array(2 * blocks);
  for (let row = 0; row < rows * blocks; row += 1) {
    const block = 2 * Math.floor(row / rows);
    sums[block] += returns[row];
    sums[block + 1] += returns[row] ** 2;
  }
  return sums;
}

/** All ways to choose half of the blocks, in lexical order. */
function* halvesOf(blocks: number): Iterable<readonly boolean[]> {
  const chosen = Array.from({ length: blocks / 2 }, (_, index) => index);
  for (;;) {
    yield Array.from({ length: blocks }, (_, block) => chosen.includes(block));
    let position = chosen.length - 1;
    while (position >= 0 && chosen[position] === blocks - chosen.length + position) position -= 1;
    if (position < 0) return;
    chosen[position] += 1;
    for (let next = position + 1; next < chosen.length; next += 1)
      chosen[next] = chosen[next - 1] + 1;
  }
}

/** The Sharpe ratio over the blocks of one side; 0 without any variance. */
function sharpeOf(
  sums: Float64Array,
  half: readonly boolean[],
  side: boolean,
  rows: number,
): number {
  let sum = 0;
  let squares = 0;
  for (let block = 0; block < half.length; block += 1) {
    if (half[block] !== side) continue;
    sum += sums[2 * block];
    squares += sums[2 * block + 1];
  }
  const count = (rows * half.length) / 2;
  const average = sum / count;
  const variance = (squares - count * average ** 2) / (count - 1);
  // Rounding leaves a trace of variance if there is none.
  return variance > 1e-14 * (squares / count) ? average / Math.sqrt(variance) : 0;
}

/** 1 for the worst; ties share the mean of their ranks. */
function rankOf(values: readonly number[], index: number): number {
  const own = values[index];
  const below = values.filter((value) => value < own).length;
  const alike = values.filter((value) => value === own).length;
  return below + (alike + 1) / 2;
}
