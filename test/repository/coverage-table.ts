import { relative, sep } from 'node:path';

/** The part of a coverage report's tree that the table reads. */
interface Totals {
  readonly covered: number;
  readonly total: number;
}
interface Node {
  isSummary(): boolean;
  getChildren(): readonly Node[];
  getFileCoverage(): {
    readonly path: string;
    toSummary(): Readonly<Record<'lines' | 'branches' | 'functions', Totals>>;
  };
}
interface ReportContext {
  getTree(summarizer: 'flat'): { getRoot(): Node };
}

const COLUMNS = ['lines', 'branches', 'functions'] as const;
type Row = Record<(typeof COLUMNS)[number], { covered: number; total: number }>;

const emptyRow = (): Row => ({
  lines: { covered: 0, total: 0 },
  branches: { covered: 0, total: 0 },
  functions: { covered: 0, total: 0 },
});

/** The folder of src (or the file right in it) that a covered file belongs to. */
export function folderOf(path: string): string {
  const [top, second, ...rest] = path.split(sep);
  return rest.length === 0 ? `${top}/` : `${top}/${second}/`;
}

/** Percent covered, rounded down so that only everything is 100; a folder without code has all of it. */
export const percent = ({ covered, total }: Totals): string =>
  total === 0 ? '100.0' : (Math.floor((1000 * covered) / total) / 10).toFixed(1);

/** A reporter for vitest's coverage: one line for each folder of src. */
export default class CoverageTable {
  execute(context: ReportContext): void {
    const rows = new Map<string, Row>();
    const visit = (node: Node): void => {
      if (node.isSummary()) {
        node.getChildren().forEach(visit);
        return;
      }
      const file = node.getFileCoverage();
      const folder = folderOf(relative(process.cwd(), file.path));
      const row = rows.get(folder) ?? emptyRow();
      rows.set(folder, row);
      const summary = file.toSummary();
      for (const column of COLUMNS) {
        row[column].covered += summary[column].covered;
        row[column].total += summary[column].total;
      }
    };
    visit(context.getTree('flat').getRoot());

    const width = Math.max(6, ...Array.from(rows.keys(), (folder) => folder.length));
    const print = (folder: string, cells: readonly string[]): void => {
      process.stdout.write(
        `${folder.padEnd(width)}${cells.map((cell) => cell.padStart(14)).join('')}\n`,
      );
    };
    print('folder', ['% lines', '% branches', '% functions']);
    for (const [folder, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      print(
        folder,
        COLUMNS.map((column) => percent(row[column])),
      );
    }
  }
}
