/** Log levels, least output first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What is logged, and where to beside the standard output. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly file?: string | undefined;
}
