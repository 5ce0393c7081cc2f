import { CommanderError } from 'commander';
import { MillraceError } from '../model/errors.ts';
import { paint, type Terminal } from './terminal.ts';

/**
 * Tells why a command ended and gives its exit code: 2 for a wrong call or configuration, 1 for
 * bad data or a failed run. A fault of Millrace itself keeps its stack, everything else is a
 * sentence.
 */
export function explainFailure(error: unknown, { out, err }: Terminal, json: boolean): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : 2;
  }
  const known = error instanceof MillraceError ? error : internal(error);
  if (json) {
    const { code, message, field, where } = known;
    out.write(`${JSON.stringify({ error: { code, message, field, where } })}\n`);
  }
  err.write(`${paint(err, 'red', 'error')} [${known.code}] ${known.message}\n`);
  if (known.code === 'internal' && error instanceof Error) err.write(`${error.stack ?? ''}\n`);
  return known.exitCode;
}

const internal = (error: unknown): MillraceError =>
  new MillraceError(
    'internal',
    `a fault in Millrace itself: ${error instanceof Error ? error.message : String(error)}. Please report it with the lines below.`,
  );
