import type { Log } from '../strategy/context.ts';
import type { LogLevel, Tell } from './audit.ts';

/** A log that the audit listener hears too. */
export function auditedLog(tell: Tell, log: Log | undefined): Log {
  const write =
    (level: LogLevel): Log[LogLevel] =>
    (message, fields) => {
      tell({ kind: 'log', level, message, ...(fields === undefined ? {} : { fields }) });
      log?.[level](message, fields);
    };
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn') });
}
