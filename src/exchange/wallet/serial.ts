const DIGITS = 12;

/** Kinds of things that have an id of their own, by the first digits of that id. */
export type SerialKind = 'transaction' | 'operation';

const PREFIXES: Readonly<Record<SerialKind, string>> = {
  transaction: '00000001',
  operation: '00000002',
};

/** An id in the form of a UUID, made of a count and not by chance: the same run gives the same ids. */
export const serial = (kind: SerialKind, count: number): string =>
  `${PREFIXES[kind]}-0000-4000-8000-${count.toString(16).padStart(DIGITS, '0')}`;
