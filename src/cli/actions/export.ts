import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readResult } from '../../backtest/stored-result.ts';
import { storedTables } from '../../backtest/stored-tables.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { writeTogether } from '../../research/export/new-files.ts';
import { exportRun, type Exported, type ExportForm } from '../../research/export/run-export.ts';
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
  const source = resolve(namedPath(given, 'result'));
  const write = writerOf(source, as);
  const target = out === undefined ? `${source}-${as}` : namedPath(out, '--out');
  const { paths, notes } = await writeTogether(
    target,
    (path) => freshFile(path, force === true),
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

/** What writes a result, by what it is: a run, the folder of a sweep, or journals of a bot. */
function writerOf(source: string, form: ExportForm): Writer {
  const path = join(source, 'result.json');
  const journals = existsSync(path) ? [] : journalsIn(source);
  if (existsSync(join(source, 'sweep.sqlite'))) {
    const tables = tableForm(
      form,
      'A sweep has many runs: run one set as a backtest and export it',
    );
    return (into) => copied(source, tables, into);
  }
  if (journals.length > 0) {
    const tables = tableForm(form, 'The journal of a bot has neither round trips nor equity');
    return async (into) => {
      const { exportJournals } = await import('../journal/journal-tables.ts');
      return exportJournals(journals, tables, into);
    };
  }
  const result = readResult(path);
  return (into) => exportRun(result, storedTables(source, result), form, into);
}

function tableForm(form: ExportForm, why: string): 'csv' | 'parquet' {
  if (form === 'csv' || form === 'parquet') return form;
  throw new MillraceError('export-unsupported', `${why}. Use --as parquet or csv.`);
}

/** The journals of a bot: the file itself, or those of its folder. */
function journalsIn(source: string): readonly string[] {
  const found = statSync(source, { throwIfNoEntry: false });
  if (found?.isFile() === true) return source.endsWith('.sqlite') ? [source] : [];
  if (found?.isDirectory() !== true) return [];
  return readdirSync(source)
    .filter((name) => name.endsWith('.sqlite') && !name.endsWith('.paper-moves.sqlite'))
    .sort()
    .map((name) => join(source, name));
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
  return Promise.resolve({ files, notes: [] });
}
