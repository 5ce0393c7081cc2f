import type { Log } from '../strategy/context.ts';
import type { LogLevel, Emit } from './audit.ts';

/** A log that the audit listener receives too. */
export function auditedLog(emit: Emit, log: Log | undefined): Log {
  const write =
    (level: LogLevel): Log[LogLevel] =>
    (message, fields) => {
      emit({ kind: 'log', level, message, fields });
      log?.[level](message, fields);
    };
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn') });
}
