import { Decimal } from '../../model/decimal.ts';

/** A value of any type in a message. */
export function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return 'a bigint';
    case 'object':
      return value === null ? 'null' : objectText(value);
    default:
      return `a ${typeof value}`;
  }
}

/** Its fields one level deep, which is enough for a command. */
function objectText(value: object): string {
  if (Array.isArray(value)) return 'an array';
  if (Decimal.isDecimal(value)) return 'a decimal';
  if (value instanceof Promise) return 'a promise';
  const fields = Object.entries(value).slice(0, 3);
  const inner = fields.map(
    ([name, one]) =>
      `${name}: ${typeof one === 'object' && one !== null ? '{ … }' : valueText(one)}`,
  );
  return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
}
