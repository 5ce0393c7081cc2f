import { mean, sampleStandardDeviation } from 'simple-statistics';
import { MillraceError } from '../../model/errors.ts';

import { normalCdf, normalQuantile } from './normal.ts';
import {
  checkMoments,
  checkOptions,
  checkReturns,
  type Returns,
  type SharpeMoments,
} from './returns.ts';

/** The Euler–Mascheroni constant. */
const EULER = 0.577_215_664_901_532_9;

/**
 * The moments of returns. Throws `out-of-range` for fewer than two, or for returns that are all
 * alike.
 */
export function sharpeMoments(given: Returns): SharpeMoments {
  checkReturns(given, 'sharpeMoments');
  const returns = [...given];
  const deviation = returns.length < 2 ? 0 : sampleStandardDeviation(returns);
  if (!(deviation > 0)) {
    throw new MillraceError(
      'out-of-range',
      'A Sharpe ratio takes at least two returns that are not all alike.',
      { field: 'returns' },
    );
  }
  const average = mean(returns);
  const moment = (power: number): number => mean(returns.map((each) => (each - average) ** power));
  const variance = moment(2);
  return {
    count: returns.length,
    sharpe: average / deviation,
    skewness: moment(3) / variance ** 1.5,
    kurtosis: moment(4) / variance ** 2,
  };
}

/** Effect of skewness and fat tails on the error of a Sharpe ratio: 1 − γ₃ SR + (γ₄ − 1)/4 SR². */
const spread = ({ sharpe, skewness, kurtosis }: SharpeMoments): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;

/**
 * The probability that the true Sharpe ratio is above `benchmark`, both per period (D. H. Bailey and
 * M. López de Prado, "The Sharpe Ratio Efficient Frontier", 2012).
 */
export function probabilisticSharpe(moments: SharpeMoments, benchmark = 0): number {
  checkMoments(moments, 'probabilisticSharpe');
  const { count, sharpe } = moments;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(spread(moments)));
}

/**
 * Number of returns until a Sharpe ratio such as this one is above `benchmark` with the given
 * confidence (the same paper); infinite if it is not above it.
 */
export function minimumTrackRecord(
  moments: SharpeMoments,
  benchmark = 0,
  confidence = 0.95,
): number {
  checkMoments(moments, 'minimumTrackRecord');
  const { sharpe } = moments;
  if (!(sharpe > benchmark)) return Number.POSITIVE_INFINITY;
  return 1 + spread(moments) * (normalQuantile(confidence) / (sharpe - benchmark)) ** 2;
}

/** Expected Sharpe ratio of the best of `trials` trials without skill. */
export function expectedMaximumSharpe(trials: number, variance: number): number {
  if (!(trials > 1)) return 0;
  const first = normalQuantile(1 - 1 / trials);
  const second = normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * ((1 - EULER) * first + EULER * second);
}

/**
 * The probability that the Sharpe ratio of the best of `trials` independent trials is above that of
 * the best by chance alone; `variance` is that of the trials' Sharpe ratios per period (D. H.
 * Bailey and M. López de Prado, "The Deflated Sharpe Ratio", 2014).
 */
export function deflatedSharpe(
  moments: SharpeMoments,
  search: { readonly trials: number; readonly variance: number },
): number {
  checkMoments(moments, 'deflatedSharpe');
  checkOptions(search, 'deflatedSharpe');
  return probabilisticSharpe(moments, expectedMaximumSharpe(search.trials, search.variance));
}
