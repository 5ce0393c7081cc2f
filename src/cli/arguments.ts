import { lstatSync, statSync, type Stats } from 'node:fs';
import { excerpt } from '../config/excerpt.ts';
import { MillraceError } from '../model/errors.ts';
import { parseIsoTime, US_PER_DAY, type Micros } from '../platform/time.ts';

/** Reads `key=value` arguments. Throws `usage` for one without an equals sign or a repeated key. */
export function keyValues(pairs: readonly string[], option: string): Record<string, string> {
  const read = new Map<string, string>();
  for (const pair of pairs) {
    const separator = pair.indexOf('=');
    const key = pair.slice(0, separator);
    if (separator < 1) throw usageError(option, `key=value, not "${excerpt(pair)}"`);
    if (read.has(key))
      throw usageError(option, `one value for each key; ${excerpt(key)} is given twice`);
    read.set(key, pair.slice(separator + 1));
  }
  return Object.fromEntries(read);
}

/** The error for an invalid value of an option. */
export const usageError = (option: string, expected: string): MillraceError =>
  new MillraceError('usage', `${option} takes ${expected}.`, { field: option });

/** Reads a whole number. Throws `usage`. */
export function wholeNumber(text: string, option: string): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw usageError(option, `a whole number, not "${excerpt(text)}"`);
}

/** Reads a day, or the first of a month. Throws `usage`. */
export function parseDay(text: string, option: string): Micros {
  const at = parseIsoTime(/^\d{4}-\d\d$/.test(text) ? `${text}-01` : text);
  if (at !== undefined && at % US_PER_DAY === 0) return at;
  throw usageError(option, 'a day or a month, such as 2024-01-15 or 2024-01');
}

/** Reads an object of JSON. Throws `usage`. */
export function jsonObject(text: string, option: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) {
      return read as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Reported below.
  }
  throw usageError(option, `a JSON object such as {"timeout": 20000}, not "${excerpt(text)}"`);
}

/** Returns the path. Throws `usage` for an empty one, which a shell makes of an unset variable. */
export function requirePath(path: string, option: string): string {
  if (path.trim() !== '') return path;
  throw usageError(option, 'a path, and was given an empty one');
}

/** Returns the file name. Throws `usage` if it is none or would lead elsewhere. */
export function requireFileName(name: string, option: string): string {
  if (name.trim() !== '' && !/[\\/]/.test(name)) return name;
  throw usageError(option, `the name of a file without folders, not "${excerpt(name)}"`);
}

/**
 * Returns the path. Throws `file-exists` if something is there that may not be replaced; only regular files
 * may.
 */
export function requireReplaceable(path: string, replace: boolean): string {
  const found = statOf(path, statSync);
  if (found === undefined) {
    if (/[\\/]$/.test(path)) throw fileExistsError(path, 'names a folder. Give the name of a file');
    if (replace || statOf(path, lstatSync) === undefined) return path;
    throw fileExistsError(
      path,
      'is a link that leads nowhere. Add --force to replace it, or give another name',
    );
  }
  if (found.isDirectory()) throw fileExistsError(path, 'is a folder. Give the name of a file');
  if (!found.isFile()) throw fileExistsError(path, 'is not a regular file. Give another name');
  if (replace) return path;
  throw fileExistsError(path, 'is there already. Add --force to replace it, or give another name');
}

/** A path that cannot be read fails when it is written. */
function statOf(path: string, read: (path: string) => Stats): Stats | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

const fileExistsError = (path: string, why: string): MillraceError =>
  new MillraceError('file-exists', `${path} ${why}.`, { where: path });
