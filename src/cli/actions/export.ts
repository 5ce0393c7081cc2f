import { join, relative, resolve } from 'node:path';
import { readResult } from '../../backtest/stored-result.ts';
import { storedTables } from '../../backtest/stored-tables.ts';
import { writeTogether } from '../../research/export/new-files.ts';
import { exportRun, type ExportForm } from '../../research/export/run-export.ts';
import { freshFile, namedPath } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';

/** What the command line of `millrace export` says. */
export interface ExportFlags {
  readonly as: ExportForm;
  readonly out?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Writes a result in the form of another tool, all its files or none. */
export async function exportResult(
  given: string,
  { as, out, force, json }: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  const folder = resolve(namedPath(given, 'folder'));
  const result = readResult(join(folder, 'result.json'));
  const target = out === undefined ? `${folder}-${as}` : namedPath(out, '--out');
  const { paths, notes } = await writeTogether(
    target,
    (path) => freshFile(path, force === true),
    (into) => exportRun(result, storedTables(folder, result), as, into),
  );
  if (json === true) {
    terminal.out.write(`${JSON.stringify({ form: as, paths, notes })}\n`);
    return;
  }
  const lines = [
    ...notes.map((note) => `note: ${note}`),
    ...paths.map((path) => relative('', path)),
  ];
  terminal.out.write(lines.map((line) => `${line}\n`).join(''));
}
