/** Most characters of a text in a message. */
const SHOWN = 40;

/**
 * A given value for a message: text in quotes, cut if it is long; numbers as they are; the kind of
 * other values. Takes any value and never throws.
 */
export function quoted(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'not given';
    case 'object':
      return value === null ? 'not given' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}
