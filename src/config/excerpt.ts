import { sanitize } from '../model/plain-words.ts';
import { errorText } from '../model/errors.ts';

/** Enough of a value to know it again. */
const LENGTH = 80;

/** Longer than a value, since reasons name paths. */
const REASON_LENGTH = 240;

/** Text cut so that a message stays one line that can be read. */
export const excerpt = (text: string, length = LENGTH): string => sanitize(text, length);

/** A value as JSON writes it, cut likewise; numbers that JSON does not have by their names. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return excerpt(JSON.stringify(value) ?? String(value));
}

/** What went wrong in one line: others throw whatever they like. */
export const messageOf = (error: unknown): string => excerpt(errorText(error), REASON_LENGTH);
