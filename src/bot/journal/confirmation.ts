import { MillraceError } from '../../model/errors.ts';
import { takeAccountLock, type LockHolder } from './lock.ts';
import { statePath } from './path.ts';
import { StateFile } from './state-file.ts';

/** A difference from what is known of a journal, which an operator has to check. */
export interface Difference {
  /** Identifies the difference, so that a confirmation covers only this one. */
  readonly token: string;
  /** Sentences for people. */
  readonly message: string;
}

type Kept = readonly { readonly token: string; readonly message: string }[];

/**
 * Returns the sentences of confirmed differences. Throws `journal-unconfirmed` if one was not confirmed,
 * and stores the pending ones for `confirm`.
 */
export function confirmed(
  path: string,
  state: StateFile,
  differences: readonly Difference[],
): readonly string[] {
  const accepted = keptOf(state, 'accepted').map(({ token }) => token);
  const waiting = differences.filter(({ token }) => !accepted.includes(token));
  if (waiting.length === 0) return differences.map(({ message }) => `${message} It was confirmed.`);
  state.set({ waiting: waiting.map(({ token, message }) => ({ token, message })) });
  const what = waiting.map(({ message }) => message).join(' ');
  throw new MillraceError(
    'journal-unconfirmed',
    `${what} Nothing was sent. Put right what is wrong; or confirm with "millrace journal ${path} --accept" that it is meant, and start again.`,
    { where: path },
  );
}

/** Why the last start of a journal's bot was rejected, in sentences; takes no lock. */
export function waitingFor(path: string): readonly string[] {
  const waiting = (StateFile.read(statePath(path))?.['waiting'] ?? []) as Kept;
  return waiting.map(({ message }) => message);
}

/** Nothing waits any more, and nothing that was confirmed is needed again. */
export function settle(state: StateFile): void {
  if (state.get('accepted') === undefined && state.get('waiting') === undefined) return;
  state.set({ accepted: undefined, waiting: undefined });
}

/**
 * Confirms, for the next start, what the last one was rejected for; returns the sentences. Throws
 * `journal-locked` if a bot has the journal.
 */
export function confirm(path: string, pid: number, at: LockHolder['startedAt']): readonly string[] {
  const base = path.replace(/\.sqlite$/, '');
  if (StateFile.read(statePath(path)) === undefined) return [];
  const lock = takeAccountLock(base, { pid, name: 'journal --accept', startedAt: at });
  try {
    const state = StateFile.open(statePath(path));
    try {
      const waiting = keptOf(state, 'waiting');
      if (waiting.length === 0) return [];
      state.set({ accepted: [...keptOf(state, 'accepted'), ...waiting], waiting: undefined });
      return waiting.map(({ message }) => message);
    } finally {
      state.close();
    }
  } finally {
    lock.release();
  }
}

const keptOf = (state: StateFile, name: string): Kept => (state.get(name) ?? []) as Kept;
