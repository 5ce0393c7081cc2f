/** Log levels, least output first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Log level, and destinations besides the standard output. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly file?: string | undefined;
}
