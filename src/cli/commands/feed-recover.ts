import { Command } from 'commander';
import { recover } from '../../feeds/recovery.ts';
import { isoTime } from '../../platform/time.ts';
import { table, type Terminal } from '../terminal.ts';

/** `millrace feed recover`: a recording out of what a crash left behind. */
export const recoverCommand = (terminal: Terminal): Command =>
  new Command('recover')
    .description('Make a recording of what a crash left behind, up to its last whole batch.')
    .argument('<part>', 'the unfinished file, NAME.arrow.part')
    .option('--json', 'print one JSON line')
    .action((part: string, { json }: { json?: true }) => {
      const { path, summary, bytesLost } = recover(part);
      const times = { firstAt: isoTime(summary.firstAt), lastAt: isoTime(summary.lastAt) };
      terminal.out.write(
        json === true
          ? `${JSON.stringify({ recording: path, bytesLost, ...summary, ...times })}\n`
          : `${table([
              ['rows kept', summary.rows.toLocaleString('en')],
              ['till', times.lastAt],
              ['bytes lost', bytesLost.toLocaleString('en')],
            ])}\n\n${path}\n`,
      );
    });
