import { readSmallFile } from '../../config/small-file.ts';
import { errorText, MillraceError } from '../../model/errors.ts';
import { writeOwnFile } from '../../platform/own-file.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { isoTime, micros, type Micros } from '../../platform/time.ts';

/** The holder of an account's lock. */
export interface LockHolder {
  readonly pid: number;
  /** Name of its bot. */
  readonly name: string;
  readonly startedAt: Micros;
}

/**
 * One process per account and data folder: a lock on `<base>.lock`. Its holder is named in `<base>.holder`.
 * Throws `journal-locked`, with the holder's process id, if another process has it. `what` begins that
 * sentence, which continues with "by".
 */
export function takeAccountLock(
  base: string,
  holder: LockHolder,
  what = `The account of ${base}.sqlite is traded on`,
): ProcessLock {
  const path = `${base}.lock`;
  let lock: ProcessLock | undefined;
  try {
    lock = ProcessLock.take(path, () => {
      writeOwnFile(`${base}.holder`, `${JSON.stringify(holder)}\n`);
    });
  } catch (error) {
    throw unusable(path, error);
  }
  if (lock === undefined) throw locked(base, what);
  return lock;
}

/** The present or last holder of an account's lock; `undefined` if unknown. */
export function lockHolder(base: string): LockHolder | undefined {
  try {
    const read: unknown = JSON.parse(readSmallFile(`${base}.holder`, { isOwn: true }).text);
    if (typeof read !== 'object' || read === null) return undefined;
    const { pid, name, startedAt } = read as Partial<Record<keyof LockHolder, unknown>>;
    if (typeof pid !== 'number' || typeof name !== 'string') return undefined;
    return typeof startedAt === 'number' ? { pid, name, startedAt: micros(startedAt) } : undefined;
  } catch {
    // Without that file the holder is unknown, and the lock holds anyway.
    return undefined;
  }
}

function locked(base: string, what: string): MillraceError {
  const named = lockHolder(base);
  // The file may name a previous process while the present one is starting.
  const holder = named !== undefined && isAlive(named.pid) ? named : undefined;
  const who =
    holder === undefined
      ? 'another process, which has only just started'
      : `process ${holder.pid} (bot ${holder.name}, since ${isoTime(holder.startedAt)})`;
  return new MillraceError(
    'journal-locked',
    `${what} by ${who}; stop it first, or name another data folder and account.`,
    { where: `${base}.lock` },
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const unusable = (path: string, error: unknown): MillraceError =>
  new MillraceError(
    'journal-unwritable',
    `The lock ${path} cannot be taken: ${errorText(error)}. Look at the rights and the space of its folder.`,
    { where: path, cause: error },
  );
