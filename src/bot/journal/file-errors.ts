import { errorText, MillraceError } from '../../model/errors.ts';
import type { JournalForm } from './form.ts';

/** SQLite error codes with a remedy; all others are shown in SQLite's words. */
const CAUSES: ReadonlyMap<number, string> = new Map([
  [5, 'another program holds it; end that program'],
  [8, 'it may not be written; look at the rights of the file and its folder'],
  [13, 'the disk is full; free some space'],
]);
/** The file is damaged or no database, or its schema differs from the migrations. */
export const CORRUPT: ReadonlySet<number> = new Set([11, 26]);
const DAMAGED: ReadonlySet<number> = new Set([1, ...CORRUPT]);

/** Runs a step of opening and explains its failure. */
export function opened<T>(path: string, form: JournalForm, step: () => T): T {
  try {
    return step();
  } catch (error) {
    // No number beyond 2^53 was ever written.
    if (isOutOfRange(error)) throw damaged(path, form, error.message);
    if (!isSqlite(error)) throw error;
    const code = error.errcode & 0xff;
    if (DAMAGED.has(code)) throw damaged(path, form, error.message);
    throw unwritable(path, error);
  }
}

export const damaged = (path: string, { remedy }: JournalForm, found: string): MillraceError =>
  new MillraceError('journal-invalid', `The journal ${path} is damaged (${found}); ${remedy}.`, {
    where: path,
  });

export const gone = (path: string): MillraceError =>
  new MillraceError(
    'journal-unwritable',
    `The journal ${path} was moved or removed while its bot runs. Nothing is sent until the same file is back where it was; a copy takes a restart of the bot.`,
    { where: path },
  );

export const emptied = (path: string): MillraceError =>
  new MillraceError(
    'journal-unwritable',
    `The journal ${path} was emptied while its bot runs. Nothing more is sent: end the bot, put back a copy of the journal, and start it again.`,
    { where: path },
  );

export function unwritable(path: string, error: unknown): MillraceError {
  const known = isSqlite(error) ? CAUSES.get(error.errcode & 0xff) : undefined;
  const why = known ?? errorText(error);
  return new MillraceError(
    'journal-unwritable',
    `The journal ${path} cannot be written: ${why}. Nothing is sent until it can be.`,
    { where: path, cause: error },
  );
}

const isOutOfRange = (error: unknown): error is Error =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';

export const isSqlite = (error: unknown): error is Error & { readonly errcode: number } =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
