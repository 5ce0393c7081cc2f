import { plainWords } from '../model/plain-words.ts';

/** Enough of a value to know it again. */
const LENGTH = 80;

/** Text cut so that a message stays one line that can be read. */
export const excerpt = (text: string, length = LENGTH): string => plainWords(text, length);

/** A value as JSON writes it, cut likewise; numbers that JSON does not have by their names. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return excerpt(JSON.stringify(value) ?? String(value));
}
