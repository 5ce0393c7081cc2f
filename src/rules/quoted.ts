/** So much of a text is shown in a message. */
const SHOWN = 40;

/**
 * What was given, for a message: text in quotes and cut where it is long, numbers as they are, of
 * everything else its kind. Takes whatever comes from outside and never throws.
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
