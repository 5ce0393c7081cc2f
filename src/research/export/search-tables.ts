import type { TableColumn } from '../../backtest/table-column.ts';
import { isoTime, micros } from '../../platform/time.ts';
import type { SweepResult } from '../sweep/options.ts';
import { returnsOf } from '../sweep/returns.ts';
import type { WalkForwardResult } from '../walk-forward/options.ts';
import { recordOf, recordsOf, sweepColumns, type SweepRecord } from './sweep-columns.ts';

/** Writes one table of a search. */
export type TableWriter = <T>(
  name: string,
  columns: readonly TableColumn<T>[],
  rows: Iterable<T>,
) => void;

/** Tables of a sweep: every set, and the equity of those with kept returns. */
export function sweepTables(result: SweepResult, write: TableWriter): void {
  write('results', sweepColumns(result), recordsOf(result));
  write('equity', equityColumns('index'), equityOf(result));
}

/** Tables of a walk-forward: every set in each part of each fold, and the stitched equity. */
export function walkForwardTables(result: WalkForwardResult, write: TableWriter): void {
  write('folds', foldColumns(result), foldRecords(result));
  write('equity', equityColumns('fold'), stitchedPoints(result));
}

/** A point of an equity that starts at 1. */
interface EquityPoint {
  /** The set or the fold. */
  readonly of: number;
  readonly atUs: number;
  readonly equity: number;
}

const equityColumns = (of: 'index' | 'fold'): readonly TableColumn<EquityPoint>[] => [
  { name: of, kind: 'integer', read: (point) => point.of },
  { name: 'at', kind: 'time', read: ({ atUs }) => isoTime(micros(atUs)) },
  { name: 'equity', kind: 'double', read: ({ equity }) => equity },
];

/** Equity set by set, best first, made during the iteration. */
function* equityOf({ ranked, returns }: SweepResult): Iterable<EquityPoint> {
  for (const [index, stored] of returns.entries()) {
    if (stored === null) continue;
    const { fromUs, stepUs, values } = returnsOf(stored);
    const of = ranked[index].index;
    let equity = 1 + stored.head;
    yield { of, atUs: fromUs, equity };
    for (const [period, value] of values.entries()) {
      equity *= 1 + value;
      yield { of, atUs: fromUs + (period + 1) * stepUs, equity };
    }
  }
}

function* stitchedPoints({ stitched }: WalkForwardResult): Iterable<EquityPoint> {
  const { at, equity, fold } = stitched;
  for (const [row, atUs] of at.entries()) yield { of: fold[row], atUs, equity: equity[row] };
}

/** A set in one part of a fold. */
interface FoldRecord extends SweepRecord {
  readonly fold: number;
  readonly part: 'train' | 'test';
  readonly isChosen: boolean;
  readonly from: string;
  readonly till: string;
}

function* foldRecords({ folds }: WalkForwardResult): Iterable<FoldRecord> {
  for (const { fold, train, test, trained, tested, chosen } of folds) {
    for (const [part, window, rows] of [
      ['train', train, trained],
      ['test', test, tested],
    ] as const) {
      for (const row of rows) {
        yield { ...recordOf(row), ...window, fold, part, isChosen: row.index === chosen?.index };
      }
    }
  }
}

/** Columns of a sweep, with the window as the replayed time. */
function foldColumns(result: WalkForwardResult): readonly TableColumn<FoldRecord>[] {
  const { definition, folds } = result;
  const rows = folds.flatMap(({ trained, tested }) => [...trained, ...tested]);
  const windows: Readonly<Record<string, (record: FoldRecord) => string>> = {
    period_from: ({ from }) => from,
    period_till: ({ till }) => till,
  };
  return [
    { name: 'fold', kind: 'integer', read: ({ fold }) => fold },
    { name: 'part', kind: 'text', read: ({ part }) => part },
    { name: 'chosen', kind: 'boolean', read: ({ isChosen }) => isChosen },
    ...sweepColumns({ definition, rows }).map((column) => ({
      ...column,
      read: windows[column.name] ?? column.read,
    })),
  ];
}
