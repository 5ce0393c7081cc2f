import { join } from 'node:path';
import { exportTables } from '../../research/export/tables.ts';
import { report } from '../../research/report.ts';
import type { SweepRow } from '../../research/sweep/options.ts';
import type { WalkForwardResult } from '../../research/walk-forward/options.ts';
import { walkForward } from '../../research/walk-forward/walk-forward.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { searched, throwFailed, writtenTables, type SearchFlags } from './sweep.ts';

/** Flags of `millrace walk-forward`. */
export interface WalkForwardFlags extends SearchFlags {
  readonly train: string;
  readonly test: string;
  readonly step?: string;
  readonly gap?: string;
  readonly anchored?: true;
}

/** Chooses parameters in one window, trades them in the next, and writes the result. */
export async function walkForwardParameters(
  configPath: string | undefined,
  flags: WalkForwardFlags,
  terminal: Terminal,
): Promise<void> {
  const { train, test, step, gap, anchored } = flags;
  const { result, store, written } = await searched(configPath, flags, terminal, {
    name: 'walk-forward',
    write: async (found: WalkForwardResult, out) => {
      const page = report(found, join(out, 'walk-forward.html'));
      return { ...writtenTables(await exportTables(found, out)), report: page };
    },
    run: (options) =>
      walkForward({
        ...options,
        train,
        test,
        ...(step === undefined ? {} : { step }),
        ...(gap === undefined ? {} : { gap }),
        ...(anchored === undefined ? {} : { anchored }),
      }),
  });
  const { stitched, stability, efficiency, reused, leftUs } = result;
  const { totalReturn, annualReturn, sharpe, maxDrawdown } = stitched;
  const figures = { totalReturn, annualReturn, sharpe, maxDrawdown, efficiency, reused, leftUs };
  terminal.out.write(
    flags.json === true
      ? `${JSON.stringify({ folds: result.folds.length, ...figures, stability, store, ...written })}\n`
      : `${shown(result, flags.objective)}\n\n${Object.values(written).join('\n')}\n`,
  );
  throwFailed(result.folds.flatMap(({ trained, tested }) => [...trained, ...tested]));
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
const ratio = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
const percent = (value: number | null): string =>
  value === null ? '-' : `${(100 * value).toFixed(2)} %`;
const chosenText = (chosen: SweepRow | null): string =>
  chosen === null
    ? 'none'
    : Object.entries(chosen.parameters)
        .map(([name, value]) => `${name}=${text(value)}`)
        .join(' ');

function shown(result: WalkForwardResult, objective: string): string {
  const { folds, stitched, stability, efficiency, leftUs, reused } = result;
  const rows = folds.map(({ test, chosen, outcome, rank, ranked, efficiency: own }) => [
    ...[test.from, test.till, chosenText(chosen)],
    ...[text(chosen?.objective), text(outcome?.objective)],
    ...[percent(outcome?.metrics?.totalReturn ?? null), `${text(rank)} of ${ranked}`, ratio(own)],
  ]);
  const summary = [
    ['folds', String(folds.length)],
    ['return of all tests', percent(stitched.totalReturn)],
    ['a year', percent(stitched.annualReturn)],
    ['Sharpe', ratio(stitched.sharpe)],
    ['largest drawdown', percent(stitched.maxDrawdown)],
    ['efficiency', ratio(efficiency)],
    ...stability.map(({ name, values, distinct, spread }) => [
      `stability of ${name}`,
      `${distinct} values in ${values.length} folds${spread === null ? '' : `, over ${percent(spread)} of the range`}`,
    ]),
    ['reused', String(reused)],
    ['left over', `${(leftUs / 3_600e6).toFixed(2)} h`],
  ];
  const head = ['test from', 'till', 'chosen', `${objective} in training`, 'in test', 'return'];
  return `${table([[...head, 'rank', 'efficiency'], ...rows])}\n\n${table(summary)}`;
}
