import { MillraceError } from '../../model/errors.ts';
import { takeAccountLock, type LockHolder } from './lock.ts';
import { statePath } from './path.ts';
import { StateFile } from './state-file.ts';

/** What differs from what is known of a journal, so that a person has to look. */
export interface Difference {
  /** Identifies it, so that a confirmation is of this one alone. */
  readonly token: string;
  /** Sentences for people. */
  readonly message: string;
}

type Kept = readonly { readonly token: string; readonly message: string }[];

/**
 * Returns the sentences of differences that a person has confirmed. Throws `journal-unconfirmed` if one of
 * them was not, and keeps for `confirm` what waits.
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

/** What the last start of a journal's bot was refused for, in sentences; nobody needs to have it. */
export function waitingFor(path: string): readonly string[] {
  const waiting = (StateFile.look(statePath(path))?.['waiting'] ?? []) as Kept;
  return waiting.map(({ message }) => message);
}

/** Nothing waits any more, and nothing that was confirmed is needed again. */
export function settle(state: StateFile): void {
  if (state.get('accepted') === undefined && state.get('waiting') === undefined) return;
  state.set({ accepted: undefined, waiting: undefined });
}

/**
 * Confirms, for the next start, what the last one was refused for; returns the sentences. Throws
 * `journal-locked` if a bot has the journal.
 */
export function confirm(path: string, pid: number, at: LockHolder['startedAt']): readonly string[] {
  const base = path.replace(/\.sqlite$/, '');
  if (StateFile.look(statePath(path)) === undefined) return [];
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
