import type { ImportOptions } from './contract.ts';
import { eachCsvRow, type TakePlain } from './csv.ts';
import type { RowKind } from './layout.ts';
import { LayoutRows } from './layout-rows.ts';
import type { RowPosition } from './row-position.ts';
import { layoutOfFile, type FileLayout } from './recognise.ts';
import type { ImportSources } from './source.ts';

/** A text file that is open, and how its rows are read. */
export interface OpenFile {
  readonly file: FileLayout;
  readonly rows: LayoutRows;
  readonly symbol: string | undefined;
}

/** How the text files of an import are gone through. */
export interface LayoutVisit<Row> {
  readonly kinds: readonly RowKind[];
  /** What reads a row of a file; it gives `undefined` for one that holds nothing. */
  reader(opened: OpenFile): (fields: readonly string[]) => Row | undefined;
  /** Takes a row; false ends the reading of its file. */
  row(row: Row, opened: OpenFile): boolean;
  /** Called before the rows of a file, and after all of them. */
  begin?(opened: OpenFile): void;
  end?(opened: OpenFile, file: string): void;
  /** The quick road of a file; rows that it takes `row` does not see. */
  plain?(opened: OpenFile): TakePlain | undefined;
}

/** Calls `visit` with the rows of each file, or of the instrument asked for where they name several. */
export async function eachLayoutRow<Row>(
  sources: ImportSources,
  options: ImportOptions,
  position: RowPosition,
  visit: LayoutVisit<Row>,
  isDone: () => boolean = () => false,
): Promise<void> {
  for (const file of sources.files) {
    if (isDone()) return;
    position.file = file;
    position.line = 1;
    const layout = await layoutOfFile(sources, file, visit.kinds, options);
    const rows = new LayoutRows(layout, options, position);
    const symbol = rows.symbolIn();
    const opened: OpenFile = { file: layout, rows, symbol };
    const isAsked = rows.filter(symbol);
    const read = visit.reader(opened);
    let isWanted = true;
    visit.begin?.(opened);
    const reader = {
      visit: (fields: readonly string[]) => {
        const row = isAsked?.(fields) === false ? undefined : read(fields);
        isWanted = row === undefined || visit.row(row, opened);
        return isWanted;
      },
      plain: visit.plain?.(opened),
    };
    await eachCsvRow(sources, file, position, () => reader, [], layout);
    if (!isWanted) continue;
    rows.end();
    visit.end?.(opened, file);
  }
}
