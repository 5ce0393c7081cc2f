import { readSmallFile } from '../../config/small-file.ts';
import { MillraceError } from '../../model/errors.ts';
import { writeOwnFile } from '../../platform/own-file.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { isoTime, micros, type Micros } from '../../platform/time.ts';

/** Who trades on an account. */
export interface LockHolder {
  readonly pid: number;
  /** Name of its bot. */
  readonly name: string;
  readonly startedAt: Micros;
}

/**
 * One process per account and data folder: a lock on `<base>.lock`. Who has it is named beside it in
 * `<base>.holder`. Throws `journal-locked`, with the holder's process id, where another has it.
 * `what` begins that sentence, and goes on with "by".
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

/** Who holds the lock of an account, or held it last; `undefined` if nobody says so. */
export function lockHolder(base: string): LockHolder | undefined {
  try {
    const read: unknown = JSON.parse(readSmallFile(`${base}.holder`, { isOwn: true }).text);
    if (typeof read !== 'object' || read === null) return undefined;
    const { pid, name, startedAt } = read as Partial<Record<keyof LockHolder, unknown>>;
    if (typeof pid !== 'number' || typeof name !== 'string') return undefined;
    return typeof startedAt === 'number' ? { pid, name, startedAt: micros(startedAt) } : undefined;
  } catch {
    // Without that file nothing is known of the holder, and the lock holds all the same.
    return undefined;
  }
}

function locked(base: string, what: string): MillraceError {
  const named = lockHolder(base);
  // What stands there may be of a process before, while the present one is only just starting.
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
    `The lock ${path} cannot be taken: ${error instanceof Error ? error.message : String(error)}. Look at the rights and the space of its folder.`,
    { where: path, cause: error },
  );
