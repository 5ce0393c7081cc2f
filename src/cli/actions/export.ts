import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readResult } from '../../backtest/stored-result.ts';
import { storedTables } from '../../backtest/stored-tables.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import type { ExportForm } from '../../research/export/forms.ts';
import { writeTogether } from '../../research/export/new-files.ts';
import { absentTables, exportRun, type Exported } from '../../research/export/run-export.ts';
import { requireReplaceable, requirePath, usageError } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace export`. */
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
  const source = resolve(requirePath(given, 'result'));
  const write = writerOf(source, as);
  const target =
    out === undefined ? `${source.replace(/\.sqlite$/, '')}-${as}` : requirePath(out, '--out');
  const { paths, notes } = await writeTogether(
    target,
    (path) => requireReplaceable(path, force === true),
    write,
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

type Writer = (into: string) => Promise<Exported>;

/** Selects the writer by the source: the folder of a run or of a sweep, or the journal of a bot. */
function writerOf(source: string, form: ExportForm): Writer {
  if (source.endsWith('.sqlite')) {
    const tables = tableForm(form, 'The journal of a bot has neither round trips nor equity');
    return async (into) => {
      const { exportJournal } = await import('../journal/journal-tables.ts');
      return exportJournal(source, tables, into);
    };
  }
  if (existsSync(join(source, 'sweep.sqlite'))) {
    const tables = tableForm(
      form,
      'A sweep has many runs: run one set as a backtest and export it',
    );
    return (into) => copied(source, tables, into);
  }
  const path = join(source, 'result.json');
  if (!existsSync(path)) refuseJournals(source);
  const result = readResult(path);
  return (into) => exportRun(result, storedTables(source, result), form, into);
}

function tableForm(form: ExportForm, why: string): 'csv' | 'parquet' {
  if (form === 'csv' || form === 'parquet') return form;
  throw new MillraceError('export-unsupported', `${why}. Use --as parquet or csv.`);
}

/** Journals of paper and of live orders may be in one folder, and their rows must not be mixed. */
function refuseJournals(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const [journal] = isFolder ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : [];
  if (journal === undefined) return;
  throw usageError(
    'result',
    `one journal, such as ${join(folder, journal)}, and not the folder of a bot`,
  );
}

/** A sweep and a walk-forward have written their tables in both forms. */
function copied(folder: string, form: 'csv' | 'parquet', into: string): Promise<Exported> {
  const first = existsSync(join(folder, `folds.${form}`)) ? 'folds' : 'results';
  const files = [first, 'equity'].map((name) => `${name}.${form}`);
  for (const file of files) {
    const path = join(folder, file);
    try {
      copyFileSync(path, join(into, file));
    } catch (cause) {
      throw new MillraceError(
        'file-missing',
        `${path} cannot be read (${messageOf(cause)}). A sweep writes it at its end: run the same command again.`,
        { where: path, cause },
      );
    }
  }
  return Promise.resolve({ files, absent: absentTables(files, form), notes: [] });
}
