import * as signals from 'trading-signals';
import { bar, close, real, whole } from './row.ts';

export interface Bands {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

const bands = ({ lower, middle, upper }: Bands): Bands => ({ lower, middle, upper });

/** Ranges, bands and deviations, as trading-signals groups them. */
export const VOLATILITY = {
  accelerationBands: bar(
    'Headley',
    { length: whole(20), width: real(4, 0) },
    'ticks',
    (p) => p.length,
    (p) => new signals.AccelerationBands(p.length, p.width),
    bands,
  ),
  atr: bar(
    'average true range (Wilder)',
    { length: whole(14) },
    'ticks',
    (p) => p.length,
    (p) => new signals.ATR(p.length),
  ),
  bollingerBands: close(
    'mean and deviations of the population',
    { length: whole(20), deviations: real(2, 0) },
    'ticks',
    (p) => p.length,
    (p) => new signals.BollingerBands(p.length, p.deviations),
    bands,
  ),
  bollingerBandsWidth: close(
    'by their middle',
    { length: whole(20), deviations: real(2, 0) },
    'fraction',
    (p) => p.length,
    (p) => new signals.BollingerBandsWidth(new signals.BollingerBands(p.length, p.deviations)),
  ),
  chop: bar(
    'choppiness (Dreiss)',
    { length: whole(14, 2) },
    '0 to 100',
    (p) => p.length + 1,
    (p) => new signals.CHOP(p.length),
  ),
  cvi: bar(
    'Chaikin volatility: change of the averaged range',
    { length: whole(10) },
    'percent',
    (p) => 2 * p.length,
    (p) => new signals.CVI(p.length),
  ),
  donchianChannels: bar(
    'highest, lowest and their middle',
    { length: whole(20) },
    'ticks',
    (p) => p.length,
    (p) => new signals.DonchianChannels(p.length),
    bands,
    { isExact: true },
  ),
  gapo: bar(
    'Gopalakrishnan range index: log of the range in ticks',
    { length: whole(14, 2) },
    'log',
    (p) => p.length,
    (p) => new signals.GAPO(p.length),
  ),
  iqr: close(
    'interquartile range',
    { length: whole(20, 2) },
    'ticks',
    (p) => p.length,
    (p) => new signals.IQR(p.length),
    { isExact: true },
  ),
  keltnerChannels: bar(
    'EMA and average true ranges',
    { length: whole(20), atr: whole(10), multiplier: real(2, 0) },
    'ticks',
    (p) => Math.max(p.length, p.atr),
    (p) =>
      new signals.KeltnerChannels({
        emaInterval: p.length,
        atrInterval: p.atr,
        multiplier: p.multiplier,
      }),
    bands,
  ),
  mad: close(
    'mean absolute deviation',
    { length: whole(20) },
    'ticks',
    (p) => p.length,
    (p) => new signals.MAD(p.length),
  ),
  massIndex: bar(
    'Dorsey',
    { length: whole(25) },
    'ratio',
    (p) => p.length + 16,
    (p) => new signals.MassIndex(p.length),
  ),
  natr: bar(
    'average true range by the close',
    { length: whole(14) },
    'percent',
    (p) => p.length,
    (p) => new signals.NATR(p.length),
  ),
  percentB: close(
    'position within Bollinger bands',
    { length: whole(20), deviations: real(2, 0) },
    '0 to 1 inside',
    (p) => p.length,
    (p) => new signals.PercentB({ interval: p.length, deviationMultiplier: p.deviations }),
  ),
  period: close(
    'highest and lowest of one number',
    { length: whole(10) },
    'ticks',
    (p) => p.length,
    (p) => new signals.Period(p.length),
    ({ highest, lowest }) => ({ highest, lowest }),
    { isExact: true },
  ),
  projectionOscillator: bar(
    'Widner',
    { length: whole(14, 2) },
    '0 to 100',
    (p) => p.length,
    (p) => new signals.ProjectionOscillator({ interval: p.length }),
  ),
  relativeVolatilityIndex: close(
    'Dorsey',
    { length: whole(14), deviation: whole(10, 2) },
    '0 to 100',
    (p) => p.length + p.deviation - 1,
    (p) => new signals.RelativeVolatilityIndex({ interval: p.length, stddevInterval: p.deviation }),
  ),
  rogersSatchellVolatility: bar(
    'of one bar',
    { length: whole(14) },
    'log',
    (p) => p.length,
    (p) => new signals.RogersSatchellVolatility(p.length),
  ),
  tr: bar(
    'true range (Wilder)',
    {},
    'ticks',
    () => 1,
    () => new signals.TR(),
    { isExact: true },
  ),
  ttmSqueeze: bar(
    'squeeze (Carter): Bollinger within Keltner, and momentum',
    { bands: whole(20), deviations: real(2, 0), length: whole(20, 2), multiplier: real(1.5, 0) },
    'ticks',
    (p) => Math.max(p.bands, 2 * p.length - 1),
    (p) =>
      new signals.TTMSqueeze({
        bbInterval: p.bands,
        bbMultiplier: p.deviations,
        kcInterval: p.length,
        kcMultiplier: p.multiplier,
      }),
    ({ momentum, isSqueezed }) => ({ momentum, isSqueezed }),
  ),
  ulcerIndex: close(
    'root mean square drawdown (Martin)',
    { length: whole(14) },
    'percent',
    (p) => p.length,
    (p) => new signals.UlcerIndex(p.length),
  ),
};
