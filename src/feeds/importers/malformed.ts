import { MillraceError } from '../../model/errors.ts';

const SHOWN_MAX = 80;

/** A piece of what was read, short enough for a sentence. */
export function shown(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ');
  return plain.length <= SHOWN_MAX ? `"${plain}"` : `"${plain.slice(0, SHOWN_MAX)}…"`;
}

/** The error of a line that does not fit its format, with what was read and what is expected. */
export function malformed(
  where: string,
  read: string,
  expected: string,
  cause?: unknown,
): MillraceError {
  return new MillraceError('import-invalid', `${where}: ${read}; expected ${expected}.`, {
    where,
    cause,
  });
}

/** The message of something caught, whatever it is. */
export const messageOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
