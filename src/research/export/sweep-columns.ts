import { decimalColumns, type ColumnKind, type TableColumn } from '../../backtest/table-column.ts';
import { exactFigures, measuredOf } from '../sweep/objective.ts';
import type { SweepResult, SweepRow } from '../sweep/options.ts';

/** A row of a sweep's table: the figures of its run by name. */
export interface SweepRecord {
  readonly row: SweepRow;
  readonly figures: ReadonlyMap<string, number | string | null>;
}

/** Rows of a sweep with their figures, made during the iteration. */
export function* recordsOf({ rows }: Pick<SweepResult, 'rows'>): Iterable<SweepRecord> {
  for (const row of rows) yield recordOf(row);
}

/** A row with its figures. */
export function recordOf(row: SweepRow): SweepRecord {
  const measured = measuredOf(row);
  return { row, figures: new Map(measured === undefined ? [] : exactFigures(measured)) };
}

/**
 * Columns of a sweep, one row per set: `p_NAME` are the varied parameters, `m_NAME` the metrics,
 * `m_NAME_exact` those in money as exact text.
 */
export function sweepColumns(
  result: Pick<SweepResult, 'definition' | 'rows'>,
): readonly TableColumn<SweepRecord>[] {
  const { definition } = result;
  const market = ({ row }: SweepRecord) => definition.markets[row.market];
  const own = (
    name: string,
    kind: ColumnKind,
    read: (row: SweepRow) => unknown,
  ): TableColumn<SweepRecord> => ({ name, kind, read: ({ row }) => read(row) });
  return [
    own('index', 'integer', ({ index }) => index),
    own('strategy', 'text', ({ strategy }) => strategy),
    own('market', 'integer', (row) => row.market),
    own('state', 'text', ({ state }) => state),
    own('objective', 'double', ({ objective }) => objective),
    own('hash', 'text', ({ hash }) => hash),
    own('constraint', 'text', ({ constraint }) => constraint),
    own('error_code', 'text', ({ fault }) => fault?.code),
    own('error_message', 'text', ({ fault }) => fault?.message),
    { name: 'sweep', kind: 'text', read: () => definition.id },
    own('key', 'text', ({ key }) => key),
    {
      name: 'symbol',
      kind: 'text',
      read: (record) =>
        market(record)
          .recordings.map(({ symbol }) => symbol)
          .join(' '),
    },
    { name: 'period_from', kind: 'time', read: (record) => market(record).from },
    { name: 'period_till', kind: 'time', read: (record) => market(record).till },
    ...Object.entries(definition.vary).map(([name, values]) =>
      own(`p_${name}`, kindOf(values), ({ parameters }) => parameters[name]),
    ),
    ...metricColumns(result),
  ];
}

function metricColumns(result: Pick<SweepResult, 'rows'>): readonly TableColumn<SweepRecord>[] {
  const isMoney = new Map<string, boolean>();
  for (const { figures } of recordsOf(result)) {
    for (const [name, value] of figures) {
      isMoney.set(name, typeof value === 'string' || isMoney.get(name) === true);
    }
  }
  return [...isMoney].flatMap(([name, money]): readonly TableColumn<SweepRecord>[] => {
    const read = ({ figures }: SweepRecord): unknown => figures.get(name);
    const columns = decimalColumns(`m_${name}`, read);
    return money ? columns : columns.slice(0, 1);
  });
}

/** Column kind that fits all values of a parameter. */
function kindOf(values: readonly unknown[]): ColumnKind {
  if (values.every(Number.isSafeInteger)) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'double';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'text';
}
