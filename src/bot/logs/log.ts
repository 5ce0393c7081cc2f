import { pino, type Logger } from 'pino';
import type { Scheduler } from '../../platform/scheduler.ts';
import { isoTime } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import { loggable, type Fields } from './fields.ts';
import { LineFile } from './line-file.ts';
import { Repetition } from './repetition.ts';
import { Scrubber } from './scrubber.ts';
import type { LogLevel, LogSettings } from './settings.ts';

/** The log of a bot, an account or a strategy: the engine's log, and errors. */
export interface BotLog extends Log {
  error(message: string, fields?: Fields): void;
  /** The same log with these members on each line, such as `strategy`. */
  with(members: Readonly<Record<string, string>>): BotLog;
}

export interface LogParts extends LogSettings {
  /** On every line. */
  readonly bot: string;
  readonly scheduler: Scheduler;
  /** Removed from all lines. */
  readonly secrets: readonly string[];
  readonly out: NodeJS.WritableStream;
  /** Formats a line for `out`; lines of JSON if absent. */
  readonly show?: ((line: string) => string) | undefined;
}

/** The log of a whole process, which is closed at its end. */
export interface RootLog extends BotLog {
  /** Hides one more secret from now on. */
  hide(secret: string): void;
  /** A text without the secrets that are hidden. */
  clean(text: string): string;
  /** Logs the number of suppressed repetitions, and closes the file. */
  close(): void;
}

/** Opens the log of a process. Throws `file-unwritable`. */
export function openLog(parts: LogParts): RootLog {
  const { scheduler, out, level, file, bot } = parts;
  const scrubber = new Scrubber(parts.secrets);
  const repetition = new Repetition(scheduler);
  const { show = (line: string) => line } = parts;
  const lines =
    file === undefined
      ? undefined
      : new LineFile(file, (why) => {
          log.warn(`Lines of the log cannot be written to ${file} any more: ${why}`);
        });
  const logger = pino(
    {
      level,
      base: { bot },
      timestamp: () => `,"time":"${isoTime(scheduler.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write(line: string) {
        const clean = scrubber.clean(line);
        out.write(show(clean));
        lines?.write(clean);
      },
    },
  );
  const log = botLog(logger, repetition);
  return {
    ...log,
    hide: (secret) => {
      scrubber.hide(secret);
    },
    clean: (text) => scrubber.clean(text),
    close: () => {
      repetition.close();
      lines?.close();
    },
  };
}

/** Members of every line; other fields of these names are prefixed. */
const TAKEN: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'bot']);

const besides = (fields: Fields, taken: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(loggable(fields)).map(([name, value]) => [
      taken.has(name) ? `${name}_` : name,
      value,
    ]),
  );

function botLog(
  logger: Logger,
  repetition: Repetition,
  members: Readonly<Record<string, string>> = {},
): BotLog {
  const taken = new Set([...TAKEN, ...Object.keys(members)]);
  const write = (level: LogLevel) => (message: string, fields?: Fields) => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level](fields === undefined ? {} : besides(fields, taken), '%s', message);
  };
  const sparing = (level: 'warn' | 'error') => {
    const emit = write(level);
    return (message: string, fields?: Fields) => {
      const summary = (held: number): void => {
        emit(`${message} (${held} more like this within the minute)`, fields);
      };
      const { strategy, account } = fields ?? {};
      const key = JSON.stringify([level, members, strategy, account]);
      if (repetition.admits(key, message, summary)) emit(message, fields);
    };
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: sparing('warn'),
    error: sparing('error'),
    with: (more) => botLog(logger.child(more), repetition, { ...members, ...more }),
  };
}
