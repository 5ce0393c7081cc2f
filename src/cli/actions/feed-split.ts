import { join } from 'node:path';
import { CATALOG_FILE } from '../../feeds/catalog-file.ts';
import { splitByDay } from '../../feeds/split.ts';
import { requirePath } from '../arguments.ts';
import { table } from '../table.ts';
import { progressBar, type Terminal } from '../terminal.ts';

/** Flags of `millrace feed split`. */
export interface SplitFlags {
  readonly out: string;
  readonly force?: true;
  readonly json?: true;
}

/** Writes the days of a recording, and their catalog. */
export function split(recording: string, flags: SplitFlags, terminal: Terminal): void {
  const folder = requirePath(flags.out, '--out');
  const bar = progressBar(terminal, 'splitting');
  try {
    const days = splitByDay(recording, folder, {
      replace: flags.force === true,
      progress: (rows, of) => {
        bar.update(rows / of);
      },
    });
    terminal.out.write(
      flags.json === true
        ? days.map((day) => `${JSON.stringify(day)}\n`).join('')
        : `${table(days.map(({ path, rows }) => [path, `${rows.toLocaleString('en')} rows`]))}\n\n${join(folder, CATALOG_FILE)}\n`,
    );
  } finally {
    bar.end();
  }
}
