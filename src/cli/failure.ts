import { CommanderError } from 'commander';
import { messageOf } from '../config/excerpt.ts';
import { MillraceError } from '../model/errors.ts';
import { Stopped } from '../platform/interruption.ts';
import { printable } from './printable.ts';
import { withSourceLines } from './source-lines.ts';
import { paint, type Output } from './terminal.ts';

/**
 * Prints the error of a command and returns its exit code: 2 for a wrong command or configuration, 1 for
 * bad data or a failed run, 128 + n for signal n. An internal error keeps its stack, all others are a
 * sentence.
 */
export function reportFailure(error: unknown, { out, err }: Output, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Commander itself has written the sentence.
    if (json) emit(out, { code: 'usage', message: error.message.replace(/^error: /, '') });
    return 2;
  }
  if (error instanceof Stopped) {
    err.write(`${error.message}\n`);
    return error.exitCode;
  }
  const known = error instanceof MillraceError ? error : internalError(error);
  if (json) {
    const { code, message, field, where } = known;
    emit(out, { code, message, field, where });
  }
  err.write(`${paint(err, 'red', 'error')} [${known.code}] ${printable(known.message)}\n`);
  if (known.code === 'internal' && error instanceof Error) {
    err.write(`${withSourceLines(error.stack ?? '')}\n`);
  }
  return known.exitCode;
}

const emit = (out: Output['out'], error: object): void => {
  out.write(`${JSON.stringify({ error })}\n`);
};

/** An error that no part of Millrace expected. */
export const internalError = (error: unknown): MillraceError =>
  new MillraceError(
    'internal',
    `a fault in Millrace itself: ${messageOf(error)}. Please report it with the lines below.`,
  );

/**
 * Ends a command that collected failures: writes all but the first to `err` and throws the first, which is
 * printed last. Does nothing if there is none.
 */
export function throwFirst(failures: readonly MillraceError[], { err }: Output): void {
  const [first, ...others] = failures;
  for (const { message, code } of others) {
    err.write(`${paint(err, 'red', 'error')} [${code}] ${printable(message)}\n`);
  }
  if (first !== undefined) throw first;
}
