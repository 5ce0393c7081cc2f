import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { MillraceError } from '../model/errors.ts';

/** Reads `key=value` arguments. Throws `usage` for one without an equals sign. */
export function keyValues(pairs: readonly string[], option: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const mark = pair.indexOf('=');
      if (mark > 0) return [pair.slice(0, mark), pair.slice(mark + 1)];
      throw new MillraceError('usage', `${option} takes key=value, not "${pair}".`, {
        field: option,
      });
    }),
  );
}

/** A value as YAML reads it: a number, true, false, a list or text; text where it is no YAML. */
export function scalar(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** Reads a whole number. Throws `usage`. */
export function wholeNumber(text: string, option: string): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new MillraceError('usage', `${option} takes a whole number, not "${text}".`, {
    field: option,
  });
}

/** Gives the path back unless a file is there and may not be replaced. Throws `file-exists`. */
export function freshFile(path: string, replace: boolean): string {
  if (replace || !existsSync(path)) return path;
  throw new MillraceError(
    'file-exists',
    `${path} is there already. Add --force to replace it, or give another name.`,
    { where: path },
  );
}
