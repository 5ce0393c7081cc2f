import { Decimal as DecimalJs } from 'decimal.js';

/** Numbers of the naive exchange: so many digits that nothing is ever rounded. */
export const Exact = DecimalJs.clone({ precision: 400 });
export type Exact = DecimalJs;

const read = new Map<string, Exact>();

/** The number that a text says, read once. */
export function exact(text: string): Exact {
  const known = read.get(text);
  if (known !== undefined) return known;
  const value = new Exact(text);
  read.set(text, value);
  return value;
}
