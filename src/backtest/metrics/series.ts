import { isoTime } from '../../platform/time.ts';
import type { DecimalText, Series } from '../result.ts';
import { EquitySeries } from '../tables/equity-series.ts';
import type { Mark } from './mark.ts';
import type { Performance } from './performance.ts';

/** The frames of a run as columns of text and numbers. */
export function seriesOf(
  performance: Performance,
  marks: readonly Mark[],
  sampleUs: number,
): EquitySeries {
  return new EquitySeries(() => pointsOf(performance, marks, sampleUs), performance.samples);
}

function pointsOf(performance: Performance, marks: readonly Mark[], sampleUs: number): Series {
  const { frames, samplesPerFrame } = performance.frames;
  return {
    sampleUs,
    samplesPerPoint: samplesPerFrame,
    at: frames.map(({ at }) => isoTime(at)),
    equity: frames.map(({ equity }) => equity.toFixed()),
    drawdown: frames.map(({ drawdown }) => (Number.isFinite(drawdown) ? drawdown : null)),
    instruments: marks.map((mark, order) => {
      const price = (halfTicks: number): DecimalText | null =>
        Number.isNaN(halfTicks) ? null : mark.decimalOf(halfTicks).toFixed();
      const own = frames.map(({ instruments }) => instruments[order]);
      return {
        symbol: mark.instrument.symbol,
        open: own.map(({ open }) => price(open)),
        high: own.map(({ high }) => price(high)),
        low: own.map(({ low }) => price(low)),
        close: own.map(({ close }) => price(close)),
        position: own.map(({ held }) => held.toFixed()),
      };
    }),
    plots: performance.plotNames.map((name) => ({
      name,
      values: frames.map(({ plots }) => plots?.get(name) ?? null),
    })),
  };
}
