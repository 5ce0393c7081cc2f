import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { RecordingSeries } from '../../feeds/series.ts';
import { isoTime, micros, parseIsoTime } from '../../platform/time.ts';
import type { DefinedRecording, SweepDefinition, WalkForwardWindows } from './definition.ts';
import { plainSettings, RECORDING } from './identity.ts';
import type { SweepOptions } from './options.ts';
import type { OpenSweep } from './runs.ts';
import { DEFAULT_LAG, DEFAULT_TRIALS, dimensionsOf } from './trials.ts';

/** The definition of a sweep or a walk-forward with checked options and open recordings. */
export function definitionOf(
  { options, identity, loaded, opened, ...checked }: OpenSweep,
  windows?: WalkForwardWindows,
): SweepDefinition {
  const { objective = 'sharpe', search = 'grid', seed = 1, constraints = [] } = options;
  // Paths are local; the recordings themselves are in the markets.
  const { recordings: _, ...settings } = checked.settings;
  const varied = dimensionsOf(options, loaded[0].strategy.parameters);
  const defined = {
    parts: Object.fromEntries(
      Object.entries(identity.parts).filter(([name]) => !name.startsWith(RECORDING)),
    ),
    strategies: loaded.map(({ strategy: { name, summary } }) => ({ name, summary })),
    vary: Object.fromEntries(varied.map(({ name, values }) => [name, values])),
    fixed: checked.parameters,
    settings,
    markets: opened.map((series, index) => ({
      ...spanOf(series, options.backtest),
      recordings: series.map(recordingOf),
      parameters: checked.markets[index].parameters ?? {},
    })),
    search,
    seed,
    ...guidance(options),
    objective: typeof objective === 'string' ? objective : null,
    direction: options.direction ?? 'maximize',
    constraints,
    ...(windows === undefined ? {} : { windows }),
  } as const;
  const deciding = { ...defined, settings: plainSettings(settings) };
  const id = createHash('sha256').update(canonicalJson(deciding)).digest('hex');
  return { id, ...defined };
}

/** Inputs of a search besides its seed; a grid tries everything. */
function guidance({ search, trials, lag }: SweepOptions): Pick<SweepDefinition, 'trials' | 'lag'> {
  if (search === undefined || search === 'grid') return {};
  const tried = { trials: trials ?? DEFAULT_TRIALS };
  return search === 'tpe' ? { ...tried, lag: lag ?? DEFAULT_LAG } : tried;
}

const recordingOf = ({ path, meta, summary, fingerprint }: RecordingSeries): DefinedRecording => ({
  name: basename(path),
  symbol: meta.instrument.symbol,
  fingerprint,
  rows: summary.rows,
});

function spanOf(
  series: readonly RecordingSeries[],
  { from, till }: SweepOptions['backtest'],
): { readonly from: string; readonly till: string } {
  const filled = series.filter(({ summary }) => summary.rows > 0);
  const first = Math.min(...filled.map(({ summary }) => summary.firstAt));
  const last = Math.max(...filled.map(({ summary }) => summary.lastAt));
  const [low, high] = [from, till].map((text) =>
    text === undefined ? undefined : parseIsoTime(text),
  );
  return {
    from: isoTime(micros(Math.max(first, low ?? first))),
    till: isoTime(micros(Math.min(last, high ?? last))),
  };
}
