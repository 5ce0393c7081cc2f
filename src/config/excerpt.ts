/** Enough of a value to know it again. */
const LENGTH = 80;

/** Text cut so that a message stays one line that can be read. */
export function excerpt(text: string, length = LENGTH): string {
  // A user's own tool may have made one line of megabytes; only its beginning is looked at.
  const line = text.slice(0, 2 * length).replace(/\s+/g, ' ');
  return line.length > length || text.length > 2 * length ? `${line.slice(0, length)}…` : line;
}

/** A value as JSON writes it, cut likewise; numbers that JSON does not have by their names. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return excerpt(JSON.stringify(value) ?? String(value));
}
