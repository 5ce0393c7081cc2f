import { recover } from '../../feeds/recovery.ts';
import { isoTime } from '../../platform/time.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace feed recover`. */
export interface RecoverFlags {
  readonly json?: true;
}

/** Makes a recording of the file that a crash left. */
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
