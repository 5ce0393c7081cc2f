import { recover } from '../../feeds/recovery.ts';
import { isoTime } from '../../platform/time.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

/** What the command line of `millrace feed recover` says. */
export interface RecoverFlags {
  readonly json?: true;
}

/** Makes a recording out of what a crash left behind. */
export function recoverRecording(part: string, { json }: RecoverFlags, { out }: Terminal): void {
  const { path, summary, bytesLost } = recover(part);
  const times = { firstAt: isoTime(summary.firstAt), lastAt: isoTime(summary.lastAt) };
  out.write(
    json === true
      ? `${JSON.stringify({ recording: path, bytesLost, ...summary, ...times })}\n`
      : `${table([
          ['rows kept', summary.rows.toLocaleString('en')],
          ['till', times.lastAt],
          ['bytes lost', bytesLost.toLocaleString('en')],
        ])}\n\n${path}\n`,
  );
}
