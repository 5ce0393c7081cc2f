/** JSON with exact numbers: those that a double cannot hold keep their digits. */

interface LosslessJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

/** Digits that may exceed a double; other text of that length matches too, which is only slow. */
const LONG_NUMBER = /[\d.]{16}/;
const DIGITS_SAFE = 15;

/**
 * Parses JSON. A number of more than 15 digits becomes its text, which every decimal member accepts, except
 * a member `id`: that is echoed, so its digits are kept. Throws `SyntaxError`.
 */
export function readJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
  const lossless = JSON as unknown as LosslessJson;
  return lossless.parse(text, (key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (source.replace(/^-|[eE].*$|\D/g, '').length <= DIGITS_SAFE) return value;
    if (Number.isSafeInteger(value) && String(value) === source) return value;
    return key === 'id' ? lossless.rawJSON(source) : source;
  });
}

/** The same, and `undefined` for text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** The digits of a number that `readJson` kept as it was written; an object that looks so is none. */
export function keptDigits(value: unknown): string | undefined {
  const lossless = JSON as unknown as LosslessJson;
  return lossless.isRawJSON(value) ? value.rawJSON : undefined;
}

/** A number that JSON shall have in just these digits: `rawNumber('0.1')`. */
export const rawNumber = (digits: string): unknown =>
  (JSON as unknown as LosslessJson).rawJSON(digits);

/** Writes JSON; whole numbers that are `bigint` become JSON numbers with all their digits. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? rawNumber(member.toString()) : member,
  );
